"""How word alignment models are trained and combined."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from paraphrast.align.symmetrise import METHODS
from paraphrast.errors import InputError

#: The longest sentence that ``max_length`` may allow: the HMM holds a weight for every jump up to it.
LONGEST = 1 << 16


@dataclass(frozen=True)
class AlignOptions:
    """How to train and combine.

    model1_iterations, hmm_iterations: EM iterations of each rung; without the HMM, Model 1 aligns.
    tolerance: stop a rung when the relative gain in log-likelihood falls below it, and warn when it does not.
    symmetrise: one of ``METHODS``.
    decode: "posterior" takes each word's most probable source, "viterbi" the likeliest whole alignment.
    empty: p0, the chance that a word comes from the empty word.
    window: jumps beyond ±window share one probability per side.
    prior: Dirichlet parameter of the HMM's lexicon; 0 is maximum likelihood.
    prune: entries of Model 1's lexicon below this do not enter the HMM's.
    max_length, max_ratio: pairs with a longer side or a greater ratio of lengths are skipped.
    posteriors: also give every link the mean of its posteriors in the two directions.
    agreement: train the HMMs of the two directions to agree.
    model1_prior: Dirichlet parameter of Model 1's lexicon; 0 is maximum likelihood.
    """

    model1_iterations: int = 2
    hmm_iterations: int = 3
    tolerance: float | None = None
    symmetrise: str = "grow-diag-final-and"
    decode: str = "posterior"
    empty: float = 0.2
    window: int = 10
    prior: float = 0.1
    prune: float = 1e-6
    max_length: int = 1000
    max_ratio: float = 9.0
    posteriors: bool = False
    agreement: bool = True
    model1_prior: float = 0.1

    def __post_init__(self) -> None:
        if self.symmetrise not in METHODS:
            raise InputError(
                f"unknown symmetrisation {self.symmetrise!r}", remedy=f"known: {', '.join(METHODS)}"
            )
        if self.decode not in ("posterior", "viterbi"):
            raise InputError(f"unknown decode {self.decode!r}", remedy="known: posterior, viterbi")
        bounds = {
            "model1_iterations": self.model1_iterations >= 1,
            "hmm_iterations": self.hmm_iterations >= 0,
            "empty": 0.0 <= self.empty < 1.0,
            "window": self.window >= 1,
            "prior": 0.0 <= self.prior < math.inf,
            "model1_prior": 0.0 <= self.model1_prior < math.inf,
            "prune": 0.0 <= self.prune < 1.0,
            "max_length": 1 <= self.max_length <= LONGEST,
            "tolerance": self.tolerance is None or self.tolerance >= 0.0,
            "max_ratio": self.max_ratio >= 1.0,
        }
        for field in fields(self):
            if not bounds.get(field.name, True):
                raise InputError(f"{field.name} is out of range: {getattr(self, field.name)}")

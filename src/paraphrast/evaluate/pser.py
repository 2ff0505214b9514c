"""The phrase substitution error rate (Zhao et al. 2008, eqs. 11–13), also where nothing was substituted.

For a sentence, PSER(S) = |∪ PS₀(Tᵢ)| / |∪ PS(Tᵢ)|: wrong substitutes among all in the union of its n best rewrites,
self-paraphrases not counted; over N sentences the paper takes the sum (eq. 13), and so do we, with the mean beside it.

The paper does not say what PSER(S) is where no rewrite substitutes anything. Were it 0, to change nothing would be the
best a model could do. So here it is

- ``silence`` (1 by default: as bad as wholly wrong) where some substitute of the sentence is known to be right: the
  model missed it, and any single right substitute is better than none;
- 0 where none is known to be right: to keep such a sentence is the right thing.

With silence 1, verbatim output has the worst possible sum, the number of sentences that have a right substitute; it
is an optimum only where no right substitute can be decoded at all. A smaller silence makes keeping still cheaper:
with 0.5 a sentence is better left alone than rewritten with more wrong substitutes than right ones.

Substitutes nobody judged count neither way; a sentence with nothing but these is left out of sum and mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paraphrast.errors import InputError
from paraphrast.evaluate.bootstrap import Floats, Interval, bootstrap
from paraphrast.evaluate.options import BootstrapOptions


@dataclass(frozen=True, slots=True)
class SentenceOutcome:
    """The substitutes in the union of a sentence's n best.

    right, wrong, unjudged: how many. possible: whether any substitute of the sentence is known to be right.
    """

    right: int
    wrong: int
    unjudged: int = 0
    possible: bool = True


@dataclass(frozen=True)
class Pser:
    """total: eq. 13; mean: the same per sentence, with its interval; sentences: those counted; silent: those of them
    without any substitute."""

    total: float
    mean: float
    interval: Interval | None
    sentences: int
    silent: int

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "pser": self.total,
            "mean": self.mean,
            "interval": self.interval.to_list() if self.interval else None,
            "sentences": self.sentences,
            "silent": self.silent,
        }


def sentence_pser(outcome: SentenceOutcome, *, silence: float = 1.0) -> float | None:
    """Eq. 12 for one sentence; None where all its substitutes are unjudged."""
    judged = outcome.right + outcome.wrong
    if judged:
        return outcome.wrong / judged
    if outcome.unjudged:
        return None
    return silence if outcome.possible else 0.0


def pser(
    outcomes: Sequence[SentenceOutcome], *, silence: float = 1.0, options: BootstrapOptions | None = None
) -> Pser:
    """Eq. 13 over sentences."""
    if not 0 <= silence <= 1:
        raise InputError(f"expected silence between 0 and 1, got {silence}")
    scored = [(sentence_pser(outcome, silence=silence), outcome) for outcome in outcomes]
    values = [value for value, _ in scored if value is not None]
    silent = sum(not one.right + one.wrong + one.unjudged for value, one in scored if value is not None)
    if not values:
        return Pser(0.0, 0.0, None, 0, 0)
    units = np.array([[value, 1.0] for value in values])

    def mean(sums: Floats) -> Floats:
        quotient: Floats = sums[:, 0] / sums[:, 1]
        return quotient

    total = float(units[:, 0].sum())
    return Pser(total, total / len(values), bootstrap(units, mean, options)[0], len(values), silent)

"""The phrase substitution error rate (Zhao et al. 2008, eqs. 11–13), defined also if nothing was substituted.

For a sentence, PSER(S) = |∪ PS₀(Tᵢ)| / |∪ PS(Tᵢ)|: the share of wrong substitutes among all in the union of its n best
rewrites, without self-paraphrases. Over N sentences the paper takes the sum (eq. 13), and so do we, with the mean
beside it.

The paper does not define PSER(S) for a sentence without any substitution. If it were 0, changing nothing would be the
best that a model could do. So here it is

- ``silence`` (by default 1, as bad as completely wrong) if any substitute of the sentence is known to be right: the
  model missed it, and any single right substitute is better than none;
- 0 if none is known to be right: such a sentence should be kept.

With silence 1, verbatim output has the worst possible sum, the number of sentences with a right substitute. It is an
optimum only if no right substitute can be decoded at all. A smaller silence makes keeping cheaper: with 0.5, keeping a
sentence is better than rewriting it with more wrong substitutes than right ones.

Unjudged substitutes do not count. A sentence with only unjudged ones is left out of sum and mean.
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
    """Counts of the substitutes in the union of a sentence's n best rewrites.

    right, wrong, unjudged: numbers. possible: whether any substitute of the sentence is known to be right.
    """

    right: int
    wrong: int
    unjudged: int = 0
    possible: bool = True


@dataclass(frozen=True)
class Pser:
    """total: eq. 13; mean: the same per sentence, with its interval; sentences: number of sentences counted; silent:
    those of them without any substitute."""

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
    """Eq. 12 for one sentence; None if all its substitutes are unjudged."""
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
    silent = sum(
        not scored_outcome.right + scored_outcome.wrong + scored_outcome.unjudged
        for value, scored_outcome in scored
        if value is not None
    )
    if not values:
        return Pser(0.0, 0.0, None, 0, 0)
    units = np.array([[value, 1.0] for value in values])

    def mean(sums: Floats) -> Floats:
        quotient: Floats = sums[:, 0] / sums[:, 1]
        return quotient

    total = float(units[:, 0].sum())
    return Pser(total, total / len(values), bootstrap(units, mean, options)[0], len(values), silent)

"""Agreement of raters: percent, Cohen's and Fleiss' kappa, Krippendorff's alpha, and Pearson's r for graded values.

Percent is the share of equal pairs of ratings of one item. Kappa is (p_o − p_e) / (1 − p_e). For two raters (Cohen
1960), p_e is the probability that both agree by chance, from the shares of values of each rater. For more raters
(Fleiss 1971) it uses the shares over all ratings, over items with at least two ratings, with equal weight per item. If
all ratings are the same, p_e is 1 and kappa is undefined: ``None``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from paraphrast.errors import InputError
from paraphrast.judge.reliability import krippendorff_alpha

#: Item → rater → value.
Votes = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class PairAgreement:
    """Two raters on the items that both of them rated."""

    first: str
    second: str
    items: int
    percent: float
    kappa: float | None
    pearson: float | None

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "raters": [self.first, self.second],
            "items": self.items,
            "agreement": self.percent,
            "kappa": self.kappa,
            "pearson": self.pearson,
        }


@dataclass(frozen=True)
class Agreement:
    """All raters together, and every pair of them.

    percent: share of equal pairs of ratings. kappa: Cohen's for two raters, Fleiss' for more (see ``kind``).
    pearson: mean over pairs of raters, for graded questions. alpha: Krippendorff's, with squared distances for graded
    questions.
    """

    items: int
    raters: tuple[str, ...]
    percent: float
    kappa: float | None
    kind: str
    pearson: float | None
    pairs: tuple[PairAgreement, ...]
    alpha: float | None = None

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "items": self.items,
            "raters": list(self.raters),
            "agreement": self.percent,
            "kappa": self.kappa,
            "kappa_kind": self.kind,
            "alpha": self.alpha,
            "pearson": self.pearson,
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


def percent_agreement(votes: Votes) -> float:
    """The share of equal pairs of ratings of one item; NaN if no item has two ratings."""
    equal = total = 0
    for item_votes in votes.values():
        counts = Counter(item_votes.values())
        ratings = sum(counts.values())
        equal += sum(count * (count - 1) for count in counts.values())
        total += ratings * (ratings - 1)
    return equal / total if total else math.nan


def cohen_kappa(first: Sequence[int], second: Sequence[int]) -> float | None:
    """Cohen's (1960) kappa of two raters' values for the same items."""
    if len(first) != len(second) or not first:
        raise InputError(f"expected two ratings of every item, got {len(first)} and {len(second)}")
    size = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / size
    first_counts, second_counts = Counter(first), Counter(second)
    expected = sum(first_counts[value] * second_counts[value] for value in first_counts) / size**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def fleiss_kappa(votes: Votes) -> float | None:
    """Fleiss' (1971) kappa. Items may have different numbers of ratings; those with one are left out."""
    rated = [Counter(item_votes.values()) for item_votes in votes.values() if len(item_votes) > 1]
    if not rated:
        return None
    shares: Counter[int] = Counter()
    agreed = 0.0
    for counts in rated:
        size = sum(counts.values())
        agreed += sum(count * (count - 1) for count in counts.values()) / (size * (size - 1))
        shares.update(counts)
    total = sum(shares.values())
    expected = sum((count / total) ** 2 for count in shares.values())
    return None if expected == 1 else (agreed / len(rated) - expected) / (1 - expected)


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's r; ``None`` if one side does not vary, or there are fewer than two values."""
    if len(first) != len(second):
        raise InputError(f"expected two lists of the same length, got {len(first)} and {len(second)}")
    size = len(first)
    if size < 2:
        return None
    mean_one, mean_two = math.fsum(first) / size, math.fsum(second) / size
    first_centred = [value - mean_one for value in first]
    two = [value - mean_two for value in second]
    spread = math.fsum(value * value for value in first_centred) * math.fsum(value * value for value in two)
    if spread <= 0:
        return None
    return math.fsum(a * b for a, b in zip(first_centred, two, strict=True)) / math.sqrt(spread)


def measure_agreement(votes: Votes, *, graded: bool = False) -> Agreement | None:
    """All figures; ``None`` if no item has two ratings."""
    shared = {item: item_votes for item, item_votes in votes.items() if len(item_votes) > 1}
    if not shared:
        return None
    raters = tuple(sorted({rater for item_votes in shared.values() for rater in item_votes}))
    pairs = [
        agreement
        for first, second in combinations(raters, 2)
        if (agreement := _pair(shared, first, second, graded)) is not None
    ]
    rs = [pair.pearson for pair in pairs if pair.pearson is not None]
    two = len(raters) == 2
    return Agreement(
        len(shared),
        raters,
        percent_agreement(shared),
        pairs[0].kappa if two else fleiss_kappa(shared),
        "cohen" if two else "fleiss",
        math.fsum(rs) / len(rs) if rs else None,
        tuple(pairs),
        krippendorff_alpha(shared, graded=graded),
    )


def _pair(votes: Votes, first: str, second: str, graded: bool) -> PairAgreement | None:
    both = [
        (item_votes[first], item_votes[second])
        for item_votes in votes.values()
        if first in item_votes and second in item_votes
    ]
    if not both:
        return None
    first_values, second_values = ([pair[side] for pair in both] for side in (0, 1))
    return PairAgreement(
        first,
        second,
        len(both),
        sum(a == b for a, b in both) / len(both),
        cohen_kappa(first_values, second_values),
        pearson(first_values, second_values) if graded else None,
    )

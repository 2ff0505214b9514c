"""Relative frequencies of phrase pairs, with discounts for rare pairs (Foster, Kuhn and Johnson 2006).

A pair seen once has p = 1 if its phrase was seen once, without being better than others. Counts of counts show how much
a count of c overestimates on average.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.extract.count import CountedPairs, PairKinds
from paraphrast.extract.options import DISCOUNTS

Floats = NDArray[np.float64]


def pair_probabilities(counted: CountedPairs, discount: str = "none") -> tuple[Floats, Floats]:
    """(p(target | source), p(source | target)) of every counted pair.

    none: count / total. good-turing: adjusted count / total; the rest up to 1 is for unseen pairs.
    kneser-ney, modified-kneser-ney: interpolated with p_b, the share of distinct pairs that a phrase is in.
    All except "none" need pairs counted with ``kinds=True``.
    """
    if discount not in DISCOUNTS:
        raise InputError(f"discount: expected one of {', '.join(DISCOUNTS)}, got {discount!r}")
    source_total = counted.source_total[counted.source].astype(np.float64)
    target_total = counted.target_total[counted.target].astype(np.float64)
    count = counted.count.astype(np.float64)
    if discount == "none":
        return count / source_total, count / target_total
    kinds = counted.kinds
    if kinds is None:
        raise InputError("a discount needs counts of counts", remedy="count_pairs(…, kinds=True)")
    if discount == "good-turing":
        adjusted = good_turing(counted.count, kinds)
        return adjusted / source_total, adjusted / target_total
    discounts = kneser_ney_discounts(kinds, modified=discount == "modified-kneser-ney")
    left = count - discounts[np.minimum(counted.count, 3) - 1]
    distinct = float(max(kinds.pairs.sum(), 1))
    source_lower = kinds.source.sum(axis=1)[counted.source] / distinct
    target_lower = kinds.target.sum(axis=1)[counted.target] / distinct
    source_freed = (kinds.source @ discounts)[counted.source]
    target_freed = (kinds.target @ discounts)[counted.target]
    return (
        (left + source_freed * target_lower) / source_total,
        (left + target_freed * source_lower) / target_total,
    )


def kneser_ney_discounts(kinds: PairKinds, *, modified: bool) -> Floats:
    """Discounts for counts of 1, 2 and 3 or more (Foster et al. 2006, §3.2; Chen and Goodman 1998).

    D = n1 / (n1 + 2 n2); modified: D_c = c − (c + 1) D n_{c+1} / n_c, if its counts of counts exist and it is between
    0 and c. Without pairs seen once, or twice, D is 0.5.
    """
    ones, twos = kinds.seen(1), kinds.seen(2)
    single = ones / (ones + 2 * twos) if ones and twos else 0.5
    discounts = np.full(3, single)
    if modified:
        for times in (1, 2, 3):
            pairs_seen, above = kinds.seen(times), kinds.seen(times + 1)
            if pairs_seen and above:
                value = times - (times + 1) * single * above / pairs_seen
                discounts[times - 1] = value if 0.0 < value < times else single
    return discounts


def good_turing(count: NDArray[np.int64], kinds: PairKinds) -> Floats:
    """Adjusted counts c* = (c + 1) n_{c+1} / n_c, never above c ("simple" Good–Turing, Gale and Sampson 1995).

    n_c is used directly while it differs from the regression by more than 1.65 standard deviations. After that the
    regression log n_c = a + b log c is used, fitted to n_c spread over the gaps to its neighbours.
    """
    occurrences = kinds.occurrences.astype(np.float64)
    pairs = kinds.pairs.astype(np.float64)
    if len(occurrences) < 2:
        return count.astype(np.float64)
    before = np.r_[0.0, occurrences[:-1]]
    after = np.r_[occurrences[1:], 2 * occurrences[-1] - before[-1]]
    spread = pairs / (0.5 * (after - before))
    slope, offset = np.polyfit(np.log(occurrences), np.log(spread), 1)

    def smooth(times: Floats) -> Floats:
        return np.asarray(np.exp(offset + slope * np.log(times)))

    adjusted = (occurrences + 1) * smooth(occurrences + 1) / smooth(occurrences)
    for place in range(len(occurrences) - 1):
        times, pairs_seen = occurrences[place], pairs[place]
        if occurrences[place + 1] != times + 1:
            break
        above = pairs[place + 1]
        raw = (times + 1) * above / pairs_seen
        deviation = np.sqrt((times + 1) ** 2 * above / pairs_seen**2 * (1 + above / pairs_seen))
        if abs(raw - adjusted[place]) <= 1.65 * deviation:
            break
        adjusted[place] = raw
    adjusted = np.minimum(adjusted, occurrences)
    return np.asarray(adjusted[np.searchsorted(kinds.occurrences, count)])

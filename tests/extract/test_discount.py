"""Discounts against their formulas and against what probabilities must sum to."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.extract import CountedPairs, PairKinds, pair_probabilities
from paraphrast.extract.discount import good_turing, kneser_ney_discounts

SIDE = 6


def counted_of(counts: dict[tuple[int, int], int]) -> CountedPairs:
    rows = sorted(counts)
    source = np.array([row[0] for row in rows], np.int32)
    target = np.array([row[1] for row in rows], np.int32)
    count = np.array([counts[row] for row in rows], np.int64)
    tally = sorted(Counter(counts.values()).items())
    kinds = []
    for side in (source, target):
        matrix = np.zeros((SIDE, 3), np.int64)
        np.add.at(matrix, (side, np.minimum(count, 3) - 1), 1)
        kinds.append(matrix)
    return CountedPairs(
        source,
        target,
        count,
        np.zeros(len(rows), np.int64),
        np.bincount(source, weights=count, minlength=SIDE).astype(np.int64),
        np.bincount(target, weights=count, minlength=SIDE).astype(np.int64),
        0,
        0,
        PairKinds(
            np.array([times for times, _ in tally], np.int64),
            np.array([pairs for _, pairs in tally], np.int64),
            *kinds,
        ),
    )


tables = st.dictionaries(
    st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1)), st.integers(1, 8), min_size=1
)


@given(tables, st.sampled_from(["kneser-ney", "modified-kneser-ney"]))
@settings(max_examples=80, deadline=None)
def test_kneser_ney_sums_to_one_with_the_unseen(counts: dict[tuple[int, int], int], name: str) -> None:
    counted = counted_of(counts)
    forward, backward = pair_probabilities(counted, name)
    kinds = counted.kinds
    assert kinds is not None
    discounts = kneser_ney_discounts(kinds, modified=name.startswith("modified"))
    distinct = len(counts)
    for given_side, values in ((0, forward), (1, backward)):
        for phrase in {pair[given_side] for pair in counts}:
            mine = [n for n, pair in enumerate(sorted(counts)) if pair[given_side] == phrase]
            total = sum(counts[sorted(counts)[n]] for n in mine)
            freed = sum(discounts[min(counts[sorted(counts)[n]], 3) - 1] for n in mine) / total
            partners = {sorted(counts)[n][1 - given_side] for n in mine}
            unseen = sum(1 for pair in counts if pair[1 - given_side] not in partners) / distinct
            assert sum(values[n] for n in mine) + freed * unseen == pytest.approx(1.0)
    assert ((forward > 0) & (forward <= 1.0 + 1e-12)).all()


def test_kneser_ney_discounts_follow_the_formulas() -> None:
    kinds = PairKinds(
        np.array([1, 2, 3, 4]), np.array([100, 40, 20, 10]), np.zeros((1, 3), int), np.zeros((1, 3), int)
    )
    single = 100 / 180
    assert kneser_ney_discounts(kinds, modified=False).tolist() == pytest.approx([single] * 3)
    assert kneser_ney_discounts(kinds, modified=True).tolist() == pytest.approx(
        [1 - 2 * single * 40 / 100, 2 - 3 * single * 20 / 40, 3 - 4 * single * 10 / 20]
    )


def test_good_turing_takes_most_from_ones() -> None:
    pairs = np.array([1000, 300, 130, 75, 50, 30, 20, 12, 9, 6])
    kinds = PairKinds(np.arange(1, 11), pairs, np.zeros((1, 3), int), np.zeros((1, 3), int))
    adjusted = good_turing(np.arange(1, 11), kinds)
    assert adjusted[0] == pytest.approx(2 * 300 / 1000)
    assert (adjusted <= np.arange(1, 11)).all()
    ratio = adjusted / np.arange(1, 11)
    assert ratio[0] < ratio[4] < ratio[9] < 1


@given(tables)
@settings(max_examples=60, deadline=None)
def test_good_turing_never_adds(counts: dict[tuple[int, int], int]) -> None:
    counted = counted_of(counts)
    plain, discounted = pair_probabilities(counted), pair_probabilities(counted, "good-turing")
    for before, after in zip(plain, discounted, strict=True):
        assert (after <= before + 1e-12).all()
        assert (after >= 0).all()


@given(tables)
@settings(max_examples=30, deadline=None)
def test_without_discount_relative_frequencies(counts: dict[tuple[int, int], int]) -> None:
    forward, backward = pair_probabilities(counted_of(counts))
    for n, pair in enumerate(sorted(counts)):
        ours = sum(count for other, count in counts.items() if other[0] == pair[0])
        theirs = sum(count for other, count in counts.items() if other[1] == pair[1])
        assert forward[n] == pytest.approx(counts[pair] / ours)
        assert backward[n] == pytest.approx(counts[pair] / theirs)


def test_wrong_names_are_refused() -> None:
    counted = counted_of({(0, 0): 1})
    with pytest.raises(InputError, match="good-turing"):
        pair_probabilities(counted, "laplace")
    bare = CountedPairs(*(getattr(counted, name) for name in list(CountedPairs.__dataclass_fields__)[:8]))
    with pytest.raises(InputError, match="counts of counts"):
        pair_probabilities(bare, "kneser-ney")

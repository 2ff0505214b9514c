"""The one overlap function, and its compiled forms against it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.tables.resources._kernels_overlap import difference_blocks, similar_chunks
from paraphrast.tables.resources.overlap import ItemSets, pair_overlaps, sharing_pairs
from paraphrast.types import Sentences


def word_overlap(first: Iterable[Hashable], second: Iterable[Hashable]) -> float:
    """2 |A ∩ B| / (|A| + |B|) of the distinct items of two lists."""
    ours, theirs = set(first), set(second)
    total = len(ours) + len(theirs)
    return 2 * len(ours & theirs) / total if total else 0.0


LISTS = st.lists(st.lists(st.integers(0, 12), max_size=8), min_size=1, max_size=8)


def test_worked_example() -> None:
    """Two of three distinct words on either side are shared: 2 · 2 / (3 + 3)."""
    assert word_overlap(["to", "look", "at"], ["look", "at", "it"]) == pytest.approx(2 / 3)
    assert word_overlap(["a", "a", "b"], ["a"]) == pytest.approx(2 / 3)
    assert word_overlap([], []) == 0.0
    assert word_overlap(["a"], []) == 0.0


@settings(deadline=None)
@given(LISTS)
def test_pairs_as_the_plain_function(lists: list[list[int]]) -> None:
    sets = ItemSets.from_lists(lists)
    first, second = (part.ravel().astype(np.int32) for part in np.meshgrid(*[np.arange(len(lists))] * 2))
    expected = [word_overlap(lists[i], lists[j]) for i, j in zip(first, second, strict=True)]
    assert pair_overlaps(sets, first, second) == pytest.approx(expected)


@settings(deadline=None)
@given(LISTS, st.integers(1, 4))
def test_sharing_pairs(lists: list[list[int]], most: int) -> None:
    rows = {item: sum(item in entry for entry in lists) for entry in lists for item in entry}
    expected = [
        (i, j)
        for i in range(len(lists))
        for j in range(i + 1, len(lists))
        if any(rows[item] <= most for item in set(lists[i]) & set(lists[j]))
    ]
    first, second = sharing_pairs(ItemSets.from_lists(lists), most_rows=most, block=3)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == expected


def test_rows_and_items_must_match() -> None:
    with pytest.raises(InputError, match="as many rows as items"):
        ItemSets.of(np.zeros(2, np.int64), np.zeros(1, np.int64), 2)


def _chunks(sentences: list[list[int]], draw: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    rows, starts, base = [], [0], 0
    for sentence in sentences:
        for begin in range(len(sentence)):
            end = begin + 1 + int(draw.integers(3))
            if end <= len(sentence):
                rows.append((base + begin, base + end, int(draw.integers(2))))
        base += len(sentence)
        starts.append(len(rows))
    return np.array(rows, np.int32).reshape(-1, 3), np.array(starts, np.int64)


@pytest.mark.parametrize("seed", range(5))
def test_similar_chunks_as_a_plain_loop(seed: int) -> None:
    draw = np.random.default_rng(seed)
    sides = [[draw.integers(0, 5, int(draw.integers(1, 9))).tolist() for _ in range(6)] for _ in range(2)]
    ours, theirs = (Sentences.from_lists(side) for side in sides)
    first, second = (_chunks(side, draw) for side in sides)
    alpha, threshold, window = 0.4, 0.3, 3

    def around(side: Sentences, number: int, chunk: np.ndarray) -> list[int]:
        low, high = int(side.starts[number]), int(side.starts[number + 1])
        left = side.tokens[max(low, chunk[0] - window) : chunk[0]]
        return [*left.tolist(), *side.tokens[chunk[1] : min(high, chunk[1] + window)].tolist()]

    expected = []
    for number in range(6):
        for i in range(first[1][number], first[1][number + 1]):
            for j in range(second[1][number], second[1][number + 1]):
                one, two = first[0][i], second[0][j]
                words = ours.tokens[one[0] : one[1]].tolist()
                others = theirs.tokens[two[0] : two[1]].tolist()
                content = word_overlap(words, others)
                context = word_overlap(around(ours, number, one), around(theirs, number, two))
                value = alpha * content + (1 - alpha) * context
                if one[2] == two[2] and words != others and value > threshold:
                    expected.append((i, j, pytest.approx(value)))
    found = similar_chunks(
        ours.tokens, ours.starts, theirs.tokens, theirs.starts, *first, *second, alpha, threshold, window
    )
    assert list(zip(*(part.tolist() for part in found), strict=True)) == expected
    assert expected


def test_differences_between_matches() -> None:
    """a b c d e and a x y d e differ in "b c" and "x y"; a sentence without a match gives nothing."""
    ours = Sentences.from_lists([[1, 2, 3, 4, 5], [1, 2], [1, 2, 3], [7, 1]])
    theirs = Sentences.from_lists([[1, 8, 9, 4, 5], [3, 4], [1, 3], [8, 9, 1]])
    blocks = difference_blocks(ours.tokens, ours.starts, theirs.tokens, theirs.starts, 7)
    assert blocks.tolist() == [[0, 1, 3, 1, 3], [3, 10, 11, 9, 11]]
    assert len(difference_blocks(ours.tokens, ours.starts, theirs.tokens, theirs.starts, 1)) == 0


@pytest.mark.parametrize("seed", range(3))
def test_differences_leave_a_common_subsequence(seed: int) -> None:
    """What is outside the blocks is common to both sides, in order, and as long as difflib's best or longer."""
    draw = np.random.default_rng(seed)
    sides = [[draw.integers(0, 6, int(draw.integers(1, 10))).tolist() for _ in range(20)] for _ in range(2)]
    ours, theirs = (Sentences.from_lists(side) for side in sides)
    blocks = difference_blocks(ours.tokens, ours.starts, theirs.tokens, theirs.starts, 20)
    assert len(blocks)
    for pair, begin, end, other_begin, other_end in blocks.tolist():
        assert ours.starts[pair] <= begin < end <= ours.starts[pair + 1]
        assert theirs.starts[pair] <= other_begin < other_end <= theirs.starts[pair + 1]
        middle = set(ours.tokens[begin:end].tolist()) & set(theirs.tokens[other_begin:other_end].tolist())
        # A word that both hold between two neighbouring matches would lengthen the subsequence.
        assert not middle

"""Each kernel against the obvious few lines of Python."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.lm import _kernels, counting
from paraphrast.lm import _kernels_smooth as smooth
from paraphrast.lm.space import Space
from paraphrast.types import Sentences

SIZE = 16
TEXTS = st.lists(st.lists(st.integers(11, SIZE - 1), max_size=6), min_size=1, max_size=6)


def padded(text: list[list[int]]) -> np.ndarray:
    sentences = Sentences.from_lists(text)
    out = np.zeros(len(sentences.tokens) + 2 * len(text), dtype=np.int32)
    _kernels.pad(sentences.tokens, sentences.starts, out)
    return out


@settings(deadline=None)
@given(TEXTS)
def test_pad(text: list[list[int]]) -> None:
    assert padded(text).tolist() == [word for sentence in text for word in [1, *sentence, 2]]


@settings(deadline=None)
@given(TEXTS)
def test_positions_by_word(text: list[list[int]]) -> None:
    words = padded(text)
    counts = np.bincount(words, minlength=SIZE).astype(np.int32)
    expected = sorted((i for i in range(len(words)) if words[i] != 1), key=lambda i: (words[i], i))
    assert _kernels.positions_by_word(words, counts).tolist() == expected


@settings(deadline=None)
@given(TEXTS)
def test_extend_from_unigrams_to_bigrams_to_trigrams(text: list[list[int]]) -> None:
    words = padded(text)
    counts = np.bincount(words, minlength=SIZE).astype(np.int32)
    by_word = _kernels.positions_by_word(words, counts)
    ids = words
    node_of: dict[tuple[int, ...], int] = {(word,): word for word in range(SIZE)}
    for length in (1, 2):
        grams: Counter[tuple[int, ...]] = Counter()
        for sentence in text:
            row = [1, *sentence, 2]
            grams.update(tuple(row[i : i + length + 1]) for i in range(len(row) - length))
        ranked = sorted(grams, key=lambda gram: (node_of[gram[:-1]], gram[-1]))
        next_ids = np.empty_like(words)
        word, suffix, new_counts, child_begin = _kernels.extend(words, by_word, ids, counts, length, next_ids)
        assert word.tolist() == [gram[-1] for gram in ranked]
        assert suffix.tolist() == [node_of[gram[1:]] for gram in ranked]
        assert new_counts.tolist() == [grams[gram] for gram in ranked]
        parents = [node_of[gram[:-1]] for gram in ranked]
        assert child_begin.tolist() == [
            sum(parent < node for parent in parents) for node in range(len(counts) + 1)
        ]
        node_of = {gram: node for node, gram in enumerate(ranked)}
        ids, counts = next_ids, new_counts


RUNS = st.lists(TEXTS, min_size=1, max_size=5)


@settings(deadline=None, max_examples=40)
@given(RUNS, st.integers(1, 5), st.integers(1, 4))
def test_runs_merge_to_what_is_counted_in_memory(runs: list[list[list[int]]], order: int, block: int) -> None:
    """merge_runs, fill_child_begin and link_suffixes against extend on all of the text, in blocks of a few nodes."""
    together = counting.count_in_memory(padded([row for run in runs for row in run]), SIZE, order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "BLOCK", block)
        merged = counting.count_in_runs(map(padded, runs), SIZE, order, Space())
    for left, right in zip(together, merged, strict=True):
        for name in ("word", "suffix", "counts", "child_begin"):
            np.testing.assert_array_equal(getattr(left, name), getattr(right, name), err_msg=name)


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=3), st.integers(1, 60))
def test_pieces_of_text(corpora: list[list[list[int]]], limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "BLOCK", 2)
        pieces = list(counting.padded([Sentences.from_lists(text) for text in corpora], limit))
    rows = [row for text in corpora for row in text]
    assert np.concatenate(pieces).tolist() == padded(rows).tolist()
    longest = max(len(row) + 2 for row in rows)
    assert all(len(piece) <= max(limit, longest) for piece in pieces)
    assert all(piece[0] == 1 and piece[-1] == 2 for piece in pieces)


@settings(deadline=None)
@given(st.lists(st.integers(0, 7), max_size=30), st.integers(0, 30))
def test_left_extensions_counts_of_counts_and_numbers(values: list[int], cut: int) -> None:
    """Each in two pieces, which must not matter."""
    array = np.array(values, dtype=np.int32)
    cut = min(cut, len(values))
    distinct, totals = np.zeros(8, dtype=np.int32), np.zeros(5, dtype=np.int64)
    numbers, kept = np.zeros(len(values), dtype=np.int32), 0
    for first, last in ((0, cut), (cut, len(values))):
        smooth.left_extensions(first, last, array, distinct)
        smooth.count_of_counts(first, last, array, totals)
        kept = smooth.number_kept(first, last, array, 2, kept, numbers)
    assert distinct.tolist() == [values.count(node) for node in range(8)]
    assert totals.tolist() == [0] + [values.count(count) for count in range(1, 5)]
    assert kept == sum(value > 2 for value in values)
    assert numbers.tolist() == [
        sum(before > 2 for before in values[:i]) if value > 2 else -1 for i, value in enumerate(values)
    ]


def test_interpolate_by_hand() -> None:
    """One context with counts 1 and 3 of which the first is pruned, and one without children."""
    probability, log_prob, backoff = np.zeros(2), np.zeros(1, np.float32), np.full(2, 9, np.float32)
    smooth.interpolate(
        0,
        2,
        np.array([0, 2, 2], dtype=np.int32),
        np.array([0, 1], dtype=np.int32),
        np.array([1, 3], dtype=np.int32),
        np.array([-1, 0], dtype=np.int32),
        np.zeros(0, dtype=np.int32),
        np.array([0.0, 0.5, 1.0, 1.5]),
        np.array([0.25, 0.75]),
        -99.0,
        probability,
        log_prob,
        backoff,
    )
    weight = (1 + 1.5) / 4
    np.testing.assert_allclose(backoff, [math.log(weight), 0.0], rtol=1e-6)
    np.testing.assert_allclose(probability[1], (3 - 1.5) / 4 + weight * 0.75)
    np.testing.assert_allclose(log_prob, np.log(probability[1:]), rtol=1e-6)


def test_logarithms_have_a_floor() -> None:
    logs = np.zeros(3, dtype=np.float32)
    smooth.logarithms(np.array([0.0, 1e-300, 0.5]), -99.0, logs)
    np.testing.assert_allclose(logs, [-99.0, -99.0, math.log(0.5)], rtol=1e-6)


def test_nodes_and_children_find_their_places() -> None:
    """Three contexts, of which the second is pruned; of their children 0, 1 | 2 | 3 only 1 and 3 stay."""
    numbers, child_numbers = np.array([0, -1, 1], np.int32), np.array([-1, 0, -1, 1], np.int32)
    begins = np.full(2, -1, dtype=np.int64)
    kept = smooth.place_children(
        0, 3, np.array([0, 2, 3, 4], np.int32), numbers, child_numbers, 10, 0, begins
    )
    assert (kept, begins.tolist()) == (2, [10, 11])
    word, suffix = np.zeros(2, np.int32), np.zeros(2, np.int32)
    words, links = np.array([5, 6, 7, 8], np.int32), np.array([0, 0, 2, 2], np.int32)
    smooth.place_nodes(0, 4, words, links, child_numbers, numbers, 100, word, suffix)
    assert (word.tolist(), suffix.tolist()) == ([6, 8], [100, 101])
    nothing = np.zeros(0, np.int32)
    smooth.place_nodes(0, 2, words, links, nothing, nothing, -1, word, suffix)
    assert (word.tolist(), suffix.tolist()) == ([5, 6], [-1, -1])

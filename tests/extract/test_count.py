"""Counts against a Counter."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.extract import Extraction, count_pairs
from paraphrast.extract.count import commonest_alignments
from paraphrast.types import PhrasePairs

PHRASES = 5


def extraction_of(rows: list[tuple[int, int]]) -> Extraction:
    flat = np.array(rows, np.int32).reshape(-1, 2)
    none = np.zeros(len(rows), np.int32)
    words = np.full((PHRASES, 7), -1, np.int32)
    return Extraction(PhrasePairs(flat[:, 0].copy(), flat[:, 1].copy(), none, none), words, words, none)


@given(
    st.lists(st.tuples(st.integers(0, PHRASES - 1), st.integers(0, PHRASES - 1)), max_size=60),
    st.integers(1, 4),
)
@settings(max_examples=40, deadline=None)
def test_equals_a_counter(rows: list[tuple[int, int]], min_count: int) -> None:
    with Engine(threads=1) as engine:
        counted = count_pairs(engine, extraction_of(rows), min_count=min_count)
    counts = Counter(rows)
    kept = sorted(pair for pair, count in counts.items() if count >= min_count)
    assert list(zip(counted.source.tolist(), counted.target.tolist(), strict=True)) == kept
    assert counted.count.tolist() == [counts[pair] for pair in kept]
    assert counted.first.tolist() == [rows.index(pair) for pair in kept]
    assert counted.source_total.tolist() == [sum(s == k for s, _ in rows) for k in range(PHRASES)]
    assert counted.target_total.tolist() == [sum(t == k for _, t in rows) for k in range(PHRASES)]
    assert counted.dropped_pairs == len(counts) - len(kept)
    assert counted.dropped_count == len(rows) - sum(counts[pair] for pair in kept)
    assert len(counted) == len(kept)
    assert (counted.source.dtype, counted.count.dtype) == (np.int32, np.int64)


def test_threads_never_change_the_rows() -> None:
    rng = np.random.default_rng(1)
    rows = [(int(a), int(b)) for a, b in rng.integers(0, PHRASES, (5000, 2))]
    results = []
    for threads in (1, 2):
        with Engine(threads=threads) as engine:
            counted = count_pairs(engine, extraction_of(rows), min_count=2)
            results.append([counted.source.tobytes(), counted.count.tobytes(), counted.first.tobytes()])
    assert results[0] == results[1]


def test_min_count_is_checked() -> None:
    with Engine(threads=1) as engine, pytest.raises(InputError, match="min_count"):
        count_pairs(engine, extraction_of([]), min_count=0)


def plain_kinds(rows: list[tuple[int, int]], side: int) -> list[list[int]]:
    counts = Counter(rows)
    matrix = [[0, 0, 0] for _ in range(PHRASES)]
    for pair, count in counts.items():
        matrix[pair[side]][min(count, 3) - 1] += 1
    return matrix


@given(
    st.lists(st.tuples(st.integers(0, PHRASES - 1), st.integers(0, PHRASES - 1)), max_size=60),
    st.integers(1, 3),
)
@settings(max_examples=30, deadline=None)
def test_counts_of_counts_are_those_of_all_pairs(rows: list[tuple[int, int]], min_count: int) -> None:
    with Engine(threads=1) as engine:
        kinds = count_pairs(engine, extraction_of(rows), min_count=min_count, kinds=True).kinds
    assert kinds is not None
    tally = Counter(Counter(rows).values())
    assert list(zip(kinds.occurrences.tolist(), kinds.pairs.tolist(), strict=True)) == sorted(tally.items())
    assert [kinds.seen(times) for times in range(1, 62)] == [tally[times] for times in range(1, 62)]
    assert kinds.source.tolist() == plain_kinds(rows, 0)
    assert kinds.target.tolist() == plain_kinds(rows, 1)


occurrences = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 3), st.integers(0, 2)), max_size=40
)


@given(occurrences, st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_the_commonest_alignment_is_the_first_of_the_most_frequent(
    rows: list[tuple[int, int, int, int]], min_count: int
) -> None:
    extraction = with_sentences(rows)
    codes = np.array([row[3] for row in rows], np.int64)
    with Engine(threads=1) as engine:
        counted = count_pairs(engine, extraction, min_count=min_count)
        found = commonest_alignments(engine, extraction, counted, codes)
    for n, pair in enumerate(zip(counted.source.tolist(), counted.target.tolist(), strict=True)):
        mine = [row[3] for row in rows if row[:2] == pair]
        # Counter.most_common keeps the order of first appearance among equals.
        assert found[n] == Counter(mine).most_common(1)[0][0]


def with_sentences(rows: list[tuple[int, int, int, int]]) -> Extraction:
    flat = np.array(rows, np.int32).reshape(-1, 4)
    none = np.zeros(len(rows), np.int32)
    words = np.full((3, 7), -1, np.int32)
    pairs = PhrasePairs(flat[:, 0].copy(), flat[:, 1].copy(), flat[:, 2].copy(), none)
    return Extraction(pairs, words, words, none)


def test_dropped_rows_are_reported() -> None:
    with Engine(threads=1) as engine:
        counted = count_pairs(engine, extraction_of([(0, 0), (0, 0), (0, 1), (1, 1)]))
    kept = counted.select(counted.count > 1)
    assert (len(kept), kept.dropped_pairs, kept.dropped_count) == (1, 2, 2)
    assert kept.source_total.tolist() == counted.source_total.tolist()


def test_wrong_numbers_are_named() -> None:
    extraction = extraction_of([(0, 0)])
    with Engine(threads=1) as engine:
        counted = count_pairs(engine, extraction)
        with pytest.raises(InputError, match="one per occurrence"):
            commonest_alignments(engine, extraction, counted, np.zeros(2, np.int64))

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

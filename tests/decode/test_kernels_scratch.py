"""Heaps and growing arrays against lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.decode._kernels_scratch import (
    drop_top,
    grown_hashes,
    grown_rows,
    grown_scores,
    heapify,
    sift_up,
)


@settings(max_examples=50, deadline=None)
@given(scores=st.lists(st.integers(0, 5), max_size=40), base=st.integers(0, 3), late=st.integers(0, 10))
def test_a_heap_gives_entries_back_best_first_then_by_number(scores, base, late):
    size = len(scores)
    heap = np.full((base + size, 2), -7, dtype=np.int32)
    heap[base:, 0] = np.arange(size)
    heap[base:, 1] = np.arange(size) * 10
    heap_score = np.concatenate([np.zeros(base), np.array(scores, dtype=np.float64)])
    early = max(0, size - late)
    heapify(heap, heap_score, base, early)
    for held in range(early, size):
        sift_up(heap, heap_score, base, held)
    given_back = []
    for left in range(size, 0, -1):
        given_back.append((-heap_score[base], heap[base, 0]))
        assert heap[base, 1] == 10 * heap[base, 0]
        drop_top(heap, heap_score, base, left)
    assert given_back == sorted((-score, index) for index, score in enumerate(scores))
    assert (heap[:base] == -7).all()


def test_grown_arrays_begin_as_before():
    rows = np.arange(12, dtype=np.int32).reshape(4, 3)
    assert grown_rows(rows, 3, 9)[:3].tolist() == rows[:3].tolist()
    assert grown_rows(rows, 3, 9).shape == (9, 3)
    assert grown_scores(np.arange(4.0), 2, 5)[:2].tolist() == [0.0, 1.0]
    hashes = np.array([[2**63 + 5], [7]], dtype=np.uint64)
    assert grown_hashes(hashes, 2, 4)[:2].tolist() == hashes.tolist()

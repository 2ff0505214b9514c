"""Scratch arrays that grow, and binary heaps in them.

Copies are plain loops: compiling a slice assignment, with its error messages, takes seconds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, kernel


@inner_inline_kernel
def wide(value: Any) -> Any:
    """The value as int64. Use it before arithmetic: mixing signed and unsigned integers gives floats."""
    return np.int64(value)


@kernel
def grown_rows(rows: NDArray[np.int32], used: int, size: int) -> NDArray[np.int32]:
    """int32[size, ·] that begins with the ``used`` first rows."""
    wider = np.empty((size, rows.shape[1]), dtype=np.int32)
    for row in range(used):
        for column in range(rows.shape[1]):
            wider[row, column] = rows[row, column]
    return wider


@kernel
def grown_scores(scores: NDArray[np.float64], used: int, size: int) -> NDArray[np.float64]:
    """float64[size] that begins with the ``used`` first scores."""
    wider = np.empty(size, dtype=np.float64)
    for at in range(used):
        wider[at] = scores[at]
    return wider


@kernel
def grown_words(words: NDArray[np.int32], used: int, size: int) -> NDArray[np.int32]:
    """int32[size] that begins with the ``used`` first words."""
    wider = np.empty(size, dtype=np.int32)
    for at in range(used):
        wider[at] = words[at]
    return wider


@kernel
def grown_hashes(hashes: NDArray[np.uint64], used: int, size: int) -> NDArray[np.uint64]:
    """uint64[size, ·] that begins with the ``used`` first rows."""
    wider = np.empty((size, hashes.shape[1]), dtype=np.uint64)
    for row in range(used):
        for column in range(hashes.shape[1]):
            wider[row, column] = hashes[row, column]
    return wider


@kernel
def clear(table: NDArray[np.int32]) -> None:
    """Empty a hash table of indices."""
    for slot in range(len(table)):
        table[slot] = -1


@inner_inline_kernel
def _before(heap: NDArray[np.int32], heap_score: NDArray[np.float64], left: int, right: int) -> bool:
    """Whether the entry at ``left`` is better: by score, then by its first column, which no two share."""
    if heap_score[left] != heap_score[right]:
        return bool(heap_score[left] > heap_score[right])
    return bool(heap[left, 0] < heap[right, 0])


@inner_inline_kernel
def _swap(heap: NDArray[np.int32], heap_score: NDArray[np.float64], left: int, right: int) -> None:
    first, second, score = heap[left, 0], heap[left, 1], heap_score[left]
    heap[left, 0], heap[left, 1], heap_score[left] = heap[right, 0], heap[right, 1], heap_score[right]
    heap[right, 0], heap[right, 1], heap_score[right] = first, second, score


@kernel
def sift_down(
    heap: NDArray[np.int32], heap_score: NDArray[np.float64], base: int, size: int, at: int
) -> None:
    """Restore the heap ``base … base + size`` below entry ``at``; the best entry is at ``base``."""
    while True:
        best = at
        for child in range(2 * at + 1, min(2 * at + 3, size)):
            if _before(heap, heap_score, base + child, base + best):
                best = child
        if best == at:
            return
        _swap(heap, heap_score, base + at, base + best)
        at = best


@kernel
def sift_up(heap: NDArray[np.int32], heap_score: NDArray[np.float64], base: int, at: int) -> None:
    """Restore the heap above entry ``at``."""
    while at > 0:
        above = (at - 1) // 2
        if not _before(heap, heap_score, base + at, base + above):
            return
        _swap(heap, heap_score, base + at, base + above)
        at = above


@kernel
def heapify(heap: NDArray[np.int32], heap_score: NDArray[np.float64], base: int, size: int) -> None:
    """Make a heap of ``base … base + size``."""
    for at in range(size // 2 - 1, -1, -1):
        sift_down(heap, heap_score, base, size, at)


@kernel
def drop_top(heap: NDArray[np.int32], heap_score: NDArray[np.float64], base: int, size: int) -> None:
    """Move the best of ``size`` entries behind the others, which stay a heap."""
    if size > 1:
        _swap(heap, heap_score, base, base + size - 1)
        sift_down(heap, heap_score, base, size - 1, 0)

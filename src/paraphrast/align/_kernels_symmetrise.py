"""Compiled loops that combine two one-way alignments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt8s = NDArray[np.uint8]

FORWARD = 1
BACKWARD = 2
CHOSEN = 4

INTERSECT = 0
UNION = 1
GROW_DIAG = 2
GROW_DIAG_FINAL = 3
GROW_DIAG_FINAL_AND = 4
REFINED = 5

NEIGHBOURS = np.array([(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)], dtype=np.int64)


@inline_kernel
def beside(grid: UInt8s, i: int, j: int) -> tuple[bool, bool]:
    """Whether a chosen link is beside (i, j) in its row, and in its column."""
    source_len, target_len = grid.shape
    in_row = (j > 0 and grid[i, j - 1] & CHOSEN != 0) or (j + 1 < target_len and grid[i, j + 1] & CHOSEN != 0)
    in_column = (i > 0 and grid[i - 1, j] & CHOSEN != 0) or (
        i + 1 < source_len and grid[i + 1, j] & CHOSEN != 0
    )
    return in_row, in_column


@inline_kernel
def makes_corner(grid: UInt8s, i: int, j: int) -> bool:
    """Whether, if (i, j) is chosen, it or a neighbour has neighbours both in its row and in its column."""
    source_len, target_len = grid.shape
    old_value = grid[i, j]
    grid[i, j] |= CHOSEN
    in_row, in_column = beside(grid, i, j)
    corner = in_row and in_column
    for k in range(4):
        x = i + NEIGHBOURS[k, 0]
        y = j + NEIGHBOURS[k, 1]
        if 0 <= x < source_len and 0 <= y < target_len and grid[x, y] & CHOSEN != 0:
            in_row, in_column = beside(grid, x, y)
            corner = corner or (in_row and in_column)
    grid[i, j] = old_value
    return corner


@kernel
def refine(grid: UInt8s, source_free: UInt8s, target_free: UInt8s) -> int:
    """Och and Ney's refined method, starting from the intersection. Returns the number of added links."""
    source_len, target_len = grid.shape
    added = 0
    grew = True
    while grew:
        grew = False
        for i in range(source_len):
            for j in range(target_len):
                if grid[i, j] == 0 or grid[i, j] & CHOSEN != 0:
                    continue
                fits = source_free[i] and target_free[j]
                if not fits:
                    in_row, in_column = beside(grid, i, j)
                    fits = (in_row or in_column) and not makes_corner(grid, i, j)
                if fits:
                    grid[i, j] |= CHOSEN
                    source_free[i] = 0
                    target_free[j] = 0
                    added += 1
                    grew = True
    return added


@kernel
def choose(grid: UInt8s, source_free: UInt8s, target_free: UInt8s, method: int) -> int:
    """Mark the chosen links of one pair in ``grid`` and count them."""
    source_len, target_len = grid.shape
    both = FORWARD | BACKWARD
    chosen = 0
    for i in range(source_len):
        for j in range(target_len):
            if grid[i, j] == both or (method == UNION and grid[i, j] != 0):
                grid[i, j] |= CHOSEN
                source_free[i] = 0
                target_free[j] = 0
                chosen += 1
    if method <= UNION:
        return chosen
    if method == REFINED:
        return chosen + refine(grid, source_free, target_free)
    grew = True
    while grew:
        grew = False
        for i in range(source_len):
            for j in range(target_len):
                if grid[i, j] & CHOSEN == 0:
                    continue
                for k in range(8):
                    x = i + NEIGHBOURS[k, 0]
                    y = j + NEIGHBOURS[k, 1]
                    if x < 0 or y < 0 or x >= source_len or y >= target_len:
                        continue
                    if grid[x, y] != 0 and grid[x, y] & CHOSEN == 0 and (source_free[x] or target_free[y]):
                        grid[x, y] |= CHOSEN
                        source_free[x] = 0
                        target_free[y] = 0
                        chosen += 1
                        grew = True
    if method == GROW_DIAG:
        return chosen
    for direction in (FORWARD, BACKWARD):
        for i in range(source_len):
            for j in range(target_len):
                if grid[i, j] & direction == 0 or grid[i, j] & CHOSEN != 0:
                    continue
                if method == GROW_DIAG_FINAL:
                    free = source_free[i] or target_free[j]
                else:
                    free = source_free[i] and target_free[j]
                if free:
                    grid[i, j] |= CHOSEN
                    source_free[i] = 0
                    target_free[j] = 0
                    chosen += 1
    return chosen


@kernel
def symmetrise(
    source_starts: Int64s, target_starts: Int64s, forward: Int32s, backward: Int32s, method: int
) -> tuple[Int64s, Int32s, Int32s]:
    """(starts, source, target) of the chosen links, sorted by source then target position.

    forward: a source position or −1 for every target token; backward: the reverse.
    """
    pairs = len(source_starts) - 1
    starts = np.zeros(pairs + 1, np.int64)
    limit = 0
    for k in range(len(forward)):
        limit += forward[k] >= 0
    for k in range(len(backward)):
        limit += backward[k] >= 0
    source = np.empty(limit, np.int32)
    target = np.empty(limit, np.int32)
    cursor = 0
    for n in range(pairs):
        starts[n + 1] = cursor
        source_len = source_starts[n + 1] - source_starts[n]
        target_len = target_starts[n + 1] - target_starts[n]
        linked = False
        for j in range(target_len):
            linked = linked or forward[target_starts[n] + j] >= 0
        for i in range(source_len):
            linked = linked or backward[source_starts[n] + i] >= 0
        if not linked:
            continue
        grid = np.zeros((source_len, target_len), np.uint8)
        for j in range(target_len):
            i = forward[target_starts[n] + j]
            if i >= 0:
                grid[i, j] |= FORWARD
        for i in range(source_len):
            j = backward[source_starts[n] + i]
            if j >= 0:
                grid[i, j] |= BACKWARD
        choose(grid, np.ones(source_len, np.uint8), np.ones(target_len, np.uint8), method)
        for i in range(source_len):
            for j in range(target_len):
                if grid[i, j] & CHOSEN != 0:
                    source[cursor] = i
                    target[cursor] = j
                    cursor += 1
        starts[n + 1] = cursor
    return starts, source[:cursor].copy(), target[:cursor].copy()

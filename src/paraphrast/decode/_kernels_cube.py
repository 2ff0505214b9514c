"""Beam search with cube pruning (Chiang 2007, §5.3.4; Huang and Chiang 2007), on a monotone lattice.

The hypotheses that end at a position come from pairs (hypothesis at the edge's start, edge). The pairs of each span
form a grid with both sides sorted. The best corner of all grids that end at the position is taken, its true score is
computed with the language model, and its neighbours enter the queue. After ``pops`` pairs the position is full.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, inner_kernel
from paraphrast._numeric import start_state
from paraphrast.decode._kernels_forward import Beam, select
from paraphrast.decode._kernels_future import Estimates, Problem
from paraphrast.decode._kernels_graph import Graph, add_arc, begin_graph, grown_graph, has_room
from paraphrast.decode._kernels_lattice import E_END, E_START, ItemLattice
from paraphrast.decode._kernels_scratch import drop_top, grown_rows, grown_scores, grown_words, sift_up, wide
from paraphrast.types import PackedNgrams

# Columns of a cell: first edge of its span in the sorted order, end of the span, row (hypothesis), column (edge).
C_FIRST, C_STOP, C_ROW, C_COLUMN, C_COLUMNS = 0, 1, 2, 3, 4


class Kept(NamedTuple):
    """The hypotheses that each position keeps, best first.

    begin: int64[tokens + 1], into ``node`` (int32[·]) and ``score`` (float64[·]).
    """

    begin: NDArray[np.int64]
    node: NDArray[np.int32]
    score: NDArray[np.float64]


class Queue(NamedTuple):
    """Cells of the grids, and a heap of them by estimated score.

    counts: int64[2], cells made and cells in the heap. cells: int32[·, 4]. heap: int32[·, 2], a cell in its first
    column. score: float64[·].
    """

    counts: NDArray[np.int64]
    cells: NDArray[np.int32]
    heap: NDArray[np.int32]
    score: NDArray[np.float64]


@inner_kernel
def sort_edges(lattice: ItemLattice, estimate: NDArray[np.float64], order: NDArray[np.int32]) -> None:
    """order int32[edges]: the edges of each start by end, then by estimate, the best first."""
    edges = lattice.edges
    for start in range(len(lattice.begin) - 1):
        first = lattice.begin[start]
        for edge in range(first, lattice.begin[start + 1]):
            at = edge
            while at > first:
                other = wide(order[at - 1])
                if edges[other, E_END] < edges[edge, E_END] or (
                    edges[other, E_END] == edges[edge, E_END] and estimate[other] >= estimate[edge]
                ):
                    break
                order[at] = other
                at -= 1
            order[at] = edge


@inner_inline_kernel
def _keep(kept: Kept, position: int, beam: Beam, begin: int, end: int) -> Kept:
    """Store the selected nodes of a position, the best first."""
    count = kept.begin[position]
    if count + end - begin > len(kept.node):
        size = 2 * len(kept.node) + end - begin
        kept = Kept(kept.begin, grown_words(kept.node, count, size), grown_scores(kept.score, count, size))
    for index in range(end - 1, begin - 1, -1):
        kept.node[count] = beam.node[index, 0]
        kept.score[count] = beam.score[index]
        count += 1
    kept.begin[position + 1] = count
    return kept


@inner_kernel
def _grown(queue: Queue) -> Queue:
    """The queue with room for twice as many cells."""
    cells, queued = queue.counts[0], queue.counts[1]
    size = 2 * len(queue.cells)
    return Queue(
        queue.counts,
        grown_rows(queue.cells, cells, size),
        grown_rows(queue.heap, queued, size),
        grown_scores(queue.score, queued, size),
    )


@inner_inline_kernel
def _push(queue: Queue, first: int, stop: int, row: int, column: int, score: float) -> None:
    """Add a cell to the queue, which must have room."""
    cell, queued = queue.counts[0], queue.counts[1]
    queue.cells[cell, C_FIRST] = first
    queue.cells[cell, C_STOP] = stop
    queue.cells[cell, C_ROW] = row
    queue.cells[cell, C_COLUMN] = column
    queue.heap[queued, 0] = cell
    queue.score[queued] = score
    sift_up(queue.heap, queue.score, 0, queued)
    queue.counts[0], queue.counts[1] = cell + 1, queued + 1


@inner_inline_kernel
def _longest(lattice: ItemLattice, order: NDArray[np.int32]) -> int:
    """The tokens of the longest edge."""
    longest = 1
    for start in range(len(lattice.begin) - 1):
        last = wide(order[lattice.begin[start + 1] - 1])
        longest = max(longest, wide(lattice.edges[last, E_END]) - start)
    return longest


@inner_kernel
def _pop_cells(
    ngrams: PackedNgrams,
    problem: Problem,
    begin_state: int,
    estimate: NDArray[np.float64],
    order: NDArray[np.int32],
    kept: Kept,
    graph: Graph,
    queue: Queue,
    popped: int,
) -> int:
    """Take cells until the position is full, or the queue is empty or must grow; returns the number of arcs added."""
    while queue.counts[1] > 0 and popped < problem.limits.pops and queue.counts[0] + 2 <= len(queue.cells):
        cell = wide(queue.heap[0, 0])
        drop_top(queue.heap, queue.score, 0, queue.counts[1])
        queue.counts[1] -= 1
        first, stop = wide(queue.cells[cell, C_FIRST]), wide(queue.cells[cell, C_STOP])
        row, column = wide(queue.cells[cell, C_ROW]), wide(queue.cells[cell, C_COLUMN])
        edge = wide(order[column])
        popped += add_arc(ngrams, problem, begin_state, graph, wide(kept.node[row]), edge)
        # Each cell is reached in exactly one way: along its row; rows are entered in the first column.
        if column + 1 < stop:
            score = kept.score[row] + estimate[order[column + 1]]
            _push(queue, first, stop, row, column + 1, score)
        if column == first and row + 1 < kept.begin[wide(problem.lattice.edges[edge, E_START]) + 1]:
            score = kept.score[row + 1] + estimate[edge]
            _push(queue, first, stop, row + 1, column, score)
    return popped


@inner_kernel
def search_cube(
    ngrams: PackedNgrams, problem: Problem, estimates: Estimates, graph: Graph, beam: Beam
) -> tuple[Graph, Beam]:
    """As :func:`~paraphrast.decode._kernels_forward.search_forward`, for a beam without required sequences."""
    size, lattice, limits = len(problem.breaks), problem.lattice, problem.limits
    edges, edge_estimate = lattice.edges, estimates.edge
    begin_state = start_state(ngrams)
    graph = begin_graph(begin_state, size, graph)
    order = np.empty(lattice.begin[size], dtype=np.int32)
    sort_edges(lattice, edge_estimate, order)
    longest = _longest(lattice, order)
    # The first edge of each start in ``order`` that ends later: the spans of a start are sorted by end.
    cursor = np.empty(size, dtype=np.int64)
    for start in range(size):
        cursor[start] = lattice.begin[start]
    capacity = size * min(limits.beam, 64) + 1
    kept = Kept(np.zeros(size + 1, np.int64), np.empty(capacity, np.int32), np.empty(capacity, np.float64))
    capacity = 2 * limits.pops + 64
    queue = Queue(
        np.zeros(2, np.int64),
        np.empty((capacity, C_COLUMNS), np.int32),
        np.empty((capacity, 2), np.int32),
        np.empty(capacity, np.float64),
    )
    for position in range(size):
        begin, end, beam = select(graph, position, limits, estimates.future, beam)
        kept = _keep(kept, position, beam, begin, end)
        # The grids of all spans that end after this token, by their best corners.
        queue.counts[0], queue.counts[1] = 0, 0
        for start in range(max(0, position + 1 - longest), position + 1):
            if queue.counts[0] == len(queue.cells):
                queue = _grown(queue)
            first = cursor[start]
            stop = first
            while stop < lattice.begin[start + 1] and edges[order[stop], E_END] == position + 1:
                stop += 1
            cursor[start] = stop
            row = kept.begin[start]
            if stop > first and row < kept.begin[start + 1]:
                score = kept.score[row] + edge_estimate[order[first]]
                _push(queue, first, stop, row, first, score)
        if not has_room(graph, limits.pops):
            graph = grown_graph(graph, limits.pops)
        popped = _pop_cells(ngrams, problem, begin_state, edge_estimate, order, kept, graph, queue, 0)
        while popped < limits.pops and queue.counts[1] > 0:
            queue = _grown(queue)
            popped = _pop_cells(
                ngrams, problem, begin_state, edge_estimate, order, kept, graph, queue, popped
            )
    return graph, beam

"""Beam search with cube pruning (Chiang 2007, §5.3.4; Huang and Chiang 2007), on a monotone lattice.

The hypotheses that end at a position come from pairs (hypothesis at the edge's start, edge). For each span the
pairs are a grid, both sides sorted; the best corner of all grids that end here is taken, its true score asked of
the language model, and its neighbours enter the queue. After ``pops`` pairs the position is full.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel
from paraphrast._numeric import start_state
from paraphrast.decode._kernels_forward import select
from paraphrast.decode._kernels_graph import add_arc, begin_graph, with_room
from paraphrast.decode._kernels_lattice import E_END, E_START
from paraphrast.decode._kernels_scratch import drop_top, grown_rows, grown_scores, grown_words, sift_up, wide
from paraphrast.decode.scoring import Limits, Scoring
from paraphrast.types import PackedNgrams


@kernel
def sort_edges(
    edge_begin: NDArray[np.int64],
    edges: NDArray[np.int32],
    estimate: NDArray[np.float64],
    order: NDArray[np.int32],
) -> None:
    """order int32[edges]: the edges of each start by end, then by estimate, the best first."""
    for start in range(len(edge_begin) - 1):
        first = edge_begin[start]
        for edge in range(first, edge_begin[start + 1]):
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


@kernel
def search_cube(
    ngrams: PackedNgrams,
    breaks: NDArray[np.uint8],
    edge_begin: NDArray[np.int64],
    edges: NDArray[np.int32],
    edge_score: NDArray[np.float64],
    words: NDArray[np.int32],
    scoring: Scoring,
    limits: Limits,
    estimate: NDArray[np.float64],
    future: NDArray[np.float64],
    nodes: NDArray[np.int32],
    node_score: NDArray[np.float64],
    arcs: NDArray[np.int32],
    arc_score: NDArray[np.float64],
    table: NDArray[np.int32],
    chosen: NDArray[np.int32],
    chosen_score: NDArray[np.float64],
) -> tuple[
    int,
    int,
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
]:
    """As :func:`~paraphrast.decode._kernels_forward.search_forward`, for a beam and no demands."""
    size = len(breaks)
    begin_state = start_state(ngrams)
    heads = np.empty(size + 1, dtype=np.int32)
    begin_graph(ngrams, nodes, node_score, heads, table)
    node_count, arc_count = 1, 0
    order = np.empty(edge_begin[size], dtype=np.int32)
    sort_edges(edge_begin, edges, estimate, order)
    # The first edge in ``order`` not yet used by a position's end: spans of a start come in order of their end.
    cursor = np.empty(size, dtype=np.int64)
    longest = 1
    for start in range(size):
        cursor[start] = edge_begin[start]
        last = edge_begin[start + 1] - 1
        longest = max(longest, wide(edges[order[last], E_END]) - start)
    kept_begin = np.zeros(size + 1, dtype=np.int64)
    kept = np.empty(size * min(limits.beam, 64) + 1, dtype=np.int32)
    kept_score = np.empty(len(kept), dtype=np.float64)
    # Columns of a cell: first edge of its span in ``order``, end of the span, row (hypothesis), column (edge).
    cells = np.empty((2 * limits.pops + 64, 4), dtype=np.int32)
    heap = np.empty((len(cells), 2), dtype=np.int32)
    heap_score = np.empty(len(cells), dtype=np.float64)
    for position in range(size):
        begin, expand, chosen, chosen_score = select(
            nodes, node_score, heads[position], position, limits, future, chosen, chosen_score
        )
        held = kept_begin[position]
        if held + expand - begin > len(kept):
            kept = grown_words(kept, held, 2 * len(kept) + expand - begin)
            kept_score = grown_scores(kept_score, held, len(kept))
        for index in range(expand - 1, begin - 1, -1):
            kept[held] = chosen[index, 0]
            kept_score[held] = chosen_score[index]
            held += 1
        kept_begin[position + 1] = held

        end = position + 1
        cell_count, queued = 0, 0
        for start in range(max(0, end - longest), end):
            first = cursor[start]
            stop = first
            while stop < edge_begin[start + 1] and edges[order[stop], E_END] == end:
                stop += 1
            cursor[start] = stop
            if stop == first or kept_begin[start] == kept_begin[start + 1]:
                continue
            if cell_count == len(cells):
                cells = grown_rows(cells, cell_count, 2 * cell_count)
                heap = grown_rows(heap, queued, 2 * cell_count)
                heap_score = grown_scores(heap_score, queued, 2 * cell_count)
            cells[cell_count, 0] = first
            cells[cell_count, 1] = stop
            cells[cell_count, 2] = kept_begin[start]
            cells[cell_count, 3] = first
            heap[queued, 0] = cell_count
            heap_score[queued] = kept_score[kept_begin[start]] + estimate[order[first]]
            sift_up(heap, heap_score, 0, queued)
            cell_count += 1
            queued += 1
        popped = 0
        nodes, node_score, arcs, arc_score, table = with_room(
            limits.pops, node_count, arc_count, nodes, node_score, arcs, arc_score, table
        )
        while queued > 0 and popped < limits.pops:
            cell = wide(heap[0, 0])
            drop_top(heap, heap_score, 0, queued)
            queued -= 1
            first, stop = wide(cells[cell, 0]), wide(cells[cell, 1])
            row, column = wide(cells[cell, 2]), wide(cells[cell, 3])
            before = arc_count
            node_count, arc_count = add_arc(
                ngrams,
                begin_state,
                size,
                breaks,
                edges,
                edge_score,
                words,
                scoring,
                limits,
                wide(kept[row]),
                wide(order[column]),
                nodes,
                node_score,
                arcs,
                arc_score,
                table,
                heads,
                node_count,
                arc_count,
            )
            popped += arc_count - before
            if cell_count + 2 > len(cells):
                cells = grown_rows(cells, cell_count, 2 * cell_count + 2)
                heap = grown_rows(heap, queued, 2 * cell_count + 2)
                heap_score = grown_scores(heap_score, queued, 2 * cell_count + 2)
            # Each cell is reached by one way: along its row, and from row to row in the first column.
            start_of_row = wide(edges[order[column], E_START])
            for way in range(2):
                next_row = row + way
                next_column = column + 1 - way
                if way == 0 and next_column >= stop:
                    continue
                if way == 1 and (column != first or next_row >= kept_begin[start_of_row + 1]):
                    continue
                cells[cell_count, 0] = first
                cells[cell_count, 1] = stop
                cells[cell_count, 2] = next_row
                cells[cell_count, 3] = next_column
                heap[queued, 0] = cell_count
                heap_score[queued] = kept_score[next_row] + estimate[order[next_column]]
                sift_up(heap, heap_score, 0, queued)
                cell_count += 1
                queued += 1
    return node_count, heads[size], nodes, node_score, arcs, arc_score, table, chosen, chosen_score

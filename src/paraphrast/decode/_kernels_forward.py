"""Viterbi over the lattice: hypotheses recombine by language-model state, and every arc is kept.

Quirk et al. (2004, §3.4) find the best path by dynamic programming. A node here is (position, language
model state, number of edits where it is limited, demands met and tables used); all arcs into it are kept, so
that the n-best search walks the same graph. Search is monotone: all nodes of a position have the same source
words left, so their rest costs are equal and the beam ranks by the score so far, and by what tables not used
yet may still gain.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel
from paraphrast._numeric import start_state
from paraphrast.decode._kernels_future import future_of
from paraphrast.decode._kernels_graph import N_BITS, N_NEXT, add_arc, begin_graph, with_room
from paraphrast.decode._kernels_scratch import drop_top, grown_rows, grown_scores, heapify, wide
from paraphrast.decode.scoring import Limits, Scoring
from paraphrast.types import PackedNgrams


@kernel
def select(
    nodes: NDArray[np.int32],
    node_score: NDArray[np.float64],
    first: int,
    position: int,
    limits: Limits,
    future: NDArray[np.float64],
    chosen: NDArray[np.int32],
    chosen_score: NDArray[np.float64],
) -> tuple[int, int, NDArray[np.int32], NDArray[np.float64]]:
    """``(begin, end, scratch)``: ``chosen[begin:end, 0]`` are the nodes of one position to expand, best last.

    With a beam, the best ``beam`` of each set of met demands: a demand costs score, and hypotheses that met
    one must not be crowded out by those that did not. Ties go to the node made first. Without, all, unsorted.
    """
    count = 0
    must_all = (wide(1) << wide(limits.must_count)) - 1
    node = wide(first)
    while node >= 0:
        if count == len(chosen):
            chosen = grown_rows(chosen, count, 2 * count)
            chosen_score = grown_scores(chosen_score, count, 2 * count)
        chosen[count, 0] = node
        chosen[count, 1] = wide(nodes[node, N_BITS]) & must_all
        chosen_score[count] = node_score[node]
        if future.shape[1] > 0:
            chosen_score[count] += future_of(wide(nodes[node, N_BITS]), limits, position, future)
        count += 1
        node = wide(nodes[node, N_NEXT])
    if limits.beam == 0 or (limits.pops == 0 and count <= limits.beam):
        return 0, count, chosen, chosen_score
    heapify(chosen, chosen_score, 0, count)
    better = np.zeros(must_all + 1, dtype=np.int64)
    begin = count  # the chosen gather at the end, best last
    left = count
    while left > 0:
        bits = chosen[0, 1]
        drop_top(chosen, chosen_score, 0, left)
        left -= 1
        if better[bits] < limits.beam:
            better[bits] += 1
            begin -= 1
            chosen[begin, 0] = chosen[left, 0]
            chosen_score[begin] = chosen_score[left]
            if must_all == 0 and count - begin == limits.beam:
                break
    return begin, count, chosen, chosen_score


@kernel
def search_forward(
    ngrams: PackedNgrams,
    breaks: NDArray[np.uint8],
    edge_begin: NDArray[np.int64],
    edges: NDArray[np.int32],
    edge_score: NDArray[np.float64],
    words: NDArray[np.int32],
    scoring: Scoring,
    limits: Limits,
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
    """``(nodes made, final node or −1, the scratch arrays)``; node 0 is the start.

    future: float64[positions + 1, K] of :func:`~paraphrast.decode._kernels_future.fill_future`.
    """
    size = len(breaks)
    begin_state = start_state(ngrams)
    heads = np.empty(size + 1, dtype=np.int32)
    begin_graph(ngrams, nodes, node_score, heads, table)
    node_count, arc_count = 1, 0
    for position in range(size):
        begin, expand, chosen, chosen_score = select(
            nodes, node_score, heads[position], position, limits, future, chosen, chosen_score
        )
        fan = edge_begin[position + 1] - edge_begin[position]
        for index in range(expand - 1, begin - 1, -1):
            tail = wide(chosen[index, 0])
            nodes, node_score, arcs, arc_score, table = with_room(
                fan, node_count, arc_count, nodes, node_score, arcs, arc_score, table
            )
            for edge in range(edge_begin[position], edge_begin[position + 1]):
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
                    tail,
                    edge,
                    nodes,
                    node_score,
                    arcs,
                    arc_score,
                    table,
                    heads,
                    node_count,
                    arc_count,
                )
    return node_count, heads[size], nodes, node_score, arcs, arc_score, table, chosen, chosen_score

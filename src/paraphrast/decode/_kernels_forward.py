"""Viterbi over the lattice: hypotheses recombine by language-model state, and every arc is kept.

Quirk et al. (2004, §3.4) find the best path by dynamic programming. A node here is (position, language
model state, number of edits where it is limited, demands met); all arcs into it are kept, so that the n-best
search walks the same graph. Search is monotone: all nodes of a position have the same source words left,
so their rest costs are equal and the beam ranks by the score so far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast._numeric import advance, start_state
from paraphrast.decode._kernels_lattice import E_BITS, E_END, E_OPTION, wide
from paraphrast.decode.arrays import OptionArrays
from paraphrast.types import NgramArrays

# Columns of the node array.
N_STATE, N_POSITION, N_EDITS, N_BITS = 0, 1, 2, 3
#: Most recent arc into the node, number of arcs into it, best arc, next node of the same position.
N_LAST_IN, N_ARCS_IN, N_BEST, N_NEXT, N_COLUMNS = 4, 5, 6, 7, 8
# Columns of the arc array: node it leaves, the arc added before it into the same node, its edge.
A_TAIL, A_NEXT_IN, A_EDGE, A_COLUMNS = 0, 1, 2, 3
_SENTENCE_END = 2


@inline_kernel
def _slot_of(state: int, position: int, edits: int, bits: int, table_size: int) -> Any:
    """Where the search for a node begins in a hash table of ``table_size`` (a power of two)."""
    mixed = np.uint64(state + 2) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= np.uint64(position) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= (np.uint64(edits) * np.uint64(65537) + np.uint64(bits)) * np.uint64(0x165667B19E3779F9)
    mixed ^= mixed >> np.uint64(31)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    return wide(mixed & np.uint64(table_size - 1))


@kernel
def _rehash(nodes: NDArray[np.int32], count: int, table_size: int) -> NDArray[np.int32]:
    """A hash table of ``table_size`` that holds the first ``count`` nodes."""
    table = np.full(table_size, -1, dtype=np.int32)
    for node in range(count):
        slot = _slot_of(
            wide(nodes[node, N_STATE]),
            wide(nodes[node, N_POSITION]),
            wide(nodes[node, N_EDITS]),
            wide(nodes[node, N_BITS]),
            table_size,
        )
        while table[slot] >= 0:
            slot = (slot + 1) & (table_size - 1)
        table[slot] = node
    return table


@kernel
def _select(
    nodes: NDArray[np.int32],
    node_score: NDArray[np.float64],
    first: int,
    beam: int,
    all_bits: int,
    chosen: NDArray[np.int32],
) -> tuple[NDArray[np.int32], int]:
    """The nodes of one position to expand, in the order they were made.

    With a beam, the best ``beam`` of each set of met demands: a demand costs score, and hypotheses that met
    one must not be crowded out by those that did not. Ties go to the node made first.
    """
    count = 0
    node = first
    while node >= 0:
        if count == len(chosen):
            wider = np.empty(2 * count, dtype=np.int32)
            wider[:count] = chosen
            chosen = wider
        chosen[count] = node
        count += 1
        node = nodes[node, N_NEXT]
    for left in range(count // 2):
        right = count - 1 - left
        chosen[left], chosen[right] = chosen[right], chosen[left]
    if beam == 0 or count <= beam:
        return chosen, count
    scores = np.empty(count, dtype=np.float64)
    for at in range(count):
        scores[at] = -node_score[chosen[at]]
    order = np.argsort(scores, kind="mergesort")
    keep = np.zeros(count, dtype=np.uint8)
    if all_bits == 0:
        keep[order[:beam]] = 1
    else:
        better = np.zeros(all_bits + 1, dtype=np.int64)
        for at in order:
            bits = nodes[chosen[at], N_BITS]
            if better[bits] < beam:
                keep[at] = 1
            better[bits] += 1
    kept = 0
    for at in range(count):
        if keep[at] == 1:
            chosen[kept] = chosen[at]
            kept += 1
    return chosen, kept


@kernel
def search_forward(
    options: OptionArrays,
    ngrams: NgramArrays,
    tokens: NDArray[np.int32],
    breaks: NDArray[np.uint8],
    edge_begin: NDArray[np.int64],
    edges: NDArray[np.int32],
    edge_score: NDArray[np.float64],
    lm_weight: float,
    beam: int,
    max_edits: int,
    all_bits: int,
    nodes: NDArray[np.int32],
    node_score: NDArray[np.float64],
    arcs: NDArray[np.int32],
    arc_score: NDArray[np.float64],
    table: NDArray[np.int32],
    chosen: NDArray[np.int32],
) -> tuple[
    int,
    int,
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.int32],
]:
    """``(nodes made, final node or −1, the scratch arrays)``; node 0 is the start.

    At a sentence break and at the end, ``</s>`` is scored and the state begins anew, so all hypotheses of
    the same edits and demands recombine; the last position has one node, which only hypotheses that met all
    demands reach.
    """
    size = len(tokens)
    begin_state = start_state(ngrams)
    table[:] = -1
    heads = np.full(size + 1, -1, dtype=np.int32)
    nodes[0, N_STATE] = begin_state
    nodes[0, N_POSITION] = 0
    nodes[0, N_EDITS] = 0
    nodes[0, N_BITS] = 0
    nodes[0, N_LAST_IN] = -1
    nodes[0, N_ARCS_IN] = 0
    nodes[0, N_BEST] = -1
    nodes[0, N_NEXT] = -1
    node_score[0] = 0.0
    heads[0] = 0
    node_count, arc_count = 1, 0
    for position in range(size):
        chosen, expand = _select(nodes, node_score, heads[position], beam, all_bits, chosen)
        fan = edge_begin[position + 1] - edge_begin[position]
        for index in range(expand):
            tail = chosen[index]
            if arc_count + fan > len(arcs):
                wider_arcs = np.empty((2 * len(arcs) + fan, A_COLUMNS), dtype=np.int32)
                wider_arcs[:arc_count] = arcs[:arc_count]
                arcs = wider_arcs
                wider_arc_score = np.empty(len(arcs), dtype=np.float64)
                wider_arc_score[:arc_count] = arc_score[:arc_count]
                arc_score = wider_arc_score
            if node_count + fan > len(nodes):
                wider_nodes = np.empty((2 * len(nodes) + fan, N_COLUMNS), dtype=np.int32)
                wider_nodes[:node_count] = nodes[:node_count]
                nodes = wider_nodes
                wider_node_score = np.empty(len(nodes), dtype=np.float64)
                wider_node_score[:node_count] = node_score[:node_count]
                node_score = wider_node_score
            if 2 * (node_count + fan) > len(table):
                table_size = len(table)
                while 2 * (node_count + fan) > table_size:
                    table_size *= 2
                table = _rehash(nodes, node_count, table_size)
            tail_state = wide(nodes[tail, N_STATE])
            for edge in range(edge_begin[position], edge_begin[position + 1]):
                option = wide(edges[edge, E_OPTION])
                end = wide(edges[edge, E_END])
                edits = wide(nodes[tail, N_EDITS])
                if max_edits > 0 and option >= 0:
                    edits += 1
                    if edits > max_edits:
                        continue
                bits = wide(nodes[tail, N_BITS]) | wide(edges[edge, E_BITS])
                if end == size:
                    if bits != all_bits:
                        continue
                    edits = 0
                state = tail_state
                log_prob = 0.0
                if option < 0:
                    state, log_prob = advance(ngrams, state, tokens[position])
                else:
                    for at in range(options.word_begin[option], options.word_begin[option + 1]):
                        state, word_log_prob = advance(ngrams, state, options.target_words[at])
                        log_prob += word_log_prob
                if end == size or breaks[end] != 0:
                    state, word_log_prob = advance(ngrams, state, _SENTENCE_END)
                    log_prob += word_log_prob
                    state = begin_state
                score = edge_score[edge] + lm_weight * log_prob
                slot = _slot_of(state, end, edits, bits, len(table))
                node = wide(table[slot])
                while node >= 0 and not (
                    nodes[node, N_STATE] == state
                    and nodes[node, N_POSITION] == end
                    and nodes[node, N_EDITS] == edits
                    and nodes[node, N_BITS] == bits
                ):
                    slot = (slot + 1) & (len(table) - 1)
                    node = wide(table[slot])
                if node < 0:
                    node = wide(node_count)
                    table[slot] = node
                    nodes[node, N_STATE] = state
                    nodes[node, N_POSITION] = end
                    nodes[node, N_EDITS] = edits
                    nodes[node, N_BITS] = bits
                    nodes[node, N_LAST_IN] = -1
                    nodes[node, N_ARCS_IN] = 0
                    nodes[node, N_BEST] = -1
                    nodes[node, N_NEXT] = heads[end]
                    node_score[node] = -np.inf
                    heads[end] = node
                    node_count += 1
                arcs[arc_count, A_TAIL] = tail
                arcs[arc_count, A_NEXT_IN] = nodes[node, N_LAST_IN]
                arcs[arc_count, A_EDGE] = edge
                arc_score[arc_count] = score
                nodes[node, N_LAST_IN] = arc_count
                nodes[node, N_ARCS_IN] += 1
                total = node_score[tail] + score
                if nodes[node, N_BEST] < 0 or total > node_score[node]:
                    node_score[node] = total
                    nodes[node, N_BEST] = arc_count
                arc_count += 1
    return node_count, heads[size], nodes, node_score, arcs, arc_score, table, chosen


@kernel
def unchanged_score(
    ngrams: NgramArrays,
    tokens: NDArray[np.int32],
    breaks: NDArray[np.uint8],
    lm_weight: float,
    word_weight: float,
    log_u: float,
) -> float:
    """The model's score of the item as it stands."""
    state = start_state(ngrams)
    total = 0.0
    for position in range(len(tokens)):
        state, log_prob = advance(ngrams, state, tokens[position])
        end = position + 1
        if end == len(tokens) or breaks[end] != 0:
            state, end_log_prob = advance(ngrams, state, _SENTENCE_END)
            log_prob += end_log_prob
            state = start_state(ngrams)
        total += (log_u + word_weight) + lm_weight * log_prob
    return total

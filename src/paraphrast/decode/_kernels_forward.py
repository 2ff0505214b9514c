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
from paraphrast.decode._kernels_lattice import E_BITS, E_END, E_OPTION
from paraphrast.decode._kernels_scratch import clear, drop_top, grown_rows, grown_scores, heapify, wide
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
    table = np.empty(table_size, dtype=np.int32)
    clear(table)
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
    chosen_score: NDArray[np.float64],
) -> tuple[int, int, NDArray[np.int32], NDArray[np.float64]]:
    """``(begin, end, scratch)``: ``chosen[begin:end, 0]`` are the nodes of one position to expand.

    With a beam, the best ``beam`` of each set of met demands: a demand costs score, and hypotheses that met
    one must not be crowded out by those that did not. Ties go to the node made first.
    """
    count = 0
    node = wide(first)
    while node >= 0:
        if count == len(chosen):
            chosen = grown_rows(chosen, count, 2 * count)
            chosen_score = grown_scores(chosen_score, count, 2 * count)
        chosen[count, 0] = node
        chosen[count, 1] = nodes[node, N_BITS]
        chosen_score[count] = node_score[node]
        count += 1
        node = wide(nodes[node, N_NEXT])
    if beam == 0 or count <= beam:
        return 0, count, chosen, chosen_score
    heapify(chosen, chosen_score, 0, count)
    better = np.zeros(all_bits + 1, dtype=np.int64)
    begin = count  # the chosen gather at the end, best last
    left = count
    while left > 0:
        bits = chosen[0, 1]
        drop_top(chosen, chosen_score, 0, left)
        left -= 1
        if better[bits] < beam:
            better[bits] += 1
            begin -= 1
            chosen[begin, 0] = chosen[left, 0]
            if all_bits == 0 and count - begin == beam:
                break
    return begin, count, chosen, chosen_score


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

    At a sentence break and at the end, ``</s>`` is scored and the state begins anew, so all hypotheses of
    the same edits and demands recombine; the last position has one node, which only hypotheses that met all
    demands reach.
    """
    size = len(tokens)
    begin_state = start_state(ngrams)
    clear(table)
    heads = np.empty(size + 1, dtype=np.int32)
    clear(heads)
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
        begin, expand, chosen, chosen_score = _select(
            nodes, node_score, heads[position], beam, all_bits, chosen, chosen_score
        )
        fan = edge_begin[position + 1] - edge_begin[position]
        for index in range(expand - 1, begin - 1, -1):
            tail = wide(chosen[index, 0])
            if arc_count + fan > len(arcs):
                larger = 2 * len(arcs) + fan
                arcs = grown_rows(arcs, arc_count, larger)
                arc_score = grown_scores(arc_score, arc_count, larger)
            if node_count + fan > len(nodes):
                larger = 2 * len(nodes) + fan
                nodes = grown_rows(nodes, node_count, larger)
                node_score = grown_scores(node_score, node_count, larger)
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
                first_word, length = wide(0), wide(1)
                if option >= 0:
                    first_word = wide(options.word_begin[option])
                    length = wide(options.word_begin[option + 1]) - first_word
                ends = end == size or breaks[end] != 0
                state, log_prob = tail_state, 0.0
                for offset in range(length + 1 if ends else length):
                    if offset == length:
                        word = wide(_SENTENCE_END)
                    elif option < 0:
                        word = wide(tokens[position])
                    else:
                        word = wide(options.target_words[first_word + offset])
                    state, word_log_prob = advance(ngrams, state, word)
                    log_prob += word_log_prob
                if ends:
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
    return node_count, heads[size], nodes, node_score, arcs, arc_score, table, chosen, chosen_score


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

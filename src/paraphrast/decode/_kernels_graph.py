"""The search graph: hypotheses as nodes found by what recombines, and every arc into them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast._numeric import advance, start_state
from paraphrast.decode._kernels_lattice import E_BITS, E_END, E_LENGTH, E_OPTION, E_SPLIT, E_WORDS
from paraphrast.decode._kernels_scratch import clear, grown_rows, grown_scores, wide
from paraphrast.decode.scoring import Limits, Scoring
from paraphrast.types import PackedNgrams

# Columns of the node array. N_BITS: demands met, and above them the tables with a minimum used so far.
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
def begin_graph(
    ngrams: PackedNgrams,
    nodes: NDArray[np.int32],
    node_score: NDArray[np.float64],
    heads: NDArray[np.int32],
    table: NDArray[np.int32],
) -> None:
    """Only the start: node 0, at position 0, with nothing done."""
    clear(table)
    clear(heads)
    for column in range(N_COLUMNS):
        nodes[0, column] = 0
    nodes[0, N_STATE] = start_state(ngrams)
    nodes[0, N_LAST_IN] = -1
    nodes[0, N_BEST] = -1
    nodes[0, N_NEXT] = -1
    node_score[0] = 0.0
    heads[0] = 0


@kernel
def with_room(
    room: int,
    node_count: int,
    arc_count: int,
    nodes: NDArray[np.int32],
    node_score: NDArray[np.float64],
    arcs: NDArray[np.int32],
    arc_score: NDArray[np.float64],
    table: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]:
    """The graph's arrays with room for as many more nodes and arcs."""
    if arc_count + room > len(arcs):
        larger = 2 * len(arcs) + room
        arcs = grown_rows(arcs, arc_count, larger)
        arc_score = grown_scores(arc_score, arc_count, larger)
    if node_count + room > len(nodes):
        larger = 2 * len(nodes) + room
        nodes = grown_rows(nodes, node_count, larger)
        node_score = grown_scores(node_score, node_count, larger)
    if 2 * (node_count + room) > len(table):
        table_size = len(table)
        while 2 * (node_count + room) > table_size:
            table_size *= 2
        table = _rehash(nodes, node_count, table_size)
    return nodes, node_score, arcs, arc_score, table


@inline_kernel
def add_arc(
    ngrams: PackedNgrams,
    begin_state: int,
    size: int,
    breaks: NDArray[np.uint8],
    edges: NDArray[np.int32],
    edge_score: NDArray[np.float64],
    words: NDArray[np.int32],
    scoring: Scoring,
    limits: Limits,
    tail: int,
    edge: int,
    nodes: NDArray[np.int32],
    node_score: NDArray[np.float64],
    arcs: NDArray[np.int32],
    arc_score: NDArray[np.float64],
    table: NDArray[np.int32],
    heads: NDArray[np.int32],
    node_count: int,
    arc_count: int,
) -> tuple[int, int]:
    """Extend a hypothesis by an edge: ``(nodes, arcs)`` there are then; as many as before where it may not be.

    At a sentence break and at the end, ``</s>`` is scored and the state begins anew; so do the tables' bits,
    since a minimum applies once a sentence (Zhao et al. 2008, footnote 2). Only hypotheses that met all demands
    reach the last position, where they are one node.
    """
    end = wide(edges[edge, E_END])
    edits = wide(nodes[tail, N_EDITS])
    if limits.max_edits > 0 and (edges[edge, E_OPTION] >= 0 or edges[edge, E_SPLIT] >= 0):
        edits += 1
        if edits > limits.max_edits:
            return node_count, arc_count
    must_all = (wide(1) << wide(limits.must_count)) - 1
    before, added = wide(nodes[tail, N_BITS]), wide(edges[edge, E_BITS])
    bits = before | added
    if end == size:
        if bits & must_all != must_all:
            return node_count, arc_count
        edits = wide(0)
    score = edge_score[edge]
    first_uses = (added & ~before) >> wide(limits.must_count)
    index = 0
    while first_uses != 0:
        if first_uses & 1 == 1:
            score += scoring.first_use[index]
        first_uses >>= 1
        index += 1
    state, log_prob = wide(nodes[tail, N_STATE]), 0.0
    first_word = wide(edges[edge, E_WORDS])
    for at in range(first_word, first_word + wide(edges[edge, E_LENGTH])):
        state, word_log_prob = advance(ngrams, state, words[at])
        log_prob += word_log_prob
    if end == size or breaks[end] != 0:
        state, word_log_prob = advance(ngrams, state, _SENTENCE_END)
        log_prob += word_log_prob
        state = begin_state
        bits &= must_all
    score += scoring.lm * log_prob
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
    return node_count, arc_count + 1


@kernel
def unchanged_score(
    ngrams: PackedNgrams, tokens: NDArray[np.int32], breaks: NDArray[np.uint8], scoring: Scoring
) -> float:
    """The model's score of the item as it stands, but for the minima, which every table has in it."""
    state = start_state(ngrams)
    total = 0.0
    for position in range(len(tokens)):
        state, log_prob = advance(ngrams, state, tokens[position])
        end = position + 1
        if end == len(tokens) or breaks[end] != 0:
            state, end_log_prob = advance(ngrams, state, _SENTENCE_END)
            log_prob += end_log_prob
            state = start_state(ngrams)
        total += (scoring.identity + scoring.word) + scoring.lm * log_prob
    return total

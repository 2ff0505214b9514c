"""The search graph: hypotheses as nodes in a hash table, so that equal ones are combined, and all arcs into them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, inner_kernel
from paraphrast._numeric import advance, start_state
from paraphrast.decode._kernels_future import Problem
from paraphrast.decode._kernels_lattice import E_BITS, E_END, E_LENGTH, E_NUMBER, E_WORDS
from paraphrast.decode._kernels_scratch import clear, grown_rows, grown_scores, wide
from paraphrast.types import PackedNgrams

# Columns of the node array. N_BITS: required sequences inserted, and above them the tables with a minimum used so far.
N_STATE, N_POSITION, N_EDITS, N_BITS = 0, 1, 2, 3
#: Most recent arc into the node, number of arcs into it, best arc, next node of the same position.
N_LAST_IN, N_ARCS_IN, N_BEST, N_NEXT, N_COLUMNS = 4, 5, 6, 7, 8
# Columns of the arc array: node it leaves, the arc added before it into the same node, its edge.
A_TAIL, A_NEXT_IN, A_EDGE, A_COLUMNS = 0, 1, 2, 3
#: Places of the counters in ``Graph.counts``.
NODES, ARCS = 0, 1
_SENTENCE_END = 2
_FIRST_NODES = 4096


class Graph(NamedTuple):
    """What the search of one item writes.

    counts: int64[2], nodes and arcs so far. heads: int32[tokens + 1], the newest node of each position, or −1.
    nodes: int32[·, 8]; node_score: float64[·], the score of the best path to a node.
    arcs: int32[·, 3]; arc_score: float64[·].
    table: int32[·], a hash table from (state, position, edits, bits) to the node; its size is a power of two.
    """

    counts: NDArray[np.int64]
    heads: NDArray[np.int32]
    nodes: NDArray[np.int32]
    node_score: NDArray[np.float64]
    arcs: NDArray[np.int32]
    arc_score: NDArray[np.float64]
    table: NDArray[np.int32]


@inner_kernel
def first_graph() -> Graph:
    """Scratch memory for the first item of a run."""
    return Graph(
        np.zeros(2, dtype=np.int64),
        np.empty(1, dtype=np.int32),
        np.empty((_FIRST_NODES, N_COLUMNS), dtype=np.int32),
        np.empty(_FIRST_NODES, dtype=np.float64),
        np.empty((4 * _FIRST_NODES, A_COLUMNS), dtype=np.int32),
        np.empty(4 * _FIRST_NODES, dtype=np.float64),
        np.empty(4 * _FIRST_NODES, dtype=np.int32),
    )


@inner_inline_kernel
def _slot_of(state: int, position: int, edits: int, bits: int, table_size: int) -> Any:
    """Where the search for a node begins in a hash table of ``table_size`` (a power of two)."""
    mixed = np.uint64(state + 2) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= np.uint64(position) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= (np.uint64(edits) * np.uint64(65537) + np.uint64(bits)) * np.uint64(0x165667B19E3779F9)
    mixed ^= mixed >> np.uint64(31)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    return wide(mixed & np.uint64(table_size - 1))


@inner_kernel
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


@inner_kernel
def begin_graph(state: int, size: int, scratch: Graph) -> Graph:
    """A graph with only the start, node 0 at position 0, in the memory of ``scratch``."""
    graph = Graph(
        scratch.counts,
        np.empty(size + 1, dtype=np.int32),
        scratch.nodes,
        scratch.node_score,
        scratch.arcs,
        scratch.arc_score,
        scratch.table,
    )
    clear(graph.table)
    clear(graph.heads)
    for column in range(N_COLUMNS):
        graph.nodes[0, column] = 0
    graph.nodes[0, N_STATE] = state
    graph.nodes[0, N_LAST_IN] = -1
    graph.nodes[0, N_BEST] = -1
    graph.nodes[0, N_NEXT] = -1
    graph.node_score[0] = 0.0
    graph.heads[0] = 0
    graph.counts[NODES], graph.counts[ARCS] = 1, 0
    return graph


@inner_inline_kernel
def has_room(graph: Graph, room: int) -> bool:
    """Whether the graph has room for ``room`` more nodes and arcs."""
    nodes = graph.counts[NODES] + room
    return bool(
        graph.counts[ARCS] + room <= len(graph.arcs)
        and nodes <= len(graph.nodes)
        and 2 * nodes <= len(graph.table)
    )


@inner_kernel
def grown_graph(graph: Graph, room: int) -> Graph:
    """The graph with room for ``room`` more nodes and arcs."""
    node_count, arc_count = graph.counts[NODES], graph.counts[ARCS]
    arcs, arc_score, nodes, node_score = graph.arcs, graph.arc_score, graph.nodes, graph.node_score
    if arc_count + room > len(arcs):
        size = 2 * len(arcs) + room
        arcs, arc_score = grown_rows(arcs, arc_count, size), grown_scores(arc_score, arc_count, size)
    if node_count + room > len(nodes):
        size = 2 * len(nodes) + room
        nodes, node_score = grown_rows(nodes, node_count, size), grown_scores(node_score, node_count, size)
    table = graph.table
    if 2 * (node_count + room) > len(table):
        table_size = len(table)
        while 2 * (node_count + room) > table_size:
            table_size *= 2
        table = _rehash(nodes, node_count, table_size)
    return Graph(graph.counts, graph.heads, nodes, node_score, arcs, arc_score, table)


@inner_inline_kernel
def _with_first_uses(problem: Problem, score: float, before: int, added: int) -> float:
    """The score, plus what a sentence gains by the tables with a minimum that it has not used before."""
    first_uses = (added & ~before) >> wide(problem.limits.must_count)
    index = 0
    while first_uses != 0:
        if first_uses & 1 == 1:
            score += problem.scoring.first_use[index]
        first_uses >>= 1
        index += 1
    return score


@inner_inline_kernel
def _find_or_add_node(graph: Graph, state: int, position: int, edits: int, bits: int) -> int:
    """The node of this state, position, number of edits and bits; added if there is none."""
    slot = _slot_of(state, position, edits, bits, len(graph.table))
    node = wide(graph.table[slot])
    while node >= 0:
        if (
            graph.nodes[node, N_STATE] == state
            and graph.nodes[node, N_POSITION] == position
            and graph.nodes[node, N_EDITS] == edits
            and graph.nodes[node, N_BITS] == bits
        ):
            return node  # type: ignore[no-any-return]
        slot = (slot + 1) & (len(graph.table) - 1)
        node = wide(graph.table[slot])
    node = graph.counts[NODES]
    graph.counts[NODES] = node + 1
    graph.table[slot] = node
    graph.nodes[node, N_STATE] = state
    graph.nodes[node, N_POSITION] = position
    graph.nodes[node, N_EDITS] = edits
    graph.nodes[node, N_BITS] = bits
    graph.nodes[node, N_LAST_IN] = -1
    graph.nodes[node, N_ARCS_IN] = 0
    graph.nodes[node, N_BEST] = -1
    graph.nodes[node, N_NEXT] = graph.heads[position]
    graph.node_score[node] = -np.inf
    graph.heads[position] = node
    return node  # type: ignore[no-any-return]


@inner_inline_kernel
def _enter_arc(graph: Graph, tail: int, node: int, edge: int, score: float) -> None:
    """Add an arc from ``tail`` to ``node``, and note whether it is the best into the node."""
    arc = graph.counts[ARCS]
    graph.counts[ARCS] = arc + 1
    graph.arcs[arc, A_TAIL] = tail
    graph.arcs[arc, A_NEXT_IN] = graph.nodes[node, N_LAST_IN]
    graph.arcs[arc, A_EDGE] = edge
    graph.arc_score[arc] = score
    graph.nodes[node, N_LAST_IN] = arc
    graph.nodes[node, N_ARCS_IN] += 1
    total = graph.node_score[tail] + score
    if graph.nodes[node, N_BEST] < 0 or total > graph.node_score[node]:
        graph.node_score[node] = total
        graph.nodes[node, N_BEST] = arc


@inner_inline_kernel
def add_arc(
    ngrams: PackedNgrams, problem: Problem, begin_state: int, graph: Graph, tail: int, edge: int
) -> int:
    """Extend a hypothesis by an edge; returns the number of arcs added: 1, or 0 if the edge is not allowed.

    At a sentence break and at the end, ``</s>`` is scored and the state is reset, and so are the tables' bits,
    because a minimum applies once per sentence (Zhao et al. 2008, footnote 2). Only hypotheses that have inserted all
    required sequences reach the last position, where they are one node.
    """
    size = len(problem.breaks)
    end = wide(problem.lattice.edges[edge, E_END])
    edits = wide(graph.nodes[tail, N_EDITS])
    if problem.limits.max_edits > 0 and problem.lattice.edges[edge, E_NUMBER] >= 0:
        edits += 1
        if edits > problem.limits.max_edits:
            return 0
    must_all = (wide(1) << wide(problem.limits.must_count)) - 1
    before, added = wide(graph.nodes[tail, N_BITS]), wide(problem.lattice.edges[edge, E_BITS])
    bits = before | added
    if end == size:
        if bits & must_all != must_all:
            return 0
        edits = wide(0)
    score = problem.lattice.score[edge]
    if added != 0:
        score = _with_first_uses(problem, score, before, added)
    state, log_prob = wide(graph.nodes[tail, N_STATE]), 0.0
    first_word = wide(problem.lattice.edges[edge, E_WORDS])
    for at in range(first_word, first_word + wide(problem.lattice.edges[edge, E_LENGTH])):
        state, word_log_prob = advance(ngrams, state, problem.lattice.words[at])
        log_prob += word_log_prob
    if end == size or problem.breaks[end] != 0:
        state, word_log_prob = advance(ngrams, state, _SENTENCE_END)
        log_prob += word_log_prob
        state = begin_state
        bits &= must_all
    score += problem.scoring.lm * log_prob
    _enter_arc(graph, tail, _find_or_add_node(graph, state, end, edits, bits), edge, score)
    return 1


@inner_kernel
def unchanged_score(ngrams: PackedNgrams, problem: Problem) -> float:
    """The model's score of the unchanged item, without the minima, which all tables have in it."""
    scoring, size = problem.scoring, len(problem.tokens)
    state = start_state(ngrams)
    total = 0.0
    for position in range(size):
        state, log_prob = advance(ngrams, state, problem.tokens[position])
        end = position + 1
        if end == size or problem.breaks[end] != 0:
            state, end_log_prob = advance(ngrams, state, _SENTENCE_END)
            log_prob += end_log_prob
            state = start_state(ngrams)
        total += (scoring.identity + scoring.word) + scoring.lm * log_prob
    return total

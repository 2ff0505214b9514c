"""N-best paths by recursive enumeration (Jiménez & Marzal 1999; Huang & Chiang 2005, alg. 3, on a graph).

Every node keeps the list of its best derivations so far, and a heap with, for each arc into it, the best derivation
through that arc that is not in the list yet. The next derivation of a node is the top of its heap. Its place is taken
by the same arc with the *next* derivation of the node it leaves, which is computed only then. So a heap never outgrows
the arcs into its node. Recursion is an explicit stack of nodes.

Two derivations of a node with the same output can be continued in the same ways, so the worse one is dropped at every
node: different segmentations of the same output ("a b → a c" and "b → c") never multiply along the sentence.
Outputs are compared by 64-bit hashes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, inner_kernel
from paraphrast.decode._kernels_graph import (
    A_EDGE,
    A_NEXT_IN,
    A_TAIL,
    N_ARCS_IN,
    N_BEST,
    N_LAST_IN,
    NODES,
    Graph,
)
from paraphrast.decode._kernels_scratch import (
    clear,
    drop_top,
    grown_hashes,
    grown_rows,
    grown_scores,
    heapify,
    sift_up,
    wide,
)

# Columns of the derivation array: node, arc, derivation of the arc's tail, next derivation of the same node.
D_NODE, D_ARC, D_BEFORE, D_NEXT, D_COLUMNS = 0, 1, 2, 3, 4
# Columns of the list array: first and last derivation, one whose successor is due, heap size (−1: no heap), done.
L_FIRST, L_LAST, L_DUE, L_HEAP, L_DONE, L_COLUMNS = 0, 1, 2, 3, 4, 5
#: Places in ``Derivations.counts``: derivations, heap entries reserved, candidates taken from heaps, results listed,
#: nodes on the stack, the derivation of the final node that was looked at last, and a node whose best derivation must
#: be made before others.
MADE, RESERVED, STEPS, LISTED, DEPTH, LAST, NEEDS_BEST, COUNTERS = 0, 1, 2, 3, 4, 5, 6, 7
_FIRST_SIZE = 4096


class Derivations(NamedTuple):
    """The derivations of all nodes of one item.

    counts: int64[7]. lists: int32[nodes, 5]; heap_begin: int64[nodes].
    heap: int32[·, 2], arc and derivation of its tail (−1: the best, which may not be made yet); heap_score: float64[·].
    rows: int32[·, 4]; score: float64[·]; hash: uint64[·, 1], of the output.
    seen: int32[·], a hash table from (node, output) to the derivation; its size is a power of two.
    """

    counts: NDArray[np.int64]
    lists: NDArray[np.int32]
    heap_begin: NDArray[np.int64]
    heap: NDArray[np.int32]
    heap_score: NDArray[np.float64]
    rows: NDArray[np.int32]
    score: NDArray[np.float64]
    hash: NDArray[np.uint64]
    seen: NDArray[np.int32]


@inner_kernel
def first_derivations() -> Derivations:
    """Scratch memory for the first item of a run."""
    return Derivations(
        np.zeros(COUNTERS, dtype=np.int64),
        np.empty((_FIRST_SIZE, L_COLUMNS), dtype=np.int32),
        np.empty(_FIRST_SIZE, dtype=np.int64),
        np.empty((_FIRST_SIZE, 2), dtype=np.int32),
        np.empty(_FIRST_SIZE, dtype=np.float64),
        np.empty((_FIRST_SIZE, D_COLUMNS), dtype=np.int32),
        np.empty(_FIRST_SIZE, dtype=np.float64),
        np.empty((_FIRST_SIZE, 1), dtype=np.uint64),
        np.empty(2 * _FIRST_SIZE, dtype=np.int32),
    )


@inner_inline_kernel
def _slot_of(node: int, output: np.uint64, table_size: int) -> Any:
    """Where the search for an output of a node begins in a hash table of ``table_size`` (a power of two)."""
    mixed = output ^ (np.uint64(node) * np.uint64(0x9E3779B97F4A7C15))
    mixed ^= mixed >> np.uint64(33)
    mixed *= np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> np.uint64(32)
    return wide(mixed & np.uint64(table_size - 1))


@inner_inline_kernel
def _add_output(
    seen: NDArray[np.int32], rows: NDArray[np.int32], hashes: NDArray[np.uint64], new: int
) -> bool:
    """Enter derivation ``new`` in the table of outputs; False if its node has that output already."""
    node, output = wide(rows[new, D_NODE]), hashes[new, 0]
    slot = _slot_of(node, output, len(seen))
    while seen[slot] >= 0:
        if hashes[seen[slot], 0] == output and rows[seen[slot], D_NODE] == node:
            return False
        slot = (slot + 1) & (len(seen) - 1)
    seen[slot] = new
    return True


@inner_kernel
def _begin(node_count: int, final: int, scratch: Derivations) -> Derivations:
    """Empty lists, and derivation 0: the empty one of the start node, which has no other."""
    lists, heap_begin = scratch.lists, scratch.heap_begin
    if len(lists) < node_count:
        lists = np.empty((2 * node_count, L_COLUMNS), dtype=np.int32)
        heap_begin = np.empty(2 * node_count, dtype=np.int64)
    for node in range(node_count):
        for column in range(L_DONE):
            lists[node, column] = -1
        lists[node, L_DONE] = 0
    lists[0, L_FIRST], lists[0, L_LAST], lists[0, L_DONE] = 0, 0, 1
    scratch.rows[0, D_NODE] = 0
    for column in range(1, D_COLUMNS):
        scratch.rows[0, column] = -1
    scratch.score[0] = 0.0
    scratch.hash[0, 0] = np.uint64(0)
    clear(scratch.seen)
    for counter in range(COUNTERS):
        scratch.counts[counter] = 0
    scratch.counts[MADE] = 1
    scratch.counts[LAST] = -1
    scratch.counts[NEEDS_BEST] = final
    return Derivations(
        scratch.counts,
        lists,
        heap_begin,
        scratch.heap,
        scratch.heap_score,
        scratch.rows,
        scratch.score,
        scratch.hash,
        scratch.seen,
    )


@inner_inline_kernel
def _has_room(derivations: Derivations, room: int, heap_room: int) -> bool:
    """Whether there is room for ``room`` more derivations and ``heap_room`` more heap entries."""
    count = derivations.counts[MADE] + room
    return bool(
        count <= len(derivations.rows)
        and 2 * count <= len(derivations.seen)
        and derivations.counts[RESERVED] + heap_room <= len(derivations.heap)
    )


@inner_kernel
def _grown(derivations: Derivations, room: int, heap_room: int) -> Derivations:
    """The derivations with room for ``room`` more and ``heap_room`` more heap entries."""
    count, reserved = derivations.counts[MADE], derivations.counts[RESERVED]
    rows, score, hashes = derivations.rows, derivations.score, derivations.hash
    heap, heap_score, seen = derivations.heap, derivations.heap_score, derivations.seen
    if count + room > len(rows):
        size = 2 * len(rows) + room
        rows, score = grown_rows(rows, count, size), grown_scores(score, count, size)
        hashes = grown_hashes(hashes, count, size)
    if reserved + heap_room > len(heap):
        size = 2 * len(heap) + heap_room
        heap, heap_score = grown_rows(heap, reserved, size), grown_scores(heap_score, reserved, size)
    if 2 * (count + room) > len(seen):
        table_size = len(seen)
        while 2 * (count + room) > table_size:
            table_size *= 2
        seen = np.empty(table_size, dtype=np.int32)
        clear(seen)
        for old in range(1, count):
            _add_output(seen, rows, hashes, old)
    return Derivations(
        derivations.counts,
        derivations.lists,
        derivations.heap_begin,
        heap,
        heap_score,
        rows,
        score,
        hashes,
        seen,
    )


@inner_inline_kernel
def _make(
    derivations: Derivations,
    graph: Graph,
    edge_hash: NDArray[np.uint64],
    node: int,
    arc: int,
    before: int,
    score: float,
) -> bool:
    """Add the derivation of ``node`` by an arc after ``before``; False if the node has its output already."""
    new, edge = derivations.counts[MADE], wide(graph.arcs[arc, A_EDGE])
    derivations.counts[MADE] = new + 1
    derivations.rows[new, D_NODE] = node
    derivations.rows[new, D_ARC] = arc
    derivations.rows[new, D_BEFORE] = before
    derivations.rows[new, D_NEXT] = -1
    derivations.score[new] = score
    derivations.hash[new, 0] = derivations.hash[before, 0] * edge_hash[edge, 0] + edge_hash[edge, 1]
    derivations.lists[node, L_DUE] = new
    return _add_output(derivations.seen, derivations.rows, derivations.hash, new)


@inner_inline_kernel
def _make_best(
    derivations: Derivations,
    graph: Graph,
    edge_hash: NDArray[np.uint64],
    wanted: int,
    chain: NDArray[np.int64],
) -> None:
    """Make the best derivation of node ``wanted``, following best arcs back to a node that has one."""
    length = 0
    node = wide(wanted)
    while derivations.lists[node, L_FIRST] < 0:
        chain[length] = node
        length += 1
        node = wide(graph.arcs[graph.nodes[node, N_BEST], A_TAIL])
    for back in range(length - 1, -1, -1):
        node = chain[back]
        arc = wide(graph.nodes[node, N_BEST])
        before = wide(derivations.lists[graph.arcs[arc, A_TAIL], L_FIRST])
        new = derivations.counts[MADE]
        _make(derivations, graph, edge_hash, node, arc, before, graph.node_score[node])
        derivations.lists[node, L_FIRST] = new
        derivations.lists[node, L_LAST] = new


@inner_inline_kernel
def _fill_heap(derivations: Derivations, graph: Graph, node: int) -> None:
    """The first request beyond the best derivation: all arcs into the node but the best become candidates."""
    base = derivations.counts[RESERVED]
    derivations.heap_begin[node] = base
    derivations.counts[RESERVED] = base + wide(graph.nodes[node, N_ARCS_IN])
    held = 0
    arc = wide(graph.nodes[node, N_LAST_IN])
    while arc >= 0:
        if arc != graph.nodes[node, N_BEST]:
            derivations.heap[base + held, 0] = arc
            derivations.heap[base + held, 1] = -1
            derivations.heap_score[base + held] = (
                graph.node_score[graph.arcs[arc, A_TAIL]] + graph.arc_score[arc]
            )
            held += 1
        arc = wide(graph.arcs[arc, A_NEXT_IN])
    heapify(derivations.heap, derivations.heap_score, base, held)
    derivations.lists[node, L_HEAP] = held


@inner_inline_kernel
def _push_successor(derivations: Derivations, graph: Graph, node: int) -> int:
    """Put the arc taken last back into the heap, with the next derivation of its tail.

    Returns −1, or the tail if its next derivation must be made first.
    """
    due = wide(derivations.lists[node, L_DUE])
    if due < 0:
        return -1
    arc = wide(derivations.rows[due, D_ARC])
    tail = wide(graph.arcs[arc, A_TAIL])
    following = wide(derivations.rows[derivations.rows[due, D_BEFORE], D_NEXT])
    if following < 0 and derivations.lists[tail, L_DONE] == 0:
        return tail  # type: ignore[no-any-return]
    derivations.lists[node, L_DUE] = -1
    if following >= 0:
        base, held = derivations.heap_begin[node], wide(derivations.lists[node, L_HEAP])
        derivations.heap[base + held, 0] = arc
        derivations.heap[base + held, 1] = following
        derivations.heap_score[base + held] = derivations.score[following] + graph.arc_score[arc]
        derivations.lists[node, L_HEAP] = held + 1
        sift_up(derivations.heap, derivations.heap_score, base, held)
    return -1


@inner_inline_kernel
def _list_known(derivations: Derivations, final: int, excluded: np.uint64, best: NDArray[np.int32]) -> bool:
    """List the next derivation of the final node, if it is known; False if it must be made."""
    last = derivations.counts[LAST]
    following = wide(derivations.lists[final, L_FIRST] if last < 0 else derivations.rows[last, D_NEXT])
    if following < 0:
        return False
    derivations.counts[LAST] = following
    if derivations.hash[following, 0] != excluded:
        best[derivations.counts[LISTED]] = following
        derivations.counts[LISTED] += 1
    return True


@inner_inline_kernel
def _take_top(derivations: Derivations, graph: Graph, edge_hash: NDArray[np.uint64], node: int) -> bool:
    """Make a derivation of the top of a node's heap; True if its output is new for the node.

    If the best derivation of the arc's tail must be made first, only that is noted.
    """
    base, held = derivations.heap_begin[node], wide(derivations.lists[node, L_HEAP])
    arc, before = wide(derivations.heap[base, 0]), wide(derivations.heap[base, 1])
    if before < 0:
        tail = wide(graph.arcs[arc, A_TAIL])
        before = wide(derivations.lists[tail, L_FIRST])
        if before < 0:
            derivations.counts[NEEDS_BEST] = tail
            return False
    score = derivations.heap_score[base]
    derivations.counts[STEPS] += 1
    drop_top(derivations.heap, derivations.heap_score, base, held)
    derivations.lists[node, L_HEAP] = held - 1
    new = derivations.counts[MADE]
    if not _make(derivations, graph, edge_hash, node, arc, before, score):
        return False
    derivations.rows[derivations.lists[node, L_LAST], D_NEXT] = new
    derivations.lists[node, L_LAST] = new
    return True


@inner_kernel
def _enumerate(
    graph: Graph,
    edge_hash: NDArray[np.uint64],
    excluded: np.uint64,
    max_steps: int,
    stack: NDArray[np.int64],
    chain: NDArray[np.int64],
    best: NDArray[np.int32],
    derivations: Derivations,
) -> int:
    """Go on until all is listed, or until memory must grow: the heap entries to make room for, or −1 at the end.

    Variables that hold arrays are not assigned in this loop: counting their references would take most of its time.
    """
    counts = derivations.counts
    final = wide(graph.heads[len(graph.heads) - 1])
    while counts[LISTED] < len(best):
        if not _has_room(derivations, len(chain), 0):
            return 0
        _make_best(derivations, graph, edge_hash, counts[NEEDS_BEST], chain)
        if counts[DEPTH] == 0:
            if _list_known(derivations, final, excluded, best):
                continue
            if derivations.lists[final, L_DONE] == 1 or counts[STEPS] >= max_steps:
                return -1
            stack[0] = final
            counts[DEPTH] = 1
        node = stack[counts[DEPTH] - 1]
        if derivations.lists[node, L_HEAP] < 0:
            arcs_in = wide(graph.nodes[node, N_ARCS_IN])
            if not _has_room(derivations, 0, arcs_in):
                return arcs_in  # type: ignore[no-any-return]
            _fill_heap(derivations, graph, node)
        tail = _push_successor(derivations, graph, node)
        if tail >= 0:
            stack[counts[DEPTH]] = tail
            counts[DEPTH] += 1
        elif derivations.lists[node, L_HEAP] == 0 or counts[STEPS] >= max_steps:
            derivations.lists[node, L_DONE] = 1
            counts[DEPTH] -= 1
        elif _take_top(derivations, graph, edge_hash, node):
            counts[DEPTH] -= 1
    return -1


@inner_kernel
def enumerate_best(
    graph: Graph,
    edge_hash: NDArray[np.uint64],
    excluded: np.uint64,
    max_steps: int,
    best: NDArray[np.int32],
    scratch: Derivations,
) -> tuple[int, Derivations]:
    """``(number, derivations)``; ``best[:number]`` are derivations of the final node, best first.

    Derivations whose output has the hash ``excluded`` (the unchanged item) are left out. At most ``max_steps``
    candidates are taken from heaps.
    """
    positions = len(graph.heads) - 1
    derivations = _begin(graph.counts[NODES], wide(graph.heads[positions]), scratch)
    stack = np.empty(positions + 2, dtype=np.int64)  # nodes whose next derivation is asked for
    chain = np.empty(positions + 2, dtype=np.int64)
    while True:
        heap_room = _enumerate(graph, edge_hash, excluded, max_steps, stack, chain, best, derivations)
        if heap_room < 0:
            return derivations.counts[LISTED], derivations
        derivations = _grown(derivations, len(chain), heap_room)

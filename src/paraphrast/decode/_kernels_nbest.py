"""N-best paths by recursive enumeration (Jiménez & Marzal 1999; Huang & Chiang 2005, alg. 3, on a graph).

Every node keeps the list of its best derivations so far and a heap with, for each arc into it, the best
derivation through that arc that is not yet in the list. The next derivation of a node is the heap's top; its
place is taken by the same arc with the *next* derivation of the node it leaves, which is asked for only then.
A heap therefore never outgrows the arcs into its node. Recursion is an explicit stack of nodes.

Two derivations of one node with the same output differ in nothing that follows, so the worse is dropped at
once, at every node: spurious segmentations ("a b → a c" and "b → c") never multiply along the sentence.
Outputs are compared by 64-bit hashes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.decode._kernels_graph import A_EDGE, A_NEXT_IN, A_TAIL, N_ARCS_IN, N_BEST, N_LAST_IN
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
# Columns of the node-list array: first and last derivation, one whose successor is due, heap size, done.
L_FIRST, L_LAST, L_DUE, L_HEAP, L_DONE, L_COLUMNS = 0, 1, 2, 3, 4, 5


@inline_kernel
def _slot_of(node: int, output: np.uint64, table_size: int) -> Any:
    """Where the search for an output of a node begins in a hash table of ``table_size`` (a power of two)."""
    mixed = output ^ (np.uint64(node) * np.uint64(0x9E3779B97F4A7C15))
    mixed ^= mixed >> np.uint64(33)
    mixed *= np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> np.uint64(32)
    return wide(mixed & np.uint64(table_size - 1))


@inline_kernel
def _add_output(
    seen: NDArray[np.int32],
    derivations: NDArray[np.int32],
    derivation_hash: NDArray[np.uint64],
    new: int,
) -> bool:
    """Enter derivation ``new`` in the table of outputs; False where its node has that output already."""
    node, output = wide(derivations[new, D_NODE]), derivation_hash[new, 0]
    slot = _slot_of(node, output, len(seen))
    while seen[slot] >= 0:
        if derivation_hash[seen[slot], 0] == output and derivations[seen[slot], D_NODE] == node:
            return False
        slot = (slot + 1) & (len(seen) - 1)
    seen[slot] = new
    return True


@kernel
def enumerate_best(
    final: int,
    node_count: int,
    positions: int,
    nodes: NDArray[np.int32],
    node_score: NDArray[np.float64],
    arcs: NDArray[np.int32],
    arc_score: NDArray[np.float64],
    edge_hash: NDArray[np.uint64],
    excluded: np.uint64,
    wanted: int,
    max_steps: int,
    found: NDArray[np.int32],
    lists: NDArray[np.int32],
    heap_begin: NDArray[np.int64],
    heap: NDArray[np.int32],
    heap_score: NDArray[np.float64],
    derivations: NDArray[np.int32],
    derivation_score: NDArray[np.float64],
    derivation_hash: NDArray[np.uint64],
    seen: NDArray[np.int32],
) -> tuple[
    int,
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.uint64],
    NDArray[np.int32],
]:
    """``(number found, the scratch arrays)``; ``found[: number]`` derive the final node, best first.

    Derivations whose output has the hash ``excluded`` (the unchanged item) are passed over. At most
    ``max_steps`` candidates are taken from heaps.
    """
    if len(lists) < node_count:
        lists = np.empty((2 * node_count, L_COLUMNS), dtype=np.int32)
        heap_begin = np.empty(2 * node_count, dtype=np.int64)
    for node in range(node_count):
        lists[node, L_FIRST] = -1
        lists[node, L_LAST] = -1
        lists[node, L_DUE] = -1
        lists[node, L_HEAP] = -1
        lists[node, L_DONE] = 0
    # Derivation 0 is the empty one, of the start node, which has no other.
    derivations[0, D_NODE] = 0
    derivations[0, D_ARC] = -1
    derivations[0, D_BEFORE] = -1
    derivations[0, D_NEXT] = -1
    derivation_score[0] = 0.0
    derivation_hash[0, 0] = np.uint64(0)
    lists[0, L_FIRST] = 0
    lists[0, L_LAST] = 0
    lists[0, L_DONE] = 1
    clear(seen)
    count, heap_used, steps, number = 1, 0, 0, 0
    stack = np.empty(positions + 2, dtype=np.int64)
    chain = np.empty(positions + 2, dtype=np.int64)
    depth = 0
    taken = wide(-1)  # the final node's derivation looked at last
    candidate_node = wide(final)  # node whose best derivation must be made first
    while number < wanted:
        # Make the best derivation of candidate_node by following best arcs back to a node that has one.
        if count + positions + 2 > len(derivations):
            larger = 2 * len(derivations) + positions + 2
            derivations = grown_rows(derivations, count, larger)
            derivation_score = grown_scores(derivation_score, count, larger)
            derivation_hash = grown_hashes(derivation_hash, count, larger)
        if 2 * (count + positions + 2) > len(seen):
            table_size = len(seen)
            while 2 * (count + positions + 2) > table_size:
                table_size *= 2
            seen = np.empty(table_size, dtype=np.int32)
            clear(seen)
            for old in range(1, count):
                _add_output(seen, derivations, derivation_hash, old)
        length = 0
        node = candidate_node
        while lists[node, L_FIRST] < 0:
            chain[length] = node
            length += 1
            node = wide(arcs[nodes[node, N_BEST], A_TAIL])
        for back in range(length - 1, -1, -1):
            node = chain[back]
            arc = nodes[node, N_BEST]
            before = lists[arcs[arc, A_TAIL], L_FIRST]
            edge = arcs[arc, A_EDGE]
            derivations[count, D_NODE] = node
            derivations[count, D_ARC] = arc
            derivations[count, D_BEFORE] = before
            derivations[count, D_NEXT] = -1
            derivation_score[count] = node_score[node]
            derivation_hash[count, 0] = derivation_hash[before, 0] * edge_hash[edge, 0] + edge_hash[edge, 1]
            lists[node, L_FIRST] = count
            lists[node, L_LAST] = count
            lists[node, L_DUE] = count
            _add_output(seen, derivations, derivation_hash, count)
            count += 1

        if depth == 0:
            following = wide(lists[final, L_FIRST] if taken < 0 else derivations[taken, D_NEXT])
            if following >= 0:
                taken = following
                if derivation_hash[taken, 0] != excluded:
                    found[number] = taken
                    number += 1
                continue
            if lists[final, L_DONE] == 1 or steps >= max_steps:
                break
            stack[0] = final
            depth = 1

        node = stack[depth - 1]
        if lists[node, L_HEAP] < 0:
            # First request beyond the best: every arc but the best becomes a candidate.
            arcs_in = wide(nodes[node, N_ARCS_IN])
            if heap_used + arcs_in > len(heap):
                larger = 2 * len(heap) + arcs_in
                heap = grown_rows(heap, heap_used, larger)
                heap_score = grown_scores(heap_score, heap_used, larger)
            base = heap_used
            heap_begin[node] = base
            heap_used += arcs_in
            held = 0
            arc = nodes[node, N_LAST_IN]
            while arc >= 0:
                if arc != nodes[node, N_BEST]:
                    heap[base + held, 0] = arc
                    heap[base + held, 1] = -1  # the tail's best derivation, which may not be made yet
                    heap_score[base + held] = node_score[arcs[arc, A_TAIL]] + arc_score[arc]
                    held += 1
                arc = arcs[arc, A_NEXT_IN]
            heapify(heap, heap_score, base, held)
            lists[node, L_HEAP] = held
        base = heap_begin[node]

        due = wide(lists[node, L_DUE])
        if due >= 0:
            # The arc taken last goes back with the next derivation of its tail.
            arc = derivations[due, D_ARC]
            tail = wide(arcs[arc, A_TAIL])
            following = wide(derivations[derivations[due, D_BEFORE], D_NEXT])
            if following < 0 and lists[tail, L_DONE] == 0:
                stack[depth] = tail
                depth += 1
                continue
            lists[node, L_DUE] = -1
            if following >= 0:
                held = wide(lists[node, L_HEAP])
                heap[base + held, 0] = arc
                heap[base + held, 1] = following
                heap_score[base + held] = derivation_score[following] + arc_score[arc]
                lists[node, L_HEAP] = held + 1
                sift_up(heap, heap_score, base, held)

        held = wide(lists[node, L_HEAP])
        if held == 0 or steps >= max_steps:
            lists[node, L_DONE] = 1
            depth -= 1
            continue
        arc = heap[base, 0]
        before = heap[base, 1]
        if before < 0:
            tail = wide(arcs[arc, A_TAIL])
            before = lists[tail, L_FIRST]
            if before < 0:
                candidate_node = tail
                continue
        score = heap_score[base]
        steps += 1
        drop_top(heap, heap_score, base, held)
        lists[node, L_HEAP] = held - 1
        edge = arcs[arc, A_EDGE]
        output = derivation_hash[before, 0] * edge_hash[edge, 0] + edge_hash[edge, 1]
        derivations[count, D_NODE] = node
        derivations[count, D_ARC] = arc
        derivations[count, D_BEFORE] = before
        derivations[count, D_NEXT] = -1
        derivation_score[count] = score
        derivation_hash[count, 0] = output
        lists[node, L_DUE] = count
        if _add_output(seen, derivations, derivation_hash, count):
            derivations[lists[node, L_LAST], D_NEXT] = count
            lists[node, L_LAST] = count
            depth -= 1
        count += 1
    return number, lists, heap_begin, heap, heap_score, derivations, derivation_score, derivation_hash, seen

"""Compiled loops over the phrase graph: components with cut vertices, re-insertion, the entries within a part."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel


@kernel
def explore(
    start: NDArray[np.int64],
    neighbour: NDArray[np.int32],
    alive: NDArray[np.bool_],
    vertices: NDArray[np.int32],
    label: NDArray[np.int32],
    is_cut: NDArray[np.bool_],
    degree: NDArray[np.int32],
    scratch: NDArray[np.int32],
    cursor: NDArray[np.int64],
) -> int:
    """Components, cut vertices and degrees among the active vertices, by one depth-first search (Hopcroft & Tarjan
    1973).

    vertices: the active ones. Fills, for these only, ``label`` (component, numbered by its lowest vertex), ``is_cut``
    and ``degree``; ``scratch`` is int32[4, size]. Returns the number of components.
    """
    order, low, parent, stack = scratch[0], scratch[1], scratch[2], scratch[3]
    for vertex in vertices:
        order[vertex] = -1
        is_cut[vertex] = False
        degree[vertex] = 0
        cursor[vertex] = start[vertex]
    components = 0
    clock = 0
    for root in vertices:
        if order[root] >= 0:
            continue
        order[root] = low[root] = clock
        clock += 1
        parent[root] = -1
        label[root] = components
        stack[0] = root
        depth = 1
        branches = 0
        while depth:
            vertex = stack[depth - 1]
            if cursor[vertex] < start[vertex + 1]:
                other = neighbour[cursor[vertex]]
                cursor[vertex] += 1
                if not alive[other]:
                    continue
                degree[vertex] += 1
                if order[other] < 0:
                    order[other] = low[other] = clock
                    clock += 1
                    parent[other] = vertex
                    label[other] = components
                    stack[depth] = other
                    depth += 1
                elif other != parent[vertex]:
                    low[vertex] = min(low[vertex], order[other])
            else:
                depth -= 1
                above = parent[vertex]
                if above >= 0:
                    low[above] = min(low[above], low[vertex])
                    if above == root:
                        branches += 1
                    elif low[vertex] >= order[above]:
                        is_cut[above] = True
        is_cut[root] = branches > 1
        components += 1
    return components


@kernel
def reinsert(
    start: NDArray[np.int64],
    neighbour: NDArray[np.int32],
    owner: NDArray[np.int32],
    parts: int,
    round_start: NDArray[np.int64],
    removed: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Put cut vertices back, the last round first, into every part that has one of their neighbours.

    owner: the part of each vertex, −1 for none. Round i removed ``removed[round_start[i]:round_start[i + 1]]``; the
    vertices of a round are put back at the same time. Returns parallel arrays: vertex put back, its part (ascending).
    """
    size = len(owner)
    list_start = np.zeros(size, dtype=np.int64)
    list_len = np.zeros(size, dtype=np.int64)
    pending = np.zeros(len(removed), dtype=np.int64)
    seen = np.full(max(parts, 1), -1, dtype=np.int32)
    found = np.empty(max(parts, 1), dtype=np.int32)
    pool = np.empty(1024, dtype=np.int32)
    held = np.empty(1024, dtype=np.int32)
    used = 0
    for turn in range(len(round_start) - 2, -1, -1):
        for place in range(round_start[turn], round_start[turn + 1]):
            vertex = removed[place]
            count = 0
            for at in range(start[vertex], start[vertex + 1]):
                other = neighbour[at]
                if owner[other] >= 0:
                    if seen[owner[other]] != place:
                        seen[owner[other]] = place
                        found[count] = owner[other]
                        count += 1
                else:
                    for k in range(list_start[other], list_start[other] + list_len[other]):
                        if seen[pool[k]] != place:
                            seen[pool[k]] = place
                            found[count] = pool[k]
                            count += 1
            if used + count > len(pool):
                more = max(2 * len(pool), used + count)
                longer = np.empty(more, dtype=np.int32)
                longer[:used] = pool[:used]
                pool = longer
                longer = np.empty(more, dtype=np.int32)
                longer[:used] = held[:used]
                held = longer
            list_start[vertex] = used
            pending[place] = count
            ordered = np.sort(found[:count])
            for k in range(count):
                pool[used + k] = ordered[k]
                held[used + k] = vertex
            used += count
        for place in range(round_start[turn], round_start[turn + 1]):
            list_len[removed[place]] = pending[place]
    return held[:used].copy(), pool[:used].copy()


@inline_kernel
def find(values: NDArray[np.int32], low: int, high: int, wanted: int) -> int:
    """Position of ``wanted`` in the ascending ``values[low:high]``, or −1."""
    end = high
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < end and values[low] == wanted else -1


@kernel
def entries_within(
    start: NDArray[np.int64],
    neighbour: NDArray[np.int32],
    entry: NDArray[np.int32],
    vertex_start: NDArray[np.int64],
    vertices: NDArray[np.int32],
    source_size: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The entries between the vertices of each part, ascending: ``(edge_start, edges)``.

    If a vertex has more neighbours than its part has vertices, the vertices of the part are looked up among its
    neighbours instead, because a hub is in thousands of small parts.
    """
    parts = len(vertex_start) - 1
    size = len(start) - 1
    inside = np.full(size, -1, dtype=np.int32)
    edge_start = np.zeros(parts + 1, dtype=np.int64)
    edges = np.empty(1024, dtype=np.int32)
    used = 0
    for part in range(parts):
        first, last = vertex_start[part], vertex_start[part + 1]
        middle = first
        for place in range(first, last):
            inside[vertices[place]] = part
            if vertices[place] < source_size:
                middle = place + 1
        for place in range(first, middle):
            vertex = vertices[place]
            degree = start[vertex + 1] - start[vertex]
            most = min(degree, last - middle)
            if used + most > len(edges):
                longer = np.empty(max(2 * len(edges), used + most), dtype=np.int32)
                longer[:used] = edges[:used]
                edges = longer
            if degree <= 4 * (last - middle):
                for at in range(start[vertex], start[vertex + 1]):
                    if inside[neighbour[at]] == part:
                        edges[used] = entry[at]
                        used += 1
            else:
                for other in range(middle, last):
                    at = find(neighbour, start[vertex], start[vertex + 1], vertices[other])
                    if at >= 0:
                        edges[used] = entry[at]
                        used += 1
        edge_start[part + 1] = used
    return edge_start, edges[:used].copy()


@kernel
def prune(
    vertex_start: NDArray[np.int64],
    vertices: NDArray[np.int32],
    edge_start: NDArray[np.int64],
    edges: NDArray[np.int32],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    residue: NDArray[np.bool_],
    cut: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Mark the vertices of each part to keep: all except cut vertices that translate no former residue of it (§4.1).

    Vertices without an entry left within their part are removed too.
    """
    keep = np.ones(len(vertices), dtype=np.bool_)
    place_of = np.zeros(len(residue), dtype=np.int64)
    for part in range(len(vertex_start) - 1):
        first, last = vertex_start[part], vertex_start[part + 1]
        for place in range(first, last):
            place_of[vertices[place]] = place
            keep[place] = not cut[vertices[place]]
        for at in range(edge_start[part], edge_start[part + 1]):
            one, two = source[edges[at]], target[edges[at]]
            if residue[one]:
                keep[place_of[two]] = True
            if residue[two]:
                keep[place_of[one]] = True
        joined = np.zeros(last - first, dtype=np.bool_)
        for at in range(edge_start[part], edge_start[part + 1]):
            one, two = place_of[source[edges[at]]], place_of[target[edges[at]]]
            if keep[one] and keep[two]:
                joined[one - first] = True
                joined[two - first] = True
        for place in range(first, last):
            keep[place] = keep[place] and joined[place - first]
    return keep

"""Counts of graphs to counts of vertex pairs over all sub-tables (Martzoukos & Monz 2012, eqs. 13–19 and 21).

The work is done for one vertex u at a time: everything it meets, in all its graphs, is gathered, sorted and summed, so
memory does not grow with the number of pairs. Features are told apart by the phrase that generates them (eqs. 16–17):
a *token* is a phrase s (its number), a tag sequence of s (phrases + place in the list of tag sequences) or the stem
sequence of s (phrases + tag sequences + s).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.graph._kernels_commute import local_features


@kernel
def mixture_weights(
    start: NDArray[np.int64],
    part: NDArray[np.int64],
    prob: NDArray[np.float64],
    parts: int,
    tolerance: float,
    most: int,
) -> NDArray[np.float64]:
    """p(C | u) that maximises the average log-likelihood of the vertices u meets (below eq. 18), by EM from uniform.

    Vertex i has the probabilities ``prob[start[i]:start[i + 1]]`` in the sub-tables ``part`` of the same places.
    """
    weight = np.full(parts, 1.0 / parts)
    vertices = len(start) - 1
    if parts == 1 or vertices == 0:
        return weight
    for _ in range(most):
        share = np.zeros(parts)
        for i in range(vertices):
            total = 0.0
            for at in range(start[i], start[i + 1]):
                total += weight[part[at]] * prob[at]
            if total > 0.0:
                for at in range(start[i], start[i + 1]):
                    share[part[at]] += weight[part[at]] * prob[at] / total
        change = 0.0
        for c in range(parts):
            now = share[c] / vertices
            change = max(change, abs(now - weight[c]))
            weight[c] = now
        if change < tolerance:
            break
    return weight


@kernel
def mix(
    token: NDArray[np.int64],
    part: NDArray[np.int64],
    value: NDArray[np.float64],
    parts: int,
    tolerance: float,
    most: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Tokens that u meets, ascending, and n(u, v) of each (eqs. 13–15 and 18).

    One entry a pair of vertices and graph: what u meets, the number of the sub-table (0 … parts − 1), n_G.
    """
    order = np.argsort(token * parts + part, kind="mergesort")
    rows = len(token)
    start = np.empty(rows + 1, np.int64)
    distinct = np.empty(rows, np.int64)
    at_part = np.empty(rows, np.int64)
    count = np.empty(rows, np.float64)
    total = np.zeros(parts)
    vertices = 0
    used = 0
    for place in order:
        c = part[place]
        total[c] += value[place]
        if vertices > 0 and distinct[vertices - 1] == token[place]:
            if at_part[used - 1] == c:
                count[used - 1] += value[place]
                continue
        else:
            distinct[vertices] = token[place]
            start[vertices] = used
            vertices += 1
        at_part[used] = c
        count[used] = value[place]
        used += 1
    start[vertices] = used
    prob = np.empty(used, np.float64)
    for at in range(used):
        prob[at] = count[at] / total[at_part[at]]
    weight = mixture_weights(start[: vertices + 1], at_part[:used], prob, parts, tolerance, most)
    mixed = np.empty(vertices, np.float64)
    for i in range(vertices):
        above = 0.0
        below = 0.0
        for at in range(start[i], start[i + 1]):
            share = prob[at] * weight[at_part[at]]
            above += count[at] * share
            below += share
        mixed[i] = above / below if below > 0.0 else 0.0
    return distinct[:vertices].copy(), mixed


@inline_kernel
def pair_place(start: int, size: int, u: int, v: int) -> int:
    """Where the count of two different vertices of a graph of ``size`` vertices stands."""
    low = min(u, v)
    high = max(u, v)
    return start + low * size - low * (low + 1) // 2 + high - low - 1


@kernel
def gather(
    phrase: int,
    kind: int,
    entry: int,
    seen_start: NDArray[np.int64],
    seen_graph: NDArray[np.int32],
    seen_place: NDArray[np.int32],
    table: NDArray[np.int32],
    phrase_start: NDArray[np.int64],
    phrases: NDArray[np.int32],
    tag_start: NDArray[np.int64],
    tag: NDArray[np.int32],
    stem: NDArray[np.int32],
    vertex_size: NDArray[np.int32],
    pair_start: NDArray[np.int64],
    counts: NDArray[np.float64],
    split: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], int]:
    """All that the token (``phrase``; ``kind`` 0 itself, 1 its tag sequence number ``entry``, 2 its stems) meets.

    split: a feature that several phrases of a graph generate shares its counts among them, so that the sum over
    generators (eqs. 16–17) counts a graph once; otherwise each gets the whole.
    Returns tokens, sub-tables from 0, counts, and how many sub-tables there are.
    """
    bound = 0
    widest = 1
    for at in range(seen_start[phrase], seen_start[phrase + 1]):
        g = seen_graph[at]
        wide = 0
        for i in range(phrase_start[g], phrase_start[g + 1]):
            wide += tag_start[phrases[i] + 1] - tag_start[phrases[i]] + 2
        bound += wide
        widest = max(widest, wide)
    token = np.empty(bound, np.int64)
    part = np.empty(bound, np.int64)
    value = np.empty(bound, np.float64)
    tag_place = np.empty(widest, np.int32)
    stem_place = np.empty(widest, np.int32)
    seen = np.empty(widest, np.int32)
    generators = np.empty(widest, np.float64)
    first_tag = len(tag_start) - 1
    first_stem = first_tag + len(tag)
    rows = 0
    parts = 0
    last_table = -1
    for at in range(seen_start[phrase], seen_start[phrase + 1]):
        g = seen_graph[at]
        if table[g] != last_table:
            last_table = table[g]
            parts += 1
        low = phrase_start[g]
        piece = phrases[low : phrase_start[g + 1]]
        local_features(piece, tag_start, tag, stem, tag_place, stem_place, seen)
        size = vertex_size[g]
        for v in range(size):
            generators[v] = 0.0
        entries = 0
        own = int(seen_place[at])
        for i in range(len(piece)):
            generators[i] = 1.0
            for e in range(tag_start[piece[i]], tag_start[piece[i] + 1]):
                generators[tag_place[entries]] += 1.0
                if kind == 1 and i == seen_place[at] and e == entry:
                    own = int(tag_place[entries])
                entries += 1
            if len(stem) > 0:
                generators[stem_place[i]] += 1.0
        if kind == 2:
            own = int(stem_place[seen_place[at]])
        if not split:
            for v in range(size):
                generators[v] = 1.0
        entries = 0
        for i in range(len(piece)):
            if i != own:
                token[rows] = piece[i]
                value[rows] = counts[pair_place(pair_start[g], size, own, i)] / generators[own]
                part[rows] = parts - 1
                rows += 1
            for e in range(tag_start[piece[i]], tag_start[piece[i] + 1]):
                v = tag_place[entries]
                entries += 1
                if v != own:
                    token[rows] = first_tag + e
                    value[rows] = counts[pair_place(pair_start[g], size, own, v)] / (
                        generators[own] * generators[v]
                    )
                    part[rows] = parts - 1
                    rows += 1
            if len(stem) > 0:
                v = stem_place[i]
                if v != own:
                    token[rows] = first_stem + piece[i]
                    value[rows] = counts[pair_place(pair_start[g], size, own, v)] / (
                        generators[own] * generators[v]
                    )
                    part[rows] = parts - 1
                    rows += 1
    return token[:rows], part[:rows], value[:rows], parts


@kernel
def sum_vertices(
    token: NDArray[np.int64], value: NDArray[np.float64], vertex_of_token: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sums over the phrases that generate a feature (eqs. 16–17): vertices, ascending, and their counts."""
    vertex = np.empty(len(token), np.int64)
    for row in range(len(token)):
        vertex[row] = vertex_of_token[token[row]]
    order = np.argsort(vertex, kind="mergesort")
    distinct = np.empty(len(token), np.int64)
    summed = np.empty(len(token), np.float64)
    used = 0
    for row in order:
        if used > 0 and distinct[used - 1] == vertex[row]:
            summed[used - 1] += value[row]
        else:
            distinct[used] = vertex[row]
            summed[used] = value[row]
            used += 1
    return distinct[:used], summed[:used]


@kernel
def paraphrases(
    first: int,
    last: int,
    seen_start: NDArray[np.int64],
    seen_graph: NDArray[np.int32],
    seen_place: NDArray[np.int32],
    table: NDArray[np.int32],
    phrase_start: NDArray[np.int64],
    phrases: NDArray[np.int32],
    tag_start: NDArray[np.int64],
    tag: NDArray[np.int32],
    tag_share: NDArray[np.float64],
    stem: NDArray[np.int32],
    vertex_size: NDArray[np.int32],
    pair_start: NDArray[np.int64],
    counts: NDArray[np.float64],
    vertex_of_token: NDArray[np.int32],
    split: bool,
    tolerance: float,
    most: int,
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
]:
    """For every phrase s of a range and every phrase s′ it meets: s, s′, n(s, s′), p(s′|s), p(f₁(s′)|s), p(f₂(s′)|s).

    Where s′ has several tag sequences, the second summand of eq. 21 is their mean by share.
    """
    bound = 0
    for s in range(first, last):
        for at in range(seen_start[s], seen_start[s + 1]):
            g = seen_graph[at]
            bound += phrase_start[g + 1] - phrase_start[g] - 1
    source = np.empty(bound, np.int32)
    target = np.empty(bound, np.int32)
    count = np.empty(bound, np.float64)
    by_phrase = np.empty(bound, np.float64)
    by_tag = np.empty(bound, np.float64)
    by_stem = np.empty(bound, np.float64)
    used = 0
    size = len(tag_start) - 1
    for s in range(first, last):
        if seen_start[s] == seen_start[s + 1]:
            continue
        token, part, value, parts = gather(
            s,
            0,
            -1,
            seen_start,
            seen_graph,
            seen_place,
            table,
            phrase_start,
            phrases,
            tag_start,
            tag,
            stem,
            vertex_size,
            pair_start,
            counts,
            split,
        )
        met, mixed = mix(token, part, value, parts, tolerance, most)
        vertex, summed = sum_vertices(met, mixed, vertex_of_token)
        total = summed.sum()
        place = 0
        while place < len(vertex) and vertex[place] < size:
            other = vertex[place]
            source[used] = s
            target[used] = other
            count[used] = summed[place]
            by_phrase[used] = summed[place] / total
            by_tag[used] = 0.0
            by_stem[used] = 0.0
            for e in range(tag_start[other], tag_start[other + 1]):
                found = np.searchsorted(vertex, vertex_of_token[size + e])
                if found < len(vertex) and vertex[found] == vertex_of_token[size + e]:
                    by_tag[used] += tag_share[e] * summed[found] / total
            if len(stem) > 0:
                wanted = vertex_of_token[size + len(tag) + other]
                found = np.searchsorted(vertex, wanted)
                if found < len(vertex) and vertex[found] == wanted:
                    by_stem[used] = summed[found] / total
            used += 1
            place += 1
    return source[:used], target[:used], count[:used], by_phrase[:used], by_tag[:used], by_stem[:used]


@kernel
def vertex_pairs(
    first: int,
    last: int,
    seen_start: NDArray[np.int64],
    seen_graph: NDArray[np.int32],
    seen_place: NDArray[np.int32],
    table: NDArray[np.int32],
    phrase_start: NDArray[np.int64],
    phrases: NDArray[np.int32],
    tag_start: NDArray[np.int64],
    tag: NDArray[np.int32],
    stem: NDArray[np.int32],
    vertex_size: NDArray[np.int32],
    pair_start: NDArray[np.int64],
    counts: NDArray[np.float64],
    vertex_of_token: NDArray[np.int32],
    split: bool,
    tolerance: float,
    most: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """n(u, v) of pairs of all kinds, u < v in the numbering of vertices, that start at the phrases of a range.

    A pair of features appears once for every phrase that generates the first: sum over equal pairs.
    """
    bound = 0
    size = len(tag_start) - 1
    for s in range(first, last):
        tokens = 1 + tag_start[s + 1] - tag_start[s] + (1 if len(stem) > 0 else 0)
        for at in range(seen_start[s], seen_start[s + 1]):
            g = seen_graph[at]
            bound += tokens * vertex_size[g]
    source = np.empty(bound, np.int32)
    target = np.empty(bound, np.int32)
    count = np.empty(bound, np.float64)
    used = 0
    for s in range(first, last):
        if seen_start[s] == seen_start[s + 1]:
            continue
        tags = tag_start[s + 1] - tag_start[s]
        for n in range(1 + tags + (1 if len(stem) > 0 else 0)):
            kind = 0 if n == 0 else (1 if n <= tags else 2)
            entry = tag_start[s] + n - 1
            token, part, value, parts = gather(
                s,
                kind,
                entry,
                seen_start,
                seen_graph,
                seen_place,
                table,
                phrase_start,
                phrases,
                tag_start,
                tag,
                stem,
                vertex_size,
                pair_start,
                counts,
                split,
            )
            met, mixed = mix(token, part, value, parts, tolerance, most)
            vertex, summed = sum_vertices(met, mixed, vertex_of_token)
            own = s
            if kind == 1:
                own = vertex_of_token[size + entry]
            elif kind == 2:
                own = vertex_of_token[size + len(tag) + s]
            for place in range(len(vertex)):
                if vertex[place] > own:
                    source[used] = own
                    target[used] = vertex[place]
                    count[used] = summed[place]
                    used += 1
    return source[:used], target[:used], count[:used]

"""Weights, commute times and counts of many small graphs (Martzoukos & Monz 2012, eqs. 4–12 and 20).

The vertices of a graph are in this order: phrases, tag sequences, stem sequences, then inflation vertices and their
features. Counts are kept only for the first three kinds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel


@inline_kernel
def local_features(
    phrases: NDArray[np.int32],
    tag_start: NDArray[np.int64],
    tag: NDArray[np.int32],
    stem: NDArray[np.int32],
    tag_place: NDArray[np.int32],
    stem_place: NDArray[np.int32],
    seen: NDArray[np.int32],
) -> tuple[int, int]:
    """Number the feature vertices of a graph. Returns how many tag and stem sequences it has.

    tag_place: for each (phrase, tag sequence) in order, the vertex of the sequence; stem_place: the same for stems.
    seen: scratch, one entry per feature.
    """
    size = len(phrases)
    tags = 0
    at = 0
    for i in range(size):
        for entry in range(tag_start[phrases[i]], tag_start[phrases[i] + 1]):
            number = 0
            while number < tags and seen[number] != tag[entry]:
                number += 1
            if number == tags:
                seen[number] = tag[entry]
                tags += 1
            tag_place[at] = size + number
            at += 1
    stems = 0
    if len(stem) > 0:
        for i in range(size):
            number = 0
            while number < stems and seen[number] != stem[phrases[i]]:
                number += 1
            if number == stems:
                seen[number] = stem[phrases[i]]
                stems += 1
            stem_place[i] = size + tags + number
    return tags, stems


@inline_kernel
def fill_weights(
    weight: NDArray[np.float64],
    phrases: NDArray[np.int32],
    inflated: NDArray[np.bool_],
    strength: NDArray[np.float64],
    edge_a: NDArray[np.int32],
    edge_b: NDArray[np.int32],
    forward: NDArray[np.float64],
    backward: NDArray[np.float64],
    tag_start: NDArray[np.int64],
    tag_share: NDArray[np.float64],
    has_tags: bool,
    has_stems: bool,
    tag_place: NDArray[np.int32],
    stem_place: NDArray[np.int32],
    kept: int,
) -> int:
    """Weights of a graph's edges, eqs. 3–6, into the top left of ``weight``. Returns the number of vertices.

    Net weight, average and ε of a phrase are over its neighbours among the phrases; those of an inflation vertex are
    over all its neighbours, phrases and inflation vertices alike (of the interpretations tried, the closest to fig. 8).
    """
    size = len(phrases)
    inflations = 0
    for i in range(size):
        if inflated[i]:
            inflations += 1
    feature_kinds = (1 if has_tags else 0) + (1 if has_stems else 0)
    total = kept + inflations * (1 + feature_kinds)
    for u in range(total):
        for v in range(total):
            weight[u, v] = 0.0
    for edge in range(len(edge_a)):
        weight[edge_a[edge], edge_b[edge]] = forward[edge]
        weight[edge_b[edge], edge_a[edge]] = backward[edge]
    at = 0
    for i in range(size):
        neighbours = 0
        out = 0.0
        back = 0.0
        for j in range(size):
            if weight[i, j] > 0:
                neighbours += 1
                out += weight[i, j]
                back += weight[j, i]
        to_feature = out / max(neighbours, 1) + abs(out - back) + neighbours + 1
        for entry in range(tag_start[phrases[i]], tag_start[phrases[i] + 1]):
            weight[i, tag_place[at]] = to_feature * tag_share[entry]
            weight[tag_place[at], i] = 1.0
            at += 1
        if has_stems:
            weight[i, stem_place[i]] = to_feature
            weight[stem_place[i], i] = 1.0
    for feature in range(size, kept):  # eq. 6
        phrases_of = 0.0
        for i in range(size):
            phrases_of += weight[feature, i]
        for i in range(size):
            weight[feature, i] /= phrases_of
    # Every phrase and every inflation vertex is a neighbour of an inflation vertex, whose strength is 1.
    reach = 0.0
    for i in range(size):
        reach += strength[i]
    around = size + inflations - 1
    for n in range(inflations):
        vertex = kept + n
        for i in range(size):
            weight[vertex, i] = strength[i]
            weight[i, vertex] = 1.0
        for other in range(inflations):
            if other != n:
                weight[vertex, kept + other] = 1.0
        out = reach + inflations - 1
        to_feature = out / around + abs(out - around) + around + 1
        for f in range(feature_kinds):
            feature = kept + inflations + n * feature_kinds + f
            weight[vertex, feature] = to_feature
            weight[feature, vertex] = 1.0
    return total


@inline_kernel
def invert(matrix: NDArray[np.float64], size: int, pivots: NDArray[np.int64]) -> None:
    """Invert the top left ``size`` × ``size`` in place: Gauss–Jordan with partial pivoting."""
    for column in range(size):
        best = column
        for row in range(column + 1, size):
            if abs(matrix[row, column]) > abs(matrix[best, column]):
                best = row
        pivots[column] = best
        if best != column:
            for other in range(size):
                old_value = matrix[column, other]
                matrix[column, other] = matrix[best, other]
                matrix[best, other] = old_value
        scale = 1.0 / matrix[column, column]
        matrix[column, column] = 1.0
        for other in range(size):
            matrix[column, other] *= scale
        for row in range(size):
            if row != column:
                factor = matrix[row, column]
                if factor != 0.0:
                    matrix[row, column] = 0.0
                    for other in range(size):
                        matrix[row, other] -= factor * matrix[column, other]
    for column in range(size - 1, -1, -1):
        best = pivots[column]
        if best != column:
            for row in range(size):
                old_value = matrix[row, column]
                matrix[row, column] = matrix[row, best]
                matrix[row, best] = old_value


@inline_kernel
def commute(
    weight: NDArray[np.float64],
    inverse: NDArray[np.float64],
    pivots: NDArray[np.int64],
    pi: NDArray[np.float64],
    kappa: NDArray[np.float64],
    size: int,
) -> None:
    """Commute times of the walk with these weights (eqs. 7 and 20), into ``kappa``.

    (I − P + 1uᵀ)⁻¹ with uniform u can replace the fundamental matrix, where u is π: the two differ by the same amount
    in every row of a column, which eq. 20 cancels, and π is uᵀ times the inverse (Hunter 2000). So one inversion is
    enough.
    """
    for u in range(size):
        out = 0.0
        for v in range(size):
            out += weight[u, v]
        for v in range(size):
            inverse[u, v] = 1.0 / size - weight[u, v] / out
        inverse[u, u] += 1.0
    invert(inverse, size, pivots)
    for v in range(size):
        pi[v] = 0.0
    for u in range(size):
        for v in range(size):
            pi[v] += inverse[u, v]
    for v in range(size):
        pi[v] /= size
    for u in range(size):
        kappa[u, u] = 0.0
        for v in range(u + 1, size):
            forward_time = (inverse[v, v] - inverse[u, v]) / pi[v]
            back = (inverse[u, u] - inverse[v, u]) / pi[u]
            kappa[u, v] = forward_time + back
            kappa[v, u] = kappa[u, v]


@inline_kernel
def count_pairs(
    kappa: NDArray[np.float64],
    count: NDArray[np.float64],
    prob: NDArray[np.float64],
    mean: NDArray[np.float64],
    size: int,
    tolerance: float,
    most: int,
) -> int:
    """Counts of vertex pairs from commute times, eqs. 10–12, divided by the smallest. Returns the number of rounds.

    κ(i; j) of eq. 10 is the mean over all x, without the term of j.
    """
    for u in range(size):
        for v in range(size):
            prob[u, v] = 1.0 / (size - 1)
        prob[u, u] = 0.0
        count[u, u] = 0.0
    rounds = 0
    while rounds < most:
        rounds += 1
        for u in range(size):
            total = 0.0
            for v in range(size):
                total += kappa[u, v] * prob[u, v]
            mean[u] = total
        for u in range(size):
            for v in range(u + 1, size):
                far = mean[u] + mean[v] - kappa[u, v] * (prob[u, v] + prob[v, u])
                count[u, v] = far / (2.0 * kappa[u, v])
                count[v, u] = count[u, v]
        change = 0.0
        for u in range(size):
            total = 0.0
            for v in range(size):
                total += count[u, v]
            for v in range(size):
                now = count[u, v] / total
                change = max(change, abs(now - prob[u, v]))
                prob[u, v] = now
        if change < tolerance:
            break
    least = np.inf
    for u in range(size):
        for v in range(u + 1, size):
            least = min(least, count[u, v])
    for u in range(size):
        for v in range(size):
            count[u, v] /= least
    return rounds


@kernel
def graph_sizes(
    phrase_start: NDArray[np.int64],
    phrases: NDArray[np.int32],
    inflated: NDArray[np.bool_],
    tag_start: NDArray[np.int64],
    tag: NDArray[np.int32],
    stem: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Number of vertices of each graph: those whose counts are kept, and all."""
    graphs = len(phrase_start) - 1
    counted = np.empty(graphs, np.int32)
    total = np.empty(graphs, np.int32)
    feature_kinds = (1 if len(tag) > 0 else 0) + (1 if len(stem) > 0 else 0)
    widest = 1
    for g in range(graphs):
        wide = 0
        for i in range(phrase_start[g], phrase_start[g + 1]):
            wide += tag_start[phrases[i] + 1] - tag_start[phrases[i]] + 1
        widest = max(widest, wide)
    tag_place = np.empty(widest, np.int32)
    stem_place = np.empty(widest, np.int32)
    seen = np.empty(widest, np.int32)
    for g in range(graphs):
        piece = phrases[phrase_start[g] : phrase_start[g + 1]]
        tags, stems = local_features(piece, tag_start, tag, stem, tag_place, stem_place, seen)
        counted[g] = len(piece) + tags + stems
        total[g] = counted[g]
        for i in range(phrase_start[g], phrase_start[g + 1]):
            if inflated[i]:
                total[g] += 1 + feature_kinds
    return counted, total


@kernel
def count_graphs(
    first: int,
    last: int,
    phrase_start: NDArray[np.int64],
    phrases: NDArray[np.int32],
    inflated: NDArray[np.bool_],
    strength: NDArray[np.float64],
    edge_start: NDArray[np.int64],
    edge_a: NDArray[np.int32],
    edge_b: NDArray[np.int32],
    forward: NDArray[np.float64],
    backward: NDArray[np.float64],
    tag_start: NDArray[np.int64],
    tag: NDArray[np.int32],
    tag_share: NDArray[np.float64],
    stem: NDArray[np.int32],
    largest: int,
    tolerance: float,
    most: int,
    pair_start: NDArray[np.int64],
    counts: NDArray[np.float64],
    rounds: NDArray[np.int32],
) -> None:
    """Counts of the graphs ``first`` … ``last − 1``: the upper triangle of each, row by row, into ``counts``."""
    weight = np.empty((largest, largest), np.float64)
    inverse = np.empty((largest, largest), np.float64)
    kappa = np.empty((largest, largest), np.float64)
    count = np.empty((largest, largest), np.float64)
    pi = np.empty(largest, np.float64)
    pivots = np.empty(largest, np.int64)
    for g in range(first, last):
        low = phrase_start[g]
        high = phrase_start[g + 1]
        piece = phrases[low:high]
        wide = 0
        for i in range(low, high):
            wide += tag_start[phrases[i] + 1] - tag_start[phrases[i]] + 1
        tag_place = np.empty(wide, np.int32)
        stem_place = np.empty(wide, np.int32)
        seen = np.empty(wide, np.int32)
        tags, stems = local_features(piece, tag_start, tag, stem, tag_place, stem_place, seen)
        counted = len(piece) + tags + stems
        edges = slice(edge_start[g], edge_start[g + 1])
        size = fill_weights(
            weight,
            piece,
            inflated[low:high],
            strength[low:high],
            edge_a[edges],
            edge_b[edges],
            forward[edges],
            backward[edges],
            tag_start,
            tag_share,
            len(tag) > 0,
            len(stem) > 0,
            tag_place,
            stem_place,
            counted,
        )
        commute(weight, inverse, pivots, pi, kappa, size)
        rounds[g] = count_pairs(kappa, count, inverse, pi, size, tolerance, most)
        at = pair_start[g]
        for u in range(counted):
            for v in range(u + 1, counted):
                counts[at] = count[u, v]
                at += 1

"""Compiled loops of the link model: the features of each link of a sentence pair, and the choice of links.

The arrays of a pair are (target words, source words). ``p`` is the current belief in each link.
``linking.FEATURES`` describes the features, in the same order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.align.arrays import HmmArrays

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt8s = NDArray[np.uint8]
Float64s = NDArray[np.float64]

#: Number of features of a link.
FEATURES = 69
#: Word classes.
CONTENT = 0
FUNCTION = 1
MARK = 2
#: Probabilities are kept at this distance from 0 and 1 before log-odds are taken.
EDGE = 1e-4


@inline_kernel
def log_odds(x: float) -> float:
    """log x / (1 − x), always finite."""
    x = min(max(x, EDGE), 1.0 - EDGE)
    return float(np.log(x / (1.0 - x)))


@inline_kernel
def around(p: Float64s, j: int, i: int) -> float:
    """p inside the pair, 1 just before both sentences begin or after both end, 0 elsewhere outside."""
    if j < 0 or i < 0 or j >= p.shape[0] or i >= p.shape[1]:
        ends = (j == -1 and i == -1) or (j == p.shape[0] and i == p.shape[1])
        return 1.0 if ends else 0.0
    return float(p[j, i])


@kernel
def best_two(p: Float64s, best: Float64s, second: Float64s, place: Int64s) -> None:
    """Of every row of p: its largest value, the second largest, and the position of the largest."""
    for j in range(p.shape[0]):
        best[j] = 0.0
        second[j] = 0.0
        place[j] = -1
        for i in range(p.shape[1]):
            if p[j, i] > best[j]:
                second[j] = best[j]
                best[j] = p[j, i]
                place[j] = i
            elif p[j, i] > second[j]:
                second[j] = p[j, i]


@kernel
def free_runs(best: Float64s, anchor: float, begin: Int64s, end: Int64s) -> None:
    """For every word without a link, the first and the last word of the run of such words around it."""
    count = len(best)
    for k in range(count):
        begin[k] = begin[k - 1] if k > 0 and best[k - 1] < anchor else k
    for k in range(count - 1, -1, -1):
        end[k] = end[k + 1] if k + 1 < count and best[k + 1] < anchor else k


@kernel
def content_support(p: Float64s, source_class: UInt8s, target_class: UInt8s, support: Float64s) -> None:
    """The strongest link of two content words within two words of each cell, times 0.7 at distance two."""
    for j in range(p.shape[0]):
        for i in range(p.shape[1]):
            best = 0.0
            for y in range(max(0, j - 2), min(p.shape[0], j + 3)):
                for z in range(max(0, i - 2), min(p.shape[1], i + 3)):
                    if (y != j or z != i) and target_class[y] == CONTENT and source_class[z] == CONTENT:
                        near = abs(y - j) < 2 and abs(z - i) < 2
                        best = max(best, p[y, z] if near else 0.7 * p[y, z])
            support[j, i] = best


@inline_kernel
def covered(best: Float64s, word_class: UInt8s) -> float:
    """The mean of the best links of content words."""
    total = 0.0
    count = 1e-9
    for k in range(len(best)):
        if word_class[k] == CONTENT:
            total += best[k]
            count += 1.0
    return total / count


@kernel
def pair_features(
    ahead: Float64s,
    back: Float64s,
    p: Float64s,
    similar: Float64s,
    source_class: UInt8s,
    target_class: UInt8s,
    anchor: float,
    out: Float64s,
) -> None:
    """The features of every cell of one sentence pair.

    ahead, back, p: [target, source]; similar: [target, source, 5], identity first, then ``evidence.SLOTS``.
    out: [target · source, FEATURES]. The result is symmetric: exchanging the two sentences changes nothing.
    """
    target_len, source_len = p.shape
    best_t = np.empty(target_len, np.float64)
    next_t = np.empty(target_len, np.float64)
    place_t = np.empty(target_len, np.int64)
    best_s = np.empty(source_len, np.float64)
    next_s = np.empty(source_len, np.float64)
    place_s = np.empty(source_len, np.int64)
    best_two(p, best_t, next_t, place_t)
    best_two(p.T, best_s, next_s, place_s)
    run_t = np.empty((2, target_len), np.int64)
    run_s = np.empty((2, source_len), np.int64)
    free_runs(best_t, anchor, run_t[0], run_t[1])
    free_runs(best_s, anchor, run_s[0], run_s[1])
    support = np.empty_like(p)
    content_support(p, source_class, target_class, support)
    same_t = np.zeros(target_len, np.float64)
    same_s = np.zeros(source_len, np.float64)
    empty_t = np.ones(target_len, np.float64)
    empty_s = np.ones(source_len, np.float64)
    for j in range(target_len):
        for i in range(source_len):
            same_t[j] += similar[j, i, 0]
            same_s[i] += similar[j, i, 0]
            empty_t[j] -= ahead[j, i]
            empty_s[i] -= back[j, i]
    cover_t = best_t.sum() / target_len
    cover_s = best_s.sum() / source_len
    cover = min(cover_s, cover_t)
    content_cover = min(covered(best_s, source_class), covered(best_t, target_class))
    # How much longer the source is. It shows which side is longer, in either order of the sentences.
    longer = min(max(np.log(source_len / target_len), -1.0), 1.0)
    for j in range(target_len):
        for i in range(source_len):
            x = out[j * source_len + i]
            source_kind = source_class[i]
            two = target_class[j]
            same = similar[j, i, 0]
            content = 1.0 if source_kind == CONTENT and two == CONTENT else 0.0
            function = 1.0 if source_kind == FUNCTION and two == FUNCTION else 0.0
            mark = 1.0 if source_kind == MARK and two == MARK else 0.0
            mixed = 1.0 - content - function - mark
            before = around(p, j - 1, i - 1)
            after = around(p, j + 1, i + 1)
            diagonal = max(before, after)
            side_s = max(around(p, j, i - 1), around(p, j, i + 1))
            side_t = max(around(p, j - 1, i), around(p, j + 1, i))
            side = max(side_s, side_t)
            rival_t = next_t[j] if place_t[j] == i else best_t[j]
            rival_s = next_s[i] if place_s[i] == j else best_s[i]
            free = (1.0 - rival_t) * (1.0 - rival_s)
            apart = abs((j + 0.5) / target_len - (i + 0.5) / source_len)
            odds_a = log_odds(ahead[j, i])
            odds_b = log_odds(back[j, i])
            both = ahead[j, i] * back[j, i]
            # A gap: runs of words without links on both sides, between links (closed) or beside one link (open).
            closed = 0.0
            opened = 0.0
            log_s = 0.0
            log_t = 0.0
            free_s = best_s[i] < anchor
            free_t = best_t[j] < anchor
            if free_s and free_t:
                left = around(p, run_t[0, j] - 1, run_s[0, i] - 1) >= anchor
                right = around(p, run_t[1, j] + 1, run_s[1, i] + 1) >= anchor
                log_s = np.log(run_s[1, i] - run_s[0, i] + 1.0)
                log_t = np.log(run_t[1, j] - run_t[0, j] + 1.0)
                if left and right:
                    closed = 1.0
                elif left or right:
                    opened = 1.0
            # A word beside one whose partner this is: one side uses several words where the other uses one.
            beside = 0.0
            beside_other = 0.0
            beside_run = 0.0
            beside_ends = 0.0
            if free_s and not free_t:
                for k in (run_s[0, i] - 1, run_s[1, i] + 1):
                    if 0 <= k < source_len and p[j, k] >= anchor:
                        beside = 1.0
                        beside_ends += 1.0
                        beside_run = np.log(run_s[1, i] - run_s[0, i] + 1.0)
                        if similar[j, k, 0] < 0.5:
                            beside_other = 1.0
            elif free_t and not free_s:
                for k in (run_t[0, j] - 1, run_t[1, j] + 1):
                    if 0 <= k < target_len and p[k, i] >= anchor:
                        beside = 1.0
                        beside_ends += 1.0
                        beside_run = np.log(run_t[1, j] - run_t[0, j] + 1.0)
                        if similar[k, i, 0] < 0.5:
                            beside_other = 1.0
            corner = 0.0
            for y in range(max(0, j - 2), min(target_len, j + 3)):
                for z in range(max(0, i - 2), min(source_len, i + 3)):
                    if y != j and z != i:
                        corner = max(corner, min(p[y, i], p[j, z]))
            x[0] = 1.0
            x[1] = odds_a + odds_b
            x[2] = min(odds_a, odds_b)
            x[3] = both
            x[4] = np.sqrt(both)
            x[5] = log_odds(p[j, i])
            x[6] = same
            x[7] = same if same_s[i] <= 1.0 and same_t[j] <= 1.0 else 0.0
            x[8] = similar[j, i, 1]
            x[9] = similar[j, i, 2]
            x[10] = similar[j, i, 3]
            x[11] = similar[j, i, 4]
            x[12] = function
            x[13] = mark
            x[14] = mixed
            x[15] = 1.0 if mixed > 0.0 and (source_kind == MARK or two == MARK) else 0.0
            x[16] = same * function
            x[17] = same * mark
            x[18] = same * function * (1.0 - support[j, i])
            x[19] = same * mark * (1.0 - diagonal)
            x[20] = before + after
            x[21] = before * after
            x[22] = diagonal
            x[23] = max(around(p, j - 1, i + 1), around(p, j + 1, i - 1))
            x[24] = support[j, i]
            x[25] = support[j, i] * function
            x[26] = side_s + side_t
            x[27] = side * mixed
            x[28] = side * content
            x[29] = rival_s + rival_t
            x[30] = rival_s * rival_t
            x[31] = min(rival_s, rival_t)
            x[32] = same * max(rival_s, rival_t)
            x[33] = max(empty_t[j], 0.0) + max(empty_s[i], 0.0)
            x[34] = cover_s + cover_t
            x[35] = cover
            x[36] = cover * mixed
            x[37] = cover * content * (1.0 - same)
            x[38] = cover * function * (1.0 - same)
            x[39] = cover * function * same
            x[40] = before * after * cover
            x[41] = diagonal * free
            x[42] = diagonal * free * cover
            x[43] = before * after * free
            x[44] = apart
            x[45] = apart * (1.0 - same)
            x[46] = apart * function
            x[47] = closed
            x[48] = closed * (log_s + log_t)
            x[49] = closed * abs(log_s - log_t)
            x[50] = closed * cover
            x[51] = opened
            x[52] = opened * (log_s + log_t)
            x[53] = opened * cover
            x[54] = beside
            x[55] = beside * beside_run
            x[56] = beside_other
            x[57] = beside_other * beside_run
            x[58] = beside * cover
            x[59] = beside_ends
            x[60] = corner
            x[61] = corner * cover
            x[62] = closed * log_s * log_t
            x[63] = content_cover
            x[64] = longer * (odds_a - odds_b)
            x[65] = longer * (max(empty_t[j], 0.0) - max(empty_s[i], 0.0))
            x[66] = longer * (rival_t - rival_s)
            x[67] = longer * (cover_t - cover_s)
            x[68] = longer * (side_t - side_s)


@kernel
def link_probabilities(
    arrays: HmmArrays,
    first: int,
    last: int,
    cell_start: Int64s,
    gamma: Float64s,
    slots: Int64s,
    other_start: Int64s,
    other: Float64s,
    similar: UInt8s,
    word_class: UInt8s,
    context: Float64s,
    own_columns: Int64s,
    context_columns: Int64s,
    weights: Float64s,
    anchor: float,
    belief: Float64s,
    features: Float64s,
) -> None:
    """One pass over the pairs ``first`` … ``last − 1``: a logistic model of their features, given the last belief.

    gamma, slots, other: posteriors and slots of ``hmm.Expectation`` in both directions; similar: uint8[slots, 4], 255
    for 1. context: features from an encoder, one row per cell in the order of pairs, target and source words; without
    rows if there is no encoder. weights: FEATURES of them, then one for each column of ``context``, then one for each
    product of a feature of ``own_columns`` and one of ``context_columns``. belief: input and output, in gamma's layout.
    features: if it has rows, the features are written to it, in the order of ``context``, and ``belief`` is unchanged.
    """
    row = 0
    for n in range(first, last):
        if not arrays.kept[n]:
            continue
        source = arrays.source_tokens[arrays.source_starts[n] : arrays.source_starts[n + 1]]
        target = arrays.target_tokens[arrays.target_starts[n] : arrays.target_starts[n + 1]]
        source_len = len(source)
        target_len = len(target)
        states = source_len + 1
        begin = cell_start[n] - cell_start[first]
        mirror = other_start[n] - other_start[first]
        ahead = np.empty((target_len, source_len), np.float64)
        back = np.empty((target_len, source_len), np.float64)
        p = np.empty((target_len, source_len), np.float64)
        alike = np.zeros((target_len, source_len, 5), np.float64)
        for j in range(target_len):
            for i in range(source_len):
                cell = begin + j * states + i + 1
                ahead[j, i] = gamma[cell]
                back[j, i] = other[mirror + i * (target_len + 1) + j + 1]
                p[j, i] = belief[cell]
                if source[i] == target[j]:
                    alike[j, i, 0] = 1.0
                elif slots[cell] >= 0:
                    for k in range(4):
                        alike[j, i, k + 1] = similar[slots[cell], k] / 255.0
        cells = target_len * source_len
        out = np.empty((cells, FEATURES), np.float64)
        pair_features(ahead, back, p, alike, word_class[source], word_class[target], anchor, out)
        if len(features) > 0:
            features[row : row + cells, :FEATURES] = out
            if len(context) > 0:
                both = FEATURES + context.shape[1]
                features[row : row + cells, FEATURES:both] = context[row : row + cells]
                for cell in range(cells):
                    at = both
                    for link_column in own_columns:
                        for context_column in context_columns:
                            features[row + cell, at] = (
                                out[cell, link_column] * context[row + cell, context_column]
                            )
                            at += 1
            row += cells
            continue
        for j in range(target_len):
            for i in range(source_len):
                cell = j * source_len + i
                total = 0.0
                for k in range(FEATURES):
                    total += weights[k] * out[cell, k]
                if len(context) > 0:
                    for k in range(context.shape[1]):
                        total += weights[FEATURES + k] * context[row + cell, k]
                    at = FEATURES + context.shape[1]
                    for link_column in own_columns:
                        for context_column in context_columns:
                            total += (
                                weights[at] * out[cell, link_column] * context[row + cell, context_column]
                            )
                            at += 1
                belief[begin + j * states + i + 1] = 1.0 / (1.0 + np.exp(-total))
        row += cells


@kernel
def agreement(
    arrays: HmmArrays,
    first: int,
    last: int,
    cell_start: Int64s,
    gamma: Float64s,
    other_start: Int64s,
    other: Float64s,
    belief: Float64s,
) -> None:
    """The first belief: the product of the posteriors of both directions (Liang, Taskar and Klein 2006)."""
    for n in range(first, last):
        if not arrays.kept[n]:
            continue
        states = arrays.source_starts[n + 1] - arrays.source_starts[n] + 1
        target_len = arrays.target_starts[n + 1] - arrays.target_starts[n]
        begin = cell_start[n] - cell_start[first]
        mirror = other_start[n] - other_start[first]
        for j in range(target_len):
            belief[begin + j * states] = 0.0
            for s in range(1, states):
                cell = begin + j * states + s
                belief[cell] = gamma[cell] * other[mirror + (s - 1) * (target_len + 1) + j + 1]


@kernel
def take_links(
    arrays: HmmArrays, first: int, last: int, cell_start: Int64s, belief: Float64s, threshold: float
) -> tuple[Int64s, Int32s, Int32s, Float64s]:
    """(links per pair, source, target, belief) of the cells at or above ``threshold``, by source, then target."""
    count = np.zeros(last - first, np.int64)
    total = 0
    for n in range(first, last):
        if arrays.kept[n]:
            cells = cell_start[n + 1] - cell_start[n]
            begin = cell_start[n] - cell_start[first]
            states = arrays.source_starts[n + 1] - arrays.source_starts[n] + 1
            for cell in range(cells):
                if cell % states > 0 and belief[begin + cell] >= threshold:
                    count[n - first] += 1
            total += count[n - first]
    source = np.empty(total, np.int32)
    target = np.empty(total, np.int32)
    value = np.empty(total, np.float64)
    at = 0
    for n in range(first, last):
        if arrays.kept[n]:
            begin = cell_start[n] - cell_start[first]
            states = arrays.source_starts[n + 1] - arrays.source_starts[n] + 1
            target_len = arrays.target_starts[n + 1] - arrays.target_starts[n]
            for i in range(states - 1):
                for j in range(target_len):
                    cell_belief = belief[begin + j * states + i + 1]
                    if cell_belief >= threshold:
                        source[at] = i
                        target[at] = j
                        value[at] = cell_belief
                        at += 1
    return count, source, target, value

"""Compiled boosted trees: growing one on binned values, and the sum of many on plain ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel


@kernel
def grow_tree(
    binned: NDArray[np.uint8],
    residual: NDArray[np.float64],
    chosen: NDArray[np.bool_],
    allowed: NDArray[np.bool_],
    depth: int,
    bins: int,
    penalty: float,
    least: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]:
    """A complete tree of ``depth`` levels for squared loss: (feature, bin, value, leaf of every row).

    Inner node k has the children 2k + 1 (value's bin at most ``bin``) and 2k + 2. A node that gains nothing by a
    split has the feature −1 and sends all to the left. chosen: rows to grow on; allowed: features to split by;
    penalty: added to every count; least: chosen rows a side must have.
    """
    rows, features = binned.shape
    inner = (1 << depth) - 1
    split_feature = np.full(inner, -1, np.int32)
    split_bin = np.zeros(inner, np.int32)
    node = np.zeros(rows, np.int32)
    for level in range(depth):
        first = (1 << level) - 1
        width = 1 << level
        sums = np.zeros((width, features, bins))
        counts = np.zeros((width, features, bins), np.int64)
        for row in range(rows):
            if not chosen[row]:
                continue
            place = node[row] - first
            for feature in range(features):
                if allowed[feature]:
                    sums[place, feature, binned[row, feature]] += residual[row]
                    counts[place, feature, binned[row, feature]] += 1
        for place in range(width):
            best = 1e-9
            for feature in range(features):
                if not allowed[feature]:
                    continue
                total = sums[place, feature].sum()
                size = counts[place, feature].sum()
                whole = total * total / (size + penalty)
                left_sum = 0.0
                left_size = 0
                for cut in range(bins - 1):
                    left_sum += sums[place, feature, cut]
                    left_size += counts[place, feature, cut]
                    if left_size < least or size - left_size < least:
                        continue
                    right_sum = total - left_sum
                    gain = (
                        left_sum * left_sum / (left_size + penalty)
                        + right_sum * right_sum / (size - left_size + penalty)
                        - whole
                    )
                    if gain > best:
                        best = gain
                        split_feature[first + place] = feature
                        split_bin[first + place] = cut
        for row in range(rows):
            here = node[row]
            feature = split_feature[here]
            right = feature >= 0 and binned[row, feature] > split_bin[here]
            node[row] = 2 * here + (2 if right else 1)
    leaves = 1 << depth
    value = np.zeros(leaves)
    size_of = np.zeros(leaves, np.int64)
    for row in range(rows):
        node[row] -= inner
        if chosen[row]:
            value[node[row]] += residual[row]
            size_of[node[row]] += 1
    for leaf in range(leaves):
        value[leaf] /= size_of[leaf] + penalty
    return split_feature, split_bin, value, node


@kernel
def sum_trees(
    values: NDArray[np.float32],
    feature: NDArray[np.int32],
    threshold: NDArray[np.float32],
    value: NDArray[np.float32],
) -> NDArray[np.float64]:
    """The sum over trees of the leaf that each row falls into; NaN goes to the left.

    feature, threshold: [trees, inner nodes]; value: [trees, leaves].
    """
    rows = len(values)
    trees, inner = feature.shape
    total = np.zeros(rows)
    for row in range(rows):
        for tree in range(trees):
            node = 0
            while node < inner:
                split = feature[tree, node]
                right = split >= 0 and values[row, split] > threshold[tree, node]
                node = 2 * node + (2 if right else 1)
            total[row] += value[tree, node - inner]
    return total

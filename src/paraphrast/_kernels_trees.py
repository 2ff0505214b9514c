"""The sum of boosted trees, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel


@kernel
def sum_trees(
    values: NDArray[np.float32],
    feature: NDArray[np.int32],
    threshold: NDArray[np.float32],
    value: NDArray[np.float32],
) -> NDArray[np.float64]:
    """The sum over trees of the leaf that each row reaches; NaN goes to the left.

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

"""Compiled loops: Viterbi over lines, and cosines of listed pairs of sparse rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel


@kernel
def viterbi(
    emission: NDArray[np.float64], transition: NDArray[np.float64], initial: NDArray[np.float64]
) -> NDArray[np.int32]:
    """The best path of states. emission: [lines, states] log-scores; transition[i, j]: log p(j after i)."""
    count, states = emission.shape
    path = np.zeros(count, dtype=np.int32)
    if count == 0:
        return path
    back = np.zeros((count, states), dtype=np.int32)
    score = initial + emission[0]
    for line in range(1, count):
        reached = np.empty(states)
        for state in range(states):
            best, best_from = -np.inf, 0
            for earlier in range(states):
                value = score[earlier] + transition[earlier, state]
                if value > best:
                    best, best_from = value, earlier
            reached[state] = best + emission[line, state]
            back[line, state] = best_from
        score = reached
    best_state = 0
    for state in range(1, states):
        if score[state] > score[best_state]:
            best_state = state
    for line in range(count - 1, -1, -1):
        path[line] = best_state
        best_state = back[line, best_state]
    return path


@kernel
def pair_products(
    starts: NDArray[np.int64],
    terms: NDArray[np.int32],
    weights: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Products of pairs of sparse rows. Terms of a row are sorted. Integers, so that sums are the same everywhere."""
    products = np.zeros(len(first), dtype=np.int64)
    for pair in range(len(first)):
        i, i_end = starts[first[pair]], starts[first[pair] + 1]
        j, j_end = starts[second[pair]], starts[second[pair] + 1]
        total = np.int64(0)
        while i < i_end and j < j_end:
            if terms[i] == terms[j]:
                total += weights[i] * weights[j]
                i += 1
                j += 1
            elif terms[i] < terms[j]:
                i += 1
            else:
                j += 1
        products[pair] = total
    return products


@kernel
def sum_weights(
    bins: NDArray[np.int32], starts: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum of the weights of each row's bins."""
    count, features = bins.shape
    sums = np.zeros(count)
    for row in range(count):
        total = 0.0
        for feature in range(features):
            total += weights[starts[feature] + bins[row, feature]]
        sums[row] = total
    return sums

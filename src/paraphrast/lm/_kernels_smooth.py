"""Kneser–Ney: from counts to probabilities, for one piece of an order at a time.

Every kernel works on a range ``first`` … ``last``. The result does not depend on how an order is divided.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel


@inline_kernel
def _log(value: float, floor: float) -> float:
    return max(math.log(value), floor) if value > 0 else floor


@kernel
def left_extensions(first: int, last: int, suffix: NDArray[np.int32], distinct: NDArray[np.int32]) -> None:
    """N1+(• w): add to each shorter n-gram the number of longer ones that end in it."""
    for node in range(first, last):
        distinct[suffix[node]] += 1


@kernel
def count_of_counts(first: int, last: int, counts: NDArray[np.int32], totals: NDArray[np.int64]) -> None:
    """totals: int64[5]; add to entry r the number of n-grams with count r (entry 0 is unused)."""
    for node in range(first, last):
        if 0 < counts[node] < 5:
            totals[counts[node]] += 1


@kernel
def number_kept(
    first: int, last: int, counts: NDArray[np.int32], threshold: int, kept: int, numbers: NDArray[np.int32]
) -> int:
    """Number the nodes that occur more than ``threshold`` times, from ``kept`` on; −1 for the others."""
    for node in range(first, last):
        if counts[node] > threshold:
            numbers[node] = kept
            kept += 1
        else:
            numbers[node] = -1
    return kept


@kernel
def interpolate(
    first: int,
    last: int,
    child_begin: NDArray[np.int32],
    suffix: NDArray[np.int32],
    counts: NDArray[np.int32],
    numbers: NDArray[np.int32],
    context_numbers: NDArray[np.int32],
    discounts: NDArray[np.float64],
    lower: NDArray[np.float64],
    floor: float,
    probability: NDArray[np.float64],
    log_prob: NDArray[np.float32],
    backoff: NDArray[np.float32],
) -> None:
    """Interpolated probabilities under the contexts ``first`` … ``last``, and the mass left to the order below.

    Chen and Goodman (1999), equations 25 and 26: p(w | h) = (c − D(c)) / Σc + γ(h) p(w | h'), where γ(h) is
    the discounted mass plus the mass of pruned n-grams, over Σc.

    counts: int32[nodes], adjusted; numbers: int32[nodes], the index of each in log_prob, −1 if pruned, or empty if
    numbers do not change; context_numbers: the same for the contexts, for backoff.
    discounts: float64[4], D(0) … D(3+); lower: float64, probabilities of the order below by node.
    Fills probability float64[nodes], and the logarithms, at least ``floor``, of it and of γ.
    """
    pruned = len(numbers) > 0
    pruned_below = len(context_numbers) > 0
    for context in range(first, last):
        begin = child_begin[context]
        end = child_begin[context + 1]
        place = np.int64(context_numbers[context]) if pruned_below else context
        if begin == end:
            if place >= 0:
                backoff[place] = 0.0
            continue
        total = 0.0
        left_over = 0.0
        for node in range(begin, end):
            total += counts[node]
            if pruned and numbers[node] < 0:
                left_over += counts[node]
            else:
                left_over += discounts[min(counts[node], 3)]
        weight = left_over / total
        if place >= 0:
            backoff[place] = _log(weight, floor)
        for node in range(begin, end):
            discounted = counts[node] - discounts[min(counts[node], 3)]
            value = discounted / total + weight * lower[suffix[node]]
            probability[node] = value
            number = np.int64(numbers[node]) if pruned else node
            if number >= 0:
                log_prob[number] = _log(value, floor)


@kernel
def logarithms(values: NDArray[np.float64], floor: float, logs: NDArray[np.float32]) -> None:
    """Natural logarithms, at least ``floor``."""
    for index in range(len(values)):
        logs[index] = _log(values[index], floor)


@kernel
def place_nodes(
    first: int,
    last: int,
    word: NDArray[np.int32],
    suffix: NDArray[np.int32],
    numbers: NDArray[np.int32],
    suffix_numbers: NDArray[np.int32],
    suffix_start: int,
    packed_word: NDArray[np.int32],
    packed_suffix: NDArray[np.int32],
) -> None:
    """Word and suffix of the kept nodes, at their new numbers. suffix_start: −1 for no suffixes."""
    for node in range(first, last):
        number = np.int64(numbers[node]) if len(numbers) > 0 else node
        if number < 0:
            continue
        packed_word[number] = word[node]
        if suffix_start < 0:
            packed_suffix[number] = -1
        else:
            link = np.int64(suffix[node])
            if len(suffix_numbers) > 0:
                link = np.int64(suffix_numbers[link])
            packed_suffix[number] = suffix_start + link


@kernel
def place_children(
    first: int,
    last: int,
    child_begin: NDArray[np.int32],
    numbers: NDArray[np.int32],
    child_numbers: NDArray[np.int32],
    child_start: int,
    kept: int,
    packed: NDArray[np.int64],
) -> int:
    """child_begin of the kept nodes. ``kept``: number of children before; returns the number so far."""
    for node in range(first, last):
        number = np.int64(numbers[node]) if len(numbers) > 0 else node
        if number >= 0:
            packed[number] = child_start + kept
        begin = np.int64(child_begin[node])
        end = np.int64(child_begin[node + 1])
        if len(child_numbers) == 0:
            kept += int(end - begin)
        else:
            for child in range(begin, end):
                kept += 1 if child_numbers[child] >= 0 else 0
    return kept

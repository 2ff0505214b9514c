"""Compiled counts of common sub-tables for pairs of phrases."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel


@kernel
def count_common(
    start: NDArray[np.int64],
    group: NDArray[np.int32],
    table: NDArray[np.int32],
    first: NDArray[np.int32],
    second: NDArray[np.int32],
) -> NDArray[np.int64]:
    """For each pair, the sub-tables with a group that holds both.

    Phrase v is in the groups ``group[start[v]:start[v + 1]]``, ascending; ``table`` of a group ascends with it. The
    shorter list is walked, and the longer one searched from where the last group was found.
    """
    result = np.zeros(len(first), dtype=np.int64)
    for pair in range(len(first)):
        one, two = first[pair], second[pair]
        if start[one + 1] - start[one] > start[two + 1] - start[two]:
            one, two = two, one
        low = start[two]
        last = -1
        for at in range(start[one], start[one + 1]):
            wanted = group[at]
            high = start[two + 1]
            while low < high:
                middle = (low + high) // 2
                if group[middle] < wanted:
                    low = middle + 1
                else:
                    high = middle
            if low == start[two + 1]:
                break
            if group[low] == wanted and table[wanted] != last:
                last = table[wanted]
                result[pair] += 1
    return result

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
    """Number of sub-tables with a group that contains both phrases, for each pair.

    Phrase v is in the groups ``group[start[v]:start[v + 1]]``, ascending; ``table`` of a group ascends with it. The
    loop runs over the shorter list and searches the longer one from the last group found.
    """
    result = np.zeros(len(first), dtype=np.int64)
    for pair in range(len(first)):
        shorter, longer = first[pair], second[pair]
        if start[shorter + 1] - start[shorter] > start[longer + 1] - start[longer]:
            shorter, longer = longer, shorter
        low = start[longer]
        last = -1
        for at in range(start[shorter], start[shorter + 1]):
            wanted = group[at]
            high = start[longer + 1]
            while low < high:
                middle = (low + high) // 2
                if group[middle] < wanted:
                    low = middle + 1
                else:
                    high = middle
            if low == start[longer + 1]:
                break
            if group[low] == wanted and table[wanted] != last:
                last = table[wanted]
                result[pair] += 1
    return result

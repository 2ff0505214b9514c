"""Which options insert a given sequence of words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, kernel
from paraphrast.decode._kernels_edges import MAX_SPAN
from paraphrast.decode._kernels_scratch import wide
from paraphrast.decode.arrays import OptionArrays


@inner_inline_kernel
def _occurrences(words: NDArray[np.int32], begin: int, end: int, sequence: NDArray[np.int32]) -> int:
    """How often ``sequence`` occurs in ``words[begin:end]``."""
    count = 0
    for start in range(begin, end - len(sequence) + 1):
        same = True
        for offset in range(len(sequence)):
            if words[start + offset] != sequence[offset]:
                same = False
                break
        if same:
            count += 1
    return count


@kernel
def inserting_options(options: OptionArrays, sequence: NDArray[np.int32]) -> NDArray[np.uint8]:
    """uint8[options]: 1 where the target has ``sequence`` more often than the source."""
    inserting = np.zeros(len(options.target), dtype=np.uint8)
    source = np.empty(MAX_SPAN, dtype=np.int32)
    for node in range(len(options.word)):
        first, stop = options.option_begin[node], options.option_begin[node + 1]
        if first == stop:
            continue
        begin = MAX_SPAN
        above = wide(node)
        while above > 0:
            begin -= 1
            source[begin] = options.word[above]
            above = wide(options.parent[above])
        before = _occurrences(source, begin, MAX_SPAN, sequence)
        for option in range(first, stop):
            words = options.target_words
            after = _occurrences(words, options.word_begin[option], options.word_begin[option + 1], sequence)
            if after > before:
                inserting[option] = 1
    return inserting

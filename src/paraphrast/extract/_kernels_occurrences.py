"""Where given phrases stand in a text, compiled: binary search, a word at a time, in phrases sorted by words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]


@inline_kernel
def _bound(words: Int32s, column: int, low: int, high: int, word: int) -> int:
    """The first row from ``low`` whose word in ``column`` is at least ``word``; ``high`` if none is."""
    while low < high:
        middle = (low + high) // 2
        if words[middle, column] < word:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def count_occurrences(tokens: Int32s, starts: Int64s, words: Int32s) -> int:
    """How many (phrase, place) there are."""
    total = 0
    width = words.shape[1]
    for sentence in range(len(starts) - 1):
        for first in range(starts[sentence], starts[sentence + 1]):
            low, high = 0, len(words)
            for column in range(min(width, starts[sentence + 1] - first)):
                word = tokens[first + column]
                low = _bound(words, column, low, high, word)
                high = _bound(words, column, low, high, word + 1)
                if low == high:
                    break
                if column + 1 == width or words[low, column + 1] < 0:
                    total += 1
    return total


@kernel
def fill_occurrences(
    tokens: Int32s, starts: Int64s, words: Int32s, phrase: Int32s, sentence_of: Int32s, start_of: Int32s
) -> None:
    """Write every (phrase, sentence, first token within it), in corpus order, a phrase before its extensions."""
    place = 0
    width = words.shape[1]
    for sentence in range(len(starts) - 1):
        for first in range(starts[sentence], starts[sentence + 1]):
            low, high = 0, len(words)
            for column in range(min(width, starts[sentence + 1] - first)):
                word = tokens[first + column]
                low = _bound(words, column, low, high, word)
                high = _bound(words, column, low, high, word + 1)
                if low == high:
                    break
                if column + 1 == width or words[low, column + 1] < 0:
                    phrase[place] = low
                    sentence_of[place] = sentence
                    start_of[place] = first - starts[sentence]
                    place += 1

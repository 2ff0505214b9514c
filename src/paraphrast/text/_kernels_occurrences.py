"""Compiled search for phrases in a text: a hash table of the phrases, and one pass over the tokens."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel


@inline_kernel
def _mixed(state: np.uint64, word: int) -> np.uint64:
    """Add one word to a running hash."""
    value = (state ^ np.uint64(word + 1)) * np.uint64(0x9E3779B97F4A7C15)
    return value ^ (value >> np.uint64(29))


@kernel
def fill_table(
    words: NDArray[np.int32], lengths: NDArray[np.int64], table: NDArray[np.int32], hashes: NDArray[np.uint64]
) -> None:
    """Put every phrase into ``table`` (−1 for free, a power of two of slots), with linear probing."""
    mask = np.uint64(len(table) - 1)
    for phrase in range(len(words)):
        state = np.uint64(0)
        for place in range(lengths[phrase]):
            state = _mixed(state, words[phrase, place])
        hashes[phrase] = state
        slot = state & mask
        while table[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        table[slot] = phrase


@kernel
def find_phrases(
    tokens: NDArray[np.int32],
    starts: NDArray[np.int64],
    words: NDArray[np.int32],
    lengths: NDArray[np.int64],
    table: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    longest: int,
    phrase: NDArray[np.int32],
    position: NDArray[np.int64],
) -> int:
    """Every occurrence of a phrase within a sentence, in order of position and length. Returns their number.

    phrase, position: output arrays; occurrences that do not fit are counted but not written.
    """
    mask = np.uint64(len(table) - 1)
    occurrences = 0
    for sentence in range(len(starts) - 1):
        end = starts[sentence + 1]
        for begin in range(starts[sentence], end):
            state = np.uint64(0)
            for size in range(1, min(longest, end - begin) + 1):
                state = _mixed(state, tokens[begin + size - 1])
                slot = state & mask
                while table[slot] >= 0:
                    known = table[slot]
                    if hashes[known] == state and lengths[known] == size:
                        same = True
                        for place in range(size):
                            same = same and words[known, place] == tokens[begin + place]
                        if same:
                            if occurrences < len(phrase):
                                phrase[occurrences] = known
                                position[occurrences] = begin
                            occurrences += 1
                            break
                    slot = (slot + np.uint64(1)) & mask
    return occurrences

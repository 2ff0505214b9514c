"""Which options insert a given sequence of words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode.arrays import DecoderArrays


def inserting_options(arrays: DecoderArrays, sequence: tuple[int, ...]) -> NDArray[np.uint8]:
    """uint8[options]: 1 where the target has ``sequence`` more often than the source."""
    options = arrays.options
    inserting = np.zeros(len(arrays), dtype=np.uint8)
    places = np.flatnonzero(options.target_words == sequence[0])  # few; only their options are compared below
    for option in np.unique(np.searchsorted(options.word_begin, places, side="right") - 1).tolist():
        after = _occurrences(arrays.target_words_of(option), sequence)
        if after and after > _occurrences(arrays.source_words_of(option), sequence):
            inserting[option] = 1
    return inserting


def _occurrences(words: tuple[int, ...], sequence: tuple[int, ...]) -> int:
    """How often ``sequence`` occurs in ``words``."""
    length = len(sequence)
    return sum(words[start : start + length] == sequence for start in range(len(words) - length + 1))

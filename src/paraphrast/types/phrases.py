"""Phrases of up to seven words, and phrase pairs with their occurrences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAX_PHRASE = 7


@dataclass(frozen=True)
class Phrases:
    """Phrase id → words.

    words: int32[n, 7], vocabulary ids, −1 after the end of the phrase.
    glue: uint8[n], bit k is set if there is *no* space between word k and word k + 1 in the phrase's most frequent raw
        spelling ("EU" + "'s" is 1).
    """

    words: NDArray[np.int32]
    glue: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of words in each phrase."""
        return np.asarray((self.words >= 0).sum(axis=1), dtype=np.int64)

    def ids_of(self, index: int) -> list[int]:
        """The words of one phrase."""
        row = self.words[index]
        return [int(word) for word in row[row >= 0]]


@dataclass(frozen=True)
class PhrasePairs:
    """Every extracted occurrence of a phrase pair, in corpus order, before counting.

    source, target: int32[n], ids into the phrase store of each side.
    sentence: int32[n], index of the sentence pair.
    source_start: int32[n], token position of the source phrase within its sentence.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    sentence: NDArray[np.int32]
    source_start: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.source)

"""Word translation probabilities, learnt in one room and used for scores in another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class WordLexicon:
    """p(word | given word) in compressed rows. The last row is that of the empty word.

    row_start: int64[given words + 2]; row g is ``columns[row_start[g]:row_start[g + 1]]``, and the same part of
    ``prob``. columns: int32[n], possible words for g, ascending within a row. prob: float32[n].
    """

    row_start: NDArray[np.int64]
    columns: NDArray[np.int32]
    prob: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def null(self) -> int:
        """The row of the empty word."""
        return len(self.row_start) - 2

    def lookup(
        self, given: NDArray[np.int32], words: NDArray[np.int32], *, unseen: float = 0.0
    ) -> NDArray[np.float32]:
        """p(words[n] | given[n]); ``unseen`` if there is no entry, or no such row."""
        given = np.asarray(given, dtype=np.int64)
        known = (given >= 0) & (given <= self.null)
        row = np.where(known, given, 0)
        low = self.row_start[row]
        end = np.where(known, self.row_start[row + 1], low)
        high = end.copy()
        values = np.full(len(row), unseen, dtype=np.float32)
        if not len(self.columns):
            return values
        last = len(self.columns) - 1
        while np.any(low < high):
            middle = (low + high) // 2
            open_ = low < high
            below = open_ & (self.columns[np.minimum(middle, last)] < words)
            low = np.where(below, middle + 1, low)
            high = np.where(open_ & ~below, middle, high)
        hit = (low < end) & (self.columns[np.minimum(low, last)] == words)
        values[hit] = self.prob[low[hit]]
        return values

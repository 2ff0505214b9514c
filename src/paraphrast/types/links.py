"""Word alignments of many sentence pairs as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Links:
    """Links of every sentence pair, sorted by source then target position within a pair.

    starts: int64[pairs + 1]; the links of pair i are ``source[starts[i]:starts[i + 1]]``, and likewise ``target``.
    source, target: int32[n], 0-based token positions within the sentence.
    posterior: float32[n] or None.
    """

    starts: NDArray[np.int64]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    posterior: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.starts) - 1

    def pair(self, index: int) -> list[tuple[int, int]]:
        """The links of one sentence pair."""
        piece = slice(int(self.starts[index]), int(self.starts[index + 1]))
        return list(zip(self.source[piece].tolist(), self.target[piece].tolist(), strict=True))

    @classmethod
    def from_lists(cls, pairs: Iterable[Iterable[tuple[int, int]]]) -> Links:
        """From one list of ``(source, target)`` per sentence pair."""
        rows = [sorted(set(pair)) for pair in pairs]
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=starts[1:])
        flat = np.array([link for row in rows for link in row], dtype=np.int32).reshape(-1, 2)
        return cls(starts, flat[:, 0].copy(), flat[:, 1].copy())

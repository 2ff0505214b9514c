"""A paraphrase table, the common form of all resources."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


def pair_keys(source: NDArray[np.integer], target: NDArray[np.integer]) -> NDArray[np.int64]:
    """One number per pair of ids, ``source · 2³² + target``. Sorts by source, then target; −1 matches no pair."""
    keys: NDArray[np.int64] = (source.astype(np.int64) << 32) | target.astype(np.int64)
    return keys


@dataclass(frozen=True)
class TableInfo:
    """Description of a table in its file."""

    kind: str
    language: str
    signature: str
    format_version: int = 1
    #: feature name → {"direction": …, "floor": …}
    features: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ParaphraseTable:
    """Rows sorted by source, score descending, target.

    source, target: int32[n], phrase ids.
    count: int64[n], number of observations of the row (0 if the resource has no counts).
    score: float32[n], natural log p(target | source), for ranking.
    features: name → float32[n], natural log-features, NaN where unknown.
    veto: uint8[n], bits of the reasons not to use the row, 0 for none; empty if not checked.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.int64]
    score: NDArray[np.float32]
    features: dict[str, NDArray[np.float32]]
    info: TableInfo
    veto: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))

    def __len__(self) -> int:
        return len(self.source)

    @property
    def keys(self) -> NDArray[np.int64]:
        """The :func:`pair_keys` of the rows."""
        return pair_keys(self.source, self.target)


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row with its phrases as text, for files that other tools read; features are natural logs or None."""

    source: str
    target: str
    score: float
    count: int
    features: dict[str, float | None]
    veto: int = 0

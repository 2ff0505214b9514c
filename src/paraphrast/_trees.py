"""Boosted trees (Friedman 2001): few, shallow, and stored as plain numbers. ``bench/fitting.py`` fits them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast import _kernels_trees as k
from paraphrast._jit import is_compiling_at_once
from paraphrast.errors import InputError

#: Rows of one process for which numpy is cheaper than loading compiled code.
FEW_ROWS = 5000


@dataclass
class _Seen:
    """Rows that numpy was asked for in this process, in many small calls or in one."""

    rows: int = 0


_seen = _Seen()


@dataclass(frozen=True)
class Trees:
    """Complete trees. The prediction is ``base`` plus the leaf of each tree that the row reaches.

    feature: int32[trees, inner], −1 if all rows go left; threshold: float32[trees, inner], values above it go right,
    NaN goes left; value: float32[trees, leaves].
    """

    base: float
    feature: NDArray[np.int32]
    threshold: NDArray[np.float32]
    value: NDArray[np.float32]

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """One number for each row of float32[rows, features]."""
        if values.ndim != 2 or int(self.feature.max(initial=-1)) >= values.shape[1]:
            raise InputError(
                f"expected rows of at least {int(self.feature.max(initial=-1)) + 1} features, "
                f"got shape {values.shape}"
            )
        table = np.ascontiguousarray(values, dtype=np.float32)
        if not (k.sum_trees.signatures or is_compiling_at_once()):
            _seen.rows += len(table)
            if _seen.rows <= FEW_ROWS:
                return self.base + self._sum_of_few(table)
        total: NDArray[np.float64] = self.base + k.sum_trees(table, self.feature, self.threshold, self.value)
        return total

    def _sum_of_few(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """What the kernel does, tree by tree for all rows at once: cheaper than loading it. The same sums."""
        inner = self.feature.shape[1]
        rows = np.arange(len(table))
        total = np.zeros(len(table))
        for feature, threshold, value in zip(self.feature, self.threshold, self.value, strict=True):
            node = np.zeros(len(table), dtype=np.int64)
            for _ in range(inner.bit_length()):  # trees are complete: all leaves are equally deep
                split = feature[node]
                right = (split >= 0) & (table[rows, split] > threshold[node])
                node = 2 * node + 1 + right
            total += value[node - inner]
        return total

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, for JSON."""
        return {
            "base": round(self.base, 6),
            "feature": self.feature.tolist(),
            "threshold": [[float(f"{number:.5g}") for number in row] for row in self.threshold.tolist()],
            "value": [[float(f"{number:.4g}") for number in row] for row in self.value.tolist()],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Trees:
        """Build trees from the values of :meth:`to_dict`."""
        try:
            trees = cls(
                float(values["base"]),
                np.array(values["feature"], dtype=np.int32),
                np.array(values["threshold"], dtype=np.float32),
                np.array(values["value"], dtype=np.float32),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"expected trees as base, feature, threshold and value: {error}") from error
        inner = trees.feature.shape[-1]
        if (
            trees.feature.ndim != 2
            or trees.threshold.shape != trees.feature.shape
            or trees.value.shape != (len(trees.feature), inner + 1)
            or inner + 1 != 1 << int(inner + 1).bit_length() - 1
        ):
            raise InputError("expected complete trees, all of the same depth")
        return trees

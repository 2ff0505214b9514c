"""Boosted trees (Friedman 2001) with squared loss: few, shallow, and written out as plain numbers.

Small on purpose: a model that ships with the package has to be some kilobytes that anybody can read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.tables.quality import _kernels_boosting as k

#: Bins a feature's values are put into before splits are sought.
BINS = 32


@dataclass(frozen=True)
class BoostingOptions:
    """trees: how many. depth: levels of each. rate: share of each tree's values that is added. penalty: added to the
    count of a leaf. least: rows on either side of a split. rows, features: shares drawn for each tree, by ``seed``."""

    trees: int = 150
    depth: int = 4
    rate: float = 0.08
    penalty: float = 5.0
    least: int = 20
    rows: float = 0.7
    features: float = 0.5
    seed: int = 12345

    def __post_init__(self) -> None:
        if self.trees < 1 or not 1 <= self.depth <= 8 or self.least < 1 or self.penalty < 0:
            raise InputError(f"expected trees ≥ 1, depth from 1 to 8, least ≥ 1 and penalty ≥ 0, got {self}")
        if not (0 < self.rate <= 1 and 0 < self.rows <= 1 and 0 < self.features <= 1):
            raise InputError(f"expected rate and shares above 0 and at most 1, got {self}")


@dataclass(frozen=True)
class Trees:
    """Complete trees: ``base`` plus, of each, the leaf a row falls into.

    feature: int32[trees, inner], −1 where all go left; threshold: float32[trees, inner], values above go right, NaN
    goes left; value: float32[trees, leaves].
    """

    base: float
    feature: NDArray[np.int32]
    threshold: NDArray[np.float32]
    value: NDArray[np.float32]

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """One number a row of float32[rows, features]."""
        if values.ndim != 2 or int(self.feature.max(initial=-1)) >= values.shape[1]:
            raise InputError(
                f"expected rows of at least {int(self.feature.max(initial=-1)) + 1} features, "
                f"got shape {values.shape}"
            )
        table = np.ascontiguousarray(values, dtype=np.float32)
        total: NDArray[np.float64] = self.base + k.sum_trees(table, self.feature, self.threshold, self.value)
        return total

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, for JSON."""
        return {
            "base": round(self.base, 6),
            "feature": self.feature.tolist(),
            "threshold": [[float(f"{one:.5g}") for one in row] for row in self.threshold.tolist()],
            "value": [[float(f"{one:.4g}") for one in row] for row in self.value.tolist()],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Trees:
        """From :meth:`to_dict`'s numbers."""
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
            raise InputError("expected complete trees, every one of the same depth")
        return trees


def fit_trees(
    values: NDArray[np.float32],
    wanted: NDArray[np.float64],
    options: BoostingOptions | None = None,
) -> Trees:
    """Trees whose sum comes close to ``wanted``; the same bytes for the same values, options and seed."""
    options = options or BoostingOptions()
    if values.ndim != 2 or len(values) != len(wanted) or not len(wanted):
        raise InputError(f"expected a row of features a value, got shapes {values.shape} and {wanted.shape}")
    edges, binned = _binned(values)
    base = float(wanted.mean())
    residual = wanted.astype(np.float64) - base
    draw = np.random.default_rng(options.seed)
    rows, count = values.shape
    inner = (1 << options.depth) - 1
    feature = np.full((options.trees, inner), -1, np.int32)
    threshold = np.zeros((options.trees, inner), np.float32)
    value = np.zeros((options.trees, inner + 1), np.float32)
    for tree in range(options.trees):
        chosen: NDArray[np.bool_] = np.less(draw.random(rows), options.rows)
        allowed = np.zeros(count, np.bool_)
        allowed[draw.permutation(count)[: max(1, round(count * options.features))]] = True
        split, cut, leaves, leaf = k.grow_tree(
            binned, residual, chosen, allowed, options.depth, BINS, options.penalty, options.least
        )
        feature[tree] = split
        threshold[tree] = [edges[f][b] if f >= 0 else 0.0 for f, b in zip(split, cut, strict=True)]
        value[tree] = leaves * options.rate
        residual -= value[tree].astype(np.float64)[leaf]
    return Trees(base, feature, threshold, value)


def _binned(values: NDArray[np.float32]) -> tuple[list[NDArray[np.float32]], NDArray[np.uint8]]:
    """Upper ends of each feature's bins, by quantiles, and the bin of each value; NaN is in the first."""
    edges: list[NDArray[np.float32]] = []
    binned = np.zeros(values.shape, np.uint8)
    for column in range(values.shape[1]):
        own = values[:, column]
        known = np.sort(own[~np.isnan(own)])
        places = (
            np.linspace(0, len(known) - 1, BINS)[1:-1].astype(np.int64)
            if len(known)
            else np.zeros(0, np.int64)
        )
        # Below the smallest value stands what is unknown, so that a split can tell it apart.
        lowest = float(known[0]) - 0.001 * max(abs(float(known[0])), 1.0) if len(known) else 0.0
        # Rounded here, as they are written: a value at an edge falls on the same side afterwards.
        ends = np.unique([float(f"{end:.5g}") for end in [lowest, *known[places].tolist()]]).astype(
            np.float32
        )
        edges.append(ends)
        filled = np.where(np.isnan(own), np.float32(-np.inf), own)
        binned[:, column] = np.searchsorted(ends, filled, side="left")
    return edges, binned

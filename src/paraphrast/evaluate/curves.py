"""How well a confidence separates right from wrong: accuracy by coverage, AUC, calibration.

Substitutes are sorted by confidence, the highest first. The curve has the accuracy among the first k, for every k. AUC
is the probability that a right one has a higher confidence than a wrong one, with ties counted half (Mann and Whitney
1947). Calibration uses bins of equal size and compares the mean confidence of each with its share of right ones. The
expected error is the mean distance, weighted by size (Naeini et al. 2015); Brier's score is the mean square.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from paraphrast.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CurvePoint:
    """The substitutes with a confidence of at least ``threshold``."""

    threshold: float
    kept: int
    coverage: float
    accuracy: float

    def to_list(self) -> list[float]:
        """Threshold, kept, coverage, accuracy."""
        return [self.threshold, self.kept, self.coverage, self.accuracy]


@dataclass(frozen=True)
class Bin:
    """Substitutes with similar confidence."""

    confidence: float
    accuracy: float
    size: int

    def to_list(self) -> list[float]:
        """Mean confidence, share of right ones, size."""
        return [self.confidence, self.accuracy, self.size]


@dataclass(frozen=True)
class Calibration:
    """The bins, the expected calibration error and Brier's score."""

    bins: tuple[Bin, ...]
    error: float
    brier: float

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "bins": [bin_value.to_list() for bin_value in self.bins],
            "error": self.error,
            "brier": self.brier,
        }


def _both(confidence: ArrayLike, correct: ArrayLike) -> tuple[Floats, Floats]:
    values = np.asarray(confidence, dtype=np.float64)
    right = np.asarray(correct, dtype=np.float64)
    if values.ndim != 1 or values.shape != right.shape:
        raise InputError(f"expected one verdict per confidence, got {values.shape} and {right.shape}")
    if np.isnan(values).any():
        raise InputError("expected numbers as confidences, got NaN")
    return values, right


def accuracy_coverage(confidence: ArrayLike, correct: ArrayLike) -> list[CurvePoint]:
    """The curve, one point per distinct confidence, the highest first. Equal confidences stay together."""
    values, right = _both(confidence, correct)
    if not len(values):
        return []
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    hits = np.cumsum(right[order])
    return [
        CurvePoint(float(ordered[at]), int(at) + 1, (int(at) + 1) / len(values), float(hits[at] / (at + 1)))
        for at in last.tolist()
    ]


def accuracy_at(points: list[CurvePoint], kept: int) -> CurvePoint | None:
    """The first point of the curve that keeps at least ``kept``."""
    return next((point for point in points if point.kept >= kept), None)


def kept_at(points: list[CurvePoint], accuracy: float) -> CurvePoint | None:
    """The point that keeps most substitutes with at least this accuracy."""
    return next((point for point in reversed(points) if point.accuracy >= accuracy), None)


def area_under_curve(confidence: ArrayLike, correct: ArrayLike) -> float | None:
    """Area under the ROC curve; None if all are right, or all wrong."""
    from scipy.stats import rankdata

    values, right = _both(confidence, correct)
    hits = float(right.sum())
    misses = len(right) - hits
    if not hits or not misses:
        return None
    ranks = np.asarray(rankdata(values), dtype=np.float64)
    return float((ranks[right > 0].sum() - hits * (hits + 1) / 2) / (hits * misses))


def calibration(confidence: ArrayLike, correct: ArrayLike, bins: int = 10) -> Calibration:
    """Bins of equal size by confidence, from the lowest; fewer bins if there are fewer values."""
    values, right = _both(confidence, correct)
    if bins < 1:
        raise InputError(f"expected at least one bin, got {bins}")
    if not len(values):
        return Calibration((), 0.0, 0.0)
    if values.min() < 0 or values.max() > 1:
        raise InputError("expected probabilities between 0 and 1 as confidences")
    order = np.argsort(values, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    bin_values = tuple(
        Bin(float(values[part].mean()), float(right[part].mean()), len(part)) for part in parts
    )
    error = sum(
        abs(bin_value.confidence - bin_value.accuracy) * bin_value.size for bin_value in bin_values
    ) / len(values)
    return Calibration(bin_values, float(error), float(((values - right) ** 2).mean()))

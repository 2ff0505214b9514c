"""Pairwise accuracy with ties: how often a metric orders two outputs of a segment as people do.

Deutsch, Foster and Freitag (2023), *Ties matter*, used by the WMT metrics task since 2023. A pair is right if human
scores and metric scores have the same order, or both are tied. A metric hardly ever gives two outputs exactly the same
score, so scores that differ by at most a threshold are tied, and the threshold is the one with the highest accuracy
(tie calibration). Accuracies are means over segments.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.references.options import Resampling

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]


@dataclass(frozen=True)
class PairwiseAccuracy:
    """accuracy: with its interval, at the calibrated ``threshold`` of ties. pairs: of outputs of one segment."""

    accuracy: float
    threshold: float
    low: float | None
    high: float | None
    pairs: int

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON; undefined values are None."""
        defined = not math.isnan(self.accuracy)
        return {
            "accuracy": self.accuracy if defined else None,
            "threshold": self.threshold if defined else None,
            "low": self.low,
            "high": self.high,
            "pairs": self.pairs,
        }


def pairwise_accuracy(
    human: Floats, scores: Floats, segment: Longs, resampling: Resampling | None = None
) -> PairwiseAccuracy:
    """The calibrated accuracy over the pairs of outputs inside segments. The interval keeps the threshold."""
    resampling = resampling or Resampling()
    owner, human_step, step = _pairs(human, scores, segment)
    if not len(owner):
        return PairwiseAccuracy(math.nan, math.nan, None, None, 0)
    _, group, sizes = np.unique(owner, return_inverse=True, return_counts=True)
    weight = 1.0 / (sizes[group] * len(sizes))
    tied = (human_step == 0).astype(np.float64)
    ordered = ((human_step * step) > 0).astype(np.float64)
    distance = np.abs(step)
    threshold, accuracy = _calibrated(distance, tied * weight, ordered * weight)
    low = high = None
    if resampling.samples:
        right = np.where(distance <= threshold, tied, ordered)
        by_segment = np.bincount(group, weights=right) / sizes
        means = resampling.draws(len(sizes)) @ by_segment / len(sizes)
        low, high = map(float, np.quantile(means, [(1 - resampling.level) / 2, (1 + resampling.level) / 2]))
    return PairwiseAccuracy(accuracy, threshold, low, high, len(owner))


def _pairs(human: Floats, scores: Floats, segment: Longs) -> tuple[Longs, Floats, Floats]:
    """All pairs of cells of one segment: the segment, and the differences of human scores and of scores."""
    order = np.argsort(segment, kind="stable")
    edges = np.flatnonzero(np.diff(segment[order])) + 1
    firsts, seconds = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for rows in np.split(order, edges):
        one, two = np.triu_indices(len(rows), 1)
        firsts.append(rows[one])
        seconds.append(rows[two])
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    return segment[first], human[first] - human[second], scores[first] - scores[second]


def _calibrated(distance: Floats, tied: Floats, ordered: Floats) -> tuple[float, float]:
    """The smallest threshold with the highest accuracy, among 0 and all distances, and that accuracy."""
    order = np.argsort(distance, kind="stable")
    sorted_distance = distance[order]
    gained = np.concatenate([[0.0], np.cumsum(tied[order] - ordered[order])])
    last = np.searchsorted(sorted_distance, np.unique(np.append(sorted_distance, 0.0)), side="right")
    best = int(last[np.argmax(gained[last])])
    threshold = float(sorted_distance[best - 1]) if best else 0.0
    return threshold, float(ordered.sum() + gained[best])

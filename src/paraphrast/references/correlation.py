"""Correlation of a metric with human scores, and tests whether another metric correlates better.

Segment level pools all judged cells; system level has one point per system. Intervals resample segments with all their
cells, because the cells of a segment share its reference. The gain of one way of scoring over another is tested on the
same cells: by Williams' (1959) test of two correlations that share a variable, in the form of Steiger (1980), and by a
permutation that exchanges both ways in random segments.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.references.options import Resampling

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
#: Correlations with a larger p are starred, as in the paper's table 4.
STAR = 0.10


@dataclass(frozen=True)
class Correlation:
    """low, high: interval of Pearson's r. p_value: for r = 0. within: Kendall's tau inside segments, if requested."""

    pearson: float
    spearman: float
    kendall: float
    low: float | None
    high: float | None
    p_value: float
    cells: int
    within: float | None = None

    @property
    def starred(self) -> bool:
        """Whether the correlation may be due to chance."""
        return not self.p_value <= STAR

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON; undefined values are None."""
        values: dict[str, object] = {
            "pearson": _known(self.pearson),
            "spearman": _known(self.spearman),
            "kendall": _known(self.kendall),
            "low": self.low,
            "high": self.high,
            "p_value": _known(self.p_value),
            "starred": self.starred,
            "cells": self.cells,
        }
        if self.within is not None:
            values["kendall_within"] = _known(self.within)
        return values


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def correlate(human: Floats, scores: Floats) -> tuple[float, float, float, float]:
    """Pearson, Spearman, Kendall (b) and the p-value of Pearson's r; NaN if one side does not vary."""
    if len(human) < 3 or np.ptp(human) == 0 or np.ptp(scores) == 0:
        return math.nan, math.nan, math.nan, math.nan
    from scipy import stats

    pearson = stats.pearsonr(human, scores)
    return (
        float(pearson.statistic),
        float(stats.spearmanr(human, scores).statistic),
        float(stats.kendalltau(human, scores).statistic),
        float(pearson.pvalue),
    )


def moments(human: Floats, scores: Floats, group: Longs, groups: int) -> Floats:
    """Sums that determine Pearson's r, one row per group: n, Σx, Σy, Σxx, Σyy, Σxy of centred values."""
    centred = human - human.mean() if len(human) else human
    two = scores - scores.mean() if len(scores) else scores
    columns = (
        np.ones_like(centred),
        centred,
        two,
        centred * centred,
        two * two,
        centred * two,
    )
    return np.stack([np.bincount(group, weights=column, minlength=groups) for column in columns], axis=1)


def pearson_of(sums: Floats) -> Floats:
    """Pearson's r from rows of sums of :func:`moments`."""
    count, x, y, xx, yy, xy = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = (count * xx - x * x) * (count * yy - y * y)
        values: Floats = (count * xy - x * y) / np.sqrt(np.where(spread > 0, spread, np.nan))
    return values


def segment_correlation(
    human: Floats, scores: Floats, segment: Longs, resampling: Resampling | None = None
) -> Correlation:
    """Correlation over all judged cells. segment: the segment of each cell."""
    resampling = resampling or Resampling()
    pearson, spearman, kendall, p_value = correlate(human, scores)
    _, group = np.unique(segment, return_inverse=True)
    low = high = None
    if resampling.samples and not math.isnan(pearson):
        groups = int(group.max()) + 1
        sums = np.einsum("sg,gk->sk", resampling.draws(groups), moments(human, scores, group, groups))
        low, high = _ends(pearson_of(sums), resampling.level)
    return Correlation(
        pearson, spearman, kendall, low, high, p_value, len(human), kendall_within(human, scores, group)
    )


def kendall_within(human: Floats, scores: Floats, group: Longs) -> float:
    """The mean over segments of Kendall's tau inside each. Segments without any difference are left out."""
    from scipy import stats

    order = np.argsort(group, kind="stable")
    edges = np.flatnonzero(np.diff(group[order])) + 1
    values = []
    for rows in np.split(order, edges):
        if len(rows) > 1 and np.ptp(human[rows]) > 0 and np.ptp(scores[rows]) > 0:
            values.append(float(stats.kendalltau(human[rows], scores[rows]).statistic))
    return sum(values) / len(values) if values else math.nan


def system_correlation(
    human: Floats,
    system: Longs,
    segment: Longs,
    rows: Floats,
    score: Callable[[list[float]], float],
    resampling: Resampling | None = None,
) -> Correlation:
    """One point per system: mean human score, and corpus score of its judged cells. Intervals resample segments."""
    resampling = resampling or Resampling()
    systems = int(system.max()) + 1 if len(system) else 0
    _, group = np.unique(segment, return_inverse=True)
    groups = int(group.max()) + 1 if len(group) else 0
    width = rows.shape[1]
    table = np.zeros((groups, systems, width + 2))
    np.add.at(
        table, (group, system), np.concatenate([rows, human[:, None], np.ones((len(human), 1))], axis=1)
    )

    def figures(sums: Floats) -> tuple[Floats, Floats]:
        counts = sums[:, width + 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            means = sums[:, width] / counts
        return means, np.array([score(sums[human_means, :width].tolist()) for human_means in range(systems)])

    means, scores = figures(table.sum(axis=0))
    pearson, spearman, kendall, p_value = correlate(means, scores)
    low = high = None
    if resampling.samples and not math.isnan(pearson):
        # A corpus score is expensive, and a fifth of the resamples is enough for an interval over few points.
        draws = resampling.draws(groups)[: max(resampling.samples // 5, 1)]
        values = []
        for sums in np.einsum("sg,gyk->syk", draws, table):
            human_means, metric_scores = figures(sums)
            defined = ~(np.isnan(human_means) | np.isnan(metric_scores))
            values.append(correlate(human_means[defined], metric_scores[defined])[0])
        low, high = _ends(np.array(values), resampling.level)
    return Correlation(pearson, spearman, kendall, low, high, p_value, systems)


def _ends(values: Floats, level: float) -> tuple[float | None, float | None]:
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None, None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


@dataclass(frozen=True)
class Gain:
    """Pearson's r of the second way minus that of the first. The p-values are one-sided, for no gain."""

    value: float
    low: float | None
    high: float | None
    williams: float
    permutation: float | None

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "pearson": _known(self.value),
            "low": self.low,
            "high": self.high,
            "williams_p": _known(self.williams),
            "permutation_p": self.permutation,
        }


def williams(first: float, second: float, between: float, count: int) -> float:
    """One-sided p of Williams' t with n − 3 degrees of freedom, for the second correlation being no greater.

    first, second: correlations of each way with human scores; between: correlation of both ways.
    """
    if count < 4 or any(math.isnan(value) for value in (first, second, between)):
        return math.nan
    if between >= 1 - 1e-12:
        return 0.5
    from scipy import stats

    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    spread = 2 * determinant * (count - 1) / (count - 3) + mean**2 * (1 - between) ** 3
    if spread <= 0:
        return math.nan
    value = (second - first) * math.sqrt((count - 1) * (1 + between) / spread)
    return float(stats.t.sf(value, count - 3))


def gain_of(
    human: Floats, first: Floats, second: Floats, segment: Longs, resampling: Resampling | None = None
) -> Gain:
    """The gain in Pearson's r from ``first`` to ``second`` on the same cells, with its interval and its tests."""
    resampling = resampling or Resampling()
    first_r, second_r = correlate(human, first)[0], correlate(human, second)[0]
    between = correlate(first, second)[0]
    _, group = np.unique(segment, return_inverse=True)
    groups = int(group.max()) + 1 if len(group) else 0
    low = high = permutation = None
    if resampling.samples and not (math.isnan(first_r) or math.isnan(second_r)):
        # On one scale, so that exchanging them changes only the order of cells.
        scaled = [(side - side.mean()) / side.std() for side in (first, second)]
        tables = [moments(human, side, group, groups) for side in scaled]
        draws = resampling.draws(groups)
        values = [pearson_of(np.einsum("sg,gk->sk", draws, table)) for table in tables]
        low, high = _ends(values[1] - values[0], resampling.level)
        generator = np.random.Generator(np.random.PCG64(resampling.seed + 1))
        swapped = (generator.random((resampling.samples, groups)) < 0.5).astype(np.float64)
        change = np.einsum("sg,gk->sk", swapped, tables[1] - tables[0])
        chance = pearson_of(tables[1].sum(axis=0) - change) - pearson_of(tables[0].sum(axis=0) + change)
        beyond = int((chance >= second_r - first_r - 1e-12).sum())
        permutation = (beyond + 1) / (resampling.samples + 1)
    return Gain(second_r - first_r, low, high, williams(first_r, second_r, between, len(human)), permutation)


@dataclass(frozen=True)
class Rise:
    """A system's corpus score by two ways, the rise, and the share of resamples without a rise (paired bootstrap)."""

    single: float
    multiple: float
    p_value: float | None

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "single": self.single,
            "multiple": self.multiple,
            "rise": self.multiple - self.single,
            "p_value": self.p_value,
        }


def rise_of(
    first: Floats,
    second: Floats,
    score: Callable[[list[float]], float],
    resampling: Resampling | None = None,
    *,
    higher: bool = True,
) -> Rise:
    """The rise of one system, from its statistics by two ways, one row per segment (the paper's footnote 6)."""
    resampling = resampling or Resampling()
    single, multiple = (score(rows.sum(axis=0).tolist()) for rows in (first, second))
    if not resampling.samples or not len(first):
        return Rise(single, multiple, None)
    draws = resampling.draws(len(first))
    sums = [np.einsum("sg,gk->sk", draws, rows).tolist() for rows in (first, second)]
    sign = 1 if higher else -1
    without = sum(
        sign * (score(after_sums) - score(before_sums)) <= 0
        for before_sums, after_sums in zip(*sums, strict=True)
    )
    return Rise(single, multiple, (without + 1) / (resampling.samples + 1))


def spread_of(human: Floats) -> tuple[float, float]:
    """Mean and coefficient of variation (standard deviation divided by the absolute mean) of human scores."""
    if len(human) < 2:
        return (float(human.mean()) if len(human) else math.nan), math.nan
    mean = float(human.mean())
    return mean, float(human.std(ddof=1)) / abs(mean) if mean else math.nan

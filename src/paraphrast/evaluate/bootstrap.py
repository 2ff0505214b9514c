"""Confidence intervals of figures: percentile intervals by the bootstrap (Efron 1979).

Most figures of this field are functions of sums, such as the number of correct links, or words and their
log-probability. So a sentence is a row of *sufficient statistics*, and the figure a function of the sum of the rows. A
resample draws as many rows as there are, with replacement. The figure is computed from the sum of each resample, and
the middle 95 % of those values is the interval (Koehn 2004 for BLEU). A sum costs one pass, however expensive the
figure is.

Draws come from one seeded generator, one resample after the other, and sums run in the order of the rows, so neither
threads nor the size of a batch change a digit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.evaluate.options import BootstrapOptions

Floats = NDArray[np.float64]
#: Sums, float64[resamples, columns] → figures, float64[resamples] or float64[resamples, figures]. An undefined figure
#: is NaN.
Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Interval:
    """Lower and upper end of a confidence interval."""

    low: float
    high: float

    def to_list(self) -> list[float]:
        """Plain values, for JSON."""
        return [self.low, self.high]


@dataclass(frozen=True, slots=True)
class Difference:
    """Second figure minus first, its interval, and the two-sided p-value."""

    value: float
    interval: Interval | None
    p_value: float | None


def resampled_sums(units: NDArray[np.generic], options: BootstrapOptions) -> Floats:
    """Column sums of every resample: numbers [units, columns] → float64[samples, columns]."""
    rows = _rows(units)
    generator = np.random.Generator(np.random.PCG64(options.seed))
    sums = np.empty((options.samples, rows.shape[1]))
    for sample in range(options.samples):
        drawn = np.bincount(generator.integers(0, len(rows), len(rows)), minlength=len(rows))
        # Not a matrix product: BLAS may sum in another order with another number of threads.
        sums[sample] = np.einsum("n,nk->k", drawn.astype(np.float64), rows)
    return sums


def bootstrap(
    units: NDArray[np.generic], statistic: Statistic, options: BootstrapOptions | None = None
) -> list[Interval | None]:
    """The interval of each figure that ``statistic`` returns.

    units: numbers [units, columns], one row per sentence; statistic: see :data:`Statistic`.
    Resamples with an undefined figure are left out. Without any left, or without samples, the interval is ``None``.
    """
    options = options or BootstrapOptions()
    rows = _rows(units)
    count = _figures(statistic, rows.sum(axis=0, keepdims=True)).shape[1]
    if not options.samples:
        return [None] * count
    values = _figures(statistic, resampled_sums(rows, options))
    return [_interval(values[:, figure], options.level) for figure in range(count)]


def paired_difference(
    first: NDArray[np.generic],
    second: NDArray[np.generic],
    statistic: Statistic,
    options: BootstrapOptions | None = None,
) -> list[Difference]:
    """Figures of ``second`` minus those of ``first``, both on the same units, resampled together.

    The p-value is that of the shifted bootstrap (Riezler and Maxwell 2005; the same as in sacreBLEU): the share of
    resamples whose difference is at least as far from the mean of the resamples as the actual difference is from 0,
    with one added to both counts.
    """
    options = options or BootstrapOptions()
    first_rows, second_rows = _rows(first), _rows(second)
    if len(first_rows) != len(second_rows):
        raise InputError(
            f"expected the same number of units in both systems, got {len(first_rows)} and {len(second_rows)}"
        )
    width = first_rows.shape[1]

    def both(sums: Floats) -> Floats:
        return _figures(statistic, sums[:, width:]) - _figures(statistic, sums[:, :width])

    joined = np.concatenate([first_rows, second_rows], axis=1)
    actual = both(joined.sum(axis=0, keepdims=True))[0]
    if not options.samples:
        return [Difference(float(value), None, None) for value in actual]
    values = both(resampled_sums(joined, options))
    return [
        Difference(
            float(value), _interval(values[:, figure], options.level), _p_value(values[:, figure], value)
        )
        for figure, value in enumerate(actual)
    ]


def _p_value(values: Floats, actual: float) -> float | None:
    defined = values[~np.isnan(values)]
    if not len(defined) or np.isnan(actual):
        return None
    # A small tolerance: equal differences may differ in their last bit.
    beyond = np.abs(defined - defined.mean()) >= abs(actual) - 1e-12
    return float((beyond.sum() + 1) / (len(defined) + 1))


def _interval(values: Floats, level: float) -> Interval | None:
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def _figures(statistic: Statistic, sums: Floats) -> Floats:
    values = np.asarray(statistic(sums), dtype=np.float64)
    return values[:, None] if values.ndim == 1 else values


def _rows(units: NDArray[np.generic]) -> Floats:
    rows = np.asarray(units, dtype=np.float64)
    if rows.ndim == 1:
        rows = rows[:, None]
    if rows.ndim != 2 or not len(rows):
        raise InputError(f"expected one row per unit to resample, got an array of shape {rows.shape}")
    return rows

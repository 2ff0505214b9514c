"""Correlation with length held fixed.

Human scores that are sums of errors are lower for longer segments, so a score that falls with length correlates with
them for no good reason. The partial correlation is Pearson's r of what is left of both after a linear regression on the
length of the reference: on its logarithm (``log``), or on the length and its logarithm (``both``), because errors grow
with the length, not with its logarithm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.references.options import Resampling

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
#: What is held fixed.
CONTROLS = ("log", "both")


@dataclass(frozen=True)
class Partial:
    """Pearson's r with length held fixed, and its gain over the original reference, each with its interval."""

    pearson: float
    low: float | None
    high: float | None
    gain: float | None = None
    gain_low: float | None = None
    gain_high: float | None = None

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON; undefined values are None."""
        return {
            "pearson": None if math.isnan(self.pearson) else self.pearson,
            "low": self.low,
            "high": self.high,
            "gain": None if self.gain is None or math.isnan(self.gain) else self.gain,
            "gain_low": self.gain_low,
            "gain_high": self.gain_high,
        }


def length_controls(lengths: Floats, kind: str) -> Floats:
    """float64[cells, controls]: the lengths of references as controls of the kind."""
    logs = np.log(np.maximum(lengths, 1.0))
    return np.stack([logs] if kind == "log" else [logs, lengths / max(float(lengths.mean()), 1.0)], axis=1)


def partial_pearson(products: Floats) -> Floats:
    """Partial correlations from matrices of products of (1, controls…, first, second), summed: [..., size, size].

    The products of the residuals are the Schur complement of the block of the constant and the controls.
    """
    held = products.shape[-1] - 2
    inner, cross = products[..., :held, :held], products[..., :held, held:]
    scale = np.trace(inner, axis1=-2, axis2=-1)[..., None, None]
    inverse = np.linalg.pinv(inner / scale, hermitian=True) / scale
    left = products[..., held:, held:] - np.swapaxes(cross, -1, -2) @ inverse @ cross
    spread = left[..., 0, 0] * left[..., 1, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        values: Floats = left[..., 0, 1] / np.sqrt(np.where(spread > 1e-12, spread, np.nan))
    return values


def partial_correlation(
    human: Floats,
    scores: Floats,
    lengths: Floats,
    segment: Longs,
    *,
    kind: str = "both",
    base: Floats | None = None,
    resampling: Resampling | None = None,
) -> Partial:
    """The correlation of scores with length held fixed. base: scores with the original references, for the gain."""
    resampling = resampling or Resampling()
    controls = length_controls(lengths, kind)
    _, group = np.unique(segment, return_inverse=True)
    sides = [scores] if base is None else [scores, base]
    tables = [_products(human, side, controls, group) for side in sides]
    values = [float(partial_pearson(table.sum(axis=0))) for table in tables]
    drawn = None
    if resampling.samples and not any(map(math.isnan, values)):
        draws = resampling.draws(int(group.max()) + 1)
        drawn = [partial_pearson(np.einsum("sg,gij->sij", draws, table)) for table in tables]
    low, high = _ends(drawn[0] if drawn else None, resampling.level)
    if base is None:
        return Partial(values[0], low, high)
    gain_low, gain_high = _ends(drawn[0] - drawn[1] if drawn else None, resampling.level)
    return Partial(values[0], low, high, values[0] - values[1], gain_low, gain_high)


def _products(human: Floats, scores: Floats, controls: Floats, group: Longs) -> Floats:
    """Sums of products within each group: float64[groups, size, size]. Human scores and scores are standardised."""
    columns = np.column_stack([np.ones(len(human)), controls, _standard(human), _standard(scores)])
    size = columns.shape[1]
    groups = int(group.max()) + 1 if len(group) else 0
    table = np.empty((groups, size, size))
    for one in range(size):
        for two in range(size):
            products = columns[:, one] * columns[:, two]
            table[:, one, two] = np.bincount(group, weights=products, minlength=groups)
    return table


def _standard(values: Floats) -> Floats:
    spread = float(values.std()) if len(values) else 0.0
    return (values - values.mean()) / spread if spread > 0 else np.zeros_like(values)


def _ends(values: Floats | None, level: float) -> tuple[float | None, float | None]:
    defined = values[~np.isnan(values)] if values is not None else np.zeros(0)
    if not len(defined):
        return None, None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)

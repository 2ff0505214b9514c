"""Ranked counts of vertex pairs on log-log axes, and the exponent of their line (Martzoukos & Monz 2012, fig. 9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.draw.plot import Axis, Plot, Series, draw_plot
from paraphrast.draw.svg import Canvas
from paraphrast.errors import InputError

#: Number of ranks that are drawn and fitted, evenly spaced on the logarithmic axis.
POINTS = 200


@dataclass(frozen=True)
class PowerLaw:
    """count ≈ scale · rank^(−exponent).

    rank, count: the points of the fit. exponent, scale: by least squares between logarithms, at ranks evenly spaced on
    the logarithmic axis, so that the many pairs with the smallest counts do not dominate. fit: r² of the line.
    """

    rank: NDArray[np.float64]
    count: NDArray[np.float64]
    exponent: float
    scale: float
    fit: float
    pairs: int


def fit_power_law(counts: NDArray[np.float64]) -> PowerLaw:
    """Fit the ranked counts of vertex pairs."""
    positive = -np.sort(-counts[counts > 0])
    if len(positive) < 2 or positive[0] == positive[-1]:
        raise InputError(f"expected at least two different counts above 0, got {len(positive)} above 0")
    ranks = np.unique(np.rint(np.geomspace(1, len(positive), POINTS)).astype(np.int64))
    values = positive[ranks - 1]
    x, y = np.log(ranks), np.log(values)
    slope, height = np.polyfit(x, y, 1)
    left = ((y - slope * x - height) ** 2).sum()
    fit = 1 - left / ((y - y.mean()) ** 2).sum()
    return PowerLaw(
        ranks.astype(np.float64), values, float(-slope), float(np.exp(height)), float(fit), len(positive)
    )


def draw_power_law(law: PowerLaw, title: str = "Vertex pairs by count", *, width: float = 640) -> Canvas:
    """Fig. 9 with the fitted line."""
    ends = np.array([law.rank[0], law.rank[-1]])
    line = Series(
        ends.tolist(),
        (law.scale * ends**-law.exponent).tolist(),
        f"rank^−{law.exponent:.2f}, r² {law.fit:.3f}",
        "line",
    )
    points = Series(law.rank.tolist(), law.count.tolist(), f"{law.pairs:,} pairs", "points")
    plot = Plot([points, line], Axis("rank", log=True), Axis("co-occurrence count", log=True), title)
    return draw_plot(plot, width, width * 0.66)

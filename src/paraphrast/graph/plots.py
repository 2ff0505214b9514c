"""Figures 5 and 6 of Martzoukos & Monz (2012): sizes of components and of sub-phrase-tables by rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.draw.plot import Axis, Plot, Series, draw_plot
from paraphrast.draw.svg import Canvas
from paraphrast.graph.sub_tables import DecomposeReport

_RANK, _SIZE = Axis("rank", log=True), Axis("size", log=True)


def draw_components(report: DecomposeReport, *, width: float = 640, height: float = 420) -> Canvas:
    """Figure 5: the components of P by rank; inset: the parts of its giants."""
    inset = None
    if len(report.giant_parts):
        inset = Plot([ranked(report.giant_parts)], Axis(log=True), Axis(log=True), "parts of the giants")
    plot = Plot([ranked(report.components)], _RANK, _SIZE, "Components of the phrase table", inset=inset)
    return draw_plot(plot, width, height)


def draw_sub_tables(report: DecomposeReport, *, width: float = 640, height: float = 420) -> Canvas:
    """Figure 6: all sub-phrase-tables by rank, before merging and after."""
    series = [
        ranked(report.before, "before merging"),
        ranked(report.after, "after merging"),
    ]
    return draw_plot(Plot(series, _RANK, _SIZE, "Sub-phrase-tables"), width, height)


def ranked(sizes: NDArray[np.int64], label: str = "", *, most: int = 120) -> Series:
    """Descending values by rank, from 1, on logarithmic axes: evenly spaced ranks, at most ``most``."""
    if not len(sizes):
        return Series([], [], label)
    ranks = np.unique(np.round(np.geomspace(1, len(sizes), most)).astype(np.int64))
    return Series(ranks.tolist(), sizes[ranks - 1].tolist(), label)

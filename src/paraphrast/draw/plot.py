"""Small plots: points, lines and bars on linear or logarithmic axes, with an optional inset.

A :class:`Plot` is data. :func:`draw_plot` draws it, with ticks at round numbers, labels that do not overlap, and the
legend below.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from paraphrast.draw.svg import SERIES, Canvas, fit, number, text_width
from paraphrast.errors import InputError

_KINDS = ("points", "line", "bars")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Axis:
    """label: what is measured; log: a logarithmic scale; low, high: the ends, from the data if None;
    names: texts at 0, 1, 2 … instead of numbers."""

    label: str = ""
    log: bool = False
    low: float | None = None
    high: float | None = None
    names: Sequence[str] | None = None


@dataclass(frozen=True)
class Series:
    """Points of one colour, as ``points``, a ``line`` or ``bars``; ``low`` and ``high`` are ends of intervals in y.
    Bars of several series are side by side at each x."""

    x: Sequence[float]
    y: Sequence[float]
    label: str = ""
    kind: str = "points"
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    colour: str | None = None
    dash: str | None = None


@dataclass(frozen=True)
class Plot:
    """Series on two axes. ``inset`` is drawn small in the corner ``inset_at``: "top right", …"""

    series: Sequence[Series]
    x: Axis = Axis()
    y: Axis = Axis()
    title: str = ""
    inset: Plot | None = None
    inset_at: str = "top right"


@dataclass(frozen=True)
class _Scale:
    """Converts values to pixels along one axis."""

    low: float
    high: float
    log: bool
    start: float
    end: float

    def __call__(self, value: float) -> float:
        low, high, at = (
            (math.log10(self.low), math.log10(self.high), math.log10(value))
            if self.log
            else (self.low, self.high, value)
        )
        return self.start + (at - low) / (high - low) * (self.end - self.start)


def draw_plot(plot: Plot, width: float = 640, height: float = 420) -> Canvas:
    """Draw a plot on a canvas of the given size."""
    sheet = Canvas(width, height, title=plot.title or "Plot")
    _draw(sheet, plot, 0, 0, width, height, 12)
    return sheet


def _draw(sheet: Canvas, plot: Plot, x: float, y: float, width: float, height: float, size: float) -> None:
    _check(plot)
    labelled = [(series, _colour(plot, index)) for index, series in enumerate(plot.series) if series.label]
    legend = _legend_lines(labelled, width - 2 * size, size)
    x_ends, y_ends = _ends(plot, "x"), _ends(plot, "y")
    y_ticks = _ticks(y_ends, plot.y, max(3, int(height / (size * 4.5))))
    left = x + size + max((text_width(label, size) for _, label in y_ticks), default=0) + 8
    left += size * 1.6 if plot.y.label else 0
    right = x + width - size * 1.8
    top = y + size + (size * 2.2 if plot.title else 0)
    bottom = y + height - size * (0.6 + 1.7 * len(legend) + (1.7 if plot.x.label else 0)) - size * 1.7
    room = max(right - left, 1) / (len(plot.x.names) if plot.x.names else 1)
    slanted = plot.x.names is not None and any(text_width(name, size) + 6 > room for name in plot.x.names)
    if plot.x.names is not None and slanted:
        bottom -= min(90.0, max(text_width(name, size) for name in plot.x.names)) * 0.6
    if right - left < 40 or bottom - top < 30:
        raise InputError(f"a plot of {number(width)} × {number(height)} pixels is too small to draw in")
    across = _Scale(*x_ends, plot.x.log, left, right)
    upwards = _Scale(*y_ends, plot.y.log, bottom, top)
    sheet.rect(left, top, right - left, bottom - top, fill="panel", kind="frame")
    _y_axis(sheet, y_ticks, upwards, left, right, size)
    _x_axis(sheet, plot, across, (left, top, right, bottom), size, slanted)
    _labels(sheet, plot, (x, y, width, height), (left, top, right, bottom), len(legend), size)
    _all_series(sheet, plot, across, upwards)
    for line, entries in enumerate(legend):
        _legend(sheet, entries, left, y + height - size * (0.9 + 1.7 * (len(legend) - 1 - line)), size)
    if plot.inset is not None:
        inset_width, inset_height = (right - left) * 0.46, (bottom - top) * 0.5
        gap = size * 0.6
        inset_x = left + gap if "left" in plot.inset_at else right - inset_width - gap
        inset_y = bottom - inset_height - gap if "bottom" in plot.inset_at else top + gap
        sheet.rect(
            inset_x, inset_y, inset_width, inset_height, fill="paper", stroke="grid", radius=4, kind="inset"
        )
        _draw(sheet, plot.inset, inset_x, inset_y, inset_width, inset_height, max(7.0, size * 0.75))


def _check(plot: Plot) -> None:
    for series in plot.series:
        if series.kind not in _KINDS:
            raise InputError(f"unknown kind of series {series.kind!r}", remedy=f"known: {', '.join(_KINDS)}")
        columns = [series.x, series.y, *(ends for ends in (series.low, series.high) if ends is not None)]
        if len({len(column) for column in columns}) > 1:
            raise InputError(
                f"expected as many x as y, got {', '.join(str(len(column)) for column in columns)}"
            )
        for axis, values in ((plot.x, columns[:1]), (plot.y, columns[1:])):
            for value in (float(value) for column in values for value in column):
                if not math.isfinite(value) or (axis.log and value <= 0):
                    raise InputError(
                        f"expected {'positive' if axis.log else 'finite'} numbers on the axis "
                        f"{axis.label!r}, got {value}"
                    )


def _colour(plot: Plot, index: int) -> str:
    return plot.series[index].colour or SERIES[index % len(SERIES)]


def _ends(plot: Plot, side: str) -> tuple[float, float]:
    """The ends of an axis: those of the data with a small margin, and 0 for bars."""
    axis = plot.x if side == "x" else plot.y
    values: list[float] = []
    for series in plot.series:
        columns = [series.x] if side == "x" else [series.y, series.low or [], series.high or []]
        values += [float(value) for column in columns for value in column]
    bars = any(series.kind == "bars" for series in plot.series)
    if axis.names is not None:
        values += [0, len(axis.names) - 1]
    low, high = min(values, default=1.0 if axis.log else 0.0), max(values, default=1.0)
    if axis.log:
        low, high = (low / 1.3, high * 1.3) if low < high else (low / 10**0.5, high * 10**0.5)
        if side == "y" and bars:
            low = min(low, 10 ** math.floor(math.log10(low)))
    elif side == "x" and (bars or axis.names is not None):
        low, high = low - 0.6, high + 0.6
    else:
        largest = max(abs(low), abs(high))
        # Values that differ by less than a billionth count as one; the axis then shows the range around it.
        air = (high - low) * 0.05 if high - low > max(largest * 1e-9, 1e-100) else largest * 0.1
        air = air if air > 1e-100 else 1.0
        lowest = low
        low, high = low - air, high + air
        if lowest >= 0 and (low < 0 or (side == "y" and bars)):
            low = 0.0
        if side == "y" and bars and high < 0:
            high = 0.0
    low = axis.low if axis.low is not None else low
    high = axis.high if axis.high is not None else high
    if not low < high or (axis.log and low <= 0):
        raise InputError(f"the axis {axis.label!r} cannot run from {low:g} to {high:g}")
    return low, high


def _ticks(ends: tuple[float, float], axis: Axis, about: int) -> list[tuple[float, str]]:
    """Round numbers between the ends, about ``about`` of them, with their labels."""
    low, high = ends
    if axis.names is not None:
        return [(float(place), name) for place, name in enumerate(axis.names)]
    if axis.log:
        first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
        if last > first:
            step = max(1, math.ceil((last - first + 1) / about))
            return [(10.0**power, _power(power)) for power in range(first, last + 1, step)]
        marks = [factor * 10.0**power for power in range(first - 1, last + 1) for factor in (1, 2, 3, 5, 7)]
        return [(mark, f"{mark:g}") for mark in marks if low <= mark <= high]
    raw = (high - low) / max(about, 1)
    scale = 10.0 ** math.floor(math.log10(raw))
    step_width = next(factor * scale for factor in (1, 2, 5, 10) if factor * scale >= raw * 0.999)
    decimals = max(0, -math.floor(math.log10(step_width) + 1e-9))
    count = range(math.ceil(low / step_width - 1e-9), math.floor(high / step_width + 1e-9) + 1)
    places = [k * step_width for k in count]
    if decimals > 5 or max(abs(low), abs(high)) >= 1e7:
        return [(place, f"{place:.6g}") for place in places]
    return [(place, f"{place:,.{decimals}f}") for place in places]


def _power(power: int) -> str:
    return f"{10.0**power:g}" if -3 <= power <= 3 else "10" + str(power).translate(_SUPERSCRIPT)


def _y_axis(
    sheet: Canvas, ticks: Sequence[tuple[float, str]], scale: _Scale, left: float, right: float, size: float
) -> None:
    for value, label in ticks:
        place = scale(value)
        sheet.line(left, place, right, place, stroke="grid")
        sheet.text(left - 6, place + size * 0.35, label, size=size, fill="muted", anchor="end")
    sheet.line(left, scale.start, left, scale.end, stroke="line")


def _x_axis(
    sheet: Canvas,
    plot: Plot,
    scale: _Scale,
    box: tuple[float, float, float, float],
    size: float,
    slanted: bool,
) -> None:
    left, top, right, bottom = box
    ticks = _ticks((scale.low, scale.high), plot.x, max(3, int((right - left) / (size * 5))))
    end = -math.inf
    for value, label in ticks:
        place = scale(value)
        if plot.x.names is None:
            sheet.line(place, top, place, bottom, stroke="grid")
        if slanted:
            text = fit(label, 90, size)
            sheet.text(
                place + 3, bottom + size * 1.1, text, size=size, fill="muted", anchor="end", rotate=-40
            )
            continue
        half = text_width(label, size) / 2
        if place - half > end:
            sheet.text(place, bottom + size * 1.35, label, size=size, fill="muted", anchor="middle")
            end = place + half + 4
    sheet.line(left, bottom, right, bottom, stroke="line")


def _labels(
    sheet: Canvas,
    plot: Plot,
    whole: tuple[float, float, float, float],
    box: tuple[float, float, float, float],
    legend_lines: int,
    size: float,
) -> None:
    x, y, _, height = whole
    left, top, right, bottom = box
    if plot.title:
        title = fit(plot.title, (right - left) / 1.12, size + 2)
        sheet.text(left, y + size * 2, title, size=size + 2, bold=True)
    if plot.x.label:
        below = y + height - size * (0.9 + 1.7 * legend_lines)
        sheet.text((left + right) / 2, below, plot.x.label, size=size, anchor="middle")
    if plot.y.label:
        sheet.text(
            x + size * 1.5,
            (top + bottom) / 2,
            fit(plot.y.label, bottom - top + size * 3, size),
            size=size,
            anchor="middle",
            rotate=-90,
        )


def _all_series(sheet: Canvas, plot: Plot, across: _Scale, upwards: _Scale) -> None:
    bars = [index for index, series in enumerate(plot.series) if series.kind == "bars"]
    for index, series in enumerate(plot.series):
        colour = _colour(plot, index)
        shift, thick = 0.0, 0.0
        if series.kind == "bars":
            # A group of bars fills four fifths of the smallest distance between two x, or of 1.
            every = sorted({float(value) for bar in bars for value in plot.series[bar].x})
            gap = min((b - a for a, b in pairwise(every)), default=1.0)
            group = abs(across(across.low + gap) - across(across.low)) * 0.8 if not across.log else 12.0
            thick = group / len(bars)
            shift = (bars.index(index) - (len(bars) - 1) / 2) * thick
        places = [
            (across(float(a)) + shift, upwards(float(b))) for a, b in zip(series.x, series.y, strict=True)
        ]
        if series.kind == "line" and places:
            sheet.polyline(places, stroke=colour, width=1.8, dash=series.dash, kind="series")
        for (place, level), a, b in zip(places, series.x, series.y, strict=True):
            tip = f"{series.label + ': ' if series.label else ''}{a:g}, {b:g}"
            if series.kind == "bars":
                zero = upwards(min(max(0.0, upwards.low), upwards.high) if not upwards.log else upwards.low)
                sheet.rect(
                    place - thick * 0.46,
                    min(level, zero),
                    thick * 0.92,
                    abs(zero - level),
                    fill=colour,
                    kind="bar",
                    tip=tip,
                )
            elif series.kind == "points":
                radius = 3.2 if len(series.x) <= 200 else 2
                sheet.circle(place, level, radius, fill=colour, kind="point", tip=tip)
        if series.low is not None and series.high is not None:
            inks = "ink" if series.kind == "bars" else colour
            for (place, _), low, high in zip(places, series.low, series.high, strict=True):
                ends = upwards(float(low)), upwards(float(high))
                sheet.line(place, ends[0], place, ends[1], stroke=inks, width=1.4, kind="interval")
                for end in ends:
                    sheet.line(place - 4, end, place + 4, end, stroke=inks, width=1.4)


def _legend_lines(
    entries: Sequence[tuple[Series, str]], width: float, size: float
) -> list[list[tuple[Series, str]]]:
    lines: list[list[tuple[Series, str]]] = []
    used = 0.0
    for entry in entries:
        need = size * 3.6 + text_width(entry[0].label, size)
        if not lines or used + need > width:
            lines.append([])
            used = 0.0
        lines[-1].append(entry)
        used += need
    return lines


def _legend(sheet: Canvas, entries: Sequence[tuple[Series, str]], x: float, y: float, size: float) -> None:
    for series, colour in entries:
        middle = y - size * 0.35
        if series.kind == "line":
            sheet.line(x, middle, x + size * 1.6, middle, stroke=colour, width=1.8, dash=series.dash)
        elif series.kind == "points":
            sheet.circle(x + size * 0.8, middle, 3.2, fill=colour)
        else:
            sheet.rect(x + size * 0.3, middle - size * 0.4, size, size * 0.8, fill=colour)
        sheet.text(x + size * 2.1, y, series.label, size=size, fill="muted")
        x += size * 3.6 + text_width(series.label, size)

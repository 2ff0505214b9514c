"""Plots put points where they belong, tick at round numbers, and refuse what an axis cannot show."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.draw.plot import Axis, Plot, Series, draw_plot
from paraphrast.draw.svg import Canvas
from paraphrast.errors import InputError

NAMESPACE = "{http://www.w3.org/2000/svg}"


def shapes(sheet: Canvas, kind: str) -> list[dict[str, str]]:
    root = ET.fromstring(sheet.to_svg())
    return [
        dict(element.attrib) for element in root if element.attrib.get("class", "").startswith(kind + " ")
    ]


def texts(sheet: Canvas) -> list[str]:
    return [element.text or "" for element in ET.fromstring(sheet.to_svg()).findall(f"{NAMESPACE}text")]


numbers = st.floats(min_value=-1e6, max_value=1e6)


@settings(max_examples=60)
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_points_lie_inside_the_frame_in_their_order(points: list[tuple[float, float]]) -> None:
    sheet = draw_plot(Plot([Series([x for x, _ in points], [y for _, y in points])]))
    (frame,) = shapes(sheet, "frame")
    left, top = float(frame["x"]), float(frame["y"])
    right, bottom = left + float(frame["width"]), top + float(frame["height"])
    drawn = shapes(sheet, "point")
    assert len(drawn) == len(points)
    for circle in drawn:
        assert left - 0.01 <= float(circle["cx"]) <= right + 0.01
        assert top - 0.01 <= float(circle["cy"]) <= bottom + 0.01
    lowest = min(range(len(points)), key=lambda n: points[n][1])
    assert float(drawn[lowest]["cy"]) == max(float(circle["cy"]) for circle in drawn)


def test_on_logarithmic_axes_a_power_law_is_straight() -> None:
    xs = [1.0, 10.0, 100.0, 1000.0]
    sheet = draw_plot(Plot([Series(xs, [x**-2 for x in xs])], x=Axis(log=True), y=Axis(log=True)))
    places = [(float(c["cx"]), float(c["cy"])) for c in shapes(sheet, "point")]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)]
    for step in steps:
        assert step == pytest.approx(steps[0], abs=0.03)
    assert {"1", "10", "100", "1000", "10⁻⁴"} <= set(texts(sheet))


def test_ticks_are_round() -> None:
    sheet = draw_plot(Plot([Series([0, 1], [0, 0.97])], y=Axis(low=0, high=1)))
    assert {"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"} <= set(texts(sheet))
    narrow = draw_plot(Plot([Series([1, 1], [2.0, 2.5])], y=Axis(log=True)))
    assert "2" in texts(narrow)


def test_bars_stand_on_zero_side_by_side_with_their_intervals() -> None:
    plot = Plot(
        [
            Series([0, 1], [0.5, 1.0], "ours", "bars", low=[0.4, 0.9], high=[0.6, 1.1]),
            Series([0, 1], [0.25, -0.5], "theirs", "bars"),
        ],
        x=Axis(names=["dev", "test"]),
    )
    sheet = draw_plot(plot)
    bars = shapes(sheet, "bar")
    heights = [float(bar["height"]) for bar in bars]
    assert heights == pytest.approx([heights[1] / 2, heights[1], heights[1] / 4, heights[1] / 2], abs=0.05)
    edges = sorted((float(bar["x"]), float(bar["x"]) + float(bar["width"])) for bar in bars)
    assert all(a[1] <= b[0] for a, b in pairwise(edges))
    assert len(shapes(sheet, "interval")) == 2
    assert {"dev", "test", "ours", "theirs"} <= set(texts(sheet))


def test_a_line_an_inset_labels_and_a_title_are_drawn() -> None:
    inner = Plot([Series([1, 2], [3, 4])])
    plot = Plot([Series([1, 2, 3], [1, 4, 9], "squares", "line")], Axis("n"), Axis("n²"), "Squares", inner)
    sheet = draw_plot(plot)
    assert len(shapes(sheet, "series")) == 1
    assert len(shapes(sheet, "inset")) == 1
    assert len(shapes(sheet, "point")) == 2
    assert {"n", "n²", "Squares", "squares"} <= set(texts(sheet))


@pytest.mark.parametrize("corner", ["top right", "top left", "bottom right", "bottom left"])
def test_an_inset_stands_in_its_corner(corner: str) -> None:
    sheet = draw_plot(Plot([Series([1, 2], [1, 2])], inset=Plot([Series([1], [1])]), inset_at=corner))
    frame, (inset,) = shapes(sheet, "frame")[0], shapes(sheet, "inset")
    middle_x = float(inset["x"]) + float(inset["width"]) / 2
    middle_y = float(inset["y"]) + float(inset["height"]) / 2
    assert ("left" in corner) == (middle_x < float(frame["x"]) + float(frame["width"]) / 2)
    assert ("top" in corner) == (middle_y < float(frame["y"]) + float(frame["height"]) / 2)


def test_a_plot_of_nothing_is_an_empty_frame() -> None:
    assert len(shapes(draw_plot(Plot([])), "frame")) == 1
    assert len(shapes(draw_plot(Plot([Series([], [])], y=Axis(log=True))), "frame")) == 1


@pytest.mark.parametrize(
    "plot",
    [
        Plot([Series([1, 2], [1])]),
        Plot([Series([1], [1], kind="pie")]),
        Plot([Series([1], [math.nan])]),
        Plot([Series([0], [1])], x=Axis(log=True)),
        Plot([Series([1], [1])], y=Axis(low=2, high=1)),
    ],
)
def test_what_cannot_be_drawn_is_refused(plot: Plot) -> None:
    with pytest.raises(InputError):
        draw_plot(plot)


def test_a_sheet_too_small_is_refused() -> None:
    with pytest.raises(InputError, match="too small"):
        draw_plot(Plot([Series([1], [1], "label")], title="t"), 60, 40)

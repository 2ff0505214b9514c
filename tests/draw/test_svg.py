"""A sheet is well-formed XML, the same for the same calls, and holds what was drawn."""

from __future__ import annotations

import doctest
import math
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.draw import svg
from paraphrast.draw.svg import PALETTE, Canvas, escape, fit, number, text_width
from paraphrast.errors import InputError

NAMESPACE = "{http://www.w3.org/2000/svg}"


def parse(sheet: Canvas) -> ET.Element:
    return ET.fromstring(sheet.to_svg())


def test_the_example_of_the_module_runs() -> None:
    assert doctest.testmod(svg).failed == 0
    assert doctest.testmod(svg).attempted >= 3


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_text_gives_a_file_that_parses(text: str) -> None:
    sheet = Canvas(100, 50, title=text, description=text)
    sheet.text(1, 2, text, tip=text)
    sheet.rect(1, 2, 3, 4, tip=text)
    sheet.to_svg().encode("utf-8")
    drawn = parse(sheet).findall(f"{NAMESPACE}text")
    assert len(drawn) == 1


def test_text_comes_back_as_it_was() -> None:
    sheet = Canvas(100, 50, title="t")
    sheet.text(0, 0, "<a href=\"x\">&amp; 'Ω' 日本 </a>")
    found = parse(sheet).find(f"{NAMESPACE}text")
    assert found is not None
    assert found.text == "<a href=\"x\">&amp; 'Ω' 日本 </a>"


def test_what_xml_cannot_hold_is_replaced() -> None:
    assert escape("a\x00b\x0b\ud800c") == "a\ufffdb\ufffd\ufffdc"


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1"), (1.5, "1.5"), (-0.001, "0"), (2.345678, "2.35"), (100, "100"), (-3.10, "-3.1")],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_no_coordinate_is_infinite(value: float) -> None:
    with pytest.raises(InputError, match="finite"):
        Canvas(10, 10, title="t").rect(value, 0, 1, 1)


def test_an_unknown_colour_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="known: paper"):
        Canvas(10, 10, title="t").circle(1, 1, 1, fill="mauve")


def test_the_dark_sheet_has_a_colour_for_every_one_in_use() -> None:
    sheet = Canvas(10, 10, title="t")
    sheet.circle(1, 1, 1, fill="blue", stroke="red")
    text = sheet.to_svg()
    for name in ("paper", "blue", "red"):
        assert PALETTE[name][1] in text
    assert PALETTE["teal"][1] not in text


def test_the_same_calls_give_the_same_bytes_and_no_fill_is_black_by_accident() -> None:
    def draw() -> str:
        sheet = Canvas(10, 10, title="t")
        sheet.line(0, 0, 5, 5, arrow=True)
        sheet.curve((0, 0), (9, 3), 2)
        sheet.polyline([(0, 0), (1, 1)])
        return sheet.to_svg()

    assert draw() == draw()
    for element in re.findall(r"<(?:path|polyline|rect)[^>]*>", draw()):
        assert "fill=" in element


def test_a_curve_bends_to_the_left_of_its_way_and_says_where_its_middle_is() -> None:
    sheet = Canvas(10, 10, title="t")
    assert sheet.curve((0, 100), (100, 100), 30) == pytest.approx((50, 70))
    assert sheet.curve((100, 100), (0, 100), 30) == pytest.approx((50, 130))
    assert sheet.curve((0, 0), (0, 100)) == pytest.approx((0, 50))
    assert len(parse(sheet).findall(f"{NAMESPACE}polygon")) == 3


def test_a_curve_of_no_length_has_no_head() -> None:
    sheet = Canvas(10, 10, title="t")
    sheet.line(5, 5, 5, 5, arrow=True)
    assert parse(sheet).findall(f"{NAMESPACE}polygon") == []


@given(st.text(max_size=40), st.floats(min_value=20, max_value=300))
def test_a_fitted_text_fits_and_is_a_beginning(text: str, width: float) -> None:
    fitted = fit(text, width)
    assert text_width(fitted) <= width
    assert text.startswith(fitted.removesuffix("…"))
    assert fitted == text or fitted.endswith("…")

"""The matrix holds a mark for every link, of the right kind, and stays on its sheet."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.draw.alignment import draw_alignment
from paraphrast.draw.svg import Canvas
from paraphrast.errors import InputError

SOURCE = ["the", "cat", "sat"]
TARGET = ["a", "cat", "was", "sitting"]
NAMESPACE = "{http://www.w3.org/2000/svg}"


def kinds(sheet: Canvas) -> Counter[str]:
    """How many shapes of each kind stand in the matrix: those with a tip; the legend's have none."""
    root = ET.fromstring(sheet.to_svg())
    return Counter(
        element.attrib["class"].split()[0]
        for element in root
        if "class" in element.attrib and element.find(f"{NAMESPACE}title") is not None
    )


def texts(sheet: Canvas) -> list[str]:
    return [element.text or "" for element in ET.fromstring(sheet.to_svg()).findall(f"{NAMESPACE}text")]


links = st.sets(st.tuples(st.integers(0, 2), st.integers(0, 3)))


@settings(max_examples=50)
@given(links, links, links)
def test_every_link_has_its_marks(
    sure: set[tuple[int, int]], possible: set[tuple[int, int]], found: set[tuple[int, int]]
) -> None:
    drawn = kinds(draw_alignment(SOURCE, TARGET, sure=sure, possible=possible, found=found))
    every = sure | possible
    right = found & every if every else found
    assert drawn["sure"] == len(sure)
    assert drawn["possible"] == len(possible - sure)
    assert drawn["right"] == len(right)
    assert drawn["wrong"] == len(found - right)


def test_words_title_and_note_are_written_and_the_legend_says_only_what_is_there() -> None:
    sheet = draw_alignment(SOURCE, TARGET, sure=[(0, 0)], found=[(0, 0)], title="Pair <7>", note="AER 0")
    drawn = texts(sheet)
    assert {*SOURCE, *TARGET, "Pair <7>", "AER 0", "sure", "found, in the gold"} <= set(drawn)
    assert "possible" not in drawn


def test_a_tip_names_both_words() -> None:
    text = draw_alignment(SOURCE, TARGET, sure=[(2, 3)], found=[(2, 3)]).to_svg()
    assert "<title>sat – sitting: sure, right</title>" in text


@pytest.mark.parametrize("length", [0, 1, 40, 500])
def test_short_and_long_sentences_fit(length: int) -> None:
    words = ["word"] * length
    sheet = draw_alignment(words, words, sure=[(n, n) for n in range(length)], found=[])
    root = ET.fromstring(sheet.to_svg())
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert width < 4500
    assert height < 4500
    for element in root.findall(f"{NAMESPACE}rect"):
        assert float(element.attrib["x"]) + float(element.attrib["width"]) <= width
        assert float(element.attrib["y"]) + float(element.attrib["height"]) <= height


def test_a_long_word_is_cut() -> None:
    drawn = texts(draw_alignment(["x" * 200], ["y"], sure=[(0, 0)]))
    assert any(text.startswith("xxx") and text.endswith("…") for text in drawn)


def test_a_link_outside_is_refused() -> None:
    with pytest.raises(InputError, match="between 3 and 4 words, counted from 0, got 3-0"):
        draw_alignment(SOURCE, TARGET, found=[(3, 0)])


def test_the_same_links_give_the_same_bytes_in_any_order() -> None:
    one = draw_alignment(SOURCE, TARGET, sure=[(0, 0), (1, 1)], found=[(2, 3), (0, 0)]).to_svg()
    two = draw_alignment(SOURCE, TARGET, sure=[(1, 1), (0, 0)], found=[(0, 0), (2, 3)]).to_svg()
    assert one == two

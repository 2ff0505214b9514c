"""The JSON gold: both habits of writing sure links, errors that name the pair, and back again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.alignment_json import read_alignment_json, write_alignment_json
from paraphrast.formats.pharaoh import GoldLinks
from paraphrast.types import Links

PAIR = {
    "name": "one",
    "source": "The dog slept .",
    "target": "a dog was sleeping .",
    "sureAlign": "1-1 2-3 3-4",
    "possibleAlign": "0-0 2-2",
}


def write(path: Path, rows: object) -> Path:
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("sure", ["1-1 2-3 3-4", "2-2 1-1 2-3 0-0 3-4"])
def test_possible_links_are_never_sure_in_either_habit(tmp_path: Path, sure: str) -> None:
    read = read_alignment_json(write(tmp_path / "gold.json", [{**PAIR, "sureAlign": sure}]))
    assert read.gold.sure.pair(0) == [(1, 1), (2, 3), (3, 4)]
    assert read.gold.possible.pair(0) == [(0, 0), (1, 1), (2, 2), (2, 3), (3, 4)]
    assert read.source == [["The", "dog", "slept", "."]]
    assert read.target[0][3] == "sleeping"
    assert read.names == ["one"]
    assert len(read) == 1


def test_a_pair_without_links_keeps_its_place(tmp_path: Path) -> None:
    empty = {"source": "", "target": "x", "sureAlign": ""}
    read = read_alignment_json(write(tmp_path / "gold.json", [empty, PAIR]))
    assert read.gold.possible.pair(0) == []
    assert len(read.gold.possible.pair(1)) == 5
    assert read.source[0] == []


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**PAIR, "sureAlign": "4-0"}, r"pair 2: sureAlign: .* 4 and 5 words, counted from 0, got 4-0"),
        ({**PAIR, "possibleAlign": "0-5"}, r"pair 2: possibleAlign: .* got 0-5"),
        ({**PAIR, "sureAlign": "1-x"}, r"pair 2: sureAlign: expected links"),
        ({**PAIR, "source": 3}, r"pair 2: expected a text under 'source', got 3"),
        ({"source": "a", "target": "b"}, r"pair 2: expected a text under 'sureAlign', got None"),
        ([], "pair 2: expected an object, got list"),
    ],
)
def test_a_bad_pair_is_named(tmp_path: Path, row: object, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_alignment_json(write(tmp_path / "gold.json", [PAIR, row]))


def test_what_is_no_json_list_is_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    path.write_text('[\n{"source": "a",\n]', encoding="utf-8")
    with pytest.raises(FormatError, match=r"gold\.json:3: expected JSON"):
        read_alignment_json(path)
    with pytest.raises(FormatError, match="a JSON list"):
        read_alignment_json(write(path, {"source": "a"}))
    path.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(FormatError):
        read_alignment_json(path)


links = st.sets(st.tuples(st.integers(0, 2), st.integers(0, 1)))


@settings(max_examples=30)
@given(rows=st.lists(st.tuples(links, links), max_size=4))
def test_written_and_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[set[tuple[int, int]], set[tuple[int, int]]]]
) -> None:
    path = tmp_path_factory.mktemp("gold") / "gold.json.gz"
    gold = GoldLinks(Links.from_lists(a for a, _ in rows), Links.from_lists(a | b for a, b in rows))
    source, target = [["a", "ß", '"']] * len(rows), [["x", "日"]] * len(rows)
    write_alignment_json(path, source, target, gold)
    read = read_alignment_json(path)
    assert (read.source, read.target) == (source, target)
    for number in range(len(rows)):
        assert read.gold.sure.pair(number) == gold.sure.pair(number)
        assert read.gold.possible.pair(number) == gold.possible.pair(number)


def test_links_of_other_sentences_are_not_written(tmp_path: Path) -> None:
    none = Links.from_lists([[]])
    with pytest.raises(InputError, match="got 2, 2 and 1"):
        write_alignment_json(tmp_path / "x.json", [["a"]] * 2, [["a"]] * 2, GoldLinks(none, none))


def test_a_number_of_thousands_of_digits_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    path.write_text(f'[{{"score": {"9" * 5000}}}]', encoding="utf-8")
    with pytest.raises(FormatError, match="too long to read"):
        read_alignment_json(path)

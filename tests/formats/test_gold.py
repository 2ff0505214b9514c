"""Gold in either shape, from 0 or from 1."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.gold import format_gold, is_json, read_any_gold, write_any_gold
from paraphrast.formats.pharaoh import GoldLinks
from paraphrast.types import Links

GOLD = GoldLinks(Links.from_lists([[(0, 0)], []]), Links.from_lists([[(0, 0), (1, 0)], [(2, 2)]]))


@pytest.mark.parametrize(
    ("text", "first"), [("1-1 2p1\n3?3\n", 1), ("0-0 1p0\n2p2\n", 0), ("\n\n", 1), ("1-1\n10-1\n", 1)]
)
def test_a_zero_tells_where_a_file_begins_to_count(tmp_path: Path, text: str, first: int) -> None:
    path = tmp_path / "gold"
    path.write_text(text, encoding="utf-8")
    read = read_any_gold(path)
    assert read.first == first
    assert len(read) == 2
    assert read.source is None


def test_what_was_said_goes_before_what_is_guessed(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("1-1\n", encoding="utf-8")
    assert read_any_gold(path).links.sure.pair(0) == [(0, 0)]
    assert read_any_gold(path, first=0).links.sure.pair(0) == [(1, 1)]


@pytest.mark.parametrize("name", ["merged.txt", "merged.json", "merged.json.xz"])
@pytest.mark.parametrize("first", [0, 1])
def test_written_and_read_back(tmp_path: Path, name: str, first: int) -> None:
    source, target = [["a", "b", "c"]] * 2, [["x", "y", "z"]] * 2
    write_any_gold(tmp_path / name, GOLD, source, target, first=first)
    read = read_any_gold(tmp_path / name, first=first)
    assert (read.source is not None) == ("json" in name)
    for number in range(2):
        assert read.links.sure.pair(number) == GOLD.sure.pair(number)
        assert read.links.possible.pair(number) == GOLD.possible.pair(number)


def test_lines_mark_possible_links() -> None:
    assert list(format_gold(GOLD)) == ["1-1 2p1", "3p3"]
    assert list(format_gold(GOLD, first=0)) == ["0-0 1p0", "2p2"]


def test_json_needs_its_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="text is needed"):
        write_any_gold(tmp_path / "merged.json", GOLD)


def test_gold_is_no_pipe(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pipe"):
        read_any_gold("-")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(InputError, match="pipe"):
            read_any_gold(tmp_path / "pipe")


def test_a_number_of_thousands_of_digits_is_told_as_no_position(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text(f"{'9' * 5000}-1\n", encoding="utf-8")
    with pytest.raises(FormatError, match="expected links such as"):
        read_any_gold(path)


def test_what_tells_the_shapes_apart_reads_no_pipe() -> None:
    with pytest.raises(InputError, match="pipe"):
        is_json("-")

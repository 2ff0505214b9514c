"""Pharaoh links and gold alignments, there and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.pharaoh import (
    format_links,
    format_posteriors,
    parse_links,
    read_gold,
    read_links,
    read_posteriors,
    write_links,
)
from paraphrast.types import Links


@given(st.lists(st.sets(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=8), max_size=5))
def test_there_and_back(pairs: list[set[tuple[int, int]]]) -> None:
    links = Links.from_lists(pairs)
    again = parse_links(format_links(links))
    assert [again.pair(k) for k in range(len(again))] == [sorted(pair) for pair in pairs]


@pytest.mark.parametrize("name", ["links", "links.gz", "links.zst"])
def test_files_keep_empty_lines(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_links(path, Links.from_lists([[(1, 0), (0, 2)], [], [(0, 0)], []]))
    links = read_links(path)
    assert [links.pair(k) for k in range(4)] == [[(0, 2), (1, 0)], [], [(0, 0)], []]


def test_the_text_is_exact() -> None:
    assert list(format_links(Links.from_lists([[(1, 0), (0, 2)], []]))) == ["0-2 1-0", ""]


def test_gold_counts_from_one(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("1-1 2p2\n\n3?1 3-3\n", encoding="utf-8")
    gold = read_gold(path)
    assert [gold.sure.pair(k) for k in range(3)] == [[(0, 0)], [], [(2, 2)]]
    assert [gold.possible.pair(k) for k in range(3)] == [[(0, 0), (1, 1)], [], [(2, 0), (2, 2)]]


@pytest.mark.parametrize("text", ["0-", "a-b", "1:2", "0-0-0", "-1-2", "1p2", "٣-1"])
def test_what_is_no_link_is_named(text: str) -> None:
    with pytest.raises(FormatError, match=r"somewhere:2: expected links"):
        parse_links(["0-0", f"1-1 {text}"], name="somewhere")


def test_a_position_below_the_first_is_named() -> None:
    with pytest.raises(FormatError, match="counted from 1"):
        parse_links(["0-1"], first=1)


def test_posteriors_stand_beside_links(tmp_path: Path) -> None:
    links = Links.from_lists([[(0, 0), (1, 1)], [], [(2, 0)]])
    with pytest.raises(InputError, match="no posteriors"):
        list(format_posteriors(links))
    valued = replace(links, posterior=np.array([1.0, 0.25, 0.5], np.float32))
    lines = list(format_posteriors(valued))
    assert lines == ["1.0000 0.2500", "", "0.5000"]
    path = tmp_path / "values"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    again = read_posteriors(path, links)
    assert again.posterior is not None
    assert again.posterior.tolist() == [1.0, 0.25, 0.5]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1 1\n\n", 2, "expected 3 lines, as many as the links have, got 2"),
        ("1 1\n\n1\n1\n", 4, "got more"),
        ("1\n\n1\n", 1, "each of 2 links, got 1"),
        ("1 1\n\nnan\n", 3, "'nan'"),
        ("1 1\n\n1.5\n", 3, "from 0 to 1"),
    ],
)
def test_posteriors_that_do_not_fit(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "values"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message) as error:
        read_posteriors(path, Links.from_lists([[(0, 0), (1, 1)], [], [(2, 0)]]))
    assert error.value.where == At(path, line)

"""Moses phrase tables: what is written is read back, in Moses' order; what is malformed is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import At, FormatError
from paraphrast.formats.moses import (
    MosesRow,
    escape,
    format_row,
    parse_row,
    read_phrase_table,
    unescape,
    write_phrase_table,
)

ROW = MosesRow("the house", "das haus", (0.5, 0.25, 0.75, 0.125), ((0, 0), (1, 1)), (4, 3, 2))


def test_the_fields_stand_in_moses_order() -> None:
    assert format_row(ROW) == "the house ||| das haus ||| 0.5 0.25 0.75 0.125 ||| 0-0 1-1 ||| 4 3 2 ||| |||"


word = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Z")) | st.sampled_from("|&<>[]'\";#"), min_size=1
).filter(lambda text: len(text.split()) == 1)
phrases = st.lists(word, min_size=1, max_size=4)


@st.composite
def rows(draw: st.DrawFn) -> MosesRow:
    source, target = draw(phrases), draw(phrases)
    place = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return MosesRow(
        " ".join(source),
        " ".join(target),
        tuple(draw(st.lists(st.sampled_from([0.5, 1e-7, 1.0, 0.333333, 2.718]), min_size=1, max_size=5))),
        tuple(sorted(draw(st.sets(place, max_size=4)))),
        tuple(float(n) for n in draw(st.lists(st.integers(0, 10**9), max_size=3))),
        draw(st.sampled_from(["", "feature=1"])),
        draw(st.sampled_from(["", "{{Tree [X]}}"])),
    )


@given(rows())
@settings(max_examples=200, deadline=None)
def test_a_line_comes_back(row: MosesRow) -> None:
    line = format_row(row)
    assert "\n" not in line
    assert parse_row(line) == row


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_a_file_comes_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"table{suffix}"
    table = [ROW, MosesRow("a | b", "[c] ||| d", (1.0,))]
    assert write_phrase_table(path, table) == 2
    assert list(read_phrase_table(path)) == table


def test_tables_of_three_to_seven_fields() -> None:
    short = MosesRow("a", "b", (0.5,))
    assert parse_row("a ||| b ||| 0.5") == short
    assert parse_row("a ||| b ||| 0.5 |||") == short
    assert parse_row("a  c ||| b ||| 0.5 ||| 0-0 1-0") == MosesRow("a c", "b", (0.5,), ((0, 0), (1, 0)))
    assert parse_row("a ||| b ||| 0.5 ||| 0-0 ||| 2 1 1 ||| f=1 ||| {{x}}") == MosesRow(
        "a", "b", (0.5,), ((0, 0),), (2, 1, 1), "f=1", "{{x}}"
    )


def test_what_moses_escapes() -> None:
    assert escape("a|b & [c] <d>") == "a&#124;b &amp; &#91;c&#93; &lt;d&gt;"
    assert unescape("don&apos;t &quot;go&quot; &amp;lt;") == 'don\'t "go" &lt;'
    assert unescape("&bar; &unknown; AT&T") == "| &unknown; AT&T"


BAD = {
    "a ||| b": "3 to 7 fields",
    "a ||| b ||| 1 ||| ||| ||| ||| ||| x": "3 to 7 fields",
    " ||| b ||| 1": "empty source",
    "a ||| ||| 1": "empty target",
    "a ||| b ||| x": "numbers as scores",
    "a ||| b ||| nan": "numbers as scores",
    "a ||| b||| 1": "3 to 7 fields",
    "a ||| b |||": "got none",
    "a ||| b ||| 1 ||| 0:0": "links such as",
    "a ||| b ||| 1 ||| 0-1": "within 1 and 1 words",
    "a ||| b ||| 1 ||| 0-0 ||| many": "numbers as counts",
    "a\x00 ||| b ||| 1": "NUL",
}


@pytest.mark.parametrize(("line", "message"), list(BAD.items()))
def test_malformed_lines_are_named_or_left_out(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "table"
    path.write_text(f"a ||| b ||| 1\n{line}\nc ||| d ||| 1\n", encoding="utf-8")
    with pytest.raises(FormatError, match=message) as caught:
        list(read_phrase_table(path))
    assert caught.value.where == At(path, 2)
    bad: list[At] = []
    assert [row.source for row in read_phrase_table(path, skip_bad=True, bad=bad)] == ["a", "c"]
    assert bad == [At(path, 2)]


def test_bytes_that_are_not_utf8_are_a_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(b"a ||| b ||| 1\n\xff ||| b ||| 1\n")
    with pytest.raises(FormatError, match="UTF-8"):
        list(read_phrase_table(path))
    bad: list[At] = []
    assert len(list(read_phrase_table(path, skip_bad=True, bad=bad))) == 1
    assert bad == [At(path, 2)]

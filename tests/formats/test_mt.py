from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from judgements import write_judgements
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.mt import (
    MtOutput,
    MtSegment,
    read_judgements,
    read_segments,
    write_references,
)

SEGMENT = MtSegment("1", "源", ("a reference",), {"x": MtOutput("an output", -1.5), "y": MtOutput("other")})
ROWS = [["a b", "a c"], ["d & <e>"]]
LONG = "x" * 50_001


def test_judgements_come_back(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl.xz"
    assert write_judgements(path, [SEGMENT]) == 1
    assert read_judgements(path) == [SEGMENT]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"references": []}, "references"),
        ({"references": [" "]}, "empty"),
        ({"outputs": {"x": {"text": 3}}}, "text as the output of x"),
        ({"outputs": {"x": {"text": "t", "score": "good"}}}, "score of x"),
        ({"outputs": {}}, "outputs"),
        ({"id": None}, "id"),
        ({"source": 3}, "source"),
    ],
)
def test_bad_judgements_name_their_line(tmp_path: Path, change: dict[str, object], message: str) -> None:
    good = {"id": 1, "source": "s", "references": ["r"], "outputs": {"x": {"text": "t", "score": 1}}}
    path = tmp_path / "j.jsonl"
    path.write_text(json.dumps(good) + "\n" + json.dumps({**good, "id": 2, **change}), encoding="utf-8")
    with pytest.raises(FormatError, match=message) as error:
        read_judgements(path)
    assert f"{path}:2" in str(error.value)


def test_a_segment_twice_and_no_segment(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    write_judgements(path, [SEGMENT, SEGMENT])
    with pytest.raises(FormatError, match="already defined"):
        read_judgements(path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(FormatError, match="got none"):
        read_judgements(path)


def test_plain_files_are_segments(tmp_path: Path) -> None:
    for name, text in (("s", "un\ndeux\n"), ("r", "one\ntwo\n"), ("o", "1\n2\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = read_segments(tmp_path / "s", [tmp_path / "r"], {"sys": tmp_path / "o"})
    assert found[1] == MtSegment("2", "deux", ("two",), {"sys": MtOutput("2")})
    (tmp_path / "o").write_text("1\n", encoding="utf-8")
    with pytest.raises(InputError, match="expected one line per line"):
        read_segments(tmp_path / "s", [tmp_path / "r"], {"sys": tmp_path / "o"})
    (tmp_path / "r").write_text("one\n\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"r:2.*empty"):
        read_segments(tmp_path / "s", [tmp_path / "r"], {})


def test_references_for_other_tools(tmp_path: Path) -> None:
    names = write_references(tmp_path / "refs", ROWS, "files")
    assert [Path(name).read_text(encoding="utf-8") for name in names] == ["a b\nd & <e>\n", "a c\nd & <e>\n"]
    write_references(tmp_path / "t.tsv", ROWS, "tsv")
    assert (tmp_path / "t.tsv").read_text(encoding="utf-8") == "a b\ta c\nd & <e>\td & <e>\n"
    write_references(tmp_path / "t.jsonl", ROWS, "json")
    lines = (tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == ROWS
    write_references(tmp_path / "t.xml", ROWS, "xml")
    root = ElementTree.parse(tmp_path / "t.xml").getroot()
    assert [[seg.text for seg in one.iter("seg")] for one in root.iter("refset")] == [
        ["a b", "d & <e>"],
        ["a c", "d & <e>"],
    ]
    with pytest.raises(InputError, match="format"):
        write_references(tmp_path / "x", ROWS, "yaml")
    with pytest.raises(InputError, match="at least one"):
        write_references(tmp_path / "x", [[]], "tsv")


def test_very_long_segments_are_refused(tmp_path: Path) -> None:
    (tmp_path / "short").write_text("a\nb\n")
    (tmp_path / "long").write_text("a\n" + "b " * 30_000 + "\n")
    with pytest.raises(
        InputError, match=r"long:2: expected segments of at most 50,000 characters, got 60,000"
    ):
        read_segments(tmp_path / "short", [tmp_path / "long"], {})


@pytest.mark.parametrize(
    "change", [{"source": LONG}, {"references": ["a", LONG]}, {"outputs": {"x": "a", "y": {"text": LONG}}}]
)
def test_long_segments_are_refused_in_jsonl_too(tmp_path: Path, change: dict[str, object]) -> None:
    record = {"id": 1, "source": "s", "references": ["a"], "outputs": {"x": "b"}}
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(record) + "\n" + json.dumps({**record, "id": 2, **change}) + "\n")
    with pytest.raises(InputError, match=r"x\.jsonl:2.*at most 50,000 characters, got 50,001"):
        read_judgements(path)


def test_a_score_beyond_every_float_is_refused(tmp_path: Path) -> None:
    record = {"id": 1, "source": "s", "references": ["a"], "outputs": {"x": {"text": "b", "score": 10**400}}}
    (tmp_path / "x.jsonl").write_text(json.dumps(record))
    with pytest.raises(FormatError, match="as the score of x"):
        read_judgements(tmp_path / "x.jsonl")

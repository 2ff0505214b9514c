"""Reading of JSON that may be damaged or hostile."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.cli import run
from paraphrast.errors import FormatError
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.jsonl import read_records
from paraphrast.fusion.clusters import read_clusters

DEEP = "[" * 200_000


def test_values() -> None:
    assert parse_json('{"a": [1, "é"]}') == {"a": [1, "é"]}
    assert parse_json(b'"\xc3\xa9"') == "é"


@pytest.mark.parametrize("text", ["", "{", DEEP, '{"a":' * 200_000])
def test_every_bad_text_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"Expecting|nested too deeply"):
        parse_json(text)


def test_deep_lines_are_reported_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text('{"a": 1}\n' + DEEP + "\n")
    with pytest.raises(FormatError, match=r"deep\.jsonl:2: .*nested too deeply"):
        list(read_records(path))


def test_clusters_refuse_deep_json(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text('{"a":' * 100_000)
    with pytest.raises(FormatError, match=r"deep\.jsonl.*nested too deeply"):
        read_clusters(path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["fuse", "GOOD", "--match", "DEEP"],
        ["evaluate", "mt", "DEEP"],
        ["tune", "label", "--check", "DEEP"],
    ],
)
def test_commands_refuse_deep_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    deep, good = tmp_path / "deep.jsonl", tmp_path / "good.txt"
    deep.write_text('{"a":' * 100_000)
    good.write_text("He reads a book .\nHe reads one book .\n")
    names = {"DEEP": str(deep), "GOOD": str(good)}
    code = run([names.get(argument, argument) for argument in arguments])
    assert code == 2
    assert "deep.jsonl" in capsys.readouterr().err

"""Outputs of systems are read from JSONL and TSV alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.outputs import SystemOutput, read_outputs, with_ratings, write_outputs
from paraphrast.formats.substitutions import Labelled, write_labelled


def test_outputs_come_back_as_they_were(tmp_path: Path) -> None:
    rows = [
        SystemOutput("a", "b", "ours", 1, "news", "in a", {"paraphrase": {"x": 1}}),
        SystemOutput("a", "c", "ours", 2),
    ]
    assert write_outputs(tmp_path / "out", rows) == 2
    assert read_outputs(tmp_path / "out") == rows


def test_tsv_and_jsonl_of_the_decoder_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("a\tb\na\tc\nd\te\t3\tnews\n", encoding="utf-8")
    assert read_outputs(tmp_path / "t", "ours") == [
        SystemOutput("a", "b", "ours", 1),
        SystemOutput("a", "c", "ours", 2),
        SystemOutput("d", "e", "ours", 3, "news"),
    ]
    (tmp_path / "j").write_text(
        '{"line": 1, "rank": 1, "source": "a", "text": "b", "score": -1.0, "edits": []}\n'
        '{"before": "x", "after": "y", "system": "theirs"}\n',
        encoding="utf-8",
    )
    assert read_outputs(tmp_path / "j", "ours") == [
        SystemOutput("a", "b", "ours", 1),
        SystemOutput("x", "y", "theirs", 1),
    ]


def test_faults_are_told(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("only one column\n", encoding="utf-8")
    with pytest.raises(FormatError, match="input and output separated by a tab"):
        read_outputs(path)
    path.write_text('{"source": "a", "text": "b", "labels": {"q": 1}}\n', encoding="utf-8")
    with pytest.raises(FormatError, match="labels as"):
        read_outputs(path)
    with pytest.raises(InputError, match="pipe"):
        read_outputs("-")


def test_substitutes_are_rated_in_their_sentence(tmp_path: Path) -> None:
    rows = [Labelled("I saw it.", 2, 5, "saw", "noticed"), Labelled("I saw it.", 2, 5, "saw", "cut")]
    write_labelled(tmp_path / "labels", rows)
    first, second = read_outputs(tmp_path / "labels")
    assert (first.source, first.text, first.context, first.rank) == ("saw", "noticed", "I [saw] it.", 1)
    rated = replace(first, labels={"correct": {"x": 1, "y": 0}})
    assert [row.correct for row in with_ratings(rows, [rated, second])] == [True, False, None]


def test_inputs_beside_their_outputs_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(
        '{"source": "a", "text": "a", "rank": 0}\n{"source": "a", "text": "b", "rank": 1}\n', encoding="utf-8"
    )
    assert [(output.text, output.rank) for output in read_outputs(path)] == [("b", 1)]

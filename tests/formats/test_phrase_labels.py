"""Labels of phrase pairs: a blank file, filled in, read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from paraphrast.errors import FormatError
from paraphrast.formats.outputs import read_outputs, write_outputs
from paraphrast.formats.phrase_labels import (
    Judgement,
    read_judgements,
    read_phrase_labels,
    read_ranked_labels,
    write_blank,
)


def test_a_blank_file_is_filled_in_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "blank.tsv"
    assert write_blank(path, [("look at", "examine"), ("big", "large")], ["anna", "ben"]) == 2
    assert read_phrase_labels([path]) == {("look at", "examine"): [], ("big", "large"): []}
    text = (
        path.read_text(encoding="utf-8")
        .replace("examine\t\t", "examine\t2\t1")
        .replace("large\t\t", "large\t\t0")
    )
    path.write_text(text, encoding="utf-8")
    assert read_phrase_labels([path]) == {("look at", "examine"): [2, 1], ("big", "large"): [0]}
    assert read_phrase_labels([path, path])[("big", "large")] == [0, 0]


def test_label_faults(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("phrase\tparaphrase\tlabel\na\tb\t3\n", encoding="utf-8")
    with pytest.raises(FormatError, match="0, 1 or 2"):
        read_phrase_labels([path])
    path.write_text("phrase\tparaphrase\tlabel\na\tb\t2\x1f\n", encoding="utf-8")
    assert read_phrase_labels([path]) == {("a", "b"): [2]}
    path.write_text("a\tb\t1\n", encoding="utf-8")
    with pytest.raises(FormatError, match="header"):
        read_phrase_labels([path])
    path.write_text("phrase\tparaphrase\nalone\n", encoding="utf-8")
    with pytest.raises(FormatError, match="separated by tab"):
        read_phrase_labels([path])


def test_judgements(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_text("3.5\t[NP]\tthe big house\tthe home\t3.0,4.0\n1.0\t[X]\ta\tb\n", encoding="utf-8")
    assert read_judgements(path) == [
        Judgement("the big house", "the home", 3.5, "NP", (3.0, 4.0)),
        Judgement("a", "b", 1.0, "X"),
    ]
    path.write_text("high\t[NP]\ta\tb\t1\n", encoding="utf-8")
    with pytest.raises(FormatError, match="mean, category"):
        read_judgements(path)


def test_pairs_may_be_rated_in_a_campaign(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    assert write_blank(path, [("big", "large"), ("big", "huge")]) == 2
    pairs = read_outputs(path)
    assert {one.rank for one in pairs} == {1}
    write_outputs(path, [replace(pairs[0], labels={"phrase": {"x": 2, "y": 1}}), pairs[1]])
    assert read_phrase_labels([path]) == {("big", "large"): [2, 1], ("big", "huge"): []}


def test_labels_with_the_ranks_of_systems(tmp_path: Path) -> None:
    path = tmp_path / "ranked.tsv"
    lines = [
        "set\tphrase\tparaphrase\tfirst\tsecond\tpivot\tgraph",
        "dev\tbig\tlarge\t2\t2\t2\t1",
        "dev\tbig\thuge\t1\t\t1\t",
        "test\tsmall\tlittle\t\t\t\t1",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    labels = read_ranked_labels(path, "dev")
    assert labels.phrases == ["big"]
    assert labels.marks == {("big", "large"): (2, 2), ("big", "huge"): (1,)}
    assert labels.lists == {"pivot": {"big": ["huge", "large"]}, "graph": {"big": ["large"]}}
    assert read_ranked_labels(path).phrases == ["big", "small"]
    for wrong in ("dev\tbig", "dev\tbig\tlarge\t2\t2\tfirst\t1", "dev\tbig\tlarge\t2\t2\t1"):
        path.write_text(f"{lines[0]}\n{wrong}\n", encoding="utf-8")
        with pytest.raises(FormatError, match="ranks by tab"):
            read_ranked_labels(path)

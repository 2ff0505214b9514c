"""`evaluate phrases`, `substitutions`, `sentences` and `tune label` as people use them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from paraphrast.cli import run
from paraphrast.formats.outputs import SystemOutput, write_outputs
from paraphrast.formats.phrase_labels import read_phrase_labels
from paraphrast.formats.substitutions import read_labelled, write_labelled

SENTENCE = "The committee will examine a big proposal tomorrow."


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run([*arguments, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture
def tables(tmp_path: Path) -> list[str]:
    for name, order in (("pivot", "xy"), ("graph", "yz")):
        lines = ["source\ttarget\tprobability"]
        for n in range(4):
            for phrase in (f"w{n}", f"w{n} w", f"w{n} w w"):
                lines += [f"{phrase}\t{letter}{n}\t{0.5 / (place + 1)}" for place, letter in enumerate(order)]
        (tmp_path / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [f"{name}={tmp_path / name}.tsv" for name in ("pivot", "graph")]


def test_phrases_blank_labels_figures(
    tables: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blank = tmp_path / "blank.tsv"
    assert run(["evaluate", "phrases", *tables, "--blank", str(blank), "--size", "3"]) == 0
    text = blank.read_text(encoding="utf-8")
    assert "pivot" not in text
    pairs = read_phrase_labels([blank])
    assert len(pairs) == 27
    label = {"x": "0", "y": "2", "z": "1"}
    lines = text.splitlines()
    filled = [lines[0], *(line + label[line.split("\t")[1][0]] for line in lines[1:])]
    blank.write_text("\n".join(filled) + "\n", encoding="utf-8")
    found = record(capsys, "evaluate", "phrases", *tables, "--labels", str(blank))["tables"]
    assert found["pivot"]["lenient"]["1"] == 0
    assert found["graph"]["strict"]["1"] == 1
    assert found["graph"]["lenient"]["5"] == pytest.approx(2 / 5)
    assert found["pivot"]["phrases"] == 9
    assert run(["evaluate", "phrases", *tables, "--labels", str(blank)]) == 0
    assert "lenient @10" in capsys.readouterr().out


def test_phrases_against_judgements(
    tables: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        f"{4 if letter == 'x' else 2}.0\t[NN]\tW{n}\t{letter}{n}\t1,2\n" for n in range(3) for letter in "xyq"
    ]
    (tmp_path / "j").write_text("".join(lines), encoding="utf-8")
    found = record(
        capsys, "evaluate", "phrases", tables[0], "--judgements", str(tmp_path / "j"), "--samples", "20"
    )
    one = found["tables"]["pivot"]
    assert (one["covered_pairs"], one["pairs"]) == (6, 9)
    assert one["spearman_covered"] == pytest.approx(1)
    assert one["mrr"] == 1
    assert (
        run(["evaluate", "phrases", tables[0], "--judgements", str(tmp_path / "j"), "--samples", "20"]) == 0
    )
    assert "6 of 9" in capsys.readouterr().out


def test_phrases_wants_one_thing(tables: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "phrases", *tables]) == 2
    assert "--blank" in capsys.readouterr().err
    assert run(["evaluate", "phrases", tables[0], tables[0], "--blank", "x"]) == 2
    assert "each name once" in capsys.readouterr().err


def test_substitutes_are_labelled_and_scored(
    toy_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text").write_text(f"{SENTENCE}\n", encoding="utf-8")
    labels = str(tmp_path / "labels.jsonl")
    assert run(["tune", "label", str(tmp_path / "text"), "-o", labels, "-m", str(toy_model)]) == 0
    rows = read_labelled(labels)
    assert all(row.correct is None for row in rows)
    counted = record(capsys, "tune", "label", "--check", labels)
    assert (counted["substitutes"], counted["unlabelled"], counted["sentences"]) == (len(rows), len(rows), 1)
    from dataclasses import replace

    write_labelled(labels, [replace(row, correct=row.after == "large") for row in rows])
    picture = tmp_path / "curve.svg"
    found = record(
        capsys,
        "evaluate",
        "substitutions",
        labels,
        "-m",
        str(toy_model),
        "-n",
        "200",
        "--samples",
        "20",
        "--draw",
        str(picture),
    )
    assert found["alone"][0]["tables"] == ["pivot", "self"]
    assert found["added"][0]["dcs"] == 1
    assert found["added"][0]["share_judged"] == 1
    assert "mode:sentence" in found["signature"]
    assert ET.parse(picture).getroot().tag.endswith("svg")
    assert (
        run(["evaluate", "substitutions", labels, "-m", str(toy_model), "--samples", "0", "--mode", "span"])
        == 0
    )
    out = capsys.readouterr().out
    assert "PT combination" in out
    assert "pivot+self" in out
    assert run(["tune", "label", "--check", labels]) == 0
    assert run(["tune", "label"]) == 2
    capsys.readouterr()


def test_sentences_in_the_papers_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sacrebleu")
    rows = []
    for number in range(4):
        source = f"the cat number {number} sat on the mat"
        for rank in (1, 2):
            labels = {"acceptable": {"x": int(number < 3)}, "lost": {"x": 0}}
            labels |= {"error": {"x": 2}} if number == 3 else {}
            text = f"the dog number {number} sat on mat {rank}"
            rows.append(SystemOutput(source, text, "PR", rank, "news" if number else "forum", "", labels))
    path = tmp_path / "labelled.jsonl"
    write_outputs(path, rows)
    (tmp_path / "refs").write_text(
        "".join(f"the cat number {n} sat on the mat\tthe dog number {n} sat on mat 1\n" for n in range(4)),
        encoding="utf-8",
    )
    found = record(
        capsys, "evaluate", "sentences", str(path), "--references", str(tmp_path / "refs"), "--samples", "20"
    )
    assert found["acceptability"][0]["share"]["share"] == 0.75
    assert found["top"]["PR"]["all"]["1"]["share"] == 0.75
    assert found["top"]["PR"]["forum"]["5"]["share"] == pytest.approx(2 / 5)
    assert found["errors"]["PR"]["semantic"]["share"] == 1
    assert found["qualities"][0]["edit_distance"] == 3
    assert found["automatic"]["PR"]["bleu"]["value"] == pytest.approx(100)
    assert run(["evaluate", "sentences", str(path), "--samples", "20"]) == 0
    out = capsys.readouterr().out
    assert "PR #1" in out
    assert "3 / 4 = 75.0%" in out
    assert "Mean edit distance" in out
    assert run(["evaluate", "sentences", str(path), "--question", "taste"]) == 2
    assert run(["evaluate", "sentences"]) == 2
    assert run(["evaluate", "sentences", "--judgements", "x"]) == 2
    capsys.readouterr()


def test_sentence_scores_against_people(
    toy_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c").write_text(
        f"ref_id\tcandidate\thuman_score\n1\t{SENTENCE.replace('big', 'large')}\t90\n1\tZebra.\t2\n",
        encoding="utf-8",
    )
    (tmp_path / "r").write_text(f"ref_id\tref_sent\n1\t{SENTENCE}\n", encoding="utf-8")
    files = ["--judgements", str(tmp_path / "c"), "--originals", str(tmp_path / "r"), "-m", str(toy_model)]
    found = record(capsys, "evaluate", "sentences", *files, "--samples", "5")
    assert (found["rewrites"], found["explained"]) == (2, 1)
    assert found["spearman_all"]["value"] == pytest.approx(1)
    assert run(["evaluate", "sentences", *files, "--samples", "0"]) == 0
    assert "spearman_all" in capsys.readouterr().out

"""`paraphrast paraphrase` on files: formats in and out, fields kept, documents, and runs that are resumed."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import toy
from paraphrast.cli import run
from paraphrast.cli._support import resume, rewrite_file
from paraphrast.errors import ParaphrastError

SENTENCE = "The committee will examine a big proposal tomorrow."
UNKNOWN = "Xyzzy plugh."


@pytest.fixture
def base(toy_model: Path) -> list[str]:
    return ["paraphrase", "-m", str(toy_model), "--strength", "1"]


def test_an_argument_that_names_a_file_is_read(
    base: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text(f"{SENTENCE}\n{UNKNOWN}\n", encoding="utf-8")
    assert run([*base, "notes.txt", "-n", "1"]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0] == SENTENCE
    assert "[" in lines[1]
    assert lines[2:] == ["", UNKNOWN, "     (no paraphrase)", ""]
    assert "Reading the file notes.txt, one text per line" in captured.err
    assert run([*base[1:], "notes.txt", "-n", "1", "--quiet"]) == 0  # without the word paraphrase
    again = capsys.readouterr()
    assert again.out == captured.out
    assert again.err == ""
    assert run([*base, "nots.txt"]) == 2
    assert "nots.txt: no such file" in capsys.readouterr().err


def test_plain_output_has_one_line_per_text(
    base: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.txt"
    path.write_text(f"{SENTENCE}\n\n{UNKNOWN}\n{SENTENCE}\n", encoding="utf-8")
    assert run([*base, "-i", str(path), "-n", "1", "--format", "plain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:3] == ["", UNKNOWN]
    assert lines[0] == lines[3] != SENTENCE
    assert "[" not in lines[0]
    assert run([*base, "-i", str(path), "-n", "1", "--format", "plain", "--originals"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [SENTENCE, lines[0]]


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl"])
def test_fields_are_kept(
    base: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    rows = [
        {"id": "a", "body": SENTENCE, "label": "x"},
        {"id": "b", "body": UNKNOWN, "label": "y"},
        {"id": "c", "body": SENTENCE.replace("big", "large"), "label": "z"},
    ]
    path, out = tmp_path / f"in.{kind}", tmp_path / f"out.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        mark = "," if kind == "csv" else "\t"
        lines = [mark.join(rows[0]), *(mark.join(row.values()) for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert run([*base, "-i", str(path), "-o", str(out), "--field", "body", "-n", "2", "--originals"]) == 0
    text = out.read_text(encoding="utf-8")
    if kind == "jsonl":
        result = [json.loads(line) for line in text.splitlines()]
    else:
        result = list(csv.DictReader(io.StringIO(text), delimiter="," if kind == "csv" else "\t"))
    assert [(row["id"], int(row["paraphrase_rank"])) for row in result] == [
        ("a", 0), ("a", 1), ("a", 2), ("b", 0), ("c", 0), ("c", 1), ("c", 2),
    ]  # fmt: skip
    sources = {row["id"]: row for row in rows}
    for row in result:
        assert {name: row[name] for name in ("id", "body", "label")} == sources[row["id"]]
        assert (row["paraphrase"] == row["body"]) == (int(row["paraphrase_rank"]) == 0)
    assert run([*base, "-i", str(path)]) == 2
    assert "the file has the fields id, body, label" in capsys.readouterr().err
    assert run([*base, "-i", str(path), "--field", "body", "-n", "1", "--format", "json"]) == 0
    detailed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["fields"]["label"] for record in detailed] == ["x", "y", "z"]
    assert detailed[1]["rank"] == 0


def test_the_text_itself_can_be_replaced(
    base: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f"text,label\n{SENTENCE},1\n", encoding="utf-8")
    assert run([*base, str(path), "--into", "text", "-n", "1"]) == 0
    header, row = capsys.readouterr().out.splitlines()
    assert header == "text,label,text_rank"
    assert not row.startswith(SENTENCE)
    assert row.endswith(",1,1")


def test_a_document_keeps_its_layout(base: list[str], tmp_path: Path) -> None:
    lines = [
        "# The committee will examine a big proposal.",
        "",
        f"    {SENTENCE} The minister must reject an important law at once. The teacher will",
        "    accept a new plan today.",
        "",
        "",
        "* The council can not discuss an old report today.",
        "```",
        SENTENCE,
        "```",
    ]
    path, out = tmp_path / "in.md", tmp_path / "out.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert run([*base, str(path), "--document", "-o", str(out)]) == 0
    rewritten = out.read_text(encoding="utf-8").split("\n")
    assert len(rewritten) == len(lines) + 1
    for old, new in zip(lines, rewritten, strict=False):
        assert len(old) - len(old.lstrip("# *")) == len(new) - len(new.lstrip("# *"))
    assert rewritten[7:10] == lines[7:10]
    assert sum(old != new for old, new in zip(lines, rewritten, strict=False)) >= 3
    marked = tmp_path / "marked.md"
    assert run([*base, str(path), "--document", "-o", str(marked), "--format", "text"]) == 0
    assert "[" in marked.read_text(encoding="utf-8")
    assert run([*base, str(path), "--document", "--format", "json"]) == 2


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file that is rewritten in many small batches."""
    monkeypatch.setattr(rewrite_file, "CHUNK", 8)
    path = tmp_path / "in.jsonl"
    rows = [{"text": row[0], "n": number} for number, row in enumerate(toy.rows(50, seed=4))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    yield path
    resume.interrupted_message = None


def stop_after(monkeypatch: pytest.MonkeyPatch, batches: int, error: type[BaseException]) -> None:
    """Stop the run after some checkpoints, in the middle of the next batch."""
    reach = resume.Checkpoints.reach
    count = [0]

    def reach_or_stop(self: resume.Checkpoints, records: list[object], done: int) -> None:
        if count[0] == batches:
            self.text.write("half a li")
            self.text.flush()
            raise error
        count[0] += 1
        reach(self, records, done)  # type: ignore[arg-type]

    monkeypatch.setattr(resume.Checkpoints, "reach", reach_or_stop)


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.csv.txt"])
def test_an_interrupted_run_is_resumed_with_the_same_bytes(
    base: list[str],
    inputs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    whole, out = tmp_path / f"whole-{name}", tmp_path / name
    command = [*base, "-i", str(inputs), "-n", "2"]
    assert run([*command, "-o", str(whole)]) == 0
    assert f"50 texts, 50 with a paraphrase → {whole}" in capsys.readouterr().err
    with monkeypatch.context() as patch:
        stop_after(patch, 3, KeyboardInterrupt)
        assert run([*command, "-o", str(out)]) == 130
    assert "24 texts are done; run the same command again to resume" in capsys.readouterr().err
    assert not out.exists()
    assert (tmp_path / f"{name}.unfinished").exists()
    rewritten: list[int] = []
    many = rewrite_file.FileRewrite._rewrite

    def counting(self: rewrite_file.FileRewrite, *arguments: object) -> Iterator[object]:
        for chunk, done in many(self, *arguments):  # type: ignore[arg-type]
            rewritten.append(len(chunk))
            yield chunk, done

    monkeypatch.setattr(rewrite_file.FileRewrite, "_rewrite", counting)
    assert run([*command, "-o", str(out)]) == 0
    assert sum(rewritten) == 50 - 24
    messages = capsys.readouterr().err
    assert "Resuming after 24 texts" in messages
    assert f"50 texts → {out}" in messages
    assert out.read_bytes() == whole.read_bytes()
    if name.endswith(".gz"):
        assert gzip.decompress(out.read_bytes()).count(b"\n") > 50
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([inputs.name, whole.name, name])


@pytest.mark.parametrize("change", ["options", "input", "damage"])
def test_another_run_starts_anew(
    base: list[str], inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    command = [*base, "-i", str(inputs), "-n", "2"]
    with monkeypatch.context() as patch:
        stop_after(patch, 3, KeyboardInterrupt)
        assert run([*command, "-o", str(out)]) == 130
    if change == "options":
        command[-1] = "1"
    elif change == "input":
        text = inputs.read_text(encoding="utf-8")
        inputs.write_text(text.replace('"n": 5}', '"n": 55}'), encoding="utf-8")
    else:
        (tmp_path / "out.jsonl.unfinished.json").write_text("{", encoding="utf-8")
    assert run([*command, "-o", str(out)]) == 0
    assert run([*command, "-o", str(whole)]) == 0
    assert out.read_bytes() == whole.read_bytes()


def test_a_bad_row_can_be_corrected_and_the_run_resumed(
    base: list[str], inputs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = inputs.read_text(encoding="utf-8")
    inputs.write_text(text + '{"text": null}\n', encoding="utf-8")
    out = tmp_path / "out.jsonl"
    out.write_text("before", encoding="utf-8")
    command = [*base, "-i", str(inputs), "-o", str(out), "-n", "1", "--field", "text"]
    assert run(command) == 2
    message = capsys.readouterr().err
    assert "in.jsonl:51: field 'text': expected a text, got nothing" in message
    assert "48 texts are done" in message
    assert out.read_text(encoding="utf-8") == "before"
    inputs.write_text(text, encoding="utf-8")
    assert run(command) == 0
    assert "Resuming after 48 texts" in capsys.readouterr().err
    assert out.read_text(encoding="utf-8").count("\n") == 50


def test_nothing_stays_of_a_run_that_did_nothing(base: list[str], tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_bytes(b"good line\ncaf\xe9\n")
    assert run([*base, "-i", str(path), "-o", str(tmp_path / "out.txt")]) == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["in.txt"]


def test_two_runs_cannot_write_one_file(tmp_path: Path) -> None:
    with resume.checkpoints(tmp_path / "out", "key") as first:
        first.open()
        with (
            pytest.raises(ParaphrastError, match="another run"),
            resume.checkpoints(tmp_path / "out", "key"),
        ):
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([SENTENCE, "--field", "text"], "expected a file for --document, --field"),
        (["-i", "in.csv", "--from", "xml"], "--from: expected lines, csv, tsv, jsonl"),
        (["The", "committee", "will"], 'put the text in quotes: paraphrast "The committee will"'),
        ([""], "got an empty one"),
        ([" \t"], "got an empty one"),
    ],
)
def test_wrong_arguments_are_reported(
    base: list[str], arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*base, *arguments]) == 2
    assert message in capsys.readouterr().err

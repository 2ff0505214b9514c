"""The command line as a person uses it: exit codes, messages, files whole, pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import toy
from paraphrast.cli import run

SENTENCE = "The committee will examine a big proposal tomorrow."


def call(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Run the real program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "paraphrast", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        **options,  # type: ignore[call-overload]
    )


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from paraphrast.cli import run; run(['--help']); run(['paraphrase', '--help']); "
        "print([m for m in ('numpy', 'numba', 'duckdb', 'scipy', 'sqlglot', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_paraphrase_prints_edits_in_brackets(toy_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["paraphrase", SENTENCE, "-m", str(toy_model), "-n", "3", "--strength", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    for rank, line in enumerate(lines, 1):
        assert line.split()[0] == str(rank)
        assert "[" in line
        assert "]" in line


def test_a_pipe_of_lines_to_json(toy_model: Path) -> None:
    text = f"{SENTENCE}\n\nThe minister must reject the law at once.\n"
    done = call(
        "paraphrase", "-m", str(toy_model), "--format", "json", "-n", "2", "--strength", "1", input=text
    )
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(record["line"], record["rank"]) for record in records] == [
        (1, 1), (1, 2), (2, 0), (3, 1), (3, 2),
    ]  # fmt: skip
    assert records[2] == {"line": 2, "rank": 0, "source": "", "text": "", "score": 0.0, "edits": []}
    for record in records:
        for edit in record["edits"]:
            assert record["source"][edit["start"] : edit["end"]] == edit["before"]
            assert record["text"][edit["out_start"] : edit["out_end"]] == edit["after"]


def test_a_slow_pipe_is_answered_line_by_line(toy_model: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "paraphrast",
        "paraphrase",
        "-m",
        str(toy_model),
        "-n",
        "1",
        "--strength",
        "1",
    ]
    running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert running.stdin is not None
    assert running.stdout is not None
    for _ in range(3):
        running.stdin.write(f"{SENTENCE}\n")
        running.stdin.flush()
        assert running.stdout.readline() == f"{SENTENCE}\n"
        assert "[" in running.stdout.readline()
        assert running.stdout.readline() == "\n"
    running.stdin.close()
    assert running.wait(timeout=300) == 0
    running.stdout.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_told(toy_model: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "paraphrast",
                "paraphrase",
                SENTENCE,
                "-m",
                str(toy_model),
                "--strength",
                "1",
            ],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "standard output: the disk is full\n" in done.stderr
    assert "Traceback" not in done.stderr


def test_output_goes_to_a_file_whole(toy_model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{SENTENCE}\n" * 3, encoding="utf-8")
    target = tmp_path / "out.txt"
    arguments = ["paraphrase", "-m", str(toy_model), "-i", str(tmp_path / "in.txt"), "-o", str(target)]
    assert run([*arguments, "--strength", "1", "-n", "1"]) == 0
    assert target.read_text(encoding="utf-8").count("[") >= 3
    (tmp_path / "bad.txt").write_bytes(b"good line\ncaf\xe9\n")
    before = target.read_bytes()
    arguments[4] = str(tmp_path / "bad.txt")
    assert run(arguments) == 2
    assert target.read_bytes() == before


def test_explain_cites_the_corpus(toy_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "proposal", "plan", "-m", str(toy_model)]) == 0
    out = capsys.readouterr().out
    assert "proposal → plan" in out
    assert "vorschlag" in out
    assert "[proposal]" in out
    assert "[plan]" in out
    assert "bitext.tsv, line" in out
    assert run(["explain", "proposal", "plan", "-m", str(toy_model), "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    citation = record["pivots"][0]["source_seen"]
    assert citation["text"][citation["start"] : citation["end"]] == "proposal"
    assert run(["explain", "proposal", "-m", str(toy_model)]) == 0
    assert "plan" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["paraphrase", SENTENCE, "-m", "no/such/model"], "no model at this path"),
        (["paraphrase", SENTENCE, "--strength", "2"], "strength"),
        (["explain", "proposal", "commission"], "no table of the model rewrites"),
        (["explain", "xyzzy", "plan"], "does not know the phrase"),
        (["train", "no.toml", "-o", "x"], "the configuration file does not exist"),
        (["train"], "expected a configuration"),
        (["data", "get", "no-such-corpus"], "no-such-corpus"),
        (["table", "show", "nonsense"], "unknown table 'nonsense'"),
        (["nonsense"], "nonsense"),
        (["paraphrase", SENTENCE, "-i", "file.txt"], "got both"),
    ],
)
def test_errors_have_exit_code_two_and_one_message(
    toy_model: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    if arguments[0] in ("explain", "table"):
        arguments = [*arguments, "-m", str(toy_model)]
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_tables_are_shown_and_exported(
    toy_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["table", "show", "pivot", "-m", str(toy_model), "--phrase", "proposal"]) == 0
    assert "proposal\tplan\t" in capsys.readouterr().out
    for shape in ("tsv", "moses", "meteor"):
        assert (
            run(
                ["table", "export", "pivot", "-m", str(toy_model), "--to", shape, "-o", str(tmp_path / shape)]
            )
            == 0
        )
    header, *rows = (tmp_path / "tsv").read_text(encoding="utf-8").splitlines()
    assert header.split("\t")[:4] == ["source", "target", "probability", "count"]
    moses = (tmp_path / "moses").read_text(encoding="utf-8").splitlines()
    meteor = (tmp_path / "meteor").read_text(encoding="utf-8").splitlines()
    assert len(rows) == len(moses) == len(meteor) // 3
    for row, line, probability in zip(rows, moses, meteor[::3], strict=True):
        source, target, forward = row.split("\t")[:3]
        assert line.split(" ||| ")[:2] == [source, target]
        assert float(line.split()[-1]) == float(forward) == float(probability)


def test_align_writes_pharaoh_links(tmp_path: Path) -> None:
    rows = toy.rows(300)
    bitext = tmp_path / "pairs.tsv"
    bitext.write_text("\n".join(f"{row[0]}\t{row[1]}" for row in rows) + "\n", encoding="utf-8")
    assert run(["align", str(bitext), "-o", str(tmp_path / "links"), "--pretokenized"]) == 0
    links = (tmp_path / "links").read_text().splitlines()
    assert len(links) == 300
    assert all("0-0" in line.split() for line in links)
    with bitext.open("a") as stream:
        stream.write("only one column\nA last one.\tein letzter .\n")
    assert run(["align", str(bitext), "-o", str(tmp_path / "links"), "--skip-bad"]) == 0
    links = (tmp_path / "links").read_text().splitlines()
    assert len(links) == 302
    assert links[300] == ""
    assert links[301]
    (tmp_path / "short.de").write_text("eins\n", encoding="utf-8")
    assert run(["align", str(bitext), str(tmp_path / "short.de")]) == 2


def test_lm_writes_arpa(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("\n".join(row[0] for row in toy.rows(200)), encoding="utf-8")
    assert run(["lm", str(tmp_path / "text"), "--order", "3", "-o", str(tmp_path / "m.arpa.gz")]) == 0
    assert run(["lm", str(tmp_path / "text"), "--order", "2", "-o", str(tmp_path / "arrays")]) == 0
    assert (tmp_path / "arrays" / "lm.json").exists()
    from paraphrast.formats.arpa import read_arpa

    vocabulary, arrays = read_arpa(tmp_path / "m.arpa.gz")
    assert arrays.order == 3
    assert "committee" in vocabulary.ids


def test_models_are_shown_and_packed(
    toy_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["model", "show", str(toy_model)]) == 0
    assert "[ours]" in capsys.readouterr().out
    for name in ("a.zip", "b.zip"):
        assert run(["model", "pack", str(toy_model), "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    capsys.readouterr()
    assert run(["paraphrase", SENTENCE, "-m", str(toy_model), "--strength", "1"]) == 0
    plain = capsys.readouterr().out
    assert run(["paraphrase", SENTENCE, "-m", str(tmp_path / "a.zip"), "--strength", "1"]) == 0
    assert capsys.readouterr().out == plain
    (tmp_path / "junk.zip").write_bytes(b"PK nonsense")
    assert run(["paraphrase", SENTENCE, "-m", str(tmp_path / "junk.zip")]) == 2


def test_doctor_says_what_to_do_next(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor"]) == 0
    assert "Next: paraphrast" in capsys.readouterr().out


def test_data_is_listed_without_a_network(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "list"]) == 0
    assert "brown-tagged" in capsys.readouterr().out
    assert run(["data", "show", "brown-tagged", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "tagged"


@pytest.mark.usefixtures("default_interrupt")
def test_interrupted_training_exits_130_and_resumes(tmp_path: Path) -> None:
    config = toy.write_config(tmp_path / "data", 20_000)
    command = [sys.executable, "-m", "paraphrast", "train", str(config), "-o", str(tmp_path / "model")]
    run_ = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    work = tmp_path / "model.work"
    deadline = time.monotonic() + 300  # kernels may have to be compiled first
    while not (work / "text").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    run_.send_signal(signal.SIGINT)
    _, errors = run_.communicate(timeout=300)
    assert run_.returncode == 130, errors
    assert "to resume" in errors
    assert "Traceback" not in errors
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ})
    assert "1/11 text: tokenise, mask, truecase (reused)" in done.stderr
    assert (tmp_path / "model" / "manifest.json").exists()
    assert "Next: paraphrast paraphrase" in done.stdout


def test_a_closed_pipe_is_no_error(toy_model: Path, tmp_path: Path) -> None:
    lines = tmp_path / "many.txt"
    lines.write_text(f"{SENTENCE}\n" * 3000, encoding="utf-8")
    command = [sys.executable, "-m", "paraphrast", "paraphrase", "-m", str(toy_model), "-i", str(lines)]
    with subprocess.Popen(
        [*command, "--strength", "1", "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:  # quiet: kernels may have to be compiled first
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait(timeout=300) == 0


def test_json_is_utf8_whatever_the_encoding_of_the_terminal(tmp_path: Path) -> None:
    text = "\U0001f600 caf\u00e9 \u4e2d"
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "paraphrast", "identify", text, text, "--format", "json"]
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert json.loads(done.stdout.decode("utf-8"))["first"] == text
    code = (
        "import sys; from paraphrast.formats.jsonl import write_records; "
        f"write_records('-', [{{'a': {text!r}}}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment)
    assert json.loads(done.stdout.decode("utf-8"))["a"] == text

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import toy
from judgements import write_judgements
from paraphrast.cli.app import make_app
from paraphrast.errors import InputError
from paraphrast.formats.mt import MtOutput, MtSegment

RUN = CliRunner()
ROWS = list(toy.rows(120))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src").write_text("".join(f"{row[1]}\n" for row in ROWS), encoding="utf-8")
    (tmp_path / "ref").write_text("".join(f"{row[0]}\n" for row in ROWS), encoding="utf-8")
    (tmp_path / "out").write_text(
        "".join(f"{row[0].replace('law', 'act')}\n" for row in ROWS), encoding="utf-8"
    )
    return tmp_path


def test_references_are_written_and_scored(files: Path) -> None:
    arguments = ["references", str(files / "src"), str(files / "ref"), f"mine={files / 'out'}"]
    arguments += [
        "--model",
        "none",
        "--source-language",
        "de",
        "-o",
        str(files / "made.tsv"),
        "--format",
        "json",
    ]
    arguments += ["--sets", str(files / "sets.jsonl"), "--sample", str(files / "sample.tsv")]
    arguments += ["--report", str(files / "page.html"), "--references", "single,lattice", "-n", "3"]
    found = RUN.invoke(make_app(), arguments, catch_exceptions=False)
    record = json.loads(found.stdout)
    assert record["from"] == ["bitext", "spelling", "function"]
    scores = record["scores"]["bleu"]["systems"]["mine"]
    assert scores["lattice"] > scores["single"]
    lines = (files / "made.tsv").read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[0] for line in lines] == [row[0] for row in ROWS]
    assert {len(line.split("\t")) for line in lines} == {4}
    assert len((files / "sets.jsonl").read_text(encoding="utf-8").splitlines()) == record["sets"]["sets"]
    assert "<section>" in (files / "page.html").read_text(encoding="utf-8")
    told = RUN.invoke(
        make_app(),
        [*arguments[:3], "--model", "none", "--labelled", str(files / "sample.tsv")],
        catch_exceptions=False,
    )
    assert "Table 5. Syntactic accuracy of paraphrases" in told.stdout
    assert "equivalence sets" in told.stdout


def test_edits_go_to_standard_output_alone(files: Path) -> None:
    arguments = [
        "references",
        str(files / "src"),
        str(files / "ref"),
        "--model",
        "none",
        "--source-language",
        "de",
    ]
    found = RUN.invoke(
        make_app(), [*arguments, "-o", "-", "--write", "edits", "--kind", "best"], catch_exceptions=False
    )
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    assert len(rows) == len(ROWS)
    assert rows[0][0]["edits"] == []


def test_evaluate_mt_prints_metric_kind_level(files: Path) -> None:
    rows = []
    for number, (english, german, _) in enumerate(ROWS):
        worse = " ".join(word for place, word in enumerate(english.split()) if (place + number) % 3)
        outputs = {
            "a": MtOutput(english, 0.0),
            "b": MtOutput(worse, -1.0 - number % 5),
            "HUMAN": MtOutput("x", 9),
        }
        rows.append(MtSegment(str(number), german, (english,), outputs))
    write_judgements(files / "j.jsonl", rows)
    arguments = ["evaluate", "mt", str(files / "j.jsonl"), "--model", "none", "--source-language", "de"]
    arguments += ["--metric", "bleu,cder", "--references", "single,lattice", "--samples", "20"]
    record = json.loads(
        RUN.invoke(make_app(), [*arguments, "--format", "json"], catch_exceptions=False).stdout
    )
    assert set(record) == {"bleu", "cder"}
    assert set(record["bleu"]) == {"single", "lattice"}
    for level in ("segment", "system"):
        assert {"pearson", "spearman", "kendall", "low", "high"} <= set(record["bleu"]["lattice"][level])
    assert record["bleu"]["single"]["segment"]["pearson"] > 0.5
    assert record["cder"]["single"]["segment"]["pearson"] > 0.5
    told = RUN.invoke(make_app(), arguments, catch_exceptions=False).stdout
    for table in ("Table 1", "Tables 2 and 4", "Table 3"):
        assert table in told


def test_bad_input(files: Path) -> None:
    base = ["references", str(files / "src"), str(files / "ref")]
    assert RUN.invoke(make_app(), [*base, "--write", "yaml"]).exit_code == 2
    assert RUN.invoke(make_app(), [*base, "--kind", "lattice"]).exit_code == 2
    with pytest.raises(InputError, match="expected outputs to show"):
        RUN.invoke(make_app(), [*base, "--report", str(files / "p.html")], catch_exceptions=False)
    with pytest.raises(InputError, match="the same name"):
        RUN.invoke(make_app(), [*base, str(files / "out"), str(files / "out")], catch_exceptions=False)


def test_files_that_do_not_belong_together_are_refused(files: Path) -> None:
    lines = [f"{row[0]} {number} w{number}x w{number}y" for number, row in enumerate(ROWS)]
    (files / "ref").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (files / "out").write_text("".join(f"{line}\n" for line in [*lines[1:], lines[0]]), encoding="utf-8")
    base = [
        "references",
        str(files / "src"),
        str(files / "ref"),
        "--model",
        "none",
        "--source-language",
        "de",
    ]
    with pytest.raises(InputError, match="order of the references"):
        RUN.invoke(make_app(), [*base, str(files / "out")], catch_exceptions=False)
    found = RUN.invoke(
        make_app(),
        [*base, str(files / "out"), "--no-check", "--references", "single", "--tokeniser", "spaces"],
        catch_exceptions=False,
    )
    assert found.exit_code == 0
    swapped = ["references", str(files / "ref"), str(files / "src"), "--target-language", "en"]
    with pytest.raises(InputError, match="looks like German"):
        RUN.invoke(make_app(), swapped, catch_exceptions=False)


def test_the_source_language_is_identified_or_asked_for(files: Path) -> None:
    """Neither French nor Chinese is assumed: German sources are split as German, and unknown ones are refused."""
    base = ["references", str(files / "src"), str(files / "ref"), "--model", "none", "-o", "-"]
    named = RUN.invoke(make_app(), [*base, "--source-language", "de"], catch_exceptions=False)
    identified = RUN.invoke(make_app(), base, catch_exceptions=False)
    assert identified.stdout == named.stdout
    (files / "src").write_text("blorb zint\n" * len(ROWS), encoding="utf-8")
    with pytest.raises(InputError, match="--source-language"):
        RUN.invoke(make_app(), base, catch_exceptions=False)
    assert RUN.invoke(make_app(), [*base, "--source-language", "pl"], catch_exceptions=False).exit_code == 0
    rows = [MtSegment("1", "blorb zint", ("A law.",), {"a": MtOutput("A law.", 1.0)})]
    write_judgements(files / "j.jsonl", rows)
    with pytest.raises(InputError, match="--source-language"):
        RUN.invoke(
            make_app(), ["evaluate", "mt", str(files / "j.jsonl"), "--model", "none"], catch_exceptions=False
        )

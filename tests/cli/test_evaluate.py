"""`paraphrast evaluate aer` as a person uses it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from paraphrast.cli import run

PAIRS = [
    {
        "source": "The dog slept .",
        "target": "a Dog was sleeping .",
        "sureAlign": "1-1 2-3 3-4",
        "possibleAlign": "0-0 2-2",
    },
    {"source": "Rain fell .", "target": "it rained .", "sureAlign": "0-1 2-2", "possibleAlign": "1-1"},
]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """gold.json; the same gold as lines from 1, with its bitext; links of two aligners from 0."""
    (tmp_path / "gold.json").write_text(json.dumps(PAIRS), encoding="utf-8")
    (tmp_path / "gold.txt").write_text("2-2 3-4 4-5 1p1 3?3\n1-2 3-3 2p2\n", encoding="utf-8")
    (tmp_path / "text").write_text(
        "".join(f"{pair['source']} ||| {pair['target']}\n" for pair in PAIRS), encoding="utf-8"
    )
    (tmp_path / "links").write_text("0-0 1-1 2-2 3-4\n1-0 2-2\n", encoding="utf-8")
    (tmp_path / "other").write_text("1-1\n\n", encoding="utf-8")
    return tmp_path


def scored(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run(["evaluate", "aer", *arguments, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert isinstance(record, dict)
    return record


def test_json_has_the_figures(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = scored(capsys, str(files / "links"), str(files / "gold.json"))
    # A 6 links, S 5, P 8; A ∩ S: dog, ".", "."; A ∩ P: two possible ones more.
    assert record["precision"] == pytest.approx(5 / 6)
    assert record["recall"] == pytest.approx(3 / 5)
    assert record["aer"] == pytest.approx(1 - (3 + 5) / (6 + 5))
    assert record["f1"] == pytest.approx(2 * 5 / (6 + 8))
    assert record["identical"] == {"precision": 1, "recall": 1, "aer": 0, "f1": 1}
    non_identical = record["non_identical"]
    assert isinstance(non_identical, dict)
    assert non_identical["recall"] == 0
    assert {"intervals", "counts", "signature"} < set(record)
    assert "|base:0|links_base:0|" in str(record["signature"])


@pytest.mark.parametrize("first", [[], ["--first", "1"]])
def test_gold_as_lines_gives_the_same(
    files: Path, capsys: pytest.CaptureFixture[str], first: list[str]
) -> None:
    from_json = scored(capsys, str(files / "links"), str(files / "gold.json"))
    from_lines = scored(
        capsys, str(files / "links"), str(files / "gold.txt"), "--text", str(files / "text"), *first
    )
    for key in ("precision", "recall", "aer", "f1", "identical", "non_identical", "intervals", "counts"):
        assert from_lines[key] == from_json[key]


def test_without_text_there_are_no_kinds_of_words(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = scored(capsys, str(files / "links"), str(files / "gold.txt"))
    assert record["identical"] is None
    assert record["aer"] == pytest.approx(1 - 8 / 11)


def test_text_in_two_files_and_links_from_one(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side in ("source", "target"):
        (files / side).write_text("".join(f"{pair[side]}\n" for pair in PAIRS), encoding="utf-8")
    (files / "links1").write_text("1-1 2-2 3-3 4-5\n2-1 3-3\n", encoding="utf-8")
    text = ["--text", str(files / "source"), "--text", str(files / "target")]
    one = scored(capsys, str(files / "links1"), str(files / "gold.txt"), *text, "--links-first", "1")
    assert one["f1"] == pytest.approx(10 / 14)
    assert one["identical"] is not None


def test_the_table_for_people(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "aer", str(files / "links"), str(files / "gold.json")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "F1 (all links)" in lines[0]
    assert [line.split()[0] for line in lines[1:4]] == ["all", "identical", "non-identical"]
    assert "83.33 [" in lines[1]
    assert lines[-1].startswith("signature  aer|sentences:2|")


def test_seed_and_samples_decide_the_intervals(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(files / "links"), str(files / "gold.json")]
    assert scored(capsys, *paths, "--seed", "4") == scored(capsys, *paths, "--seed", "4")
    none = scored(capsys, *paths, "--samples", "0")["intervals"]
    assert isinstance(none, dict)
    assert none["aer"] is None
    assert run(["evaluate", "aer", *paths, "--samples", "0"]) == 0
    assert "[" not in capsys.readouterr().out


def test_links_from_a_pipe(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((files / "links").read_bytes())))
    assert scored(capsys, "-", str(files / "gold.json"))["f1"] == pytest.approx(10 / 14)


def test_a_baseline_is_compared(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(files / "links"), str(files / "gold.json"), "--baseline", str(files / "other")]
    record = scored(capsys, *paths)["difference"]
    assert isinstance(record, dict)
    assert record["total"]["recall"]["value"] == pytest.approx(3 / 5 - 1 / 5)
    assert set(record) == {"total", "identical", "non_identical"}
    assert run(["evaluate", "aer", *paths]) == 0
    assert "+40.00 p=" in capsys.readouterr().out


def test_a_picture_of_one_pair(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = files / "out.svg"
    scored(capsys, str(files / "links"), str(files / "gold.json"), "--draw", str(picture), "--sentence", "2")
    root = ET.fromstring(picture.read_text(encoding="utf-8"))
    words = [element.text for element in root if element.tag.endswith("text")]
    assert {"Rain", "rained", "Sentence pair 2"} <= set(words)
    assert "dog" not in words


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["links"], "expected links and their gold"),
        (
            ["links", "gold.json", "--draw", "x.svg", "--sentence", "3"],
            "--sentence: expected a number from 1 to 2, got 3",
        ),
        (["links", "gold.txt", "--draw", "x.svg"], "this gold has no words"),
        (["short", "gold.json"], "short:2: expected 2 lines, one per sentence pair as in"),
        (["far", "gold.json"], "far:2: expected positions in a target sentence of 3 words"),
        (["links", "gold.txt", "--text", "short_text"], "got 1"),
        (["links", "gold.txt", "--text", "text", "--text", "text", "--text", "text"], "got 3 files"),
        (["links", "gold.txt", "--text", "text", "--first", "0"], "gold.txt:1: expected positions"),
        (["links", "gold.json", "--text", "other_text"], "differs from the one in the gold"),
        (["links", "gold.json", "-o", "x"], "require --merge or --agreement"),
        (["--merge", "gold.json", "gold.txt"], "two annotations and --output"),
        (["--merge", "gold.txt", "gold.txt", "-o", "m", "--differences", "m"], "the same file"),
        (["links", "gold.txt", "--samples", str(10**20)], "--samples"),
        (["--agreement", "gold.json"], "expected two annotations, got fewer"),
        (
            ["--agreement", "gold.json", "one_pair.txt"],
            "one_pair.txt:2: expected 2 sentence pairs, as in gold.json, got 1",
        ),
        (
            ["--agreement", "gold.txt", "gold.txt", "--draw", "x.svg"],
            "cannot be combined with --merge or --agreement",
        ),
        (["links", "none.json"], "no such file"),
    ],
)
def test_mistakes_are_told(
    files: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(files)
    Path("short").write_text("0-0\n", encoding="utf-8")
    Path("far").write_text("0-0\n0-3\n", encoding="utf-8")
    Path("short_text").write_text("a ||| b\n", encoding="utf-8")
    Path("other_text").write_text("a ||| b\nc ||| d\n", encoding="utf-8")
    Path("one_pair.txt").write_text("1-1\n", encoding="utf-8")
    assert run(["evaluate", "aer", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not Path("x.svg").exists()


def test_two_annotations_are_merged(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "a").write_text("0-0 1-1 2p2\n0-0\n", encoding="utf-8")
    # No 0 in the second: it still counts as the first does.
    (files / "b").write_text("1p1 2p2\n1-1\n", encoding="utf-8")
    merged = files / "merged.txt"
    record = scored(capsys, "--merge", str(files / "a"), str(files / "b"), "-o", str(merged))
    assert merged.read_text(encoding="utf-8") == "0p0 1p1 2p2\n0p0 1p1\n"
    assert record["counts"] == {
        "sentences": 2, "first_sure": 3, "first_all": 4, "second_sure": 1, "second_all": 3, "differences": 4,
    }  # fmt: skip
    rows = (files / "merged.txt.differences.tsv").read_text(encoding="utf-8").splitlines()
    assert rows[1:] == [
        "1\t0-0\t\t\tsure\tnone",
        "1\t1-1\t\t\tsure\tpossible",
        "2\t0-0\t\t\tsure\tnone",
        "2\t1-1\t\t\tnone\tsure",
    ]


def test_merging_gold_with_text_names_the_words(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second = [{**PAIRS[0], "sureAlign": "1-1 2-3 3-4 0-0", "possibleAlign": "2-2"}, PAIRS[1]]
    (files / "second.json").write_text(json.dumps(second), encoding="utf-8")
    out = files / "merged.json"
    review = files / "review.tsv"
    paths = ["--merge", str(files / "gold.json"), str(files / "second.json"), "-o", str(out)]
    assert run(["evaluate", "aer", *paths, "--differences", str(review)]) == 0
    assert "agreement" in capsys.readouterr().out
    assert json.loads(out.read_text(encoding="utf-8"))[0]["possibleAlign"] == "0-0 2-2"
    assert review.read_text(encoding="utf-8").splitlines()[1:] == ["1\t0-0\tThe\ta\tpossible\tsure"]
    assert not Path(f"{out}.differences.tsv").exists()


def test_a_merger_on_standard_output_has_it_for_itself(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = str(files / "gold.txt")
    assert run(["evaluate", "aer", "--merge", gold, gold, "-o", "-"]) == 0
    printed = capsys.readouterr()
    assert printed.out == "1p1 2-2 3p3 3-4 4-5\n1-2 2p2 3-3\n"
    assert "agreement      100.00" in printed.err


def test_agreement_of_two_annotations(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = scored(capsys, "--agreement", str(files / "gold.txt"), str(files / "gold.json"))
    assert record["agreement"] == 1
    assert run(["evaluate", "aer", "--agreement", str(files / "gold.txt"), str(files / "gold.json")]) == 0
    assert "agreement      100.00 [100.00, 100.00]" in capsys.readouterr().out


def test_other_sentences_do_not_agree(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = [{**PAIRS[0], "source": "A dog slept ."}, PAIRS[1]]
    (files / "second.json").write_text(json.dumps(other), encoding="utf-8")
    assert run(["evaluate", "aer", "--agreement", str(files / "gold.json"), str(files / "second.json")]) == 2
    assert "the same sentences" in capsys.readouterr().err


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from paraphrast.cli import run; run(['evaluate', '--help']); run(['evaluate', 'aer', '--help']); "
        "print([m for m in ('numpy', 'numba', 'duckdb') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_picture_on_standard_output_has_it_for_itself(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(files / name) for name in ("links", "gold.json")]
    assert run(["evaluate", "aer", *arguments, "--draw", "-", "--samples", "0", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert ET.fromstring(out).tag.endswith("svg")
    assert "signature" in err

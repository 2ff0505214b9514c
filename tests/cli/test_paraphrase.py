"""`paraphrast paraphrase`: lattices, presets and reordering from the shell."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from paraphrast.cli import run
from paraphrast.formats.lattices import read_lattice

SENTENCE = "The committee will examine a big proposal tomorrow."


@pytest.mark.parametrize("ending", [".json", ".fst.txt", ".plf"])
def test_a_lattice_is_written_for_other_programs(
    toy_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    path = tmp_path / f"out{ending}"
    base = [
        "paraphrase",
        SENTENCE,
        "-m",
        str(toy_model),
        "-n",
        "2",
        "--strength",
        "1",
        "--lattice",
        str(path),
    ]
    assert run(base) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    whole = read_lattice(path).path_count()
    words = [words for words, _ in read_lattice(path).paths()]
    assert ("the", "committee", "will", "examine", "a", "big", "proposal", "tomorrow", ".") in words
    assert run([*base, "--lattice-edges", "3"]) == 0
    assert 1 < read_lattice(path).path_count() < whole
    assert run([*base, "--lattice-edges", "0"]) == 0
    assert read_lattice(path).path_count() == 1


def test_a_lattice_is_drawn(toy_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.svg"
    arguments = ["paraphrase", SENTENCE, "-m", str(toy_model), "--strength", "1", "--lattice", str(path)]
    assert run([*arguments, "--lattice-edges", "4"]) == 0
    picture = path.read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "showing 4 of " in picture
    assert "committee" in picture


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([SENTENCE, "--lattice", "out.gif"], ".svg"),
        (["--input", "in.txt", "--lattice", "out.svg"], "one text"),
        ([SENTENCE, "--preset", "nonsense"], "quirk"),
        ([SENTENCE, "--reorder", "99"], "reorder"),
    ],
)
def test_what_cannot_be_is_told_before_a_model_is_looked_for(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["paraphrase", *arguments, "-m", "no/such/model"]) == 2
    assert message in capsys.readouterr().err


def test_presets_and_reordering_change_the_list(toy_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for more in ([], ["--preset", "quirk"], ["--reorder", "3"]):
        assert run(["paraphrase", SENTENCE, "-m", str(toy_model), "-n", "50", "--strength", "1", *more]) == 0
        outputs.append(capsys.readouterr().out)
    assert len(set(outputs)) == 3


@pytest.mark.parametrize("quiet", [False, True])
def test_quiet_also_silences_the_notice_of_compilation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], quiet: bool
) -> None:
    notices: list[Callable[[], None]] = [lambda: print("of an earlier run", file=sys.stderr)]
    monkeypatch.setattr("paraphrast._jit.on_compile", notices)
    missing = ["paraphrase", "A dog.", "-m", str(tmp_path / "none")]
    assert run([*missing, *(["--quiet"] if quiet else [])]) == 2  # nothing is compiled
    capsys.readouterr()
    for notice in notices:
        notice()
    expected = "Compiling for this machine. This happens once and takes about a minute.\n"
    assert capsys.readouterr().err == ("" if quiet else expected)

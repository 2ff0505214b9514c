"""`paraphrast extract` as a person uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.cli import run
from paraphrast.formats.moses import read_phrase_table

BITEXT = "the house\tdas haus\nthe book\tdas buch\nbroken\nthe big house\tdas große haus\n"
LINKS = "0-0 1-1\n0-0 1-1\n\n0-0 1-1 2-2\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pairs.tsv").write_text(BITEXT, encoding="utf-8")
    (tmp_path / "links").write_text(LINKS, encoding="utf-8")
    return tmp_path


def test_a_table_of_a_bitext_with_a_bad_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(folder / name) for name in ("pairs.tsv", "links")]
    table = folder / "table.gz"
    assert run(["extract", *names, "--pretokenized", "-o", str(table)]) == 2
    assert "pairs.tsv:3" in capsys.readouterr().err
    assert not table.exists()
    assert run(["extract", *names, "--pretokenized", "--skip-bad", "-o", str(table)]) == 0
    told = capsys.readouterr().err
    assert "1 malformed" in told
    rows = {(row.source, row.target): row for row in read_phrase_table(table)}
    assert rows["the", "das"].counts == (3, 3, 3)
    assert rows["big house", "große haus"].alignment == ((0, 0), (1, 1))
    assert len(rows) == 9


def test_options_and_too_few_links(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(folder / name) for name in ("pairs.tsv", "links")]
    arguments = ["extract", *names, "--pretokenized", "--skip-bad"]
    assert run([*arguments, "--min-count", "2", "--max-length", "1", "--discount", "good-turing"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [line.split(" ||| ")[0] for line in out] == ["house", "the"]
    assert run([*arguments, "--threads", str(10**11)]) == 2
    assert "--threads" in capsys.readouterr().err
    assert run([*arguments, "--significance", "much"]) == 2
    assert "a number from 0" in capsys.readouterr().err
    (folder / "links").write_text("0-0\n", encoding="utf-8")
    assert run(arguments) == 2
    assert "expected links of 4 sentence pairs, got 1 lines" in capsys.readouterr().err


def test_two_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "en").write_text("the house\n", encoding="utf-8")
    (folder / "de").write_text("das haus\n", encoding="utf-8")
    arguments = [str(folder / name) for name in ("en", "links")]
    assert run(["extract", *arguments, "--target", str(folder / "de"), "--pretokenized"]) == 2
    assert "expected links of 1 sentence pairs, got 4 lines" in capsys.readouterr().err
    (folder / "links").write_text("0-0 1-1\n", encoding="utf-8")
    assert run(["extract", *arguments, "--target", str(folder / "de"), "--pretokenized"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3

"""Templates from articles to outputs that are compared with those of other systems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraphrast.cli import run
from paraphrast.errors import InputError
from paraphrast.formats.articles import Article, write_articles
from paraphrast.formats.outputs import read_outputs
from paraphrast.fusion.templates import (
    read_templates,
    rewrite_lines,
    templates_of_articles,
    write_templates,
)
from paraphrast.msa.options import BarzilayOptions

TOWNS = [("Basra", 3), ("Mosul", 5), ("Kirkuk", 9), ("Tikrit", 7)]
FIRST = [
    Article(f"a{count}", f"A bomber killed {count} people in {town}.", date=f"2004-05-0{count}")
    for town, count in TOWNS
]
SECOND = [
    Article(f"b{count}", f"In {town} a bombing claimed {count} lives.", date=f"2004-05-0{count}T10:00")
    for town, count in TOWNS
]
LOOSE = BarzilayOptions(similarity=0.2)


def test_articles_of_a_day_teach_and_files_keep_it(tmp_path: Path) -> None:
    pairs = templates_of_articles(FIRST, SECOND, LOOSE)
    assert len(pairs) == 1
    path = tmp_path / "templates.jsonl"
    assert write_templates(path, pairs) == 1
    lines = ["A bomber killed 12 people in Samarra.", "It rained."]
    (made,) = rewrite_lines(lines, read_templates(path), n=3)
    assert (made.source, made.text) == (lines[0], "In Samarra a bombing claimed 12 lives.")
    assert (made.system, made.rank) == ("msa", 1)
    with pytest.raises(InputError, match="cluster or a date"):
        templates_of_articles([Article("x", "A bomber killed 3 people in Basra.")])
    path.write_text("{}\n")
    with pytest.raises(InputError, match="pair of templates"):
        read_templates(path)


def test_copies_of_articles_are_left_out() -> None:
    copies = [Article(one.page, one.text, date=one.date, duplicate_of="a") for one in FIRST]
    assert templates_of_articles(FIRST, copies[:1] + SECOND, LOOSE) == templates_of_articles(
        FIRST, SECOND, LOOSE
    )


def test_msa_beside_other_systems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    articles, templates, inputs, made, other = (
        str(tmp_path / name) for name in ("a.jsonl", "t.jsonl", "in.txt", "msa.jsonl", "wn.tsv")
    )
    write_articles(articles, [*FIRST, *SECOND])
    assert run(["templates", "learn", articles, "-o", templates]) == 0
    assert run(["templates", "show", templates]) == 0
    assert "[1]" in capsys.readouterr().out
    Path(inputs).write_text("A bomber killed 12 people in Samarra.\nIt rained all day.\n")
    assert run(["templates", "rewrite", templates, inputs, "-o", made]) == 0
    assert "1 of 2 sentences" in capsys.readouterr().err
    assert [one.system for one in read_outputs(made)] == ["msa"]
    Path(other).write_text("It rained all day.\tIt rained all the day.\n")
    command = ["evaluate", "sentences", made, f"WN={other}", "--inputs", inputs, "--samples", "0"]
    assert run([*command, "--format", "json"]) == 0
    automatic = json.loads(capsys.readouterr().out)["automatic"]
    assert set(automatic) == {"msa", "WN"}
    assert automatic["msa"]["coverage"]["value"] == 0.5

"""Tables from PPDB and METEOR files."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from paraphrast.build.table_files import text_rows
from paraphrast.build.tables import build_table
from paraphrast.errors import InputError

PPDB = """\
[VB] ||| look at ||| examine ||| PPDB2.0Score=4.0 p(e|f)=1.5 p(f|e)=2.25 ||| 0-0 ||| Equivalence
[VB] ||| look at ||| study ||| PPDB2.0Score=2.0 p(e|f)=2.5 ||| 0-0 ||| OtherRelated
[VP] ||| look at ||| examine ||| PPDB2.0Score=4.0 p(e|f)=3.5 p(f|e)=1.0 ||| 0-0 ||| Equivalence
[VB] ||| look at ||| ignore ||| PPDB2.0Score=4.0 p(e|f)=1.0 ||| 0-0 ||| Exclusion
[VP] ||| give [NP,1] back ||| return [NP,1] ||| PPDB2.0Score=4.0 p(e|f)=1.0 ||| 0-0 ||| Equivalence
[NN] ||| one two three four five six seven eight ||| counting ||| p(e|f)=1.0 ||| 0-0 ||| Equivalence
[CD] ||| 12 houses ||| houses ||| p(e|f)=1.0 ||| 1-0 ||| ForwardEntailment
[NN] ||| , ||| . ||| p(e|f)=1.0 ||| 0-0 ||| Equivalence
[NN] ||| house ||| home ||| PPDB2.0Score=3.0 ||| 0-0 ||| Equivalence
"""


@pytest.fixture
def ppdb(tmp_path: Path) -> Path:
    path = tmp_path / "ppdb-2.0-s"
    path.write_text(PPDB)
    return path


def test_rows_of_ppdb(ppdb: Path) -> None:
    """Rules, long phrases, lost numbers, marks, exclusive words and rows without a probability are left out."""
    rows = list(text_rows(build_table("ppdb", [ppdb])))
    assert [(row.source, row.target) for row in rows] == [("look at", "examine"), ("look at", "study")]
    assert [row.score for row in rows] == pytest.approx([-1.5, -2.5])
    assert rows[0].features == {"reverse": pytest.approx(-2.25)}
    assert rows[1].features == {"reverse": None}


def test_options_of_ppdb(ppdb: Path) -> None:
    targets = [row.target for row in text_rows(build_table("ppdb", [ppdb], {"related": False}))]
    assert targets == ["ignore", "examine", "study"]
    targets = [row.target for row in text_rows(build_table("ppdb", [ppdb], {"min_score": 3.0}))]
    assert targets == ["examine"]
    targets = [row.target for row in text_rows(build_table("ppdb", [ppdb], {"top": 1}))]
    assert targets == ["examine"]


def test_rows_of_meteor(tmp_path: Path) -> None:
    path = tmp_path / "paraphrase-en"
    path.write_text("0.25\nlook at\nexamine\n0.5\nlook at\nstudy\n0\nlook at\nsee\n0.5\nhouse\nhouse\n")
    rows = list(text_rows(build_table("meteor", [path])))
    assert [row.target for row in rows] == ["study", "examine"]
    assert [math.exp(row.score) for row in rows] == pytest.approx([0.5, 0.25])


def test_a_file_without_paraphrases_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_text("")
    with pytest.raises(InputError, match="the file is empty"):
        build_table("meteor", [path])
    path.write_text("0.5\nhouse\nhouse\n0\nlook at\nsee\n")
    with pytest.raises(InputError, match="got none"):
        build_table("meteor", [path])

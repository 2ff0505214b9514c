"""The format of the Paraphrase Database, versions 1 and 2."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest

from paraphrast.errors import FormatError
from paraphrast.formats.ppdb import FORWARD, SCORE, format_ppdb, parse_ppdb, read_ppdb

VERSION_1 = "[VB] ||| look at ||| examine ||| p(e|f)=1.50000 p(f|e)=2.25000 Abstract=0.00000 ||| 0-0 1-0"
VERSION_2 = (
    "[NN] ||| big house ||| large house ||| PPDB2.0Score=4.50000 PPDB1.0Score=NA p(e|f)=0.50000 ||| 0-0 1-1"
    " ||| Equivalence"
)


def test_both_versions(tmp_path: Path) -> None:
    path = tmp_path / "ppdb.gz"
    path.write_bytes(gzip.compress(f"{VERSION_1}\n{VERSION_2}\n".encode()))
    first, second = read_ppdb(path)
    assert (first.category, first.source, first.target, first.entailment) == ("VB", "look at", "examine", "")
    assert first.features == {"p(e|f)": 1.5, "p(f|e)": 2.25, "Abstract": 0.0}
    assert first.alignment == ((0, 0), (1, 0))
    assert (second.entailment, second.features[SCORE]) == ("Equivalence", 4.5)
    assert math.isnan(second.features["PPDB1.0Score"])


def test_a_written_row_is_read_back() -> None:
    assert list(format_ppdb([parse_ppdb(VERSION_1)])) == [VERSION_1]
    row = parse_ppdb("[NN] ||| a ||| b ||| p(e|f)=1.00000 ||| 0-0 ||| OtherRelated")
    assert [parse_ppdb(line) for line in format_ppdb([row])] == [row]


def test_rules_are_recognised() -> None:
    assert parse_ppdb("[VP] ||| give [NP,1] back ||| return [NP,1] ||| p(e|f)=1 ||| 0-0").is_rule
    assert not parse_ppdb(VERSION_1).is_rule


def test_an_equals_sign_may_be_part_of_a_feature() -> None:
    assert parse_ppdb("[X] ||| a ||| b ||| x=y=2 p(e|f)=1 ||| ").features == {"x=y": 2.0, FORWARD: 1.0}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[X] ||| a ||| b ||| p(e|f)=1", "5 or 6 fields"),
        ("X ||| a ||| b ||| p(e|f)=1 ||| 0-0", "in brackets"),
        ("[X] |||  ||| b ||| p(e|f)=1 ||| 0-0", "empty field"),
        ("[X] ||| a ||| b ||| p(e|f)=high ||| 0-0", "FEATURE=NUMBER"),
        ("[X] ||| a ||| b ||| 1.5 ||| 0-0", "FEATURE=NUMBER"),
        ("[X] ||| a ||| b ||| p(e|f)=1 ||| 0:0", "links such as"),
    ],
)
def test_malformed_lines_are_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "ppdb"
    path.write_text(f"{VERSION_1}\n{line}\n")
    with pytest.raises(FormatError, match=message) as caught:
        list(read_ppdb(path))
    assert "ppdb:2" in str(caught.value)

"""Tables are read from models and from text; campaigns are reported with intervals."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from paraphrast.errors import InputError
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.formats.ratings import Item, Rating, Sealed
from paraphrast.formats.table_file import write_table_file
from paraphrast.study.ratings import phrase_scores, ranked, report_campaign
from paraphrast.types import PhraseRow, TableInfo, loose_table


def test_scores_of_text(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(
        "source\ttarget\tprobability\tcount\nbig\tlarge\t0.5\t3\nbig\thuge\t0.25\t1\n", encoding="utf-8"
    )
    scores = phrase_scores(str(path))
    assert scores == {"big": {"large": pytest.approx(math.log(0.5)), "huge": pytest.approx(math.log(0.25))}}
    assert ranked(scores) == {"big": ["large", "huge"]}
    path.write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(InputError, match="TSV with source"):
        phrase_scores(str(path))


def test_scores_of_a_model(toy_model: Path) -> None:
    scores = phrase_scores(str(toy_model), table="pivot")
    assert "large" in scores["big"]
    assert phrase_scores(str(toy_model)) == scores


def test_scores_of_a_table_file(tmp_path: Path) -> None:
    rows = [PhraseRow(("look", "at"), ("examine",), -1.0), PhraseRow(("look", "at"), ("see",), -2.0)]
    write_table_file(tmp_path / "t.parquet", loose_table(rows, TableInfo("test", "en", "none")))
    scores = phrase_scores(str(tmp_path / "t.parquet"))
    assert ranked(scores) == {"look at": ["examine", "see"]}
    assert scores["look at"]["examine"] == -1.0


def test_systems_are_compared_with_the_key_only() -> None:
    items = [Item(f"i{n}", "accuracy-fluency", "a", f"b{n}") for n in range(3)]
    ratings = [
        Rating(f"i{n}", "", rater, question, value)
        for n, value in enumerate([5, 4, 0])
        for rater in ("x", "y")
        for question in ("accuracy", "fluency")
    ]
    key = [Sealed("i0", "ours"), Sealed("i1", "ours", 2), Sealed("i2", "theirs")]
    options = BootstrapOptions(samples=20)
    assert report_campaign(items, ratings, None, options).systems == ()
    found = report_campaign(items, ratings, key, options)
    ours, theirs = found.systems[:2]
    assert (ours.system, ours.question, ours.share.value) == ("ours", "accuracy", 1.0)
    assert ours.mean is not None
    assert ours.mean.value == 4.5
    assert (theirs.share.accepted, theirs.share.total) == (0, 1)
    assert found.agreements[0].agreement is not None
    assert found.agreements[0].agreement.pearson == pytest.approx(1)
    assert found.to_dict()["progress"] == [
        {"rater": "x", "done": 3, "items": 3},
        {"rater": "y", "done": 3, "items": 3},
    ]

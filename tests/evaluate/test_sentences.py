"""The papers' tables from labels, by hand."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.evaluate.sentences import (
    acceptability,
    accepted,
    error_types,
    mean_value,
    qualities,
    share_accepted,
    top_accuracy,
)
from paraphrast.formats.outputs import SystemOutput

FEW = BootstrapOptions(samples=50)


def output(source: str, rank: int, *values: int, system: str = "PR", genre: str = "") -> SystemOutput:
    labels = {"acceptable": {f"r{number}": value for number, value in enumerate(values)}} if values else {}
    return SystemOutput(source, f"{source} {rank}", system, rank, genre, "", labels)


OUTPUTS = [
    output("a", 1, 1, 1, genre="news"),
    output("a", 2, 1, 0, genre="news"),
    output("b", 1, 0, 0, genre="novel"),
    output("b", 2, 1, 1, genre="novel"),
    output("c", 1, genre="novel"),
    output("a", 1, 0, 1, system="WN"),
]


def test_rules_for_raters_who_differ() -> None:
    split = output("a", 1, 1, 1, 0)
    assert accepted(split, "acceptable") == pytest.approx(2 / 3)
    assert accepted(split, "acceptable", rule="majority") == 1
    assert accepted(split, "acceptable", rule="all") == 0
    assert accepted(output("a", 1, 1, 0), "acceptable", rule="majority") == 0
    assert accepted(split, "taste") is None
    with pytest.raises(InputError, match="unknown rule"):
        accepted(split, "acceptable", rule="coin")


def test_table_2_has_a_line_a_system_and_rank() -> None:
    rows = acceptability(OUTPUTS, "acceptable", FEW)
    found = {(row.system, row.rank): (row.share.accepted, row.share.total) for row in rows}
    # The output nobody judged is left out of N.
    assert found == {("PR", 1): (1.0, 2), ("PR", 2): (1.5, 2), ("WN", 1): (0.5, 1)}
    assert (rows[0].system, rows[0].rank) == ("PR", 2)
    assert rows[0].share.text() == "1.5 / 2 = 75.0%"


def test_the_papers_own_misprint() -> None:
    rows = [output(str(number), 1, int(number < 177)) for number in range(200)]
    assert share_accepted(rows, "acceptable", FEW).text() == "177 / 200 = 88.5%"


def test_top_n_by_genre() -> None:
    table = top_accuracy([one for one in OUTPUTS if one.system == "PR"], "acceptable", FEW, tops=(1, 2))
    assert list(table) == ["", "news", "novel"]
    # Eq. 15: three inputs; at rank 1 one is accepted; c has nothing and counts as wrong.
    assert table[""][1].value == pytest.approx(1 / 3)
    assert table[""][2].value == pytest.approx(2.5 / 6)
    assert table["news"][2].value == pytest.approx(1.5 / 2)
    assert table["novel"][1].value == 0


def test_qualities_and_edit_distance() -> None:
    labels = {"rearrangement": {"x": 0}, "alternation": {"x": 1}, "added": {"x": 0}, "lost": {"x": 1}}
    rows = [
        SystemOutput("a b c", "a b d", "PR", 1, labels=labels),
        SystemOutput("a b c", "x y z", "PR", 1, labels={**labels, "lost": {"x": 0}}),
        SystemOutput("a b c", "q", "PR", 2, labels=labels),
        SystemOutput("a b c", "q", "WN", 1),
    ]
    (column,) = qualities(rows, FEW)
    assert column.system == "PR"
    assert column.edit_distance == 2
    assert {name: share.value for name, share in column.qualities.items()} == {
        "rearrangement": 0, "alternation": 1, "added": 0, "lost": 0.5,
    }  # fmt: skip


def test_error_types() -> None:
    rows = [
        SystemOutput("a", "b", labels={"error": {"x": 1, "y": 2}}),
        SystemOutput("c", "d", labels={"error": {"x": 3}}),
        SystemOutput("e", "f", labels={"acceptable": {"x": 1}}),
    ]
    found = error_types(rows, FEW)
    assert {name: share.value for name, share in found.items()} == {
        "syntactic": 0.25, "semantic": 0.25, "non-paraphrase": 0.5,
    }  # fmt: skip
    assert error_types([], FEW)["semantic"].value is None


def test_graded_means() -> None:
    rows = [
        SystemOutput("a", "b", labels={"fluency": {"x": 5, "y": 3}}),
        SystemOutput("c", "d", labels={"fluency": {"x": 1}}),
    ]
    found = mean_value(rows, "fluency", FEW)
    assert found is not None
    assert (found.value, found.count) == (2.5, 2)
    assert found.to_dict()["mean"] == 2.5
    assert mean_value(rows, "taste") is None
    assert share_accepted(rows, "taste").to_dict()["share"] is None

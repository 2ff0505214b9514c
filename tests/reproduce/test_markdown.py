from __future__ import annotations

from dataclasses import replace

import pytest

from paraphrast.errors import FormatError
from paraphrast.reproduce.markdown import (
    BEGIN,
    END,
    cell_text,
    cost,
    filled_page,
    item_lines,
    joined,
    overview,
    paper_lines,
)
from paraphrast.reproduce.records import Cell, Paper, Printed

ITEM = Printed(
    "table-2",
    "scores",
    ("", "paper"),
    (("V1", 1.5), ("V2", 2.0)),
    verdict="denied",
    why="Because.",
    headline=("V1", "V2"),
)
RECORD = {
    "run": "full",
    "header": ["", "ours"],
    "rows": [["V2", 2.5], ["V3", None]],
    "data": "ours",
    "notes": ["A note."],
    "pictures": ["x.svg"],
    "cpu_seconds": 150.0,
    "peak_megabytes": 1200,
    "measured_by": "`command`",
}


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "–"),
        ("", ""),
        (12345, "12,345"),
        (-0.5, "−0.50"),
        ([0.5, 0.25, 0.75], "0.50 (0.25 to 0.75)"),
        ("p(a | b)", "p(a \\| b)"),
    ],
)
def test_cells(cell: Cell, text: str) -> None:
    assert cell_text(cell, 2) == text


def test_tables_with_common_rows_are_side_by_side() -> None:
    (lines,) = joined(ITEM, RECORD["header"], RECORD["rows"])  # type: ignore[arg-type]
    assert lines == [
        "|  | paper | ours |",
        "|---|---|---|",
        "| V1 | 1.50 | – |",
        "| V2 | 2.00 | 2.50 |",
        "| V3 | – | – |",
    ]


def test_tables_without_common_rows_follow_each_other() -> None:
    first, second = joined(ITEM, ("cluster", "mean"), (("news", 3.0),))
    assert first[0] == "| paper | paper |"
    assert second == ["| ours: cluster | mean |", "|---|---|", "| news | 3.00 |"]


def test_an_item_says_how_it_was_measured() -> None:
    text = "\n".join(item_lines(ITEM, RECORD, "figures/"))
    assert text.startswith("### Table 2: scores\n")
    for part in ("![scores](figures/x.svg)", "- A note.", "**Cost**: 2.5 CPU minutes", "1,200 MB"):
        assert part in text
    assert "- **Verdict**: denied. Because." in text
    small = "\n".join(item_lines(ITEM, {**RECORD, "run": "small"}, ""))
    assert "says nothing about quality" in small
    assert "Verdict" not in small


def test_an_item_that_was_not_made_says_so() -> None:
    paper = Paper("some-2001", "Some 2001", (ITEM,))
    lines = paper_lines(paper, {})
    assert "| Table 2: scores | V1: 1.50 | – | not made | denied |" in lines
    made = paper_lines(paper, {"table-2": RECORD})
    assert "| Table 2: scores | V1: 1.50 | V2: 2.50 | full | denied |" in made
    assert "- **Ours**: not made yet." in lines
    assert cost({}) == "not recorded; see the page named above"


@pytest.mark.parametrize(("label", "text"), [("last", "V3: –"), ("first 1", "V2: 2.50"), ("V9", "")])
def test_the_row_of_an_overview(label: str, text: str) -> None:
    item = replace(ITEM, headline=("", label))
    (line,) = [one for one in overview(Paper("a", "A", (item,)), {"table-2": RECORD}) if "Table 2" in one]
    assert line == f"| Table 2: scores | – | {text or '–'} | full | denied |"


def test_only_the_marked_part_of_a_page_changes() -> None:
    page = f"# Title\n\n{BEGIN}\nold\n{END}\n\nRest.\n"
    filled = filled_page(page, ["new"], "page.md")
    assert filled == f"# Title\n\n{BEGIN}\n\nnew\n\n{END}\n\nRest.\n"
    assert filled_page(filled, ["new"], "page.md") == filled
    with pytest.raises(FormatError, match="add both to the page"):
        filled_page("# Title\n", ["new"], "page.md")

"""Every table and figure of every paper has an item, a maker, and figures of its own or a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from paraphrast.errors import InputError
from paraphrast.reproduce.papers import MAKERS, chosen_items, makers_of, papers_of, read_paper
from paraphrast.reproduce.runner import read_results, results_file

FIGURES = Path(__file__).parents[2] / "docs" / "papers" / "figures"
#: Paper → numbers of its tables and figures.
NUMBERED = {
    "quirk-2004": (3, 3),
    "shen-2006": (6, 6),
    "owczarzak-2006": (6, 0),
    "martzoukos-monz-2012": (1, 9),
    "zhao-2008": (3, 0),
}
VERDICTS = ("confirmed", "denied", "not comparable", "not rated")


@pytest.mark.parametrize("name", MAKERS)
def test_every_table_and_figure_has_an_item(name: str) -> None:
    paper = read_paper(name)
    ids = [item.id for item in paper.items]
    tables, figures = NUMBERED[name]
    expected = [f"table-{n}" for n in range(1, tables + 1)] + [f"figure-{n}" for n in range(1, figures + 1)]
    assert [one for one in ids if re.search(r"-\d+$", one)] == expected
    assert len(set(ids)) == len(ids)
    assert set(makers_of(name)) == set(ids)


@pytest.mark.parametrize("name", MAKERS)
def test_every_item_has_a_verdict_and_numbers_of_the_paper(name: str) -> None:
    for item in read_paper(name).items:
        assert item.verdict.startswith(VERDICTS), item.id
        assert all(len(row) == len(item.header) for row in item.rows), item.id


@pytest.mark.parametrize("name", MAKERS)
def test_published_figures_say_where_they_are_from(name: str) -> None:
    """Each item has a record, except those that were never rated; no record is of a small run."""
    records = read_results(results_file(FIGURES, name))
    items = {item.id: item for item in read_paper(name).items}
    assert set(records) <= set(items)
    assert {one for one in items if one not in records} <= {
        one for one, item in items.items() if item.verdict == "not rated"
    }
    for key, record in records.items():
        assert record["run"] in ("full", "carried"), key
        assert record["measured_by"], key
        assert all(len(row) == len(record["header"]) for row in record["rows"]), key
        for picture in record["pictures"]:
            assert (FIGURES / picture).exists(), picture


def test_papers_and_items_are_chosen_by_name() -> None:
    assert papers_of("all") == tuple(MAKERS)
    assert papers_of("zhao-2008") == ("zhao-2008",)
    with pytest.raises(InputError, match="unknown paper"):
        papers_of("zhao")
    paper = read_paper("shen-2006")
    assert [item.id for item in chosen_items(paper, "4")] == ["table-4"]
    assert [item.id for item in chosen_items(paper, "figure-1")] == ["figure-1"]
    assert chosen_items(paper, None) == paper.items
    with pytest.raises(InputError, match="has no item"):
        chosen_items(paper, "9")

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.queries import Click, read_clicks
from paraphrast.tables.resources.kinds import TableJob
from paraphrast.tables.resources.options import QueryOptions
from paraphrast.tables.resources.queries import QueriesKind, click_rows, clusters_of, duplicate_rows, misspelt

LOG = [
    Click("cheap flights", "a", 3),
    Click("cheap flights", "b", 1),
    Click("low cost flights", "a", 2),
    Click("low cost flights", "c", 1),
    Click("garden tools", "d", 9),
]


def found(rows: list[Any]) -> dict[tuple[str, str], float]:
    return {(" ".join(row.source), " ".join(row.target)): row.score for row in rows}


def test_equation_10_by_hand() -> None:
    """One of 2 and 3 words, one of 2 and 2 documents: .4 · 2/5 + .6 · 2/4 = .46."""
    rows = click_rows(LOG, "en", None, QueryOptions(beta=0.4, th4=0.4))
    assert found(rows) == {
        ("cheap flights", "low cost flights"): pytest.approx(math.log(0.46)),
        ("low cost flights", "cheap flights"): pytest.approx(math.log(0.46)),
    }
    assert {row.count for row in rows} == {3}
    assert click_rows(LOG, "en", None, QueryOptions(beta=0.4, th4=0.46)) == []


def test_misspellings_are_one_letter_from_a_common_word() -> None:
    counts = {"windows": 100, "widows": 2, "wnidows": 1, "garden": 3, "widowers": 1, "windy": 90}
    assert misspelt(counts, QueryOptions()) == {"widows", "wnidows"}


def test_misspelt_queries_are_left_out() -> None:
    log = [Click(f"windows {number}", "x", 1) for number in ("one", "two")] * 30
    log += [Click("widows vista", "a", 1), Click("windows vista", "a", 1)]
    log += [Click(f"windows help {letter}", letter, 1) for letter in "bcdefghijklmnopqrstuvwxyz"]

    def has_misspelling(options: QueryOptions) -> bool:
        return any("widows" in row.source + row.target for row in click_rows(log, "en", None, options))

    assert has_misspelling(QueryOptions(th4=0.3, rare=0))
    assert not has_misspelling(QueryOptions(th4=0.3))


def test_clusters_are_closed() -> None:
    clicks = clusters_of(["a", "b", "x"], ["b", "c", "y"])
    groups = {click.query: click.document for click in clicks}
    assert groups["a"] == groups["b"] == groups["c"] != groups["x"] == groups["y"]


def test_differences_of_duplicates() -> None:
    """Nine words and eight of them shared: content 16/18, so .4 · 16/18 + .6."""
    first = ["How can I become a really good geologist quickly?"]
    second = ["How can I become a really great geologist quickly?"]
    rows = duplicate_rows(first, second, "en", None, QueryOptions())
    value = 0.4 * 2 * 9 / 20 + 0.6
    assert found(rows) == {
        ("good", "great"): pytest.approx(math.log(value)),
        ("great", "good"): pytest.approx(math.log(value)),
    }
    assert duplicate_rows(first, second, "en", None, QueryOptions(difference=0.97)) == []


def test_kind_reads_both(tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    log.write_text("".join(f"{click.query}\t{click.document}\t{click.count}\n" for click in LOG))
    assert list(read_clicks(log)) == LOG
    assert len(QueriesKind().build(TableJob([log]), QueryOptions(th4=0.4))) == 2
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("How can I be a good cook?\tHow can I be a great cook?\n")
    table = QueriesKind().build(TableJob([pairs]), QueryOptions(duplicates=True))
    assert ("good",) in [table.phrase(index) for index in table.table.source]


@pytest.mark.parametrize("line", ["one", "a\tb\tx", "a\tb\t0", "a\tb\t1\t2"])
def test_bad_lines_are_named(line: str, tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    log.write_text("a\tb\t1\n" + line + "\n")
    with pytest.raises(FormatError, match=r"log\.tsv:2"):
        list(read_clicks(log))


def test_empty_and_wrong_options() -> None:
    with pytest.raises(InputError, match="no rows"):
        click_rows([], "en", None, QueryOptions())
    with pytest.raises(InputError, match="longest"):
        QueryOptions(longest=9)

"""Tables that stand alone are merged by mixture and compared row by row."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from paraphrast.build.table_files import compare_tables, merge_tables, text_rows
from paraphrast.cli.app import make_app
from paraphrast.errors import InputError
from paraphrast.formats.table_file import read_table_file, write_table_file
from paraphrast.types import LooseTable, PhraseRow, TableInfo, loose_table


def table(kind: str, rows: dict[tuple[str, str], float], language: str = "en") -> LooseTable:
    """A table of probabilities of pairs."""
    info = TableInfo(kind, language, f"{kind}|by hand", features={"rank": {"direction": "higher"}})
    made = (
        PhraseRow(tuple(pair[0].split()), tuple(pair[1].split()), math.log(p), 2, {"rank": -1.0})
        for pair, p in rows.items()
    )
    return loose_table(made, info, ["rank"])


FIRST = table("first", {("big", "large"): 0.6, ("look at", "see"): 0.2})
SECOND = table("second", {("big", "large"): 0.2, ("big", "huge"): 0.5})


def test_merging_mixes_and_forgets_nothing() -> None:
    merged = merge_tables([("a", FIRST), ("b", SECOND)], [3, 1])
    rows = {(row.source, row.target): row for row in text_rows(merged)}
    assert math.exp(rows["big", "large"].score) == pytest.approx(0.75 * 0.6 + 0.25 * 0.2)
    assert math.exp(rows["look at", "see"].score) == pytest.approx(0.75 * 0.2)
    assert rows["big", "large"].count == 4
    assert rows["big", "large"].features["b_score"] == pytest.approx(math.log(0.2))
    assert rows["big", "huge"].features["a_score"] is None
    assert rows["big", "huge"].features["b_rank"] == -1.0


def test_merging_refuses_what_makes_no_sense() -> None:
    with pytest.raises(InputError, match="at least two"):
        merge_tables([("a", FIRST)])
    with pytest.raises(InputError, match="one language"):
        merge_tables([("a", FIRST), ("b", table("x", {("a", "b"): 0.5}, "de"))])
    for weights in ([1.0], [1.0, 0.0], [1.0, math.nan]):
        with pytest.raises(InputError, match="2 weights"):
            merge_tables([("a", FIRST), ("b", SECOND)], weights)


def test_equal_names_stay_apart() -> None:
    merged = merge_tables([("t-1", FIRST), ("t.1", SECOND)])
    assert {"t_11_score", "t_12_score"} <= set(merged.table.features)


def test_differences() -> None:
    found = compare_tables(FIRST, SECOND)
    assert [(row.source, row.target) for row in found.only_first] == [("look at", "see")]
    assert [(row.source, row.target) for row in found.only_second] == [("big", "huge")]
    assert len(found.changed) == 1
    assert found.same == 0
    assert compare_tables(FIRST, FIRST).same == 2


def test_commands(tmp_path: Path) -> None:
    one, two, made = (str(tmp_path / f"{name}.parquet") for name in ("one", "two", "made"))
    write_table_file(one, FIRST)
    write_table_file(two, SECOND)
    run = CliRunner()
    assert run.invoke(make_app(), ["table", "merge", one, two, "-o", made]).exit_code == 0
    assert len(read_table_file(made)) == 3
    shown = run.invoke(make_app(), ["table", "show", made, "--phrase", "big"])
    assert "merged (en)" in shown.output
    assert "huge" in shown.output
    assert "look at" not in shown.output
    assert "first|" not in shown.output
    counts = json.loads(run.invoke(make_app(), ["table", "diff", one, two, "--format", "json"]).output)
    assert counts == {"same": 0, "changed": 1, "only_first": 1, "only_second": 1}
    assert "+ big\thuge\t0.50000" in run.invoke(make_app(), ["table", "diff", one, two]).output
    tsv = run.invoke(make_app(), ["table", "export", one, "--to", "tsv"]).output.splitlines()
    assert tsv[0].split("\t")[:4] == ["source", "target", "probability", "count"]
    assert len(tsv) == 3

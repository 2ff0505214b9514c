"""Explanations against the Parquet tables, and without an SQL engine."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import paraphrast
import toy
from paraphrast.engine import Engine
from paraphrast.errors import InputError, ModelError
from paraphrast.formats.phrases import load_phrases
from paraphrast.model import paraphrases_of
from paraphrast.model.folder import FORMAT_VERSION
from paraphrast.model.lookup import PhraseIndex, TableRows
from paraphrast.model.spelling import spelled
from paraphrast.study.model_tables import read_rows
from paraphrast.tables.checks.vetoes import VETOES
from paraphrast.text import get_language
from paraphrast.types import MAX_PHRASE, ParaphraseTable, Phrases, TableInfo


def test_explanations_have_the_values_of_the_parquet_tables(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    rows = list(read_rows(model, "pivot", vetoed=True))
    by_source: dict[str, list[str]] = {}
    for row in rows:
        by_source.setdefault(row.source, []).append(row.target)
    checked = 0
    for row in rows[:: len(rows) // 100]:
        (evidence,) = model.explain(row.source, row.target).tables
        assert (evidence.table, evidence.score, evidence.count) == ("pivot", row.score, row.count)
        assert evidence.features == row.features
        assert evidence.vetoes == tuple(name for name, bit in VETOES.items() if row.veto & bit)
        assert evidence.rank == 1 + by_source[row.source].index(row.target)
        assert evidence.of == len(by_source[row.source])
        checked += 1
    assert checked >= 100


def test_paraphrases_are_the_allowed_rows_of_the_parquet_tables(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    allowed = [(row.target, math.exp(row.score)) for row in read_rows(model, "pivot", "examine")]
    assert len(allowed) > 1
    assert paraphrases_of(model, "examine", 100) == allowed
    assert paraphrases_of(model, "examine", 1) == allowed[:1]


def test_pivots_cite_raw_sentences_of_the_corpus(toy_model: Path) -> None:
    pivots = paraphrast.load(toy_model).explain("proposal", "plan").pivots
    assert [(pivot.language, pivot.phrase) for pivot in pivots][:1] == [("de", "vorschlag")]
    assert {pivot.language for pivot in pivots} == {"de", "fr"}
    lines = (toy_model.parent / "bitext.tsv").read_text(encoding="utf-8").splitlines()
    cited = [seen for pivot in pivots for seen in (pivot.source_seen, pivot.target_seen) if seen is not None]
    assert cited
    for seen in cited:
        assert seen.text == lines[seen.line - 1].split("\t")[0]
        assert (seen.corpus, seen.licence) == ("bitext.tsv", "ours")


def test_an_unknown_feature_is_none(toy_model: Path, tmp_path: Path) -> None:
    shutil.copytree(toy_model, tmp_path / "model")
    path = tmp_path / "model" / "lookup" / "pivot" / "features.npy"
    values = np.load(path)
    column = json.loads((toy_model / "lookup" / "tables.json").read_text())["pivot"].index("in_de")
    values[:, column] = np.nan
    np.save(path, values)
    whole = paraphrast.load(toy_model).explain("proposal", "plan").tables[0].features
    partial = paraphrast.load(tmp_path / "model").explain("proposal", "plan").tables[0].features
    assert whole["in_de"] is not None
    assert partial == {**whole, "in_de": None}


def test_pairs_that_no_table_has_are_refused_with_others(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    with pytest.raises(InputError, match="no table of the model rewrites") as error:
        model.explain("proposal", "law")
    assert "plan" in str(error.value.remedy)
    with pytest.raises(InputError, match="does not know the phrase"):
        model.explain("xyzzy", "plan")


BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("duckdb", "scipy"):
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
from paraphrast.cli import run
assert run(sys.argv[1:]) == 0
print(sorted(name for name in sys.modules if name.startswith("paraphrast.")), file=sys.stderr)
"""


@pytest.mark.parametrize("command", [["explain", "proposal", "plan"], ["explain", "proposal"]])
def test_explaining_needs_neither_duckdb_nor_scipy_nor_parquet(
    toy_model: Path, tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model"
    shutil.copytree(toy_model, model, ignore=shutil.ignore_patterns("*.parquet"))
    arguments = [*command, "-m", str(model), "--format", "json"]
    done = subprocess.run([sys.executable, "-c", BLOCKED, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert paraphrast_run([*command, "-m", str(toy_model), "--format", "json"]) == 0
    assert done.stdout == capsys.readouterr().out
    for room in ("training", "build", "study", "engine"):
        assert f"'paraphrast.{room}" not in done.stderr


def paraphrast_run(arguments: list[str]) -> int:
    from paraphrast.cli import run

    return run(arguments)


def test_an_older_format_names_the_command_that_rebuilds_it(toy_model: Path, tmp_path: Path) -> None:
    shutil.copytree(toy_model, tmp_path / "old")
    path = tmp_path / "old" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    assert manifest["format_version"] == FORMAT_VERSION
    path.write_text(json.dumps({**manifest, "format_version": 1}), encoding="utf-8")
    with pytest.raises(ModelError, match="expected model format 2, got 1") as error:
        paraphrast.load(tmp_path / "old")
    assert "paraphrast train CONFIG.toml" in str(error.value.remedy)


@pytest.mark.parametrize(("name", "change"), [("lookup/pivot/target", 1), ("lookup/pivot/begin", 2)])
def test_damaged_arrays_are_refused(toy_model: Path, tmp_path: Path, name: str, change: int) -> None:
    shutil.copytree(toy_model, tmp_path / "damaged")
    path = tmp_path / "damaged" / f"{name}.npy"
    np.save(path, np.load(path)[:-change])
    with pytest.raises(ModelError, match="do not fit together"):
        paraphrast.load(toy.seal(tmp_path / "damaged")).explain("proposal", "plan")


def test_phrases_are_looked_up_by_words(toy_model: Path) -> None:
    with Engine(threads=1) as engine:
        phrases, _ = load_phrases(engine, toy_model / "phrases.parquet")
    model = paraphrast.load(toy_model)
    index = model.lookup.phrases
    for number in range(0, len(phrases), 7):
        assert index.words_of(number) == tuple(phrases.ids_of(number))
        assert index.find(phrases.ids_of(number)) == number
    assert index.find((10**6,)) is None
    assert index.find(()) is None
    assert spelled(["EU", "'s"], 1, get_language("en")) == "EU's"


def test_rows_are_sorted_and_counted_by_source() -> None:
    words = np.full((3, MAX_PHRASE), -1, np.int32)
    words[:, 0] = [20, 10, 15]
    assert PhraseIndex.of(Phrases(words, np.zeros(3, np.uint8))).order.tolist() == [1, 2, 0]
    table = ParaphraseTable(
        np.array([2, 0, 2, 2], np.int32),
        np.array([0, 1, 1, 2], np.int32),
        np.array([1, 2, 3, 4]),
        np.array([-2, -1, -1, -1], np.float32),
        {},
        TableInfo("test", "en", ""),
    )
    rows = TableRows.of(table, 3)
    assert rows.begin.tolist() == [0, 1, 1, 4]
    assert rows.target[list(rows.rows_of(2))].tolist() == [1, 2, 0]
    assert rows.count[list(rows.rows_of(2))].tolist() == [3, 4, 1]
    assert rows.veto.tolist() == [0, 0, 0, 0]
    assert rows.features.shape == (4, 0)

"""Counting and pivoting on Spark, from the shards to the table: the same rows as on DuckDB, in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import paraphrast
import toy
from paraphrast.engine.spark import SparkEngine
from paraphrast.formats.shards import split_text
from paraphrast.training import extract, pivot, text
from paraphrast.training.config import as_config, read_config
from paraphrast.training.recipe import Resources, make_recipe


def stage_content(folder: Path) -> dict[str, Any]:
    """The files of a stage; of Parquet files the rows, because statistics of columns depend on the engine."""
    from pyarrow import parquet  # type: ignore[import-untyped]

    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: parquet.read_table(path).to_pydict() if path.suffix == ".parquet" else path.read_bytes()
        for name, path in files.items()
        if name != "stage.json"
    }


def test_stages_write_the_same_rows(
    spark: SparkEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def shared(*_: Any) -> Iterator[SparkEngine]:
        yield spark

    config = toy.write_config(tmp_path, 90)
    model = paraphrast.train(config, tmp_path / "model", threads=1, keep_work=True)
    work, recipe = Path(f"{model}.work"), make_recipe(read_config(config))
    monkeypatch.setattr(extract, "SHARD", 30)
    monkeypatch.setattr(pivot, "CHUNK_ROWS", 200)
    for module in (extract, pivot):
        monkeypatch.setattr(module, "open_engine", shared)
    for name, run in (
        ("extract-de", partial(extract.extract_phrases, language="de")),
        ("pivot", pivot.pivot_table),
    ):
        (tmp_path / name).mkdir()
        run(recipe, Resources(), work, tmp_path / name, lambda *_: None)
        assert stage_content(tmp_path / name) == stage_content(work / name)


def test_workers_read_the_shards_of_a_source(
    spark: SparkEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def shared(*_: Any) -> Iterator[SparkEngine]:
        yield spark

    bitext = tmp_path / "bitext.tsv"
    bitext.write_text("".join("\t".join(row[:2]) + "\n" for row in toy.rows(30)), encoding="utf-8")
    split_text(bitext, tmp_path / "shards", 11)
    for name, place in (("one", bitext), ("many", tmp_path / "shards")):
        source = {"path": str(place), "columns": ["en", "de"], "lines": [3, 28]}
        (tmp_path / name).mkdir()
        recipe = make_recipe(as_config({"bitext": [source]}))
        text.encode_text(recipe, Resources(threads=1), tmp_path, tmp_path / name, lambda *_: None)
        monkeypatch.setattr(text, "open_engine", shared)
    assert stage_content(tmp_path / "many") == stage_content(tmp_path / "one")

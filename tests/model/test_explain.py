"""What the model knows of a pair, also where a table does not know all."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np

import paraphrast
from paraphrast.engine import Engine
from paraphrast.formats.table_file import load_table, save_table


def test_a_score_that_a_table_lacks_is_none(toy_model: Path, tmp_path: Path) -> None:
    shutil.copytree(toy_model, tmp_path / "model")
    path = tmp_path / "model" / "tables" / "pivot.parquet"
    with Engine(threads=1) as engine:
        table = load_table(engine, path)
        unknown = np.full(len(table), np.nan, dtype=np.float32)
        path.unlink()
        save_table(engine, replace(table, features={**table.features, "in_de": unknown}), path)
    whole = paraphrast.load(toy_model).explain("proposal", "plan").tables[0]
    found = paraphrast.load(tmp_path / "model").explain("proposal", "plan").tables[0]
    assert whole.features["in_de"] is not None
    assert found == replace(whole, features={**whole.features, "in_de": None})

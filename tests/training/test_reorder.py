"""Reordering and evidence are written in pieces: the size of the pieces changes nothing."""

from __future__ import annotations

import shutil
from functools import partialmethod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paraphrast
import toy
from paraphrast.engine import Engine
from paraphrast.extract import pool_orientations
from paraphrast.formats import orientation
from paraphrast.training import evidence, reorder
from paraphrast.training.work_folder import phrase_keys


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration of a toy model that was trained; its work folder is beside it."""
    folder = tmp_path_factory.mktemp("pieces")
    config = toy.write_config(folder, 200, extra="[model]\npivots = 2\n")
    paraphrast.train(config, folder / "model", threads=1, keep_work=True)
    return config


def test_the_stage_is_the_pooled_model_of_all_counts(config: Path) -> None:
    work = Path(f"{config.parent / 'model'}.work")
    keys = phrase_keys(work, "en", 5)
    stores, counts = [], []
    with Engine(threads=1) as engine:
        for language in ("de", "fr"):
            rows = engine.read_parquet(work / f"extract-{language}" / "orientation.parquet")
            stores.append(keys.unpack(rows, "s"))
            counts.append(np.column_stack([rows[name] for name in reorder.OUTCOMES]))
    expected = pool_orientations(stores, counts)
    assert len(expected) > 50
    stored = {
        name: np.load(work / "reorder" / f"{name}.npy") for name in ("words", "mono", "swap", "overall")
    }
    assert stored["words"].tolist() == expected.phrases.words.tolist()
    assert stored["mono"].tolist() == expected.mono.tolist()
    assert stored["swap"].tolist() == expected.swap.tolist()
    assert stored["overall"].tolist() == [expected.overall_mono, expected.overall_swap]


def test_small_pieces_give_the_same_model(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = config.parent / "model"
    before = {path.relative_to(model): path.read_bytes() for path in model.rglob("*") if path.is_file()}
    ranges: list[int] = []
    write_range = evidence._write_range

    def counted(writer: Any, columns: Any, *rest: Any) -> int:
        ranges.append(len(columns["p"]))
        return write_range(writer, columns, *rest)

    monkeypatch.setattr(evidence, "_write_range", counted)
    monkeypatch.setattr(evidence, "_ROWS", 5)
    monkeypatch.setattr(evidence, "_LINES", 7)
    monkeypatch.setattr(orientation, "PIECE", 11)
    monkeypatch.setattr(Engine, "read_pieces", partialmethod(Engine.read_pieces, size=7))
    shutil.rmtree(Path(f"{model}.work") / "reorder")
    paraphrast.train(config, model, threads=1, keep_work=True, force=True)
    assert len(ranges) > 3
    after = {path.relative_to(model): path.read_bytes() for path in model.rglob("*") if path.is_file()}
    assert sorted(after) == sorted(before)
    assert [str(name) for name in after if after[name] != before[name]] == []

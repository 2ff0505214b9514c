"""Shards and chunks of any size, on any engine: the same bytes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import paraphrast
import toy
from paraphrast.training import extract, new_categories, pivot
from paraphrast.training.config import read_config
from paraphrast.training.extract import SHARD, shard_size
from paraphrast.training.pivot import CHUNK_ROWS, chunk_rows
from paraphrast.training.recipe import Resources, make_recipe

LINES = 105


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model and its work folder, made with one shard and one chunk."""
    folder = tmp_path_factory.mktemp("shards")
    return paraphrast.train(toy.write_config(folder, LINES), folder / "model", threads=1, keep_work=True)


def stage_bytes(folder: Path) -> dict[str, bytes]:
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if name != "stage.json"}


@pytest.mark.parametrize("shards", [3, 7])
def test_no_byte_depends_on_the_shards(
    trained: Path, tmp_path: Path, shards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Path(f"{trained}.work")
    recipe = make_recipe(read_config(trained.parent / "config.toml"))
    monkeypatch.setattr(extract, "SHARD", LINES // shards)
    monkeypatch.setattr(pivot, "BLOCK", 1)
    monkeypatch.setattr(pivot, "CHUNK_ROWS", 500 // shards)
    monkeypatch.setattr(pivot, "CONTEXT_PHRASES", 60 // shards)
    monkeypatch.setattr(new_categories, "PHRASES", 30 // shards)
    for name, run in (
        ("extract-de", partial(extract.extract_phrases, language="de")),
        ("pivot", pivot.pivot_table),
    ):
        (tmp_path / name).mkdir()
        run(recipe, Resources(threads=2), work, tmp_path / name, lambda *_: None)
        assert stage_bytes(tmp_path / name) == stage_bytes(work / name)


def test_less_memory_makes_smaller_pieces() -> None:
    assert shard_size(None) == SHARD > shard_size(10**9) > shard_size(10**8) >= shard_size(1) > 0
    assert chunk_rows(None) == CHUNK_ROWS > chunk_rows(10**9) > chunk_rows(10**7) >= chunk_rows(1) > 0

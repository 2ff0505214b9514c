"""A mapped file that is cut while in use is reported; one that is replaced, or grows, does no harm."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from paraphrast.errors import ModelError
from paraphrast.formats.arrays import load_array
from paraphrast.formats.mapped import check_maps, maps_below, uncut
from paraphrast.model.paraphraser import Paraphraser

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not let a mapped file be cut")


def saved(folder: Path, name: str = "a.npy") -> Path:
    folder.mkdir(exist_ok=True)
    np.save(folder / name, np.arange(5000, dtype=np.int64))
    return folder / name


def test_a_cut_file_is_reported_with_its_name(tmp_path: Path) -> None:
    path = saved(tmp_path / "model")
    array = load_array(path, np.int64)
    maps = maps_below(tmp_path / "model")
    assert len(maps) == 1
    check_maps(maps)
    os.truncate(path, 4096)
    with pytest.raises(ModelError, match="cut while it was in use") as caught:
        check_maps(maps)
    assert caught.value.where == path
    assert array[0] == 0  # the first page is still there


def test_maps_of_other_folders_and_of_arrays_that_are_gone_are_not_listed(tmp_path: Path) -> None:
    saved(tmp_path / "model")
    saved(tmp_path / "other")
    arrays = [load_array(tmp_path / name / "a.npy", np.int64) for name in ("model", "other")]
    assert [path for _, path, _ in maps_below(tmp_path / "model")] == [tmp_path / "model" / "a.npy"]
    del arrays
    assert maps_below(tmp_path) == []


def test_a_replaced_or_longer_file_does_no_harm(tmp_path: Path) -> None:
    path = saved(tmp_path / "model")
    array = load_array(path, np.int64)
    maps = maps_below(tmp_path / "model")
    with path.open("ab") as stream:
        stream.write(b"more")
    check_maps(maps)
    np.save(tmp_path / "new.npy", np.zeros(3))
    os.replace(tmp_path / "new.npy", path)
    check_maps(maps)
    assert array[-1] == 4999


def test_rewriting_and_explaining_with_a_cut_model_is_an_error(toy_model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(toy_model, tmp_path / "model")
    model = Paraphraser(folder)
    text = "The committee will examine an important proposal."
    assert model.paraphrase(text)
    model.explain("examine", "look at")
    for name in ("decoder/target.npy", "lookup/phrase_words.npy"):
        content = (folder / name).read_bytes()
        os.truncate(folder / name, 0)
        with pytest.raises(ModelError, match="cut while it was in use"):
            model.explain("examine", "look at")
        if name.startswith("decoder"):
            with pytest.raises(ModelError, match="cut while it was in use"):
                model.paraphrase(text)
            with pytest.raises(ModelError, match="cut while it was in use"):
                list(model.paraphrase_many([text], threads=1))
        with (folder / name).open("r+b") as stream:
            stream.write(content)
    assert model.paraphrase(text)


def test_what_fails_on_a_cut_file_is_told_as_a_cut_file(tmp_path: Path) -> None:
    array = load_array(saved(tmp_path), np.int64)
    maps = maps_below(tmp_path)
    with pytest.raises(IndexError), uncut(maps):
        array[5000]
    with pytest.raises(ModelError, match="cut while it was in use"), uncut(maps):
        _cut_and_fail(tmp_path / "a.npy")


def _cut_and_fail(path: Path) -> None:
    os.truncate(path, 500)
    raise IndexError("an id read from the missing part")

"""A changed bit in any file of a model is found at loading or by ``verify``."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paraphrast
import toy
from paraphrast.cli import run
from paraphrast.errors import ModelError, ParaphrastError
from paraphrast.model.folder import MANIFEST, foreign, read_manifest
from paraphrast.model.integrity import SMALL, is_safe_name
from paraphrast.model.verify import verify


@pytest.fixture
def model(toy_model: Path, tmp_path: Path) -> Path:
    shutil.copytree(toy_model, tmp_path / "model")
    return tmp_path / "model"


def test_a_sound_model(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = verify(model)
    assert result.problems == ()
    assert result.has_hashes
    assert result.files > 40
    assert run(["model", "verify", str(model)]) == 0
    assert capsys.readouterr().out.startswith("sound")


def test_a_changed_bit_in_any_file_is_found(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = list(json.loads((model / MANIFEST).read_text())["files"])
    for number, name in enumerate(names):
        path = model / name
        content = path.read_bytes()
        damaged = bytearray(content)
        damaged[(7919 * number) % len(content)] ^= 1 << number % 8
        path.write_bytes(bytes(damaged))
        assert verify(model).problems == (f"{name}: its content has changed",)
        if len(content) <= SMALL and name != "weights.json":
            with pytest.raises(ModelError, match="its content has changed"):
                read_manifest(model)
        path.write_bytes(content)
    assert verify(model).problems == ()


def test_missing_cut_added_and_linked_files(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (model / "casing.tsv").unlink()
    with pytest.raises(ModelError, match=r"casing\.tsv.*missing"):
        paraphrast.load(model)
    os.truncate(model / "decoder" / "log_prob.npy", 100)
    (model / "notes.txt").write_text("mine")
    os.symlink(model / "weights.json", model / "link.json")
    (model / "vocab.parquet").unlink()
    assert run(["model", "verify", str(model), "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["absent"] == ["vocab.parquet"]
    assert {problem.split(":")[0] for problem in report["problems"]} == {
        "casing.tsv",
        "decoder/log_prob.npy",
        "notes.txt",
        "link.json",
    }


def test_models_without_a_list_of_files_still_load(model: Path) -> None:
    content = json.loads((model / MANIFEST).read_text())
    del content["files"]
    (model / MANIFEST).write_text(json.dumps(content))
    assert paraphrast.load(model)
    result = verify(model)
    assert not result.has_hashes
    assert result.problems == ()
    assert foreign(model) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("decoder/word.npy", 1 << 30),
        ("decoder/target_words.npy", -1),
        ("decoder/target.npy", 1 << 30),
        ("decoder/log_prob.npy", np.nan),
        ("decoder/features.npy", np.nan),
        ("decoder/tables.npy", 0xFFFFFFFF),
        ("decoder/parent.npy", 1 << 30),
        ("decoder/swap.npy", np.inf),
        ("lookup/phrase_order.npy", -1),
        ("lookup/phrase_begin.npy", 1 << 30),
        ("lookup/pivot/target.npy", 1 << 30),
        ("lookup/pivot/begin.npy", -5),
        ("lookup/pivot/score.npy", np.nan),
        ("evidence/phrase.npy", 1 << 30),
        ("evidence/citation.npy", -7),
        ("evidence/cited_sentence.npy", 1 << 30),
        ("evidence/corpus.npy", 99),
        ("evidence/begin.npy", 1 << 30),
        ("evidence/sentences_begin.npy", -3),
    ],
)
def test_ids_out_of_range_and_nan_are_refused_even_with_right_hashes(
    model: Path, name: str, value: float
) -> None:
    array = np.load(model / name)
    array.reshape(-1)[array.size // 2] = value
    np.save(model / name, array)
    (problem,) = verify(toy.seal(model)).problems
    assert name.split("/")[-1] in problem


def test_bad_manifests(model: Path) -> None:
    content = json.loads((model / MANIFEST).read_text())
    listings: tuple[Any, ...] = (
        [],
        {"../evil": {"size": 1, "sha256": "0" * 64}},
        {"a": {"size": -1, "sha256": "0" * 64}},
        {"a": {"size": True, "sha256": "0" * 64}},
        {"a": {"size": 1, "sha256": "x"}},
        {"a": None},
    )
    for files in listings:
        (model / MANIFEST).write_text(json.dumps({**content, "files": files}))
        with pytest.raises(ModelError, match="manifest is damaged"):
            read_manifest(model)
    (model / MANIFEST).write_text("[" * 100_000)
    with pytest.raises(ModelError, match="nested too deeply"):
        read_manifest(model)


def test_a_model_that_may_not_be_read_is_not_called_damaged(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ParaphrastError, match="permission denied") as error:
        paraphrast.load(model)
    assert "damaged" not in str(error.value)
    assert "train" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a", True),
        ("a/b.npy", True),
        ("", False),
        (".", False),
        ("..", False),
        ("a/../b", False),
        ("/a", False),
        ("a//b", False),
        ("a/", False),
        ("./a", False),
        ("a\\b", False),
        ("c:a", False),
        ("a\0b", False),
        ("a\ud800b", False),
    ],
)
def test_safe_names(name: str, safe: bool) -> None:
    assert is_safe_name(name) is safe

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from paraphrast.errors import MissingExtra
from paraphrast.read import _runtime, store
from tiny_models import write_marian


def test_a_model_is_converted_once(marian: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path))
    folder = store.converted(marian, "translation")
    written = (folder / "model.bin").stat().st_mtime_ns
    assert folder.is_relative_to(tmp_path)
    assert store.converted(marian, "translation") == folder
    assert (folder / "model.bin").stat().st_mtime_ns == written
    assert store.converted(folder, "translation") == folder


def test_other_weights_are_another_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "model"
    source.mkdir()
    first = store.converted(write_marian(source, seed=1), "translation")
    assert store.converted(write_marian(source, seed=2), "translation") != first


def test_an_interrupted_conversion_leaves_nothing(
    marian: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path))

    def breaks(folder: Path, out: Path) -> None:
        (out / "config.json").write_text("half", encoding="utf-8")
        raise KeyboardInterrupt

    fits, convert, expected = store.KINDS["translation"]
    monkeypatch.setitem(store.KINDS, "translation", (fits, breaks, expected))
    with pytest.raises(KeyboardInterrupt):
        store.converted(marian, "translation")
    assert [path for path in (tmp_path / "read").iterdir() if path.is_dir()] == []
    (tmp_path / "read" / ".making-translation-dead~1").mkdir()
    monkeypatch.setitem(store.KINDS, "translation", (fits, convert, expected))
    assert (store.converted(marian, "translation") / "model.bin").is_file()


def test_conversion_gives_the_same_bytes(
    marian: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path))
    folder = store.converted(marian, "translation")
    content = (folder / "model.bin").read_bytes()
    shutil.rmtree(folder)
    assert (store.converted(marian, "translation") / "model.bin").read_bytes() == content


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingExtra, match="optional dependency") as caught:
        _runtime.optional("ctranslate2_that_is_not_there")
    assert "paraphrast[precise]" in str(caught.value)

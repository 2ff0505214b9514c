"""What fusion finds by itself."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest

from paraphrast.errors import InputError, ModelError
from paraphrast.fusion import resources
from paraphrast.fusion.resources import (
    default_model,
    find_tagger,
    language_model,
    load_lm,
    model_of,
    remedy,
    syntax_of,
)
from paraphrast.model import model_folder
from paraphrast.model.pack import pack_model


def test_one_warning_that_names_one_command(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(resources, "find_spacy", lambda *_: None)
    monkeypatch.setattr(resources, "_warned", set())
    with caplog.at_level(logging.WARNING):
        assert syntax_of(None, "en") is None
        assert syntax_of(None, "en") is None
    assert len(caplog.records) == 1
    assert remedy("en") in caplog.text
    monkeypatch.setattr(resources, "find_spec", lambda _: None)
    assert "paraphrast[syntax]" in remedy("en")
    monkeypatch.setattr(resources, "find_spec", lambda _: object())
    assert remedy("en").endswith("paraphrast data get en-core-web-sm")


def test_the_embedded_model_is_the_default_for_its_language() -> None:
    folder = default_model("en")
    assert folder is not None
    assert folder == default_model("en-GB") == model_folder("default") == model_of("default", "de")
    assert default_model("de") is None


def test_without_a_default_model_of_the_language(toy_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "model_folder", lambda _: Path(toy_model))
    assert default_model("de") is None
    assert model_of(None, "de") is None
    assert language_model(None, "de") is None
    assert find_tagger(None, "de") is None
    # A model that is named is used for any language.
    assert language_model("default", "de") is not None
    assert language_model(toy_model, "de") is not None
    with pytest.raises(InputError, match="no such language model"):
        load_lm(Path(toy_model) / "none")


def test_the_default_model_is_found(toy_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(toy_model)
    monkeypatch.setattr(resources, "model_folder", lambda _: folder)
    assert model_of(None, "en") == model_of("default", "en") == folder
    vocabulary, arrays = load_lm("default")
    found = language_model(None, "en")
    assert found is not None
    assert found[0] is vocabulary  # kept for the next cluster
    assert len(vocabulary) == int(arrays.order_start[1])
    assert (find_tagger(None, "en") is not None) == (folder / "tagger").is_dir()


def test_the_registry_model_and_packed_models_are_resolved(
    toy_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "model.zip"
    pack_model(toy_model, packed)
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ModelError, match="not built yet"):
        load_lm("registry")
    (tmp_path / "cache" / "models").mkdir(parents=True)
    shutil.copytree(toy_model, tmp_path / "cache" / "models" / "registry")
    words = load_lm(toy_model)[0].words
    for name in ("registry", packed, str(packed)):
        assert load_lm(name)[0].words == words
        assert (find_tagger(name, "en") is not None) == (Path(toy_model) / "tagger").is_dir()
    assert load_lm("default")[0].words != words
    # A folder of that name takes precedence.
    monkeypatch.chdir(tmp_path)
    shutil.copytree(Path(toy_model) / "lm", tmp_path / "registry")
    assert model_of("registry", "en") is None

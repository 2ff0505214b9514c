"""What fusion finds by itself."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from paraphrast.errors import InputError
from paraphrast.fusion import resources
from paraphrast.fusion.resources import find_tagger, language_model, load_lm, model_of, remedy, syntax_of


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


def test_without_a_default_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "default_folder", lambda: tmp_path / "none")
    assert language_model(None) is None
    assert find_tagger(None) is None
    with pytest.raises(InputError, match="not built yet"):
        load_lm("default")


def test_the_default_model_is_found(toy_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(toy_model)
    monkeypatch.setattr(resources, "default_folder", lambda: folder)
    assert model_of(None) == model_of("default") == folder
    vocabulary, arrays = load_lm("default")
    found = language_model(None)
    assert found is not None
    assert found[0] is vocabulary  # kept for the next cluster
    assert len(vocabulary) == int(arrays.order_start[1])
    assert (find_tagger(None) is not None) == (folder / "tagger").is_dir()

"""The models that have a name: the embedded one opens anywhere, the other one says how to build it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import paraphrast
from paraphrast.errors import InputError, ModelError
from paraphrast.model import model_folder
from paraphrast.model.default import EMBEDDED, EMBEDDED_HASH, embedded_hash, registry_folder


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of models."""
    for module in ("default", "pack"):
        monkeypatch.setattr(f"paraphrast.model.{module}.cache_root", lambda: tmp_path)
    return tmp_path / "models"


def test_the_recorded_hash_is_that_of_the_embedded_model() -> None:
    assert embedded_hash() == hashlib.sha256(EMBEDDED.read_bytes()).hexdigest()
    assert EMBEDDED_HASH.read_text(encoding="ascii").split()[1] == EMBEDDED.name
    assert EMBEDDED.stat().st_size <= 30_000_000


def test_the_embedded_model_opens_and_rewrites(cache: Path) -> None:
    folder = model_folder()
    assert folder == cache / f"packed-{embedded_hash()[:16]}"
    before = (folder / "manifest.json").stat().st_mtime_ns
    assert model_folder("default") == folder
    assert (folder / "manifest.json").stat().st_mtime_ns == before
    model = paraphrast.load()
    assert model.path == folder
    assert model.substitution is not None
    assert model.paraphrase("The committee will examine the proposal tomorrow.")


def test_the_registry_model_says_how_to_build_it(cache: Path) -> None:
    with pytest.raises(ModelError, match="not built yet") as caught:
        model_folder("registry")
    assert "paraphrast train --default" in str(caught.value)
    assert "minutes" in str(caught.value)
    assert registry_folder() == cache / "registry"
    registry_folder().mkdir(parents=True)
    assert model_folder("registry") == registry_folder()


def test_a_folder_takes_precedence_over_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("default", "registry"):
        (tmp_path / name).mkdir()
        assert model_folder(name) == Path(name)
    with pytest.raises(InputError, match="got nothing"):
        model_folder("")


LONG = (
    "The strain on US forces of fighting in Iraq and Afghanistan was exposed yesterday when the Pentagon published a "
    "report showing that the number of suicides among US troops is at its highest level since the 1991 Gulf war."
)


def test_one_result_is_the_first_of_many(cache: Path) -> None:
    """Also where the first few rewrites break a rule, or change only how a word is spelled ("among", "amongst")."""
    model = paraphrast.load()
    for strength in (0.5, 1.0):
        one, many = (model.paraphrase(LONG, n=n, strength=strength) for n in (1, 10))
        assert [result.text for result in one] == [result.text for result in many[:1]] != []

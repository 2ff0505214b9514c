from __future__ import annotations

from pathlib import Path

import pytest

from tiny_models import write_llama, write_marian

pytest.importorskip("ctranslate2", reason="the extra precise is not installed")
pytest.importorskip("safetensors")
pytest.importorskip("sentencepiece")
pytest.importorskip("tokenizers")


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch, model_cache: Path) -> None:
    monkeypatch.setenv("PARAPHRAST_CACHE", str(model_cache))


@pytest.fixture(scope="session")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_marian(tmp_path_factory.mktemp("marian"))


@pytest.fixture(scope="session")
def marian_back(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_marian(tmp_path_factory.mktemp("back"), seed=4)


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_llama(tmp_path_factory.mktemp("llama"))

"""What several tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

import paraphrast
import toy

# A machine may be slow: how long an example takes is no property of the code.
settings.register_profile("paraphrast", deadline=None)
settings.load_profile("paraphrast")


@pytest.fixture(scope="session")
def toy_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model trained on our own small bitext: real alignment, tables, language model and tagger."""
    folder = tmp_path_factory.mktemp("toy")
    return paraphrast.train(toy.write_config(folder), folder / "model", threads=2)

"""The only room that knows the order: train, load, rewrite, explain; the model folder."""

from __future__ import annotations

from pathlib import Path

from paraphrast.errors import InputError, ModelError
from paraphrast.pipeline.control import Control
from paraphrast.pipeline.default import DEFAULT, default_folder, how_to_build
from paraphrast.pipeline.explaining import Explanation, explain, paraphrases_of
from paraphrast.pipeline.pack import opened
from paraphrast.pipeline.paraphraser import Paraphraser
from paraphrast.pipeline.training import train

__all__ = ["Control", "Explanation", "Paraphraser", "explain", "load", "paraphrases_of", "train"]


def load(model: str | Path = DEFAULT) -> Paraphraser:
    """Load a model: ``"default"``, a folder, or a file made by ``paraphrast model pack``."""
    if isinstance(model, str) and model == DEFAULT and not Path(DEFAULT).exists():
        folder = default_folder()
        if not folder.exists():
            raise ModelError("the default model is not built yet", remedy=how_to_build())
        return Paraphraser(folder)
    if not str(model):
        raise InputError("expected the name of a model folder, got nothing")
    return Paraphraser(opened(Path(model)))

"""The only room that knows the order: train, load, rewrite, explain; the model folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily
from paraphrast.errors import InputError, ModelError

if TYPE_CHECKING:
    from paraphrast.pipeline.control import Control
    from paraphrast.pipeline.explaining import Explanation, explain, paraphrases_of
    from paraphrast.pipeline.paraphraser import Paraphraser
    from paraphrast.pipeline.training import train

__all__ = ["Control", "Explanation", "Paraphraser", "explain", "load", "paraphrases_of", "train"]

#: The model that is meant where none is named.
DEFAULT = "default"


def load(model: str | Path = DEFAULT) -> Paraphraser:
    """Load a model: ``"default"``, a folder, or a file made by ``paraphrast model pack``."""
    from paraphrast.pipeline.pack import opened
    from paraphrast.pipeline.paraphraser import Paraphraser

    if isinstance(model, str) and model == DEFAULT and not Path(DEFAULT).exists():
        from paraphrast.pipeline.default import default_folder, how_to_build

        folder = default_folder()
        if not folder.exists():
            raise ModelError("the default model is not built yet", remedy=how_to_build())
        return Paraphraser(folder)
    if not str(model):
        raise InputError("expected the name of a model folder, got nothing")
    return Paraphraser(opened(Path(model)))


resolve_lazily(
    __name__,
    {
        "Control": "control",
        "Explanation": "explaining",
        "Paraphraser": "paraphraser",
        "explain": "explaining",
        "paraphrases_of": "explaining",
        "train": "training",
    },
)

"""A model folder: open it, rewrite with it, explain a paraphrase, pack it into one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily
from paraphrast.errors import InputError, ModelError
from paraphrast.model.default import DEFAULT, MINUTES, default_folder

if TYPE_CHECKING:
    from paraphrast.model.control import Control
    from paraphrast.model.explain import Explanation, explain, paraphrases_of
    from paraphrast.model.paraphraser import Paraphraser

__all__ = ["Control", "Explanation", "Paraphraser", "explain", "load", "paraphrases_of"]


def load(model: str | Path = DEFAULT) -> Paraphraser:
    """Load a model: ``"default"``, a folder, or a file made by ``paraphrast model pack``."""
    from paraphrast.model.pack import opened
    from paraphrast.model.paraphraser import Paraphraser

    if isinstance(model, str) and model == DEFAULT and not Path(DEFAULT).exists():
        folder = default_folder()
        if not folder.exists():
            raise ModelError(
                "the default model is not built yet",
                remedy=f"build it with `paraphrast demo` or `paraphrast train --default`: about {MINUTES} minutes on "
                "two cores; `paraphrast model show default` says how much it downloads, and under which licences",
            )
        return Paraphraser(folder)
    if not str(model):
        raise InputError("expected the name of a model folder, got nothing")
    return Paraphraser(opened(Path(model)))


resolve_lazily(
    __name__,
    {
        "Control": "control",
        "Explanation": "explain",
        "Paraphraser": "paraphraser",
        "explain": "explain",
        "paraphrases_of": "explain",
    },
)

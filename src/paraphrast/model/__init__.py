"""A model folder: open it, rewrite with it, explain a paraphrase, pack it into one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily
from paraphrast.errors import InputError, ModelError
from paraphrast.model.default import DEFAULT, EMBEDDED, MINUTES, REGISTRY, embedded_hash, registry_folder

if TYPE_CHECKING:
    from paraphrast.model.control import Control
    from paraphrast.model.explain import Explanation, explain, paraphrases_of
    from paraphrast.model.paraphraser import Paraphraser

__all__ = ["Control", "Explanation", "Paraphraser", "explain", "load", "model_folder", "paraphrases_of"]


def load(model: str | Path = DEFAULT) -> Paraphraser:
    """Load a model: ``"default"`` (embedded), ``"registry"``, a folder, or a file made by ``paraphrast model pack``."""
    from paraphrast.model.paraphraser import Paraphraser

    return Paraphraser(model_folder(model))


def model_folder(model: str | Path = DEFAULT) -> Path:
    """The folder of a model by name or path; packed models are unpacked into the cache. A path takes precedence."""
    from paraphrast.model.pack import opened

    if not str(model):
        raise InputError("expected the name of a model folder, got nothing")
    if model == DEFAULT and not Path(DEFAULT).exists():
        return opened(EMBEDDED, digest=embedded_hash())
    if model == REGISTRY and not Path(REGISTRY).exists():
        if not registry_folder().exists():
            raise ModelError(
                "the registry model is not built yet",
                remedy=f"build it with `paraphrast train --default`: about {MINUTES} minutes on two cores; "
                "`paraphrast model show registry` says how much it downloads, and under which licences",
            )
        return registry_folder()
    return opened(Path(model))


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

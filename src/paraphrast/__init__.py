"""paraphrast: learn paraphrases from text you have, rewrite sentences with them, see why.

This module is the door. Names are resolved when first used, so importing it is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paraphrast._version import __version__
from paraphrast.errors import DataError, FormatError, InputError, MissingExtra, ModelError, ParaphrastError

if TYPE_CHECKING:
    from paraphrast.pipeline import Control, Paraphraser, load, train
    from paraphrast.types import Edit, Paraphrase

__all__ = [
    "Control",
    "DataError",
    "Edit",
    "FormatError",
    "InputError",
    "MissingExtra",
    "ModelError",
    "Paraphrase",
    "Paraphraser",
    "ParaphrastError",
    "__version__",
    "load",
    "train",
]

_LAZY = {
    "Control": "paraphrast.pipeline",
    "Edit": "paraphrast.types",
    "Paraphrase": "paraphrast.types",
    "Paraphraser": "paraphrast.pipeline",
    "load": "paraphrast.pipeline",
    "train": "paraphrast.pipeline",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

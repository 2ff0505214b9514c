"""paraphrast: learn paraphrases from text you have, rewrite sentences with them, see why.

This module names what is public. Names are resolved when they are first used, so importing it is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paraphrast._version import __version__ as __version__
from paraphrast.errors import DataError, FormatError, InputError, MissingExtra, ModelError, ParaphrastError

if TYPE_CHECKING:
    from paraphrast._door import augment, fuse, paraphrase
    from paraphrast.align.options import AlignOptions
    from paraphrast.build.align import align_words
    from paraphrast.fusion.sentences import Fusion
    from paraphrast.model import Control, Explanation, Paraphraser, load
    from paraphrast.model.control import ControlOptions
    from paraphrast.references.lattices import Reference
    from paraphrast.study.options import Origins
    from paraphrast.study.references import expand_references
    from paraphrast.training.runner import Progress
    from paraphrast.training.stages import train
    from paraphrast.types import Edit, Lattice, Paraphrase

__all__ = [
    "AlignOptions",
    "Control",
    "ControlOptions",
    "DataError",
    "Edit",
    "Explanation",
    "FormatError",
    "Fusion",
    "InputError",
    "Lattice",
    "MissingExtra",
    "ModelError",
    "Origins",
    "Paraphrase",
    "Paraphraser",
    "ParaphrastError",
    "Progress",
    "Reference",
    "align_words",
    "augment",
    "expand_references",
    "fuse",
    "load",
    "paraphrase",
    "train",
]

_LAZY = {
    "AlignOptions": "paraphrast.align.options",
    "Control": "paraphrast.model.control",
    "ControlOptions": "paraphrast.model.control",
    "Edit": "paraphrast.types",
    "Explanation": "paraphrast.model.explain",
    "Fusion": "paraphrast.fusion.sentences",
    "Lattice": "paraphrast.types",
    "Origins": "paraphrast.study.options",
    "Paraphrase": "paraphrast.types",
    "Paraphraser": "paraphrast.model.paraphraser",
    "Progress": "paraphrast.training.runner",
    "Reference": "paraphrast.references.lattices",
    "align_words": "paraphrast.build.align",
    "augment": "paraphrast._door",
    "expand_references": "paraphrast.study.references",
    "fuse": "paraphrast._door",
    "load": "paraphrast.model",
    "paraphrase": "paraphrast._door",
    "train": "paraphrast.training.stages",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

"""paraphrast: learn paraphrases from text you have, rewrite sentences with them, see why.

This module is the door. Names are resolved when first used, so importing it is cheap.

``align`` is both a room and a thing to do: the name always holds the room ``paraphrast.align``, and the room can be
called. Python binds a subpackage to its name here whenever anything imports it, so no function could keep the name.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from paraphrast._version import __version__
from paraphrast.errors import DataError, FormatError, InputError, MissingExtra, ModelError, ParaphrastError

if TYPE_CHECKING:
    from paraphrast import align
    from paraphrast.fusion.sentences import Fusion, fuse
    from paraphrast.model import Control, Paraphraser, load
    from paraphrast.study.references import expand_references
    from paraphrast.training import train
    from paraphrast.types import Edit, Paraphrase

__all__ = [
    "Control",
    "DataError",
    "Edit",
    "FormatError",
    "Fusion",
    "InputError",
    "MissingExtra",
    "ModelError",
    "Paraphrase",
    "Paraphraser",
    "ParaphrastError",
    "__version__",
    "align",
    "expand_references",
    "fuse",
    "load",
    "train",
]

_LAZY = {
    "Control": "paraphrast.model",
    "Edit": "paraphrast.types",
    "Fusion": "paraphrast.fusion.sentences",
    "Paraphrase": "paraphrast.types",
    "Paraphraser": "paraphrast.model",
    "expand_references": "paraphrast.study.references",
    "fuse": "paraphrast.fusion.sentences",
    "load": "paraphrast.model",
    "train": "paraphrast.training",
}


class _CallableRoom(ModuleType):
    """The room ``paraphrast.align``: to call it is to align text."""

    def __call__(self, *texts: Any, **options: Any) -> list[list[tuple[int, int]]]:
        """See :func:`paraphrast.build.align.align`."""
        from paraphrast.build.align import align

        return align(*texts, **options)


class _Door(ModuleType):
    """Makes a room callable when Python binds it to its name."""

    def __setattr__(self, name: str, value: object) -> None:
        if name == "align" and isinstance(value, ModuleType):
            value.__class__ = _CallableRoom
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Door


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "align":
        return import_module("paraphrast.align")
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

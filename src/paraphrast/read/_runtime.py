"""The one place that knows CTranslate2, sentencepiece and tokenizers: the extra ``precise``."""

from __future__ import annotations

import importlib.util
from typing import Any

from paraphrast.errors import MissingExtra

EXTRA = "precise"


def optional(module: str) -> Any:
    """Import a module of the extra, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra("reading sentences with translation and language models", EXTRA) from error


def is_installed() -> bool:
    """Whether the extra ``precise`` is installed."""
    return all(importlib.util.find_spec(name) for name in ("ctranslate2", "sentencepiece", "tokenizers"))

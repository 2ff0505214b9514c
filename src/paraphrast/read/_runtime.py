"""Imports CTranslate2, sentencepiece and tokenizers (the extra ``precise``). No other module imports them."""

from __future__ import annotations

import importlib.util
from typing import Any

from paraphrast.errors import MissingExtra

EXTRA = "precise"


def optional(module: str) -> Any:
    """Import a module of the extra. If it is missing, the error says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra("reading sentences with translation and language models", EXTRA) from error


def is_installed() -> bool:
    """Whether the extra ``precise`` is installed."""
    return all(importlib.util.find_spec(name) for name in ("ctranslate2", "sentencepiece", "tokenizers"))

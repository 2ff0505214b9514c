"""Imports the packages of the extra ``precise``: CTranslate2 and those for its inputs. No other module imports them."""

from __future__ import annotations

import importlib
from typing import Any

from paraphrast._extras import has_extra
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
    return has_extra(EXTRA)

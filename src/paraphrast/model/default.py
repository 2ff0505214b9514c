"""Where the default model is stored."""

from __future__ import annotations

from pathlib import Path

from paraphrast._jit import cache_root

#: The name of the model that is used if none is named.
DEFAULT = "default"


def default_folder() -> Path:
    """The folder of the default model."""
    return cache_root() / "models" / DEFAULT

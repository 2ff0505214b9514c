"""Where the default model is stored."""

from __future__ import annotations

from pathlib import Path

from paraphrast._jit import cache_root

#: Minutes that building the default model takes on two cores.
MINUTES = 13
#: The name of the model that is used if none is named.
DEFAULT = "default"


def default_folder() -> Path:
    """The folder of the default model."""
    return cache_root() / "models" / DEFAULT

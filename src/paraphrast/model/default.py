"""The models that have a name: the embedded one, and the larger one that is built from package registries."""

from __future__ import annotations

from pathlib import Path

from paraphrast._jit import cache_root

#: The name of the embedded model, which is used if none is named.
DEFAULT = "default"
#: The name of the model that `paraphrast train --default` builds.
REGISTRY = "registry"
#: Minutes that building the registry model takes on two cores.
MINUTES = 13
#: The embedded model, packed, and the hash of that file.
EMBEDDED = Path(__file__).parents[1] / "models" / "english.zip"
EMBEDDED_HASH = EMBEDDED.with_suffix(".sha256")


def registry_folder() -> Path:
    """The folder of the registry model."""
    return cache_root() / "models" / REGISTRY


def embedded_hash() -> str:
    """SHA-256 of the embedded model, read from a file: computing it takes a tenth of a second at every start."""
    return EMBEDDED_HASH.read_text(encoding="ascii").split()[0]

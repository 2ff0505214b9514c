"""The input of a converter: a verified source on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paraphrast.data._index import Source


@dataclass(frozen=True, slots=True)
class Fetched:
    """A verified source on this disk."""

    source: Source
    version: str
    sha256: str
    path: Path

"""What a converter gets: a verified source on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paraphrast.data._index import Source


@dataclass(frozen=True, slots=True)
class Fetched:
    """A source on this disk, verified."""

    source: Source
    version: str
    sha256: str
    path: Path

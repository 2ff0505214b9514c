"""Short hashes of plain values and of files, for signatures."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def signature_of(recipe: Any) -> str:
    """A short hash of plain values."""
    text = json.dumps(recipe, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

"""Whether the files of a model are those that were written: sizes and SHA-256 hashes, listed in its manifest.

Loading a model compares sizes, and hashes of small files, which costs a few milliseconds. A changed byte in a large
file is found by :func:`paraphrast.model.verify.verify`, which reads everything.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from paraphrast.errors import ModelError
from paraphrast.formats.signature import file_hash

#: The key of the manifest: file → size and sha256.
FILES = "files"
#: Files up to this size are read and compared when a model is loaded.
SMALL = 1 << 15
#: Users may replace these with the output of `paraphrast tune`; only `model verify` reports that they changed.
REPLACEABLE = {"weights.json"}
#: These are for other tools and for training; a model without them can rewrite and explain.
OPTIONAL_SUFFIX = ".parquet"
REMEDY = "copy it again, or train it again"
_HASH = re.compile(r"[0-9a-f]{64}")
#: Also no half of a surrogate pair: it cannot be encoded, so no file has such a name.
_NAME = re.compile(r"[^\\:*?\"<>|\x00-\x1f\ud800-\udfff]+")


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What the manifest says about a file."""

    size: int
    sha256: str


def records_of(folder: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Sizes and hashes of files, for the manifest."""
    return {
        name: {"sha256": file_hash(folder / name), "size": (folder / name).stat().st_size} for name in names
    }


def recorded_files(manifest: Mapping[str, Any]) -> dict[str, FileRecord]:
    """The files that a manifest lists; empty for a model of an earlier version. A ValueError if it is malformed."""
    listed = manifest.get(FILES, {})
    if not isinstance(listed, dict):
        raise ValueError(f"{FILES}: expected an object")
    records = {}
    for name, entry in listed.items():
        size, digest = (entry.get("size"), entry.get("sha256")) if isinstance(entry, dict) else (None, None)
        if not is_safe_name(name) or type(size) is not int or size < 0 or not _HASH.fullmatch(str(digest)):
            raise ValueError(
                f"{FILES}: expected a size and a SHA-256 hash for a file in the folder: {name!r}"
            )
        records[name] = FileRecord(size, str(digest))
    return records


def is_safe_name(name: str) -> bool:
    """Whether a relative path with ``/`` stays in its folder, on every operating system."""
    parts = PurePosixPath(name).parts
    return bool(parts) and "/".join(parts) == name and ".." not in parts and _NAME.fullmatch(name) is not None


def check_quickly(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Raise an error if a file is missing, cannot be read, or has another size, or if a small file has changed."""
    for problem in _quick_problems(folder, recorded_files(manifest)):
        raise problem


def is_intact(folder: Path, manifest: Mapping[str, Any]) -> bool:
    """Whether :func:`check_quickly` finds nothing."""
    return next(_quick_problems(folder, recorded_files(manifest)), None) is None


def _quick_problems(folder: Path, records: Mapping[str, FileRecord]) -> Iterator[ModelError]:
    for name, record in records.items():
        if name in REPLACEABLE:
            continue
        path = os.path.join(folder, name)
        try:
            size = os.stat(path).st_size
            if size == record.size <= SMALL:
                with open(path, "rb") as stream:
                    changed = hashlib.sha256(stream.read()).hexdigest() != record.sha256
                if changed:
                    yield ModelError(
                        "the file is damaged: its content has changed", where=path, remedy=REMEDY
                    )
            elif not os.access(path, os.R_OK):
                yield _unreadable(path, "permission denied")
        except FileNotFoundError:
            if not name.endswith(OPTIONAL_SUFFIX):
                yield ModelError("the model is damaged: this file is missing", where=path, remedy=REMEDY)
            continue
        except OSError as error:
            yield _unreadable(path, str(error.strerror))
            continue
        if size != record.size:
            yield ModelError(
                f"the file is damaged: expected {record.size:,} bytes, got {size:,}",
                where=path,
                remedy=REMEDY,
            )


def _unreadable(path: str, reason: str) -> ModelError:
    return ModelError(
        f"cannot be read: {reason}", where=path, remedy="give yourself permission to read the model"
    )

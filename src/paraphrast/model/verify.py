"""Check a whole model: every byte against the hashes of its manifest, and every value of its arrays."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from paraphrast.errors import ParaphrastError
from paraphrast.formats.arrays import check_range, checking_everything
from paraphrast.formats.folders import files_of
from paraphrast.formats.signature import file_hash
from paraphrast.model.evidence import Evidence
from paraphrast.model.folder import MANIFEST, parsed_manifest
from paraphrast.model.integrity import OPTIONAL_SUFFIX, recorded_files
from paraphrast.model.lookup import Lookup
from paraphrast.model.pack import unpack_model
from paraphrast.model.paraphraser import Paraphraser


@dataclass(frozen=True, slots=True)
class Verification:
    """What :func:`verify` found.

    files, size: number of files that the manifest lists and that are there, and their bytes. absent: listed files that
    the model can do without. problems: what is wrong, empty for a sound model. has_hashes: False for a model of an
    earlier version, whose manifest lists no files.
    """

    files: int
    size: int
    absent: tuple[str, ...]
    problems: tuple[str, ...]
    has_hashes: bool


def verify(model: Path) -> Verification:
    """Check a model folder or a packed model. A :class:`ModelError` if it is not a model at all, or is unsafe."""
    if not model.is_file():
        return _verify_folder(model)
    with tempfile.TemporaryDirectory(prefix="paraphrast-") as place:
        folder = Path(place) / "model"
        unpack_model(model, folder)
        return _verify_folder(folder)


def _verify_folder(folder: Path) -> Verification:
    manifest = parsed_manifest(folder)
    records = recorded_files(manifest)
    there = [name for name in records if (folder / name).is_file()]
    absent = tuple(
        name for name in records if name.endswith(OPTIONAL_SUFFIX) and not (folder / name).exists()
    )
    problems = [
        f"{name}: not listed in the manifest" for name in files_of(folder) if name not in {MANIFEST, *records}
    ]
    for name in records:
        if name not in absent:
            problems += _changes(folder / name, name, records[name].size, records[name].sha256)
    if not records:
        problems = []
    problems += [] if problems else _bad_values(folder)
    size = sum(records[name].size for name in there)
    return Verification(len(there), size, absent, tuple(problems), bool(records))


def _changes(path: Path, name: str, size: int, sha256: str) -> Iterator[str]:
    try:
        if path.is_symlink() or not path.is_file():
            yield f"{name}: missing, or not a plain file"
        elif path.stat().st_size != size:
            yield f"{name}: expected {size:,} bytes, got {path.stat().st_size:,}"
        elif file_hash(path) != sha256:
            yield f"{name}: its content has changed"
    except OSError as error:
        yield f"{name}: cannot be read: {error.strerror}"


def _bad_values(folder: Path) -> Iterator[str]:
    """Load everything with complete checks."""
    try:
        with checking_everything():
            loaded = Paraphraser(folder)
            options, words = loaded.arrays.options, len(loaded.vocabulary)
            decoder = folder / "decoder"
            check_range(decoder / "word.npy", options.word[1:], 0, words)
            check_range(decoder / "target_words.npy", options.target_words, 0, words)
            check_range(decoder / "target.npy", options.target, 0, len(loaded.glue))
            check_range(decoder / "counts.npy", loaded.vocabulary.counts, 0, float("inf"))
            Lookup.load(folder)
            Evidence.load(folder)
    except ParaphrastError as error:
        yield f"{error.where}: {error.message}" if error.where else error.message

"""Text in shards: a folder (or a URL) of plain or compressed files that are read one after the other as one text.

The file ``shards.json`` beside them, if there is one, lists the shards in order, each with its lines, bytes and
SHA-256. Then only those files are read, each is checked while it is read, and nobody has to read them first to know
their hashes or numbers of lines. Without it, all files of the folder are shards, in the order of their names; names
that begin with ``.`` or ``_`` are left out, as Spark and Hadoop do.
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, cast

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import TextReader, atomic_write, decompressed, open_text, write_lines
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.storage import Place, files_in, hash_of, is_folder, open_raw, put_file

MANIFEST = "shards.json"
_FORMAT = 1
_REMEDY = "copy the shard again, or write the list again with `paraphrast data manifest`"


@dataclass(frozen=True)
class Shard:
    """One file of a text. size: its bytes, 0 for a source that is one file.

    lines, sha256: as the manifest has them; None without a manifest.
    """

    place: Place
    size: int
    lines: int | None = None
    sha256: str | None = None

    def __str__(self) -> str:
        return str(self.place)


def shards_in(folder: Place) -> list[Shard]:
    """The shards of a folder, in order."""
    sizes = dict(files_in(folder))
    if MANIFEST not in sizes:
        names = [name for name in sizes if not name.startswith((".", "_"))]
        if not names:
            raise InputError("expected a folder with shards of text, got no file", where=str(folder))
        return [Shard(folder / name, sizes[name]) for name in names]
    shards = _read_manifest(folder)
    for shard in shards:
        size = sizes.get(shard.place.name)
        if size is None:
            raise InputError(
                f"the shard {shard.place.name} of {MANIFEST} does not exist",
                where=str(folder),
                remedy=_REMEDY,
            )
        if size != shard.size:
            raise FormatError(
                f"expected {shard.size:,} bytes, as {MANIFEST} says, got {size:,}",
                where=str(shard.place),
                remedy=_REMEDY,
            )
    return shards


def _read_manifest(folder: Place) -> list[Shard]:
    where = str(folder / MANIFEST)
    try:
        with open_raw(folder / MANIFEST) as stream:
            content = parse_json(stream.read().decode("utf-8"))
        if content["format"] != _FORMAT:
            raise InputError(
                f"expected format {_FORMAT}, got {content['format']!r}",
                where=where,
                remedy="update paraphrast",
            )
        shards = [_shard(folder, row) for row in content["shards"]]
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"expected a list of shards: {error!r}", where=where, remedy=_REMEDY) from error
    if not shards:
        raise InputError("expected at least one shard, got none", where=where)
    return shards


def _shard(folder: Place, row: Any) -> Shard:
    name, lines, size, sha256 = row["name"], row["lines"], row["bytes"], row["sha256"]
    if not isinstance(name, str) or not name or "/" in name or "\\" in name or name.startswith("."):
        raise ValueError(f"not the name of a file in this folder: {name!r}")
    if type(lines) is not int or type(size) is not int or min(lines, size) < 0 or not isinstance(sha256, str):
        raise ValueError(f"lines, bytes or sha256 of {name}")
    return Shard(folder / name, size, lines, sha256)


def source_hash(place: Place) -> str:
    """SHA-256 of a file, or of the hashes and names of a folder's shards (as ``sha256sum`` prints them), in order."""
    if not is_folder(place):
        return hash_of(place)
    rows = [f"{shard.sha256 or hash_of(shard.place)}  {shard.place.name}\n" for shard in shards_in(place)]
    return hashlib.sha256("".join(rows).encode()).hexdigest()


class ShardReader:
    """Lines of several shards, one after the other. name, line: the shard and line last read, for messages."""

    def __init__(self, shards: list[Shard], *, mark_bad: bool = False) -> None:
        self._shards = shards
        self._mark_bad = mark_bad
        self._reader: TextReader | None = None

    @property
    def name(self) -> str:
        """The file of the last line."""
        return self._reader.name if self._reader else str(self._shards[0].place)

    @property
    def line(self) -> int:
        """The number of the last line in its file."""
        return self._reader.line if self._reader else 0

    def __enter__(self) -> ShardReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file that is being read."""
        if self._reader:
            self._reader.close()

    def __iter__(self) -> Iterator[str]:
        for shard in self._shards:
            raw = _Hashing(open_raw(shard.place))
            stream = decompressed(cast(BinaryIO, io.BufferedReader(raw, 1 << 16)), shard.place.suffix.lower())
            self._reader = TextReader(stream, str(shard.place), mark_bad=self._mark_bad)
            yield from self._reader
            if shard.sha256 is not None:
                self._check(shard, raw)
            self._reader.close()

    def _check(self, shard: Shard, raw: _Hashing) -> None:
        """Compare a shard that was read to its end with the manifest."""
        sha256 = raw.digest_of_all()
        if sha256 != shard.sha256:
            raise FormatError(
                f"the shard is not the one of {MANIFEST}: expected SHA-256 {shard.sha256}, got {sha256}",
                where=self.name,
                remedy=_REMEDY,
            )
        if self.line != shard.lines:
            raise FormatError(
                f"expected {shard.lines:,} lines, as {MANIFEST} says, got {self.line:,}",
                where=self.name,
                remedy=_REMEDY,
            )


class _Hashing(io.RawIOBase):
    """A file that is hashed while it is read."""

    def __init__(self, beneath: BinaryIO) -> None:
        self._beneath = beneath
        self._digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._beneath.read(len(buffer))
        buffer[: len(chunk)] = chunk
        self._digest.update(chunk)
        return len(chunk)

    def digest_of_all(self) -> str:
        """The hash of the file, with what the reader left."""
        while chunk := self._beneath.read(1 << 20):
            self._digest.update(chunk)
        return self._digest.hexdigest()

    def close(self) -> None:
        self._beneath.close()
        super().close()


def open_source(place: str | Place | Shard, *, mark_bad: bool = False) -> TextReader | ShardReader:
    """Open a text for reading by line: a file, a folder of shards, the URL of one, or a single shard."""
    if isinstance(place, Shard):
        return ShardReader([place], mark_bad=mark_bad)
    if isinstance(place, str) or (isinstance(place, Path) and not place.is_dir()):
        return open_text(place, mark_bad=mark_bad)
    return ShardReader(source_shards(place), mark_bad=mark_bad)


def source_shards(place: Place) -> list[Shard]:
    """The shards of a source; a single file is one shard."""
    return shards_in(place) if is_folder(place) else [Shard(place, 0)]


def write_manifest(folder: Place) -> list[Shard]:
    """Read every file of a folder, and write its ``shards.json``."""
    names = [name for name, _ in files_in(folder) if not name.startswith((".", "_")) and name != MANIFEST]
    if not names:
        raise InputError("expected a folder with shards of text, got no file", where=str(folder))
    sizes = dict(files_in(folder))
    shards = []
    for name in names:
        shard = Shard(folder / name, sizes[name])
        with ShardReader([shard], mark_bad=True) as reader:
            lines = sum(1 for _ in reader)
        shards.append(Shard(shard.place, shard.size, lines, hash_of(shard.place)))
    _put_manifest(folder, shards)
    return shards


def split_text(source: str | Place, folder: Place, lines: int, *, suffix: str = ".gz") -> list[Shard]:
    """Write the lines of a text as shards of ``lines`` lines, then their ``shards.json``. Returns the shards.

    The manifest comes last: a folder without one is not complete.
    """
    if is_folder(folder) and files_in(folder):
        raise InputError(
            "expected an empty folder for the shards, got files",
            where=str(folder),
            remedy="choose another -o",
        )
    shards: list[Shard] = []
    with open_source(source) as reader:
        if isinstance(folder, Path):
            folder.mkdir(parents=True, exist_ok=True)
        rows = iter(reader)
        for first in rows:
            name = f"part-{len(shards):06d}{suffix}"
            with _written(folder / name) as local:
                count = write_lines(local, chain([first], islice(rows, lines - 1)))
                shards.append(Shard(folder / name, local.stat().st_size, count, hash_of(local)))
    if not shards:
        raise InputError("expected text, got an empty file", where=At(str(source)))
    _put_manifest(folder, shards)
    return shards


def _put_manifest(folder: Place, shards: list[Shard]) -> None:
    rows = [
        {"name": shard.place.name, "lines": shard.lines, "bytes": shard.size, "sha256": shard.sha256}
        for shard in shards
    ]
    with _written(folder / MANIFEST) as local, atomic_write(local) as stream:
        stream.write(json.dumps({"format": _FORMAT, "shards": rows}, indent=1) + "\n")


@contextmanager
def _written(place: Place) -> Iterator[Path]:
    """A local path to write to. A file for a URL is sent when the block ends without an error."""
    if isinstance(place, Path):
        yield place
        return
    with tempfile.TemporaryDirectory() as temporary:
        local = Path(temporary) / place.name
        yield local
        put_file(local, place)

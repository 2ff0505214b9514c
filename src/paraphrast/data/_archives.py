"""Read packages as archives: wheels and zips, tarballs, Debian packages. Nothing is executed or unpacked to disk.

Members are read into memory, so no name inside an archive can reach the disk. Names that try to (absolute, ``..``, a
drive, a backslash) are still an error, because such an archive cannot be trusted.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from paraphrast.errors import DataError
from paraphrast.formats.files import decompress_zst, open_bytes

#: Larger members are rejected. Nothing in the index is nearly as large.
MAX_MEMBER = 2 << 30
_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    EOFError,
    lzma.LZMAError,
    zlib.error,
    gzip.BadGzipFile,
    OSError,
    ValueError,
    RuntimeError,  # an encrypted zip; also a compression method that zipfile does not know
)


def members(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """The regular files of an archive whose names are ``wanted``, in the archive's order.

    Supports npm packages and source tarballs (``.gz``), ``.whl``, ``.zip``, and ``.deb`` (its data part).
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(8)
        if head.startswith(b"PK"):
            yield from _zip_members(path, wanted)
        elif head == b"!<arch>\n":
            yield from _tar_members(_deb_data(path), path, wanted)
        else:
            with _uncompressed(path) as stream:
                yield from _tar_members(stream, path, wanted)
    except _BROKEN as error:
        raise DataError(
            f"the archive is damaged: {error}", where=path, remedy="delete it and fetch it again"
        ) from error


def _uncompressed(path: Path) -> BinaryIO:
    if path.suffix == ".bz2":
        return bz2.open(path, "rb")  # type: ignore[return-value]
    if path.suffix == ".tgz":
        return gzip.open(path, "rb")  # type: ignore[return-value]
    return open_bytes(path)


def safe_name(name: str, archive: Path) -> str:
    """``name`` without a leading ``./``. An error if it would leave the folder that it is unpacked in."""
    plain = name.removeprefix("./")
    if plain.startswith("/") or "\\" in plain or ":" in plain.split("/")[0] or ".." in plain.split("/"):
        raise DataError(f"the archive has a file with a path outside it: {name!r}", where=archive)
    return plain


def _zip_members(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            name = safe_name(entry.filename, path)
            # Not entry.is_dir(): it fails for an empty name.
            if name and not name.endswith("/") and wanted(name):
                _check_size(entry.file_size, name, path)
                yield name, archive.read(entry)


def _tar_members(stream: BinaryIO, path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for entry in archive:
            name = safe_name(entry.name, path)
            if name and entry.isreg() and wanted(name):
                _check_size(entry.size, name, path)
                content = archive.extractfile(entry)
                if content is not None:
                    yield name, content.read()


def _check_size(size: int, name: str, path: Path) -> None:
    if size > MAX_MEMBER:
        raise DataError(f"{name} says it is {size} bytes long; the limit is {MAX_MEMBER}", where=path)


def _deb_parts(path: Path) -> Iterator[tuple[str, bytes]]:
    """The members of an ``ar`` file: 60-byte headers, contents padded to even length."""
    with path.open("rb") as stream:
        stream.read(8)
        while header := stream.read(60):
            if len(header) < 60 or header[58:] != b"`\n":
                raise EOFError("a header of the ar archive is damaged")
            size = int(header[48:58])
            content = stream.read(size)
            if len(content) < size:
                raise EOFError("a file in the ar archive is incomplete")
            yield header[:16].decode("ascii").strip().rstrip("/"), content
            stream.read(size % 2)


def _deb_tar(path: Path, part: str) -> BinaryIO:
    for name, content in _deb_parts(path):
        if name == f"{part}.tar":
            return io.BytesIO(content)
        if name == f"{part}.tar.xz":
            return io.BytesIO(lzma.decompress(content))
        if name == f"{part}.tar.gz":
            return io.BytesIO(gzip.decompress(content))
        if name == f"{part}.tar.zst":
            return io.BytesIO(decompress_zst(content))
    raise tarfile.TarError(f"the package has no {part} part")


def _deb_data(path: Path) -> BinaryIO:
    return _deb_tar(path, "data")


def deb_version(path: Path) -> str:
    """The version in a Debian package's control file."""
    try:
        for _, content in _tar_members(_deb_tar(path, "control"), path, lambda name: name == "control"):
            for line in content.decode("utf-8").splitlines():
                if line.startswith("Version:"):
                    return line.partition(":")[2].strip()
    except _BROKEN as error:
        raise DataError(f"not a Debian package: {error}", where=path) from error
    raise DataError("the Debian package names no version", where=path)

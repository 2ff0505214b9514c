"""A model as one file: a zip of its folder, with the same bytes for the same model, that ``load`` can open.

A packed model may come from an untrusted source. It is unpacked once, into the cache, with checks: only plain files
with safe names, and only those that the manifest lists, with their sizes and hashes. The folder in the cache is named
after the hash of the manifest, so only the manifest is read to find it again.
"""

from __future__ import annotations

import errno
import hashlib
import io
import lzma
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from paraphrast._jit import cache_is_writable, cache_root
from paraphrast.errors import InputError, ModelError, ParaphrastError
from paraphrast.formats.files import atomic_write_bytes, put_folder, write_errors
from paraphrast.formats.folders import files_of
from paraphrast.formats.leftovers import held, remove_leftovers, temporary_name
from paraphrast.model.folder import MANIFEST, manifest_text, parse_manifest, parsed_manifest, read_manifest
from paraphrast.model.integrity import (
    FILES,
    REMEDY,
    REPLACEABLE,
    FileRecord,
    is_intact,
    is_safe_name,
    recorded_files,
    records_of,
)

_EPOCH = (1980, 1, 1, 0, 0, 0)
#: Limits of a packed model: number of files, size of the manifest, and unpacked size as a multiple of the packed size.
MAX_FILES = 10_000
MAX_MANIFEST = 1 << 24
MAX_RATIO = 100
#: Small models may exceed the ratio up to this size: an array of zeros packs well.
FREE_SIZE = 1 << 24
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA}
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError),
    *(UnicodeError, ValueError, OverflowError, KeyError, IndexError, lzma.LZMAError, MemoryError),
)
_CHUNK = 1 << 20


def pack_model(model: Path, output: Path, *, small: bool = False) -> Path:
    """Write a model folder to ``output`` (a .zip); files that are already compressed are stored as they are.

    small: compress with LZMA: a fifth smaller, several times slower to write.
    A model whose manifest lists its files is packed with these alone. It is an error if one of them has changed, except
    ``weights.json``, whose hash in the packed manifest is that of the new weights.
    """
    method = zipfile.ZIP_LZMA if small else zipfile.ZIP_DEFLATED
    manifest = read_manifest(model)
    if output.exists():
        raise InputError("the output file already exists", where=output, remedy="choose another name")
    replaced = [name for name in REPLACEABLE if name in manifest.get(FILES, {})]
    for name in replaced:
        manifest[FILES][name] = records_of(model, [name])[name]
    records = recorded_files(manifest)
    content = manifest_text(manifest).encode() if replaced else (model / MANIFEST).read_bytes()
    names = [name for name in records or files_of(model) if name != MANIFEST and (model / name).is_file()]
    with atomic_write_bytes(output) as stream, zipfile.ZipFile(stream, "w") as archive:
        for name in sorted([*names, MANIFEST]):
            path = model / name
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_STORED if path.suffix == ".parquet" else method
            with (
                io.BytesIO(content) if name == MANIFEST else path.open("rb") as source,
                archive.open(entry, "w", force_zip64=True) as target,
            ):
                digest = _copy(source, target)
            if name in records and digest != records[name].sha256:
                raise ModelError(
                    "the file is not the one that the manifest lists, so the model is not packed",
                    where=path,
                    remedy=f"paraphrast model verify lists all changes; {REMEDY}",
                )
    return output


def _copy(source: IO[bytes], target: IO[bytes]) -> str:
    """Copy a stream; the SHA-256 hash of its content."""
    digest = hashlib.sha256()
    while chunk := source.read(_CHUNK):
        digest.update(chunk)
        target.write(chunk)
    return digest.hexdigest()


def opened(model: Path, *, digest: str | None = None) -> Path:
    """The folder of a model; a packed model is unpacked into the cache once.

    digest: SHA-256 of the file, if it is known. Without a cache that can be written, the model is unpacked into a
    temporary folder, which is deleted when Python exits.
    """
    if not model.is_file():
        return model
    models = cache_root() / "models"
    if digest is not None and _is_unpacked(models / f"packed-{digest[:16]}"):
        return models / f"packed-{digest[:16]}"
    with _zip_errors(model), zipfile.ZipFile(model) as archive:
        entries = _checked_entries(archive, model)
        content = _read_manifest_entry(archive, entries, model)
        records = recorded_files(parse_manifest(content))
        name = digest[:16] if digest is not None else _digest(model, content, records)
        folder = models / f"packed-{name}"
        if not _is_unpacked(folder):
            _check_sizes(entries, records, model)
            folder = folder if cache_is_writable() else _temporary_folder() / "model"
            _unpack(archive, entries, records, folder, model)
    return folder


def _temporary_folder() -> Path:
    """A new folder that is deleted when Python exits."""
    import atexit
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="paraphrast-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def unpack_model(model: Path, folder: Path) -> None:
    """Unpack a packed model into a new folder, with the same checks as :func:`opened`."""
    with _zip_errors(model), zipfile.ZipFile(model) as archive:
        entries = _checked_entries(archive, model)
        records = recorded_files(parse_manifest(_read_manifest_entry(archive, entries, model)))
        _check_sizes(entries, records, model)
        _unpack(archive, entries, records, folder, model)


def _digest(model: Path, content: bytes, records: Mapping[str, FileRecord]) -> str:
    """Identifies the content of a packed model: its manifest, if that lists all files with their hashes."""
    if records:
        return hashlib.sha256(content).hexdigest()[:32]
    with model.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]


def _is_unpacked(folder: Path) -> bool:
    """Whether the cache has the model, complete as far as a quick check can tell."""
    if not (folder / MANIFEST).is_file():
        return False
    try:
        return is_intact(folder, parsed_manifest(folder))
    except ModelError:
        return False


def _checked_entries(archive: zipfile.ZipFile, model: Path) -> dict[str, zipfile.ZipInfo]:
    """The files of an archive by name, all of them plain files that stay in their folder."""
    entries: dict[str, zipfile.ZipInfo] = {}
    infos = archive.infolist()
    if len(infos) > MAX_FILES:
        raise _refused(f"expected at most {MAX_FILES:,} files, got {len(infos):,}", model)
    names = set()
    for info in infos:
        name = info.filename
        if not is_safe_name(name.removesuffix("/")):
            raise _refused(f"it has a file outside of its folder: {name!r}", model)
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise _refused(f"expected plain files, got a link or device: {name!r}", model)
        if info.is_dir():
            continue
        if info.flag_bits & 0x1:
            raise _refused(f"it is encrypted: {name!r}", model)
        if info.compress_type not in _METHODS:
            raise _refused(f"expected stored, deflate or LZMA, got method {info.compress_type}", model)
        if name.casefold() in names:
            raise _refused(f"it has a file twice: {name!r}", model)
        names.add(name.casefold())
        entries[name] = info
    return entries


def _read_manifest_entry(
    archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo], model: Path
) -> bytes:
    if MANIFEST not in entries:
        raise ModelError(f"expected a packed model with {MANIFEST}, got another archive", where=model)
    with archive.open(entries[MANIFEST]) as stream:
        content = stream.read(MAX_MANIFEST + 1)
    if len(content) > MAX_MANIFEST:
        raise _refused(f"its {MANIFEST} is larger than {MAX_MANIFEST:,} bytes", model)
    return content


def _check_sizes(
    entries: Mapping[str, zipfile.ZipInfo], records: Mapping[str, FileRecord], model: Path
) -> None:
    """Refuse files that the manifest does not list, other sizes, and more than a model can reasonably unpack to."""
    for name, info in entries.items():
        if name == MANIFEST or not records:
            continue
        if name not in records:
            raise _refused(f"it has a file that its manifest does not list: {name!r}", model)
        if info.file_size != records[name].size:
            raise _refused(f"{name}: expected {records[name].size:,} bytes, got {info.file_size:,}", model)
    total = sum(info.file_size for info in entries.values())
    if total > max(FREE_SIZE, MAX_RATIO * model.stat().st_size):
        raise _refused(f"it would unpack to {total:,} bytes, more than {MAX_RATIO} times its size", model)


def _unpack(
    archive: zipfile.ZipFile,
    entries: Mapping[str, zipfile.ZipInfo],
    records: Mapping[str, FileRecord],
    folder: Path,
    model: Path,
) -> None:
    """Write all files under a temporary name, check their hashes, and rename the folder."""
    temporary = temporary_name(folder)
    with write_errors(folder):
        temporary.mkdir(parents=True)
        remove_leftovers(folder)
        try:
            with held(temporary):
                for name, info in entries.items():
                    digest = _extract(archive, info, temporary / name)
                    if name in records and digest != records[name].sha256:
                        raise _refused(f"{name} is not the file that its manifest lists", model)
                _put(temporary, folder)
        except PermissionError as error:
            raise InputError(
                f"cannot be written: {error.strerror}",
                where=folder.parent,
                remedy="set PARAPHRAST_CACHE to a folder that you can write to",
            ) from error
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def _extract(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> str:
    """Unpack one file; its hash. zipfile reads no more than the size in the entry, and checks its CRC."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(info) as source, path.open("xb") as target:
        return _copy(source, target)


def _put(temporary: Path, folder: Path) -> None:
    """Rename the unpacked folder, unless another process was faster."""
    try:
        put_folder(temporary, folder, checked=True)
    except (OSError, ParaphrastError):
        if not _is_unpacked(folder):
            raise


@contextmanager
def _zip_errors(model: Path) -> Iterator[None]:
    """Report everything that zipfile raises for a damaged archive as an error of the model."""
    try:
        yield
    except ParaphrastError:
        raise
    except PermissionError as error:
        raise ModelError(f"cannot be read: {error.strerror}", where=model) from error
    except (*_BROKEN, OSError) as error:
        if (
            isinstance(error, OSError) and error.errno != errno.EINVAL
        ):  # EINVAL: an offset before the file's begin
            raise
        raise ModelError(
            f"expected a model folder or a packed model: {error}", where=model, remedy="pack or copy it again"
        ) from error


def _refused(reason: str, model: Path) -> ModelError:
    return ModelError(
        f"the packed model is refused: {reason}",
        where=model,
        remedy="get it again from its source, or pack the model folder again",
    )

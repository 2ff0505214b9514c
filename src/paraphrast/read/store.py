"""Converts models once and keeps the result in the user's cache.

``<cache>/read/<kind>-<digest>/`` holds a model in CTranslate2's format. The digest covers the files of the original
model and the version of the converter. A process that holds the lock writes the folder under a temporary name and
renames it when it is complete, so an interrupted run leaves no incomplete model.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from paraphrast._jit import cache_root
from paraphrast.errors import DataError, InputError
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.lock import locked, stamp
from paraphrast.read.bert import convert_bert, is_bert
from paraphrast.read.llama import convert_llama, is_llama
from paraphrast.read.marian import convert_marian, is_marian

#: Increase this when a converter changes what it writes.
VERSION = 2
#: A file of CTranslate2's format: a folder that has it needs no conversion.
CONVERTED = "model.bin"
_PROVENANCE = "provenance.json"

KINDS: dict[str, tuple[Callable[[Path], bool], Callable[[Path, Path], None], str]] = {
    "translation": (is_marian, convert_marian, "config.json, vocab.json, source.spm, target.spm and weights"),
    "language-model": (is_llama, convert_llama, "one *.gguf"),
    "encoder": (is_bert, convert_bert, "config.json, vocab.txt and model.safetensors"),
}


def converted(folder: Path, kind: str, *, layers: int | None = None) -> Path:
    """The CTranslate2 folder for a model folder: itself if it is one, else a conversion from the cache.

    kind: translation, language-model or encoder. layers: number of an encoder's layers to keep; all by default.
    """
    if (folder / CONVERTED).is_file():
        if layers is not None:
            raise InputError(
                f"a CTranslate2 folder gives only the output of the last layer, not of layer {layers}",
                where=folder,
                remedy=f"give the original model: {KINDS[kind][2]}",
            )
        return folder
    fits, convert, expected = KINDS[kind]
    if not fits(folder):
        article = "an" if kind == "encoder" else "a"
        raise InputError(
            f"expected {article} {kind} model: {expected}; or a CTranslate2 folder with {CONVERTED}",
            where=folder,
            remedy="give the folder of a model in one of these layouts",
        )
    out = cache_root() / "read" / f"{kind}-{_digest(folder)}"
    if layers is not None:
        out = out.with_name(f"{out.name}-{layers}")
        convert = partial(convert_bert, layers=layers)
    if (out / CONVERTED).is_file():
        return out
    with locked(out.with_name(f".{out.name}.lock")):
        if not (out / CONVERTED).is_file():
            _make(folder, out, convert)
    return out


def _make(folder: Path, out: Path, convert: Callable[[Path, Path], None]) -> None:
    """Convert under a temporary name. The caller holds the lock, so other temporary folders are from ended runs."""
    for dead in out.parent.glob(f".making-{out.name}~*"):
        shutil.rmtree(dead, ignore_errors=True)
    making = out.with_name(f".making-{out.name}~{stamp()}")
    try:
        making.mkdir(parents=True)
        convert(folder, making)
        making.rename(out)
    except OSError as error:
        raise DataError(
            f"the converted model could not be written: {error.strerror or error}",
            where=out,
            remedy="free some space, or set PARAPHRAST_CACHE to a folder you may write to",
        ) from error
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _digest(folder: Path) -> str:
    """Twelve hex digits: a hash of the hashes recorded for named data, or else of file names, sizes and times."""
    if (folder / _PROVENANCE).is_file():
        files = parse_json((folder / _PROVENANCE).read_text(encoding="utf-8"))["files"]
        facts = sorted((name, str(entry["sha256"])) for name, entry in files.items())
    else:
        resolved = folder.resolve()
        entries = sorted(path for path in resolved.iterdir() if path.is_file())
        facts = [(str(path), f"{path.stat().st_size} {path.stat().st_mtime_ns}") for path in entries]
    return hashlib.sha256(json.dumps([VERSION, facts]).encode()).hexdigest()[:12]

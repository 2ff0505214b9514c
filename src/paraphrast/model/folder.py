"""The manifest of a model folder: what the model is made from, and the format of its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from paraphrast._version import __version__
from paraphrast.errors import ModelError
from paraphrast.formats.arrays import load_any_array
from paraphrast.formats.files import write_errors
from paraphrast.formats.folders import files_of, unknown_files
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.vocabulary import load_words
from paraphrast.model.integrity import FILES, check_quickly, recorded_files, records_of
from paraphrast.types import Vocabulary

#: 2: lookup/ and evidence/ are arrays; before, explaining read Parquet files.
FORMAT_VERSION = 2
MANIFEST = "manifest.json"
#: The files of a model whose manifest lists none.
_PARTS = {
    *(
        "casing.tsv",
        "decoder",
        "evidence",
        "lm",
        "lookup",
        MANIFEST,
        "phrases.parquet",
        "substitution",
        "tables",
    ),
    *("tagger", "vocab.parquet", "weights.json"),
}
#: Files that training writes into the folder and removes at the end.
_PASSING = ("stage.json", ".spill/")
#: The folder of the substitution model (is a substitution right in its sentence?). Not all models have one.
SUBSTITUTION = "substitution"


def read_manifest(model: Path) -> dict[str, Any]:
    """The manifest of a model folder, after checking that this version can read it, and that its files are there.

    Sizes, and the content of small files, are compared with the manifest; `paraphrast model verify` checks the rest.
    """
    manifest = parsed_manifest(model)
    check_quickly(model, manifest)
    return manifest


def parsed_manifest(model: Path) -> dict[str, Any]:
    """The manifest of a model folder, after checking that this version can read it."""
    path = model / MANIFEST
    if not model.exists():
        raise ModelError(
            "no model at this path", where=model, remedy="build one: paraphrast train CONFIG.toml -o MODEL"
        )
    try:
        manifest = parse_manifest(path.read_bytes())
        version = int(manifest["format_version"])
    except PermissionError as error:
        raise ModelError(
            f"cannot be read: {error.strerror}", where=path, remedy="give yourself permission to read it"
        ) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ModelError(
            f"expected a model folder with {MANIFEST}, got a folder without it",
            where=model,
            remedy="give the folder that `paraphrast train … -o MODEL` wrote; if training was interrupted, run the "
            "same command again",
        ) from error
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ModelError(
            f"the manifest is damaged: {error}", where=path, remedy="train the model again"
        ) from error
    if version > FORMAT_VERSION:
        raise ModelError(
            f"expected model format {FORMAT_VERSION}, got {version} "
            f"(made by paraphrast {manifest.get('paraphrast', 'unknown')})",
            where=model,
            remedy="upgrade paraphrast: pip install -U paraphrast",
        )
    if version < FORMAT_VERSION:
        raise ModelError(
            f"expected model format {FORMAT_VERSION}, got {version} "
            f"(made by paraphrast {manifest.get('paraphrast', 'unknown')})",
            where=model,
            remedy=f"train the model again: paraphrast train CONFIG.toml -o {model} --force"
            " (the default model: paraphrast train --default --force)",
        )
    return dict(manifest)


def parse_manifest(content: bytes) -> dict[str, Any]:
    """The record in a manifest's bytes. A ValueError if it is not a record, or if its list of files is unusable."""
    manifest = parse_json(content)
    if not isinstance(manifest, dict):
        raise ValueError(f"expected a JSON object, got {type(manifest).__name__}")
    recorded_files(manifest)
    return manifest


def write_manifest(folder: Path, content: dict[str, Any]) -> None:
    """Write the manifest, as the last file: a folder that has one is complete.

    It lists the other files with their sizes and hashes. After changing a file of a model, write the manifest again.
    """
    names = [name for name in files_of(folder) if name != MANIFEST and not name.startswith(_PASSING)]
    record = {
        "format_version": FORMAT_VERSION,
        "paraphrast": __version__,
        **content,
        FILES: records_of(folder, names),
    }
    for name in names:
        if name.endswith(".npy"):
            load_any_array(
                folder / name
            )  # a full disk can cut a file without an error of the program that wrote it
    with write_errors(folder / MANIFEST):
        (folder / MANIFEST).write_text(manifest_text(record), encoding="utf-8")


def manifest_text(record: dict[str, Any]) -> str:
    """The content of the manifest file."""
    return json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def foreign(folder: Path) -> str | None:
    """Why a folder may not be replaced by a model; None if it is a model, of any version, and nothing else."""
    try:
        manifest = parse_manifest((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return f"it has no {MANIFEST} of a model"
    if not {"format_version", "paraphrast", "language", "signature"} <= manifest.keys():
        return f"its {MANIFEST} is not that of a model"
    listed = recorded_files(manifest)
    if listed:
        return unknown_files(folder, {MANIFEST, *listed})
    return unknown_files(folder, {name for name in files_of(folder) if name.split("/")[0] in _PARTS})


def model_vocabulary(model: Path) -> Vocabulary:
    """The vocabulary of a model."""
    return load_words(model / "decoder")

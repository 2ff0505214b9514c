"""The manifest of a model folder: what the model is made from, and the format of its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from paraphrast._version import __version__
from paraphrast.errors import ModelError
from paraphrast.formats.vocabulary import load_words
from paraphrast.types import Vocabulary

#: 2: lookup/ and evidence/ are arrays; before, explaining read Parquet files.
FORMAT_VERSION = 2
MANIFEST = "manifest.json"
#: The folder of the substitution model: how likely a substitution is right in its sentence. Not all models have one.
SUBSTITUTION = "substitution"


def read_manifest(model: Path) -> dict[str, Any]:
    """The manifest of a model folder, after checking that this version can read it."""
    path = model / MANIFEST
    if not model.exists():
        raise ModelError(
            "no model at this path", where=model, remedy="build one: paraphrast train CONFIG.toml -o MODEL"
        )
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        version = int(manifest["format_version"])
    except FileNotFoundError as error:
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


def write_manifest(folder: Path, content: dict[str, Any]) -> None:
    """Write the manifest, as the last file: a folder that has one is complete."""
    record = {"format_version": FORMAT_VERSION, "paraphrast": __version__, **content}
    text = json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


def model_vocabulary(model: Path) -> Vocabulary:
    """The vocabulary of a model."""
    return load_words(model / "decoder")

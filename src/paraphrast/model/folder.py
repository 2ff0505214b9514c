"""The model folder: what is in it, how it is written whole, and how it is checked when opened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from paraphrast._version import __version__
from paraphrast.errors import ModelError
from paraphrast.formats.vocabulary import load_words
from paraphrast.types import Vocabulary

FORMAT_VERSION = 1
MANIFEST = "manifest.json"
#: The folder of a model that says how likely substitutions are right in their sentences; few models have one.
SUBSTITUTION = "substitution"


def read_manifest(model: Path) -> dict[str, Any]:
    """The manifest of a model folder, after checking that this version can read it."""
    path = model / MANIFEST
    if not model.exists():
        raise ModelError(
            "there is no model here", where=model, remedy="build one: paraphrast train CONFIG.toml -o MODEL"
        )
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        version = int(manifest["format_version"])
    except FileNotFoundError as error:
        raise ModelError(
            f"expected a model folder with {MANIFEST}, found none",
            where=model,
            remedy="a model is the folder that `paraphrast train … -o MODEL` made; a half-built one is resumed "
            "by the same command",
        ) from error
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ModelError(
            f"the manifest is damaged: {error}", where=path, remedy="train the model again"
        ) from error
    if version > FORMAT_VERSION:
        raise ModelError(
            f"expected model format {FORMAT_VERSION} or older, got {version} "
            f"(made by paraphrast {manifest.get('paraphrast', 'unknown')})",
            where=model,
            remedy="upgrade paraphrast: pip install -U paraphrast",
        )
    return dict(manifest)


def write_manifest(folder: Path, content: dict[str, Any]) -> None:
    """Write the manifest: last of all files, so that a folder with one is whole."""
    record = {"format_version": FORMAT_VERSION, "paraphrast": __version__, **content}
    text = json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


def model_vocabulary(model: Path) -> Vocabulary:
    """The vocabulary of a model."""
    return load_words(model / "decoder")

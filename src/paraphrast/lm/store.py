"""A language model as a folder of ``.npy`` files that processes map into memory and share.

``lm.json`` holds the format version; beside it stands one file for each array of
:class:`~paraphrast.types.NgramArrays`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError, ModelError
from paraphrast.formats.files import atomic_folder
from paraphrast.types import NgramArrays

FORMAT_VERSION = 1
VOCABULARY_FILE = "vocab.txt"
_DTYPES: dict[str, np.dtype[Any]] = {
    "word": np.dtype(np.int32),
    "child_begin": np.dtype(np.int64),
    "suffix": np.dtype(np.int32),
    "log_prob": np.dtype(np.float32),
    "backoff": np.dtype(np.float32),
    "order_start": np.dtype(np.int64),
}


def save(
    arrays: NgramArrays, folder: str | Path, *, force: bool = False, words: Sequence[str] | None = None
) -> None:
    """Write a model to ``folder``, which must not exist unless ``force``; it appears when it is whole.

    words: what the ids mean, for a model that stands alone; kept in ``vocab.txt``.
    """
    target = Path(folder)
    if target.exists() and not force:
        raise InputError("there is something already", where=target, remedy="choose another name, or force")
    with atomic_folder(target) as temporary:
        for name, array in arrays._asdict().items():
            np.save(temporary / f"{name}.npy", array.astype(_DTYPES[name], copy=False), allow_pickle=False)
        if words is not None:
            (temporary / VOCABULARY_FILE).write_bytes("".join(f"{word}\n" for word in words).encode())
        about = {"format_version": FORMAT_VERSION, "kind": "ngram", "order": arrays.order}
        (temporary / "lm.json").write_text(json.dumps(about, sort_keys=True) + "\n", encoding="utf-8")


def load(folder: str | Path) -> NgramArrays:
    """Map a model into memory, read-only: pages are read when first touched, and shared between processes."""
    source = Path(folder)
    _check_version(source)
    arrays = NgramArrays(
        *(_load_array(source / f"{name}.npy", _DTYPES[name]) for name in NgramArrays._fields)
    )
    nodes = len(arrays.word)
    fits = (
        len(arrays.order_start) >= 2
        and int(arrays.order_start[-1]) == nodes
        and len(arrays.child_begin) == nodes + 1
        and int(arrays.child_begin[-1]) == nodes
        and len(arrays.suffix) == len(arrays.log_prob) == len(arrays.backoff) == nodes
    )
    if not fits:
        raise ModelError(
            "the arrays of this language model do not belong together", where=source, remedy="build it again"
        )
    return arrays


def _check_version(source: Path) -> None:
    try:
        about = json.loads((source / "lm.json").read_text(encoding="utf-8"))
        version = int(about["format_version"])
    except FileNotFoundError as error:
        raise ModelError("expected a language model, a folder with lm.json", where=source) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"lm.json cannot be read: {error}", where=source, remedy="build it again") from error
    if version > FORMAT_VERSION:
        raise ModelError(
            f"expected format version {FORMAT_VERSION} or older, got {version}",
            where=source,
            remedy="upgrade paraphrast: pip install -U paraphrast",
        )


def _load_array(path: Path, dtype: np.dtype[Any]) -> NDArray[Any]:
    try:
        array = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except (OSError, ValueError, EOFError) as error:
        raise ModelError(f"cannot be read: {error}", where=path, remedy="build the model again") from error
    if array.dtype != dtype or array.ndim != 1:
        raise ModelError(
            f"expected one dimension of {dtype}, got {array.ndim} of {array.dtype}",
            where=path,
            remedy="build the model again",
        )
    return array

"""Tokenised sentences as ``.npy`` files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from paraphrast.formats.arrays import save_array
from paraphrast.types import Sentences


def save_sentences(sentences: Sentences, folder: Path) -> None:
    """Write sentences as .npy files to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("tokens", "starts", "space_before", "char_start", "char_end"):
        values = getattr(sentences, name)
        if values is not None:
            save_array(folder / f"{name}.npy", values)


def load_sentences(folder: Path, *, offsets: bool = False) -> Sentences:
    """Read a folder written by :func:`save_sentences`, mapped into memory."""

    def read(name: str) -> Any:
        return np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)

    return Sentences(
        read("tokens"),
        read("starts"),
        read("space_before"),
        read("char_start") if offsets else None,
        read("char_end") if offsets else None,
    )

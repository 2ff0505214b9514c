"""A reordering model as ``.npy`` files, which are written and read in pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.formats.arrays import ArrayWriter, save_array, stored_length, stored_slice
from paraphrast.types import MAX_PHRASE

Piece = tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.float32]]
#: Phrases that are read at a time.
PIECE = 1 << 16


def save_orientation(pieces: Iterable[Piece], overall: tuple[float, float], folder: Path) -> int:
    """Write a reordering model as .npy files to a folder; returns the number of phrases.

    pieces: words, log p(mono) and log p(swap) of some phrases each. overall: log p(mono) and log p(swap) of all.
    """
    number = 0
    with (
        ArrayWriter(folder / "words.npy", np.int32, (MAX_PHRASE,)) as words,
        ArrayWriter(folder / "mono.npy", np.float32) as mono,
        ArrayWriter(folder / "swap.npy", np.float32) as swap,
    ):
        for piece in pieces:
            for writer, values in zip((words, mono, swap), piece, strict=True):
                writer.add(values)
            number += len(piece[0])
    save_array(folder / "overall.npy", np.array(overall))
    return number


@dataclass(frozen=True)
class StoredOrientation:
    """A folder written by :func:`save_orientation`; see :class:`~paraphrast.types.orientation.SwapOdds`."""

    folder: Path
    overall_mono: float
    overall_swap: float

    @classmethod
    def open(cls, folder: Path) -> StoredOrientation:
        """Read what is known about all phrases together."""
        mono, swap = np.load(folder / "overall.npy", allow_pickle=False).tolist()
        return cls(folder, mono, swap)

    def odds(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.float32]]]:
        """The phrases and their odds, in pieces."""
        files = [self.folder / f"{name}.npy" for name in ("words", "mono", "swap")]
        for begin in range(0, stored_length(files[0]), PIECE):
            words, mono, swap = (stored_slice(file, begin, begin + PIECE) for file in files)
            yield words, swap - mono

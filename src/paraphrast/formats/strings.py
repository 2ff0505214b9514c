"""A list of texts as two arrays that can be mapped into memory: UTF-8 bytes, and where each text begins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import ModelError
from paraphrast.formats.arrays import ArrayWriter, check_bounds, load_array


class Strings(Sequence[str]):
    """Texts by number, decoded at each access.

    utf8: uint8[bytes]. begin: int64[texts + 1], into ``utf8``.
    """

    def __init__(self, utf8: NDArray[np.uint8], begin: NDArray[np.int64]) -> None:
        self._utf8 = utf8
        self._begin = begin

    def __len__(self) -> int:
        return len(self._begin) - 1

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        """The text of a number, or the texts of a slice."""
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        place = index % len(self)
        return (
            self._utf8[self._begin[place] : self._begin[place + 1]]
            .tobytes()
            .decode("utf-8", errors="replace")
        )


def save_strings(folder: Path, name: str, texts: Sequence[str]) -> None:
    """Write ``NAME.npy`` (bytes) and ``NAME_begin.npy``."""
    with StringsWriter(folder, name) as writer:
        writer.add(texts)


class StringsWriter:
    """Writes the files of :func:`save_strings` piece by piece."""

    def __init__(self, folder: Path, name: str) -> None:
        self._utf8 = ArrayWriter(folder / f"{name}.npy", np.uint8)
        self._begin = ArrayWriter(folder / f"{name}_begin.npy", np.int64)
        self._begin.add(np.zeros(1, np.int64))
        self._bytes = 0

    def __enter__(self) -> StringsWriter:
        return self

    def __exit__(self, kind: object, value: object, trace: object) -> None:
        self.close()

    def add(self, texts: Sequence[str]) -> None:
        """Write some texts more."""
        encoded = [text.encode("utf-8") for text in texts]
        ends = self._bytes + np.cumsum([len(text) for text in encoded], dtype=np.int64)
        self._utf8.add(np.frombuffer(b"".join(encoded), dtype=np.uint8))
        self._begin.add(ends)
        self._bytes = int(ends[-1]) if len(ends) else self._bytes

    def close(self) -> None:
        """Write the sizes."""
        self._utf8.close()
        self._begin.close()


def load_strings(folder: Path, name: str) -> Strings:
    """Map files written by :func:`save_strings`."""
    utf8 = load_array(folder / f"{name}.npy", np.uint8)
    begin = load_array(folder / f"{name}_begin.npy", np.int64)
    if not len(begin) or begin[0] != 0 or begin[-1] != len(utf8):
        raise ModelError(
            f"expected texts of {len(utf8)} bytes in all, got other lengths",
            where=folder / f"{name}_begin.npy",
            remedy="the folder is damaged: copy it again, or build it again",
        )
    check_bounds(folder / f"{name}_begin.npy", begin, len(utf8))
    return Strings(utf8, begin)

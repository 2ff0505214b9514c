"""Storage of large arrays: in memory, or in unnamed files that are mapped into memory.

A file without a name needs no cleaning up: it disappears with its array, even if the process is killed. Its pages
belong to the operating system, which writes and drops them when it needs memory. :meth:`Space.release` drops them at
once.
"""

from __future__ import annotations

import mmap
import os
import re
import tempfile
import weakref
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.formats.files import write_errors

Scalar = TypeVar("Scalar", bound=np.generic)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?", re.IGNORECASE)


def parse_memory(text: str) -> int:
    """Bytes of a size such as ``2GB``, ``500 MB`` or ``1.5GiB``."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise InputError(f"expected a size of memory, got {text!r}", remedy="such as 2GB or 500MB")
    unit = _UNITS[match[2].upper()]
    if match[3]:
        unit = 1024 ** list(_UNITS).index(match[2].upper())
    return int(float(match[1]) * unit)


class Space:
    """Creates arrays in memory (``folder`` None) or in unnamed files of ``folder``."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._maps: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()

    def zeros(self, size: int, dtype: type[Scalar]) -> NDArray[Scalar]:
        """An array of zeros. Its disk space is reserved here, so that a full disk is an error now and not later."""
        length = size * np.dtype(dtype).itemsize
        if self.folder is None or length == 0:
            return np.zeros(size, dtype=dtype)
        with write_errors(self.folder / "spilled arrays"), tempfile.TemporaryFile(dir=self.folder) as stream:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(stream.fileno(), 0, length)
            else:
                stream.truncate(length)
            mapped = mmap.mmap(stream.fileno(), length)
        self._maps.add(mapped)
        return np.frombuffer(mapped, dtype=dtype)

    def copy(self, array: NDArray[Scalar]) -> NDArray[Scalar]:
        """In memory, the array itself; otherwise a copy in a file."""
        if self.folder is None:
            return array
        file_array: NDArray[Any] = self.zeros(len(array), array.dtype.type)
        file_array[:] = array
        return file_array

    def load(self, path: Path) -> NDArray[Any]:
        """An array of a ``.npy`` file, mapped into memory, whose pages :meth:`release` drops too."""
        array = np.load(path, mmap_mode="r", allow_pickle=False)
        mapped = getattr(array, "_mmap", None)
        if mapped is not None:
            self._maps.add(mapped)
        return np.asarray(array)

    def release(self) -> None:
        """Drop the pages of all files. They are read again when next used."""
        for mapped in self._maps:
            _drop_pages(mapped)


def release_array(array: NDArray[Any]) -> None:
    """Drop the pages of an array if it is a mapped file. They are read again when next used."""
    owner: Any = array
    while isinstance(owner, np.ndarray):
        owner = owner.base
    if isinstance(owner, memoryview):
        owner = owner.obj
    if isinstance(owner, mmap.mmap):
        _drop_pages(owner)


def _drop_pages(mapped: mmap.mmap) -> None:
    if hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)

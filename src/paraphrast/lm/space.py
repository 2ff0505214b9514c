"""Where large arrays live: in memory, or in nameless files that are mapped into it.

A file without a name needs no cleaning up: it is gone when its array is, whatever ends the process, Ctrl-C
or worse. Its pages belong to the system, which writes them out and drops them as it needs memory;
:meth:`Space.release` gives them back at once.
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
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise InputError(f"expected a size of memory, got {text!r}", remedy="such as 2GB or 500MB")
    unit = _UNITS[found[2].upper()]
    if found[3]:
        unit = 1024 ** list(_UNITS).index(found[2].upper())
    return int(float(found[1]) * unit)


class Space:
    """Makes arrays in memory (``folder`` None) or in nameless files of ``folder``."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._maps: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()

    def zeros(self, size: int, dtype: type[Scalar]) -> NDArray[Scalar]:
        """An array of zeros; its disk space is reserved here, so that a full disk is an error now and not later."""
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
        """The array itself in memory; a copy of it in a file otherwise."""
        if self.folder is None:
            return array
        own: NDArray[Any] = self.zeros(len(array), array.dtype.type)
        own[:] = array
        return own

    def release(self) -> None:
        """Let go of the pages of all files; they are read again when next touched."""
        if hasattr(mmap, "MADV_DONTNEED"):
            for mapped in self._maps:
                mapped.madvise(mmap.MADV_DONTNEED)

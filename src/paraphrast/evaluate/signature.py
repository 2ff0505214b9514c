"""Signature of a result on one line, like sacreBLEU's: what was computed, from which data, with which options.

``aer|f1:all|…|samples:1000|seed:12345|version:0.1.0``: fields separated by ``|``, name and value by ``:``, the version
of the package last. Two results with the same signature were computed in the same way on the same gold standard.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from paraphrast._version import __version__


def signature(figure: str, fields: Iterable[tuple[str, object]]) -> str:
    """The name of a figure and its options, in the given order. Fields with ``None`` are left out."""
    parts = [f"{name}:{_plain(value)}" for name, value in fields if value is not None]
    return "|".join([figure, *parts, f"version:{__version__}"])


def _plain(value: object) -> str:
    """A value without the two separators of a signature."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text.replace("|", "/").replace(":", "=")


def fingerprint(*arrays: NDArray[np.generic]) -> str:
    """Eight hexadecimal digits that identify the content, with any byte order of the machine."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.shape}".encode())
        digest.update(np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"))).tobytes())
    return digest.hexdigest()[:8]

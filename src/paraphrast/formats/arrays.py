"""Arrays from ``.npy`` files that may be damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from paraphrast.errors import ModelError

_REMEDY = "the folder is damaged: copy it again, or build it again"


def load_array(path: Path, dtype: DTypeLike, *, dimensions: int = 1, mapped: bool = True) -> NDArray[Any]:
    """The array in a ``.npy`` file, with this type and number of dimensions, or a :class:`ModelError` that names it.

    mapped: a read-only view of the file, whose pages are read when first used; otherwise a copy in memory.
    """
    try:
        array = np.asarray(np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False))
    except Exception as error:  # numpy raises many kinds of errors for a damaged header
        raise ModelError(f"cannot be read: {error}", where=path, remedy=_REMEDY) from error
    if array.dtype != dtype or array.ndim != dimensions:
        raise ModelError(
            f"expected {dimensions} dimension{'s' * (dimensions > 1)} of {np.dtype(dtype)}, "
            f"got {array.ndim} of {array.dtype}",
            where=path,
            remedy=_REMEDY,
        )
    return array

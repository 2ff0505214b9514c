"""Merge the phrases of several extractions under one numbering that depends only on the phrases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.types import MAX_PHRASE


def merge_phrases(
    stores: Sequence[NDArray[np.int32]],
) -> tuple[NDArray[np.int32], list[NDArray[np.int32]]]:
    """The union of word matrices and, for each, the new id of every row.

    The union is sorted by words from the first on, a phrase before its extensions, so ids do not depend on the order of
    the stores. As many words as fit are packed into one integer, so that the sort compares two or three columns instead
    of seven.
    """
    for store in stores:
        if store.ndim != 2 or store.shape[1] != MAX_PHRASE:
            raise InputError(f"expected word matrices of shape (n, {MAX_PHRASE}), got {store.shape}")
    if not stores or not sum(len(store) for store in stores):
        return np.zeros((0, MAX_PHRASE), np.int32), [np.zeros(0, np.int32) for _ in stores]
    words = np.concatenate(list(stores))
    if words.min() < -1:
        raise InputError(f"expected word ids of at least −1, got {words.min()}")
    keys = _packed(words)
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(words), dtype=bool)
    new[0] = True
    for key in keys:
        ordered = key[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    union = np.ascontiguousarray(words[order[new]])
    remap = np.empty(len(words), dtype=np.int32)
    remap[order] = (np.cumsum(new) - 1).astype(np.int32)
    bounds = np.cumsum([len(store) for store in stores])[:-1]
    return union, [np.ascontiguousarray(piece) for piece in np.split(remap, bounds)]


def _packed(words: NDArray[np.int32]) -> list[NDArray[np.int64]]:
    """Columns of ``words`` packed into int64, as many per integer as fit, most significant first."""
    bits = max(int(words.max()) + 1, 1).bit_length()
    per_key = 63 // bits
    keys = []
    for first in range(0, MAX_PHRASE, per_key):
        key = np.zeros(len(words), dtype=np.int64)
        for column in range(first, min(first + per_key, MAX_PHRASE)):
            key = (key << bits) | (words[:, column].astype(np.int64) + 1)
        keys.append(key)
    return keys

"""Features that the pivot stage adds to its table: shared categories and similar contexts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from paraphrast.tables.pivot.join import feature_floor
from paraphrast.text.syntax.category import replaceable_masks
from paraphrast.types import ParaphraseTable

#: The share used for "no common category" in the feature ``syntax``.
LOWEST_SYNTAX = 0.05


def syntax_feature(
    categories: NDArray[np.uint32], source: NDArray[np.int32], target: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Log of the share of a source's categories that the target can replace (Callison-Burch 2008).

    NaN if either has none; :data:`LOWEST_SYNTAX` for a share of zero.
    """
    wide = replaceable_masks(categories)
    shared = _bits(categories[source] & wide[target])
    source_bits = _bits(categories[source])
    # A target of any kind (wide 0, see replaceable_masks) can replace everything.
    share = np.where(wide[target] == 0, 1.0, shared / np.maximum(source_bits, 1))
    known = (categories[source] != 0) & (categories[target] != 0)
    return np.where(known, np.log(np.maximum(share, LOWEST_SYNTAX)), np.nan).astype(np.float32)


def _bits(masks: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Number of bits of each mask."""
    return sum(((masks >> bit) & 1 for bit in range(32)), start=np.zeros(len(masks), np.int64))


def with_feature(table: ParaphraseTable, name: str, values: NDArray[np.float32]) -> ParaphraseTable:
    """The table with one more feature."""
    described = {**table.info.features, name: {"direction": "higher", "floor": feature_floor(values)}}
    return replace(
        table, features={**table.features, name: values}, info=replace(table.info, features=described)
    )

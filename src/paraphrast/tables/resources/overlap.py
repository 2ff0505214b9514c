"""Word overlap, used for content, context, sentence pairs (Th3) and clicks.

Zhao et al. (2008, §4) use the "word overlapping rate" without defining it. Here it is Dice's coefficient of the
*distinct* items of two lists, 2 |A ∩ B| / (|A| + |B|): symmetric, between 0 and 1, and 1 only for equal sets. Items are
words, or clicked documents. The overlap of two empty lists is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.tables.resources._kernels_overlap import shared_counts


@dataclass(frozen=True)
class ItemSets:
    """Many sets in compressed rows: row r has ``items[starts[r]:starts[r + 1]]``, ascending and distinct."""

    starts: NDArray[np.int64]
    items: NDArray[np.int32]

    @classmethod
    def of(cls, row: NDArray[np.integer], item: NDArray[np.integer], rows: int) -> ItemSets:
        """From (row, item) incidences in any order, repeats allowed."""
        if len(row) != len(item):
            raise InputError(f"expected as many rows as items, got {len(row)} and {len(item)}")
        if len(row) == 0:
            return cls(np.zeros(rows + 1, np.int64), np.zeros(0, np.int32))
        width = int(item.max()) + 1
        keys = np.unique(row.astype(np.int64) * width + item)
        starts = np.zeros(rows + 1, np.int64)
        np.cumsum(np.bincount(keys // width, minlength=rows), out=starts[1:])
        return cls(starts, (keys % width).astype(np.int32))

    @classmethod
    def from_lists(cls, lists: Sequence[Sequence[int]]) -> ItemSets:
        """From lists of numbers."""
        row = np.repeat(np.arange(len(lists)), [len(entry) for entry in lists])
        item = np.array([number for entry in lists for number in entry], dtype=np.int64)
        return cls.of(row, item, len(lists))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of items of every row."""
        return np.diff(self.starts)


def pair_overlaps(sets: ItemSets, first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.float64]:
    """Overlap 2 |A ∩ B| / (|A| + |B|) of rows ``first[k]`` and ``second[k]``, for all k at once."""
    shared = shared_counts(
        sets.starts, sets.items, np.ascontiguousarray(first, np.int32), np.ascontiguousarray(second, np.int32)
    )
    total = sets.sizes[first] + sets.sizes[second]
    return np.asarray(
        np.divide(2.0 * shared, total, out=np.zeros(len(shared)), where=total > 0), dtype=np.float64
    )


def sharing_pairs(
    sets: ItemSets, *, most_rows: int | None = None, block: int = 4096
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Pairs (first < second) of rows that share an item which at most ``most_rows`` rows have, sorted.

    Cost and memory grow with the sum over items of the squared number of rows, which ``most_rows`` bounds. Words like
    "the" and hub documents say little about a pair, and would make the cost quadratic.
    """
    from scipy import sparse

    width = int(sets.items.max()) + 1 if len(sets.items) else 1
    data = np.ones(len(sets.items), np.int32)
    matrix = sparse.csr_matrix((data, sets.items, sets.starts), shape=(len(sets), width))
    if most_rows is not None:
        rows = np.bincount(sets.items, minlength=width)
        matrix = matrix[:, np.flatnonzero(rows <= most_rows)]
    turned = matrix.T.tocsr()
    first_rows: list[NDArray[np.int32]] = []
    second_rows: list[NDArray[np.int32]] = []
    for begin in range(0, len(sets), block):
        product = (matrix[begin : begin + block] @ turned).tocoo()
        first, second = product.row.astype(np.int32) + np.int32(begin), product.col.astype(np.int32)
        keep = first < second
        first, second = first[keep], second[keep]
        order = np.lexsort((second, first))
        first_rows.append(first[order])
        second_rows.append(second[order])
    empty = np.zeros(0, np.int32)
    return (
        np.concatenate(first_rows) if first_rows else empty,
        np.concatenate(second_rows) if second_rows else empty,
    )

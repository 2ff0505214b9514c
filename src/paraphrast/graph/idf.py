"""How informative it is that two phrases are in the same sub-tables (Martzoukos & Monz 2012, eq. 1 and §2.2)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from paraphrast.errors import InputError
from paraphrast.graph._kernels_idf import count_common
from paraphrast.graph.records import Clusters, SubTables


class Idf:
    """Eq. 1 for arrays of phrase pairs of one side:

        idf(x, x′) = log(2 c(x, x′) |D| / (c(x) + c(x′))) / log |D|

    c(x): number of sub-tables with x; c(x, x′): number with both or, with ``clusters`` (of that side), with both in at
    least one common cluster. |D|: number of decomposed sub-tables. If both phrases are in one small component of F,
    all c are 1 and so is the idf, which then has no effect. A pair without a common sub-table has 0 instead of −∞.
    With |D| ≤ 1 the formula is undefined: such a pair has 0 and every other pair 1.
    """

    def __init__(self, tables: SubTables, clusters: Clusters | None = None) -> None:
        self.decomposed = int(tables.decomposed.sum())
        table = np.repeat(np.arange(len(tables), dtype=np.int32), np.diff(tables.vertex_start))
        size = int(tables.vertices.max()) + 1 if len(tables.vertices) else 0
        self.occurrences = np.bincount(tables.vertices, minlength=size).astype(np.int64)
        if clusters is None:
            member, group = tables.vertices, table
            self._table = np.arange(len(tables), dtype=np.int32)
        else:
            member = clusters.members
            group = np.repeat(
                np.arange(len(clusters.member_start) - 1, dtype=np.int32), np.diff(clusters.member_start)
            )
            self._table = np.repeat(
                np.arange(len(tables), dtype=np.int32), np.diff(clusters.table_start)
            ).astype(np.int32)
        self._start = np.zeros(size + 1, dtype=np.int64)
        np.cumsum(np.bincount(member, minlength=size), out=self._start[1:])
        self._group = group[np.argsort(member, kind="stable")]

    def common(self, first: ArrayLike, second: ArrayLike) -> NDArray[np.int64]:
        """c(x, x′) of each pair of vertices."""
        first_vertex, second_vertex = np.asarray(first, dtype=np.int32), np.asarray(second, dtype=np.int32)
        size = len(self._start) - 1
        if first_vertex.shape != second_vertex.shape or first_vertex.ndim != 1:
            raise InputError(
                f"expected as many first as second phrases, got {first_vertex.shape} and {second_vertex.shape}"
            )
        for side in (first_vertex, second_vertex):
            if len(side) and not (side.min() >= 0 and side.max() < size):
                raise InputError(f"expected vertices from 0 to {size - 1}, got {side.min()} to {side.max()}")
        return count_common(self._start, self._group, self._table, first_vertex, second_vertex)

    def __call__(self, first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
        """idf(x, x′) of each pair of vertices, between 0 and 1."""
        common = self.common(first, second)
        if self.decomposed <= 1:
            return (common > 0).astype(np.float64)
        apart = self.occurrences[np.asarray(first)] + self.occurrences[np.asarray(second)]
        met = common > 0
        value = np.zeros(len(common))
        value[met] = np.log(2.0 * common[met] * self.decomposed / apart[met]) / math.log(self.decomposed)
        return np.clip(value, 0.0, 1.0)

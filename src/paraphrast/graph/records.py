"""Records that pass between the steps of the graph: a phrase graph, its sub-phrase-tables, their clusters.

Martzoukos & Monz 2012. Vertices of both languages share one numbering: source phrases are 0 … S−1, target phrases
S … S+T−1. Lists of varying length are flat, with a ``start`` array of one entry more than there are parts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class PhraseGraph:
    """The phrase table as a bipartite graph P (§2.1), without its 1–1 entries.

    source, target: int32[n], vertex ids of each entry, sorted by (source, target); a target's id is S + its number.
    count: int64[n], co-occurrence count n(s, t). source_size, target_size: S and T.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.int64]
    source_size: int
    target_size: int

    @property
    def size(self) -> int:
        """Number of vertices of both kinds."""
        return self.source_size + self.target_size


@dataclass(frozen=True)
class SubTables:
    """The collection C = D ∪ F of sub-phrase-tables (§2.1), in a fixed order.

    vertex_start: int64[k + 1]; vertices: int32, ascending within a sub-table, so sources come before targets.
    edge_start: int64[k + 1]; edges: int32, rows of the PhraseGraph's entries, ascending within a sub-table.
    decomposed: bool[k], true for those of D (a vertex may be in several), false for those of F (disjoint from all).
    """

    vertex_start: NDArray[np.int64]
    vertices: NDArray[np.int32]
    edge_start: NDArray[np.int64]
    edges: NDArray[np.int32]
    decomposed: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.decomposed)


@dataclass(frozen=True)
class Clusters:
    """Soft clusters of one side (source or target) of every sub-table (§2.2).

    table_start: int64[k + 1], the clusters of sub-table c are table_start[c] … table_start[c + 1] − 1.
    member_start: int64[clusters + 1]; members: int32, vertex ids, ascending within a cluster.
    """

    table_start: NDArray[np.int64]
    member_start: NDArray[np.int64]
    members: NDArray[np.int32]

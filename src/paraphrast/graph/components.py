"""Parts of the phrase graph: connected components with their cut vertices, and lists of vertices per part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.graph._kernels_cut import entries_within, explore
from paraphrast.graph.phrase_graph import Adjacency


@dataclass(frozen=True)
class Walk:
    """Result of one search over the active vertices; arrays as long as ``vertices``.

    label: component, numbered by its lowest vertex. is_cut: whether the vertex is an articulation point.
    degree: number of active neighbours. size: number of vertices of each component.
    """

    vertices: NDArray[np.int32]
    label: NDArray[np.int32]
    is_cut: NDArray[np.bool_]
    degree: NDArray[np.int32]
    size: NDArray[np.int64]


class Explorer:
    """Searches one graph repeatedly while vertices are removed, with memory allocated once."""

    def __init__(self, links: Adjacency) -> None:
        size = len(links.start) - 1
        self._links = links
        self._alive = np.zeros(size, dtype=np.bool_)
        self._label = np.zeros(size, dtype=np.int32)
        self._is_cut = np.zeros(size, dtype=np.bool_)
        self._degree = np.zeros(size, dtype=np.int32)
        self._scratch = np.zeros((4, size), dtype=np.int32)
        self._cursor = np.zeros(size, dtype=np.int64)

    def walk(self, vertices: NDArray[np.int32]) -> Walk:
        """Components and cut vertices of the graph between these vertices (ascending)."""
        self._alive[vertices] = True
        count = explore(
            self._links.start,
            self._links.neighbour,
            self._alive,
            vertices,
            self._label,
            self._is_cut,
            self._degree,
            self._scratch,
            self._cursor,
        )
        self._alive[vertices] = False
        label = self._label[vertices]
        return Walk(
            vertices,
            label,
            self._is_cut[vertices],
            self._degree[vertices],
            np.bincount(label, minlength=count).astype(np.int64),
        )


@dataclass(frozen=True)
class Parts:
    """Sub-graphs of the phrase graph: flat lists of their vertices and entries, both ascending within a part."""

    vertex_start: NDArray[np.int64]
    vertices: NDArray[np.int32]
    edge_start: NDArray[np.int64]
    edges: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.vertex_start) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of vertices of each part."""
        return np.diff(self.vertex_start)

    @property
    def part_of(self) -> NDArray[np.int64]:
        """The part of each of ``vertices``."""
        return np.repeat(np.arange(len(self)), self.sizes)


def group(
    part: NDArray[np.int64], member: NDArray[np.int32], parts: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Parallel ``(part, member)`` to flat lists per part, members ascending and distinct."""
    key = np.unique((part.astype(np.int64) << 32) | member)
    start = np.zeros(parts + 1, dtype=np.int64)
    np.cumsum(np.bincount(key >> 32, minlength=parts), out=start[1:])
    return start, (key & 0xFFFFFFFF).astype(np.int32)


def with_entries(
    links: Adjacency, vertex_start: NDArray[np.int64], vertices: NDArray[np.int32], source_size: int
) -> Parts:
    """Parts with these vertices and all entries between them in the graph."""
    edge_start, edges = entries_within(
        links.start, links.neighbour, links.entry, vertex_start, vertices, source_size
    )
    return Parts(vertex_start, vertices, edge_start, edges)


def join(collections: list[Parts]) -> Parts:
    """All parts of several collections, in order."""
    return Parts(
        _chain([parts.vertex_start for parts in collections]),
        np.concatenate([np.zeros(0, dtype=np.int32), *(parts.vertices for parts in collections)]),
        _chain([parts.edge_start for parts in collections]),
        np.concatenate([np.zeros(0, dtype=np.int32), *(parts.edges for parts in collections)]),
    )


def select(parts: Parts, wanted: NDArray[np.int64]) -> Parts:
    """The parts with these numbers, in this order."""
    vertex_start, vertices = take(parts.vertex_start, parts.vertices, wanted)
    edge_start, edges = take(parts.edge_start, parts.edges, wanted)
    return Parts(vertex_start, vertices, edge_start, edges)


def take(
    start: NDArray[np.int64], values: NDArray[np.int32], wanted: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The lists with the numbers ``wanted`` out of flat lists."""
    length = np.diff(start)[wanted]
    new_start = np.zeros(len(wanted) + 1, dtype=np.int64)
    np.cumsum(length, out=new_start[1:])
    place = np.arange(new_start[-1]) + np.repeat(start[wanted] - new_start[:-1], length)
    return new_start, values[place]


def _chain(starts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Starts of concatenated lists."""
    lengths = [np.diff(start) for start in starts]
    return np.concatenate(
        [np.zeros(1, dtype=np.int64), np.cumsum(np.concatenate([np.zeros(0, dtype=np.int64), *lengths]))]
    )

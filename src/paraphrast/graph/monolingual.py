"""Clusters to monolingual graphs of phrases (Martzoukos & Monz 2012, §3.1).

Each cluster of one side becomes a graph: two of its phrases are joined once for every cluster of the other side in
which both have translations, if their idf is above σ (the condition does not apply to sub-tables that were not
decomposed). Each connected part is a separate graph. Features and inflation vertices are added in ``commute``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.graph import _kernels_graphs as k
from paraphrast.graph.options import GraphOptions
from paraphrast.graph.records import Clusters, PhraseGraph, SubTables

#: idf(x, x′) of vertex pairs (eq. 1), float64 of the same length.
IdfOfPairs = Callable[[NDArray[np.int32], NDArray[np.int32]], NDArray[np.float64]]
#: Number of phrase-table entries whose strengths are in memory at a time.
CHUNK = 1 << 20
SIDES = ("source", "target")


@dataclass(frozen=True)
class Graphs:
    """Monolingual graphs of one side, in the order of sub-tables and clusters; phrases are numbered within the side.

    table: int32[g], sub-table. phrase_start: int64[g + 1]; phrases: int32, ascending within a graph.
    inflated: bool, as long as phrases. strength: float64, as long, the phrase's strength over all subgraphs in which it
        has a neighbour, for the edge to an inflation vertex.
    edge_start: int64[g + 1]; edge_a < edge_b: int32, places within the graph; edges: int32, number of distinct edges
        between the two; forward, backward: float64, w(a → b) and w(b → a) (eq. 3).
    dropped, dropped_phrases: number of graphs above the limit, and of their phrases.
    """

    table: NDArray[np.int32]
    phrase_start: NDArray[np.int64]
    phrases: NDArray[np.int32]
    inflated: NDArray[np.bool_]
    strength: NDArray[np.float64]
    edge_start: NDArray[np.int64]
    edge_a: NDArray[np.int32]
    edge_b: NDArray[np.int32]
    edges: NDArray[np.int32]
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    dropped: int = 0
    dropped_phrases: int = 0

    def __len__(self) -> int:
        return len(self.table)


def build_graphs(
    graph: PhraseGraph,
    tables: SubTables,
    source_clusters: Clusters,
    target_clusters: Clusters,
    side: str,
    idf: IdfOfPairs | None = None,
    options: GraphOptions | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Graphs:
    """The graphs of the clusters of one side, a run of sub-tables at a time. Memory grows only with the graphs."""
    options = options or GraphOptions()
    if side not in SIDES:
        raise InputError(f"side: expected {' or '.join(SIDES)}, got {side!r}")
    side_clusters, other = (
        (source_clusters, target_clusters) if side == "source" else (target_clusters, source_clusters)
    )
    ends = (graph.source, graph.target) if side == "source" else (graph.target, graph.source)
    offset = 0 if side == "source" else graph.source_size
    most = np.zeros(graph.size, np.int64)
    np.maximum.at(most, ends[0], graph.count)
    inflated = most >= options.inflate_from if options.inflate_from > 0 else np.zeros(graph.size, np.bool_)
    pieces = []
    for first, last in _runs(tables.edge_start):
        pieces.append(_piece(graph, tables, side_clusters, other, ends, (first, last), idf, options))
        if progress is not None:
            progress(last, len(tables))
    return _joined(pieces, inflated, offset)


def _runs(edge_start: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Runs of sub-tables with about :data:`CHUNK` entries; a larger sub-table is a run by itself."""
    first, tables = 0, len(edge_start) - 1
    while first < tables:
        last = int(np.searchsorted(edge_start, edge_start[first] + CHUNK, side="right")) - 1
        last = min(max(last, first + 1), tables)
        yield first, last
        first = last


def _members(clusters: Clusters, first: int, last: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sub-table and cluster of every membership of a run."""
    low, high = int(clusters.table_start[first]), int(clusters.table_start[last])
    numbers = np.arange(low, high)
    table = np.repeat(np.arange(first, last), np.diff(clusters.table_start[first : last + 1]))
    sizes = np.diff(clusters.member_start[low : high + 1])
    return np.repeat(table, sizes), np.repeat(numbers, sizes)


def strengths(
    graph: PhraseGraph,
    tables: SubTables,
    other: Clusters,
    ends: tuple[NDArray[np.int32], NDArray[np.int32]],
    run: tuple[int, int],
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """n(s; T) (eq. 2) of a run of sub-tables: key (sub-table · size + s), T, strength; sorted by key and T."""
    first, last = run
    low, high = int(tables.edge_start[first]), int(tables.edge_start[last])
    rows = tables.edges[low:high]
    table = np.repeat(np.arange(first, last), np.diff(tables.edge_start[first : last + 1]))
    member_table, member_cluster = _members(other, first, last)
    lowest = int(other.member_start[other.table_start[first]])
    vertex = other.members[lowest : lowest + len(member_table)].astype(np.int64)
    member_key = member_table * graph.size + vertex
    order = np.lexsort((member_cluster, member_key))
    member_key, member_cluster = member_key[order], member_cluster[order]
    wanted = table * graph.size + ends[1][rows].astype(np.int64)
    begin = np.searchsorted(member_key, wanted, side="left")
    times = np.searchsorted(member_key, wanted, side="right") - begin
    entry = np.repeat(np.arange(len(rows)), times)
    place = np.arange(len(entry)) - np.repeat(np.cumsum(times) - times, times) + begin[entry]
    cluster = member_cluster[place]
    key = table[entry] * graph.size + ends[0][rows[entry]].astype(np.int64)
    order = np.lexsort((cluster, key))
    key, cluster, count = key[order], cluster[order], graph.count[rows[entry[order]]].astype(np.float64)
    if not len(key):
        return key, cluster.astype(np.int32), count
    new = np.ones(len(key), np.bool_)
    new[1:] = (key[1:] != key[:-1]) | (cluster[1:] != cluster[:-1])
    starts = np.flatnonzero(new)
    return key[starts], cluster[starts].astype(np.int32), np.add.reduceat(count, starts)


@dataclass(frozen=True)
class _Piece:
    """Graphs of a run of sub-tables; phrases are vertices of the phrase graph."""

    table: NDArray[np.int64]
    sizes: NDArray[np.int64]
    vertices: NDArray[np.int32]
    strength: NDArray[np.float64]
    edge_sizes: NDArray[np.int64]
    columns: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]
    weights: tuple[NDArray[np.float64], NDArray[np.float64]]
    dropped: int
    dropped_phrases: int


def _piece(
    graph: PhraseGraph,
    tables: SubTables,
    own: Clusters,
    other: Clusters,
    ends: tuple[NDArray[np.int32], NDArray[np.int32]],
    run: tuple[int, int],
    idf: IdfOfPairs | None,
    options: GraphOptions,
) -> _Piece:
    key, cluster, strength = strengths(graph, tables, other, ends, run)
    member_table, _ = _members(own, *run)
    low, high = int(own.table_start[run[0]]), int(own.table_start[run[1]])
    begin_member = int(own.member_start[low])
    members = own.members[begin_member : begin_member + len(member_table)]
    member_start = own.member_start[low : high + 1] - begin_member
    wanted = member_table * graph.size + members.astype(np.int64)
    list_begin = np.searchsorted(key, wanted, side="left")
    list_end = np.searchsorted(key, wanted, side="right")
    arguments = (np.ascontiguousarray(member_start), list_begin, list_end, cluster, strength)
    total = int(k.count_pairs(*arguments)[-1])
    first, second, edges, forward, backward = k.fill_pairs(*arguments, total)
    if idf is not None and total:
        decomposed = np.flatnonzero(tables.decomposed[member_table[first]])
        near = np.ones(total, np.bool_)
        near[decomposed] = idf(members[first[decomposed]], members[second[decomposed]]) > options.sigma
        first, second, edges = first[near], second[near], edges[near]
        forward, backward = forward[near], backward[near]
    part = k.connected_parts(len(members), first, second)
    size = np.bincount(part, minlength=len(members))
    large = size[part] > options.max_phrases
    dropped, dropped_phrases = int((size > options.max_phrases).sum()), int(large.sum())
    if dropped and options.large == "split":
        trip = _round_trip(len(members), first, second, forward, backward)
        order = np.lexsort((second, first, -trip))
        part = k.split_parts(len(members), first, second, order, options.max_phrases)
        size = np.bincount(part, minlength=len(members))
        dropped = dropped_phrases = 0
    kept = (size[part] >= 2) & (size[part] <= options.max_phrases)
    inside = (part[first] == part[second]) & kept[first]
    return _numbered(
        member_table,
        members,
        part,
        kept,
        tuple(values[inside] for values in (first, second)),
        edges[inside],
        (forward[inside], backward[inside]),
        (list_begin, list_end, cluster, strength),
        (dropped, dropped_phrases),
    )


def _round_trip(
    members: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    forward: NDArray[np.float64],
    backward: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Probability that a walk over phrases alone goes from a to b and directly back: a cut should avoid such edges."""
    out = np.bincount(first, weights=forward, minlength=members)
    out += np.bincount(second, weights=backward, minlength=members)
    return np.asarray(forward / out[first] * (backward / out[second]), dtype=np.float64)


def _numbered(
    member_table: NDArray[np.int64],
    members: NDArray[np.int32],
    part: NDArray[np.int64],
    kept: NDArray[np.bool_],
    ends: tuple[NDArray[np.int64], ...],
    edges: NDArray[np.int32],
    weights: tuple[NDArray[np.float64], NDArray[np.float64]],
    lists: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]],
    dropped: tuple[int, int],
) -> _Piece:
    """Number the kept parts by their first member, and the members of each from 0."""
    chosen = np.flatnonzero(kept)
    order = chosen[np.argsort(part[chosen], kind="stable")]
    roots, starts, sizes = np.unique(part[order], return_index=True, return_counts=True)
    place = np.full(len(members), -1, np.int64)
    place[order] = np.arange(len(order)) - np.repeat(starts, sizes)
    first, second = ends
    graph_of = np.searchsorted(roots, part[first])
    edge_order = np.lexsort((place[second], place[first], graph_of))
    first, second = first[edge_order], second[edge_order]
    return _Piece(
        member_table[order[starts]] if len(order) else np.zeros(0, np.int64),
        sizes,
        members[order],
        _subgraph_strength(len(members), first, second, lists)[order],
        np.bincount(graph_of, minlength=len(roots)),
        (place[first].astype(np.int32), place[second].astype(np.int32), edges[edge_order]),
        (weights[0][edge_order], weights[1][edge_order]),
        *dropped,
    )


def _subgraph_strength(
    members: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    lists: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Σ_T n(s; T) over the target clusters T that connect s with any phrase of its graph."""
    return k.joined_strength(members, first, second, *lists)


def _joined(pieces: list[_Piece], inflated: NDArray[np.bool_], offset: int) -> Graphs:
    def one(arrays: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
        return np.concatenate(arrays).astype(kind) if arrays else np.zeros(0, kind)

    vertices = one([piece.vertices for piece in pieces], np.int32)
    columns = [one([piece.columns[n] for piece in pieces], np.int32) for n in range(3)]
    weights = [one([piece.weights[n] for piece in pieces], np.float64) for n in range(2)]
    return Graphs(
        table=one([piece.table for piece in pieces], np.int32),
        phrase_start=starts_of(one([piece.sizes for piece in pieces], np.int64)),
        phrases=(vertices - offset).astype(np.int32),
        inflated=inflated[vertices],
        strength=one([piece.strength for piece in pieces], np.float64),
        edge_start=starts_of(one([piece.edge_sizes for piece in pieces], np.int64)),
        edge_a=columns[0],
        edge_b=columns[1],
        edges=columns[2],
        forward=weights[0],
        backward=weights[1],
        dropped=sum(piece.dropped for piece in pieces),
        dropped_phrases=sum(piece.dropped_phrases for piece in pieces),
    )


def starts_of(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each part begins, followed by the end of the last."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts

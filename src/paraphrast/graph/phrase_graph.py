"""Counted phrase pairs to the bipartite phrase graph P (Martzoukos & Monz 2012, §2.1), and its neighbourhoods."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from paraphrast.errors import InputError
from paraphrast.graph.records import PhraseGraph


@dataclass(frozen=True)
class GraphReport:
    """Number of entries of a phrase table by outcome.

    entries: all of them. one_to_one: those with p(s|t) = p(t|s) = 1, dropped.
    """

    entries: int
    one_to_one: int

    @property
    def share(self) -> float:
        """The share of one-to-one entries (0.30 in the paper)."""
        return self.one_to_one / self.entries if self.entries else 0.0


def phrase_graph(
    source: ArrayLike,
    target: ArrayLike,
    count: ArrayLike,
    source_total: ArrayLike,
    target_total: ArrayLike,
    source_size: int,
    target_size: int,
) -> tuple[PhraseGraph, GraphReport]:
    """The graph P of counted phrase pairs, without those whose phrases translate only each other (§4.1).

    All arrays have one item per entry. source, target: phrase numbers below ``source_size`` and ``target_size``, each
    pair once. count: n(s, t), above 0. source_total, target_total: n(s) and n(t), before rare entries were dropped. An
    entry is one to one if n(s, t) = n(s) = n(t). Such a phrase has no other translation, so it has no paraphrase, here
    or by pivoting. Vertices keep the numbers of the phrases; target vertices come after all source vertices.
    """
    sources, targets = np.asarray(source, dtype=np.int32), np.asarray(target, dtype=np.int32)
    counts = np.asarray(count, dtype=np.int64)
    totals = np.asarray(source_total, dtype=np.int64), np.asarray(target_total, dtype=np.int64)
    columns = (sources, targets, counts, *totals)
    if len({column.shape for column in columns}) > 1 or counts.ndim != 1:
        raise InputError(
            "expected a source, a target, a count and two totals per entry, "
            f"got {', '.join(str(column.shape) for column in columns)}"
        )
    _check(sources, targets, counts, source_size, target_size)
    single = (counts == totals[0]) & (counts == totals[1])
    report = GraphReport(len(sources), int(single.sum()))
    sources, targets, counts = sources[~single], targets[~single], counts[~single]
    order = np.lexsort((targets, sources))
    sources, targets, counts = sources[order], targets[order], counts[order]
    if bool(((sources[1:] == sources[:-1]) & (targets[1:] == targets[:-1])).any()):
        raise InputError(
            "expected every phrase pair once, got a repeated pair", remedy="add up their counts first"
        )
    moved = np.asarray(targets + np.int32(source_size), dtype=np.int32)
    return PhraseGraph(sources, moved, counts, source_size, target_size), report


def _check(
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    count: NDArray[np.int64],
    source_size: int,
    target_size: int,
) -> None:
    if source_size + target_size >= 2**31:
        raise InputError(f"expected fewer than 2^31 phrases, got {source_size + target_size}")
    for side, phrase, size in (("source", source, source_size), ("target", target, target_size)):
        if len(phrase) and not (phrase.min() >= 0 and phrase.max() < size):
            raise InputError(
                f"expected {side} phrases from 0 to {size - 1}, got {phrase.min()} to {phrase.max()}"
            )
    if len(count) and count.min() < 1:
        raise InputError(f"expected counts above 0, got {count.min()}")


@dataclass(frozen=True)
class Adjacency:
    """The neighbours of every vertex, ascending, with the row of the entry that joins them.

    start: int64[vertices + 1]; neighbour: int32[2 entries]; entry: int32[2 entries], rows of the PhraseGraph.
    """

    start: NDArray[np.int64]
    neighbour: NDArray[np.int32]
    entry: NDArray[np.int32]

    @property
    def degree(self) -> NDArray[np.int64]:
        """Number of neighbours of each vertex."""
        return np.diff(self.start)


def adjacency(graph: PhraseGraph, rows: NDArray[np.int32] | None = None) -> Adjacency:
    """The neighbourhoods in P, or in the graph with only these entries (ascending)."""
    if rows is None:
        rows = np.arange(len(graph.source), dtype=np.int32)
    source, target = graph.source[rows], graph.target[rows]
    degree = np.bincount(source, minlength=graph.size) + np.bincount(target, minlength=graph.size)
    start = np.zeros(graph.size + 1, dtype=np.int64)
    np.cumsum(degree, out=start[1:])
    # Entries are sorted by source, then target; a stable sort by target keeps the sources ascending.
    order = np.argsort(target, kind="stable")
    return Adjacency(
        start, np.concatenate([target, source[order]]), np.concatenate([rows, rows[order]]).astype(np.int32)
    )

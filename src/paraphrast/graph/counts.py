"""Counts of vertex pairs over all graphs and sub-tables, and the final ranking (Martzoukos & Monz 2012, §§3.2, 4.2).

For each vertex, the pairs from its graphs are collected, summed within a sub-table (eq. 13), mixed over sub-tables
(eqs. 15–18) and converted to relative frequencies (eq. 19). Each thread processes a run of phrases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.graph import _kernels_counts as k
from paraphrast.graph.commute import GraphCounts
from paraphrast.graph.features import Features
from paraphrast.graph.monolingual import Graphs, starts_of
from paraphrast.graph.options import MixOptions

#: Number of phrases whose rows are computed in one call of a kernel.
RUN = 8192


@dataclass(frozen=True)
class Ranked:
    """Paraphrases of phrases of one side, sorted by source, score descending, target.

    source, target: int32[n]. count: float64[n], n(s, s′) (eq. 15). score: float64[n], P(s′|s) of eq. 21: the
    paraphrases of a phrase sum to 1 before the best are chosen. phrase, tag, stem: float64[n], its three summands.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.float64]
    score: NDArray[np.float64]
    phrase: NDArray[np.float64]
    tag: NDArray[np.float64]
    stem: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.source)


@dataclass(frozen=True)
class VertexPairs:
    """n(u, v) of pairs of all kinds, u < v: phrases 0 … P − 1, then tag sequences, then stem sequences."""

    u: NDArray[np.int32]
    v: NDArray[np.int32]
    count: NDArray[np.float64]
    phrases: int
    tags: int
    stems: int

    def __len__(self) -> int:
        return len(self.u)


def rank_paraphrases(
    graphs: Graphs,
    counts: GraphCounts,
    features: Features,
    options: MixOptions | None = None,
    *,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Ranked:
    """The paraphrases of every phrase, ranked by eq. 21. Memory: the result, and one run of phrases per thread."""
    options = options or MixOptions()
    shared = _Shared.of(graphs, counts, features)

    def run(first: int) -> Ranked:
        last = min(first + RUN, features.phrase_size)
        rows = k.paraphrases(
            first,
            last,
            *shared.arguments(options, features.tag_start, features.tag, features.tag_share, features.stem),
        )
        return _best(rows, first, last, options.top)

    pieces = list(_threaded(run, features.phrase_size, threads, progress))
    names = ("source", "target", "count", "score", "phrase", "tag", "stem")
    nothing = _best(tuple(np.zeros(0, np.int32 if n < 2 else np.float64) for n in range(6)), 0, 0, 0)
    pieces = pieces or [nothing]
    columns: list[NDArray[Any]] = [
        np.concatenate([getattr(piece, name) for piece in pieces]) for name in names
    ]
    return Ranked(*columns)


def vertex_pairs(
    graphs: Graphs,
    counts: GraphCounts,
    features: Features,
    options: MixOptions | None = None,
    *,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> VertexPairs:
    """n(u, v) of all pairs (eqs. 15–17), for fig. 9 and for tables of features.

    Memory: 16 bytes per distinct pair, and the same again for a run of phrases per thread.
    """
    options = options or MixOptions()
    shared = _Shared.of(graphs, counts, features)
    tags, stems = len(features.tag_sequences), len(features.stem_sequences)
    size = features.phrase_size + tags + stems

    def run(first: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        u, v, count = k.vertex_pairs(
            first,
            min(first + RUN, features.phrase_size),
            *shared.arguments(options, features.tag_start, features.tag, features.stem),
        )
        return _summed(u.astype(np.int64) * size + v, count)

    key, total = np.zeros(0, np.int64), np.zeros(0, np.float64)
    waiting: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
    for piece in _threaded(run, features.phrase_size, threads, progress):
        waiting.append(piece)
        if sum(len(held[0]) for held in waiting) > len(key) + (1 << 22):
            key, total = _summed(*_both((key, total), *waiting))
            waiting = []
    key, total = _summed(*_both((key, total), *waiting))
    u, v = np.divmod(key, max(size, 1))
    return VertexPairs(u.astype(np.int32), v.astype(np.int32), total, features.phrase_size, tags, stems)


@dataclass(frozen=True)
class _Shared:
    """Arguments of both kernels: where each phrase occurs, the graphs, their counts, vertices of tokens."""

    appearances: tuple[Any, ...]
    graphs: tuple[Any, ...]
    counts: tuple[Any, ...]

    def arguments(self, options: MixOptions, *features: Any) -> Any:
        """The arguments in the order of the kernels."""
        how = (options.generators == "split", options.tolerance, options.rounds)
        return (*self.appearances, *self.graphs, *features, *self.counts, *how)

    @classmethod
    def of(cls, graphs: Graphs, counts: GraphCounts, features: Features) -> _Shared:
        sizes = np.diff(graphs.phrase_start)
        graph = np.repeat(np.arange(len(graphs), dtype=np.int32), sizes)
        place = (np.arange(len(graphs.phrases)) - np.repeat(graphs.phrase_start[:-1], sizes)).astype(np.int32)
        order = np.argsort(graphs.phrases, kind="stable")
        start = starts_of(np.bincount(graphs.phrases, minlength=features.phrase_size).astype(np.int64))
        vertex = np.concatenate(
            [
                np.arange(features.phrase_size),
                features.phrase_size + features.tag.astype(np.int64),
                features.phrase_size + len(features.tag_sequences) + features.stem.astype(np.int64),
            ]
        ).astype(np.int32)
        return cls(
            (start, graph[order], place[order]),
            (graphs.table, graphs.phrase_start, graphs.phrases),
            (counts.vertex_size, counts.pair_start, counts.counts, vertex),
        )


def _threaded(
    run: Callable[[int], Any], phrases: int, threads: int, progress: Callable[[int, int], None] | None
) -> Iterator[Any]:
    """Results of runs of phrases in order, computed a few runs ahead."""
    firsts = list(range(0, phrases, RUN))
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        ahead = [pool.submit(run, first) for first in firsts[: 2 * max(threads, 1)]]
        for number, _ in enumerate(firsts):
            result = ahead.pop(0).result()
            following = number + 2 * max(threads, 1)
            if following < len(firsts):
                ahead.append(pool.submit(run, firsts[following]))
            if progress is not None:
                progress(min((number + 1) * RUN, phrases), phrases)
            yield result


def _best(rows: tuple[NDArray[Any], ...], first: int, last: int, top: int) -> Ranked:
    source, target, count, phrase, tag, stem = rows
    measure = phrase + tag + stem
    total = np.bincount(source - first, weights=measure, minlength=last - first)
    score = measure / total[source - first]
    order = np.lexsort((target, -score, source))
    begin = np.searchsorted(source[order], np.arange(first, last))
    place = np.arange(len(order)) - begin[source[order] - first]
    order = order[place < top] if top else order
    return Ranked(*(values[order] for values in (source, target, count, score, phrase, tag, stem)))


def _both(*pieces: tuple[NDArray[np.int64], NDArray[np.float64]]) -> tuple[Any, Any]:
    return np.concatenate([piece[0] for piece in pieces]), np.concatenate([piece[1] for piece in pieces])


def _summed(
    key: NDArray[np.int64], count: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Distinct keys, ascending, and the sums of their counts in the given order."""
    if not len(key):
        return key, count
    order = np.argsort(key, kind="stable")
    key, count = key[order], count[order]
    starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    return key[starts], np.add.reduceat(count, starts)

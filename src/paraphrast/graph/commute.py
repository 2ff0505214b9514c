"""Commute times of monolingual graphs, and the counts computed from them (Martzoukos & Monz 2012, §§3.2, 4.1)."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import ConvergenceWarning, InputError
from paraphrast.graph import _kernels_commute as k
from paraphrast.graph.features import Features
from paraphrast.graph.monolingual import Graphs, starts_of
from paraphrast.graph.options import CountOptions

#: Number of graphs per call of the kernel.
BATCH = 2048


@dataclass(frozen=True)
class GraphCounts:
    """Counts n_G of every pair of vertices of every graph, without inflation vertices.

    vertex_size: int32[g], phrases, then tag sequences, then stem sequences of a graph, features in the order of the
        phrases that have them. pair_start: int64[g + 1]; counts: float64, the upper triangle of each graph by rows.
    rounds: int32[g], rounds of the iteration.
    """

    vertex_size: NDArray[np.int32]
    pair_start: NDArray[np.int64]
    counts: NDArray[np.float64]
    rounds: NDArray[np.int32]

    def matrix(self, graph: int) -> NDArray[np.float64]:
        """The counts of one graph as a symmetric matrix."""
        size = int(self.vertex_size[graph])
        full = np.zeros((size, size))
        full[np.triu_indices(size, 1)] = self.counts[self.pair_start[graph] : self.pair_start[graph + 1]]
        return full + full.T


def count_graphs(
    graphs: Graphs,
    features: Features,
    options: CountOptions | None = None,
    *,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> GraphCounts:
    """Counts of every graph, one batch per thread. Each graph is computed alone, so threads never change a result.

    Memory: 8 bytes per pair of counted vertices, for all graphs, and four dense matrices of the largest graph per
    thread.
    """
    options = options or CountOptions()
    if len(graphs.phrases) and int(graphs.phrases.max()) >= features.phrase_size:
        raise InputError(
            f"expected features of every phrase, got {features.phrase_size} and phrase {graphs.phrases.max()}"
        )
    counted, total = _sizes(graphs, features)
    pair_start = starts_of(counted.astype(np.int64) * (counted - 1) // 2)
    counts = np.empty(int(pair_start[-1]), np.float64)
    rounds = np.zeros(len(graphs), np.int32)
    shared = (*_graph_arrays(graphs), *_feature_arrays(features))
    done, lock = [0], threading.Lock()

    def run(first: int) -> None:
        last = min(first + BATCH, len(graphs))
        k.count_graphs(
            first,
            last,
            *shared,
            int(total[first:last].max()),
            options.tolerance,
            options.rounds,
            pair_start,
            counts,
            rounds,
        )
        with lock:
            done[0] += last - first
            if progress is not None:
                progress(done[0], len(graphs))

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        for _ in pool.map(run, range(0, len(graphs), BATCH)):
            pass
    _warn(int((rounds >= options.rounds).sum()), len(graphs), options)
    return GraphCounts(counted, pair_start, counts, rounds)


def _warn(unfinished: int, of: int, options: CountOptions) -> None:
    if unfinished:
        warnings.warn(
            f"the counts of {unfinished:,} of {of:,} graphs did not converge in {options.rounds} rounds",
            ConvergenceWarning,
            stacklevel=3,
        )


def _sizes(graphs: Graphs, features: Features) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    return k.graph_sizes(
        graphs.phrase_start, graphs.phrases, graphs.inflated, features.tag_start, features.tag, features.stem
    )


def _graph_arrays(
    graphs: Graphs,
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.bool_],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.float64],
]:
    return (
        graphs.phrase_start,
        graphs.phrases,
        graphs.inflated,
        graphs.strength,
        graphs.edge_start,
        graphs.edge_a,
        graphs.edge_b,
        graphs.forward,
        graphs.backward,
    )


def _feature_arrays(
    features: Features,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]:
    return features.tag_start, features.tag, features.tag_share, features.stem

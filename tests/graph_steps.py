"""Single steps of the graph's kernels: edge weights, commute times and counts of one graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.graph import _kernels_commute as k
from paraphrast.graph.features import Features
from paraphrast.graph.monolingual import Graphs
from paraphrast.graph.options import CountOptions


def graph_weights(graphs: Graphs, features: Features, graph: int) -> NDArray[np.float64]:
    """The weights of one graph's directed edges (eqs. 3–6): row to column."""
    _, total = k.graph_sizes(
        graphs.phrase_start, graphs.phrases, graphs.inflated, features.tag_start, features.tag, features.stem
    )
    own = slice(graphs.phrase_start[graph], graphs.phrase_start[graph + 1])
    edges = slice(graphs.edge_start[graph], graphs.edge_start[graph + 1])
    phrases = graphs.phrases[own]
    places = int((np.diff(features.tag_start)[phrases] + 1).sum())
    tag_place, stem_place, seen = (np.empty(places, np.int32) for _ in range(3))
    tags, stems = k.local_features(
        phrases, features.tag_start, features.tag, features.stem, tag_place, stem_place, seen
    )
    weight = np.zeros((total[graph], total[graph]))
    k.fill_weights(
        weight,
        phrases,
        graphs.inflated[own],
        graphs.strength[own],
        graphs.edge_a[edges],
        graphs.edge_b[edges],
        graphs.forward[edges],
        graphs.backward[edges],
        features.tag_start,
        features.tag_share,
        features.has_tags,
        features.has_stems,
        tag_place,
        stem_place,
        len(phrases) + tags + stems,
    )
    return weight


def commute_times(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """κ(u, v) of eq. 20 for the walk over the edges with these weights."""
    size = len(weights)
    kappa = np.empty((size, size))
    k.commute(weights, np.empty((size, size)), np.empty(size, np.int64), np.empty(size), kappa, size)
    return kappa


def pair_counts(kappa: NDArray[np.float64], options: CountOptions) -> NDArray[np.float64]:
    """n_G(u, v) of eqs. 8–12, divided by the smallest."""
    size = len(kappa)
    count = np.empty((size, size))
    k.count_pairs(
        kappa, count, np.empty((size, size)), np.empty(size), size, options.tolerance, options.rounds
    )
    return count

"""Paraphrases of one phrase from its neighbourhood, without decomposing the whole table.

The sub-table is cut out around the phrase: its translations, their translations, and the translations of those, the
most probable first. The next steps are those of any sub-table: clusters, graphs, commute times, counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.graph.cocluster import cocluster
from paraphrast.graph.commute import count_graphs
from paraphrast.graph.counts import Ranked, rank_paraphrases
from paraphrast.graph.features import Features
from paraphrast.graph.monolingual import Graphs, build_graphs, starts_of
from paraphrast.graph.options import GraphOptions, WalkOptions
from paraphrast.graph.phrase_graph import Adjacency
from paraphrast.graph.records import PhraseGraph, SubTables


@dataclass(frozen=True)
class NearOptions:
    """Size of the neighbourhood: translations per phrase, and phrases of the same side."""

    translations: int = 30
    phrases: int = 150


def near(
    graph: PhraseGraph,
    links: Adjacency,
    vertex: int,
    features: Features,
    options: WalkOptions | None = None,
    reach: NearOptions | None = None,
) -> Ranked:
    """Ranked paraphrases of one vertex of either side. ``features``: of the phrases of that side.

    Graphs above the limit are cut instead of dropped, because there is only one phrase to answer for.
    """
    options, reach = options or WalkOptions(), reach or NearOptions()
    if not 0 <= vertex < graph.size:
        raise InputError(f"expected a vertex from 0 to {graph.size - 1}, got {vertex}")
    on_source = vertex < graph.source_size
    rows = _neighbourhood(graph, links, vertex, reach)
    if not len(rows):
        return rank_nothing()
    sources, targets = np.unique(graph.source[rows]), np.unique(graph.target[rows])
    local = PhraseGraph(
        np.searchsorted(sources, graph.source[rows]).astype(np.int32),
        (np.searchsorted(targets, graph.target[rows]) + len(sources)).astype(np.int32),
        np.ascontiguousarray(graph.count[rows]),
        len(sources),
        len(targets),
    )
    tables = SubTables(
        np.array([0, local.size], np.int64),
        np.arange(local.size, dtype=np.int32),
        np.array([0, len(rows)], np.int64),
        np.arange(len(rows), dtype=np.int32),
        np.zeros(1, np.bool_),
    )
    source_clusters, target_clusters = cocluster(local, tables, options.cocluster)
    split = GraphOptions(
        options.graphs.sigma, options.graphs.max_phrases, "split", options.graphs.inflate_from
    )
    side = "source" if on_source else "target"
    graphs = build_graphs(local, tables, source_clusters, target_clusters, side, None, split)
    phrases = sources if on_source else targets - graph.source_size
    phrase_number = int(np.searchsorted(phrases, vertex if on_source else vertex - graph.source_size))
    graphs = _with_phrase(graphs, phrase_number)
    subset = _some_features(features, phrases.astype(np.int64))
    counts = count_graphs(graphs, subset, options.counts)
    ranked = rank_paraphrases(graphs, counts, subset, options.mix)
    is_phrase = ranked.source == phrase_number
    return Ranked(
        phrases[ranked.source[is_phrase]].astype(np.int32),
        phrases[ranked.target[is_phrase]].astype(np.int32),
        *(getattr(ranked, name)[is_phrase] for name in ("count", "score", "phrase", "tag", "stem")),
    )


def rank_nothing() -> Ranked:
    """An empty result, for a phrase without translations or neighbours."""
    ids, values = np.zeros(0, np.int32), np.zeros(0, np.float64)
    return Ranked(ids, ids, values, values, values, values, values)


def _entries(graph: PhraseGraph, links: Adjacency, vertex: int, most: int) -> NDArray[np.int32]:
    """Rows of the most frequent entries of a vertex, at most ``most``."""
    rows = links.entry[links.start[vertex] : links.start[vertex + 1]]
    if len(rows) <= most:
        return rows
    order = np.lexsort((rows, -graph.count[rows]))
    return np.sort(rows[order[:most]])


def _neighbourhood(
    graph: PhraseGraph, links: Adjacency, vertex: int, reach: NearOptions
) -> NDArray[np.int32]:
    """Entries of the phrases on the vertex's side that pivoting reaches with the highest probability."""
    on_source = vertex < graph.source_size
    own_side, other_side = (graph.source, graph.target) if on_source else (graph.target, graph.source)
    reached: dict[int, float] = {vertex: np.inf}
    first = _entries(graph, links, vertex, reach.translations)
    mass = float(graph.count[first].sum())
    for row in first.tolist():
        back = _entries(graph, links, int(other_side[row]), reach.phrases)
        share = float(graph.count[row]) / mass / float(graph.count[back].sum())
        for other in back.tolist():
            met = int(own_side[other])
            reached[met] = reached.get(met, 0.0) + share * float(graph.count[other])
    best = sorted(reached, key=lambda met: (-reached[met], met))[: reach.phrases]
    rows = [_entries(graph, links, met, reach.translations) for met in best]
    return np.unique(np.concatenate(rows)).astype(np.int32)


def _with_phrase(graphs: Graphs, phrase: int) -> Graphs:
    """The graphs that contain a phrase."""
    sizes, edge_sizes = np.diff(graphs.phrase_start), np.diff(graphs.edge_start)
    owner = np.repeat(np.arange(len(graphs)), sizes)
    chosen = np.zeros(len(graphs), np.bool_)
    chosen[owner[graphs.phrases == phrase]] = True
    vertices, edges = np.repeat(chosen, sizes), np.repeat(chosen, edge_sizes)
    return Graphs(
        graphs.table[chosen],
        starts_of(sizes[chosen]),
        graphs.phrases[vertices],
        graphs.inflated[vertices],
        graphs.strength[vertices],
        starts_of(edge_sizes[chosen]),
        graphs.edge_a[edges],
        graphs.edge_b[edges],
        graphs.edges[edges],
        graphs.forward[edges],
        graphs.backward[edges],
    )


def _some_features(features: Features, phrases: NDArray[np.int64]) -> Features:
    """The features of some phrases, renumbered. Sequences keep their numbers."""
    sizes = np.diff(features.tag_start)[phrases] if features.has_tags else np.zeros(len(phrases), np.int64)
    start = starts_of(sizes)
    place = np.arange(int(start[-1])) + np.repeat(features.tag_start[phrases] - start[:-1], sizes)
    return Features(
        start,
        np.ascontiguousarray(features.tag[place]),
        np.ascontiguousarray(features.tag_share[place]),
        np.ascontiguousarray(features.stem[phrases]) if features.has_stems else np.zeros(0, np.int32),
        features.tag_sequences,
        features.stem_sequences,
    )

"""The whole road of one side: sub-tables and clusters → graphs → counts → ranked paraphrases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from paraphrast.graph.cocluster import cocluster
from paraphrast.graph.commute import GraphCounts, count_graphs
from paraphrast.graph.counts import Ranked, rank_paraphrases
from paraphrast.graph.features import Features
from paraphrast.graph.idf import Idf
from paraphrast.graph.monolingual import Graphs, build_graphs
from paraphrast.graph.options import WalkOptions
from paraphrast.graph.records import Clusters, PhraseGraph, SubTables
from paraphrast.graph.sub_tables import DecomposeReport, sub_tables

#: Work done, work in all, what is counted.
Step = Callable[[float, float, str], None]


@dataclass(frozen=True)
class Clustered:
    """A phrase graph taken apart, and both sides of every part clustered."""

    graph: PhraseGraph
    tables: SubTables
    source: Clusters
    target: Clusters
    report: DecomposeReport


@dataclass(frozen=True)
class Walked:
    """One side's graphs, their counts and the paraphrases that follow."""

    graphs: Graphs
    counts: GraphCounts
    ranked: Ranked


def cluster_phrases(
    graph: PhraseGraph, options: WalkOptions | None = None, *, threads: int = 1, step: Step | None = None
) -> Clustered:
    """Decompose and co-cluster: what both languages' walks share (§2)."""
    options = options or WalkOptions()
    tables, report = sub_tables(graph, options.decompose)
    if step is not None:
        step(1, 2, "sub-tables and clusters")
    source, target = cocluster(graph, tables, options.cocluster, threads=threads)
    return Clustered(graph, tables, source, target, report)


def walk(
    clustered: Clustered,
    side: str,
    features: Features,
    options: WalkOptions | None = None,
    *,
    threads: int = 1,
    step: Step | None = None,
) -> Walked:
    """Paraphrases of the phrases of one side (§§3, 4): features are of that side's phrases, numbered from 0."""
    options = options or WalkOptions()

    def told(unit: str) -> Callable[[int, int], None] | None:
        return None if step is None else lambda done, total: step(done, total, unit)

    own = clustered.source if side == "source" else clustered.target
    graphs = build_graphs(
        clustered.graph,
        clustered.tables,
        clustered.source,
        clustered.target,
        side,
        Idf(clustered.tables, own),
        options.graphs,
        progress=told("sub-tables"),
    )
    counts = count_graphs(graphs, features, options.counts, threads=threads, progress=told("graphs"))
    ranked = rank_paraphrases(
        graphs, counts, features, options.mix, threads=threads, progress=told("phrases")
    )
    return Walked(graphs, counts, ranked)

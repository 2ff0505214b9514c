"""All steps for one side: sub-tables and clusters → graphs → counts → ranked paraphrases."""

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

#: Arguments: work done, total work, unit.
Step = Callable[[float, float, str], None]


@dataclass(frozen=True)
class Clustered:
    """A decomposed phrase graph, with both sides of every part clustered."""

    graph: PhraseGraph
    tables: SubTables
    source: Clusters
    target: Clusters
    report: DecomposeReport


@dataclass(frozen=True)
class Walked:
    """The graphs of one side, their counts and the resulting paraphrases."""

    graphs: Graphs
    counts: GraphCounts
    ranked: Ranked


def cluster_phrases(
    graph: PhraseGraph, options: WalkOptions | None = None, *, threads: int = 1, step: Step | None = None
) -> Clustered:
    """Decompose and co-cluster, which is the same for the walks of both languages (§2)."""
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
    """Paraphrases of the phrases of one side (§§3, 4). features: of that side's phrases, numbered from 0."""
    options = options or WalkOptions()

    def progress_of(unit: str) -> Callable[[int, int], None] | None:
        return None if step is None else lambda done, total: step(done, total, unit)

    side_clusters = clustered.source if side == "source" else clustered.target
    graphs = build_graphs(
        clustered.graph,
        clustered.tables,
        clustered.source,
        clustered.target,
        side,
        Idf(clustered.tables, side_clusters),
        options.graphs,
        progress=progress_of("sub-tables"),
    )
    counts = count_graphs(graphs, features, options.counts, threads=threads, progress=progress_of("graphs"))
    ranked = rank_paraphrases(
        graphs, counts, features, options.mix, threads=threads, progress=progress_of("phrases")
    )
    return Walked(graphs, counts, ranked)

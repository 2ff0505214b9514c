"""Source and target phrases of each sub-phrase-table, clustered together (Martzoukos & Monz 2012, §2.2).

Information-theoretic co-clustering (Dhillon, Mallela & Modha 2003) looks for clusters X̂ of the source phrases and Ŷ
of the target phrases that lose as little as possible of I(X; Y), where p(x, y) is n(x, y) over all. A row step gives
each x the cluster whose p(Ŷ|x̂) is nearest to its p(Ŷ|x) by relative entropy, a column step does the same the other
way round, and both repeat.

Started from as many clusters as phrases, as the paper does, nothing would ever happen: each phrase is its own
cluster's centre, at distance 0. It is the smoothing of Dhillon & Guan (2003) that merges. Relative entropy is infinite
nearly everywhere in sparse data, which they remedy by a prior. Martzoukos & Monz give α = 10⁶ and no more; what follows
is our derivation. Each *cluster's* distribution, not the phrase's, is mixed with the uniform one, with a weight α that
is large at first and halved in each round, as a temperature is in annealing:

    p′(ŷ|x̂) = (p(ŷ|x̂) + α u(ŷ)) / (1 + α),   u(ŷ) = phrases in ŷ / phrases of the side.

A cluster that shares no ŷ with x costs the same as every other such cluster; compared with these, x̂ saves

    s(x, x̂) = Σ_ŷ p(ŷ|x) log(1 + p(ŷ|x̂) / (α u(ŷ))).

While α is large that is (1/α) Σ_ŷ p(ŷ|x) p(ŷ|x̂) / u(ŷ), an inner product: a phrase is often nearest not to itself, but
to whatever says its main translation most plainly. So phrases gather around such centres and clusters that nobody
chooses are gone, the number falling by itself. The prior discounts large clusters of the other side, so that this does
not run on until all is one. When α is small, s orders clusters by relative entropy again, and phrases move between
those that are left until none moves. (If the distributions of phrases were smoothed as well, each phrase would again be
nearest to itself, and nothing would merge.)

A step never raises the cost against the clusters as they were. With α near 0 the loss in mutual information falls with
every step (Dhillon et al.); with α fixed above 0 it may rise between steps, since a cluster's mean is then not its
centre of lowest smoothed cost.

Hard clusters keep good paraphrases apart, says the paper, and makes some soft one step before the end, "conservatively
with criteria based on the properties of the cost functions". Here: once nobody moves, each phrase also joins the next
X − 1 clusters by cost, as far as these save at least ``soft_share`` of what the best saves. A phrase that sits clearly
in one cluster stays there; which phrases become soft is so decided by their costs alone.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.graph._kernels_cocluster import cluster_tables
from paraphrast.graph.options import CoclusterOptions
from paraphrast.graph.records import Clusters, PhraseGraph, SubTables
from paraphrast.types.corpus import writable


def cocluster(
    graph: PhraseGraph,
    tables: SubTables,
    options: CoclusterOptions | None = None,
    *,
    threads: int = 1,
) -> tuple[Clusters, Clusters]:
    """The clusters of both sides of every sub-table: source, target.

    Sub-tables are independent of each other and clustered in parallel; threads do not change the result. Clusters of
    a sub-table stand in order of their first phrase when phrases were hard in them.
    """
    options = options or CoclusterOptions()
    if threads < 1:
        raise InputError(f"expected at least 1 thread, got {threads}")
    labels = np.full((len(tables.vertices), options.soft_clusters), -1, dtype=np.int32)
    figures = np.zeros((len(tables), 3), dtype=np.int64)
    vertex_start, edge_start = writable(tables.vertex_start), writable(tables.edge_start)
    vertices, edges = writable(tables.vertices), writable(tables.edges)
    source, target, count = writable(graph.source), writable(graph.target), writable(graph.count)

    def run(some: NDArray[np.int64]) -> None:
        cluster_tables(
            some, vertex_start, vertices, edge_start, edges, source, target, count, graph.source_size, graph.size,
            options.alpha, options.decay, options.alpha_end, options.rounds, options.soft_share, labels, figures,
        )  # fmt: skip

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, _shares(np.diff(tables.edge_start), 8 * threads)))
    is_source = tables.vertices < graph.source_size
    table = np.repeat(np.arange(len(tables)), np.diff(tables.vertex_start))
    return (
        _collect(tables.vertices[is_source], table[is_source], labels[is_source], figures[:, 0]),
        _collect(tables.vertices[~is_source], table[~is_source], labels[~is_source], figures[:, 1]),
    )


def _shares(work: NDArray[np.int64], shares: int) -> list[NDArray[np.int64]]:
    """Sub-tables in lists of about equal work, the largest first."""
    order = np.argsort(-work, kind="stable")
    done = np.cumsum(work[order])
    limit = max(int(done[-1]) // shares, 1) if len(done) else 1
    cut = np.flatnonzero(np.diff(done // limit)) + 1
    return [share.astype(np.int64) for share in np.split(order, cut) if len(share)]


def _collect(
    vertices: NDArray[np.int32],
    table: NDArray[np.int64],
    labels: NDArray[np.int32],
    clusters: NDArray[np.int64],
) -> Clusters:
    """Labels a place to lists of members a cluster; clusters without any are left out."""
    first = np.zeros(len(clusters) + 1, dtype=np.int64)
    np.cumsum(clusters, out=first[1:])
    place, rank = np.nonzero(labels >= 0)
    number = first[table[place]] + labels[place, rank]
    member = vertices[place]
    order = np.lexsort((member, number))
    length = np.bincount(number, minlength=int(first[-1]))
    used = length > 0
    before = np.zeros(len(used) + 1, dtype=np.int64)
    np.cumsum(used, out=before[1:])
    member_start = np.zeros(int(used.sum()) + 1, dtype=np.int64)
    np.cumsum(length[used], out=member_start[1:])
    return Clusters(before[first], member_start, member[order])

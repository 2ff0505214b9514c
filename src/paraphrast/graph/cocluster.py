"""Cluster the source and target phrases of each sub-phrase-table together (Martzoukos & Monz 2012, §2.2).

Information-theoretic co-clustering (Dhillon, Mallela & Modha 2003) looks for clusters X̂ of the source phrases and Ŷ of
the target phrases that lose as little as possible of I(X; Y), where p(x, y) is n(x, y) over the total. A row step gives
each x the cluster whose p(Ŷ|x̂) is closest to its p(Ŷ|x) in relative entropy. A column step does the same for the other
side, and both repeat.

If it started from as many clusters as phrases, as in the paper, nothing would change: each phrase is the centre of its
cluster, at distance 0. The smoothing of Dhillon & Guan (2003) causes the merging. Relative entropy is infinite nearly
everywhere in sparse data, which they fix with a prior. Martzoukos & Monz only give α = 10⁶; the rest is our derivation.
The distribution of each *cluster*, not of the phrase, is mixed with the uniform one, with a weight α that is large at
first and halved in each round, like a temperature in annealing:

    p′(ŷ|x̂) = (p(ŷ|x̂) + α u(ŷ)) / (1 + α),   u(ŷ) = phrases in ŷ / phrases of the side.

All clusters that share no ŷ with x have the same cost. Compared with these, x̂ saves

    s(x, x̂) = Σ_ŷ p(ŷ|x) log(1 + p(ŷ|x̂) / (α u(ŷ))).

While α is large this is (1/α) Σ_ŷ p(ŷ|x) p(ŷ|x̂) / u(ŷ), an inner product. A phrase is then often closest not to itself
but to the cluster where its main translation is most prominent. So phrases gather around such centres, clusters that no
phrase chooses disappear, and the number of clusters falls. The prior discounts large clusters of the other side, so
this stops before everything is one cluster. When α is small, s orders clusters by relative entropy again, and phrases
move between the remaining clusters until none moves. (If the distributions of phrases were smoothed as well, each
phrase would again be closest to itself, and nothing would merge.)

A step never raises the cost relative to the old clusters. With α near 0 the loss in mutual information falls with every
step (Dhillon et al.). With α fixed above 0 it may rise between steps, because the mean of a cluster is then not the
centre with the lowest smoothed cost.

According to the paper, hard clusters separate good paraphrases, so it makes some clusters soft one step before the end,
"conservatively with criteria based on the properties of the cost functions". Here, once no phrase moves, each phrase
also joins the next X − 1 clusters by cost, if they save at least ``soft_share`` of what the best saves. A phrase that
clearly belongs to one cluster stays there, so only the costs decide which phrases become soft.
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

    Sub-tables are independent and clustered in parallel. Threads do not change the result. The clusters of a sub-table
    are ordered by their first phrase before clusters became soft.
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
    """Sub-tables in lists with about equal work, the largest first."""
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
    """Convert labels per place to lists of members per cluster. Empty clusters are left out."""
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

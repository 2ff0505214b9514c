"""Slow plain twins of the graph room's kernels, straight from the equations."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.graph.features import Features, make_features
from paraphrast.graph.monolingual import Graphs
from paraphrast.graph.records import Clusters, PhraseGraph, SubTables

Vertex = tuple[str, int]


def starts(sizes: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)


def phrase_graph(entries: dict[tuple[int, int], int], source_size: int, target_size: int) -> PhraseGraph:
    """From {(source, target): count}, targets numbered from 0."""
    rows = sorted(entries)
    return PhraseGraph(
        np.array([s for s, _ in rows], np.int32),
        np.array([t + source_size for _, t in rows], np.int32),
        np.array([entries[row] for row in rows], np.int64),
        source_size,
        target_size,
    )


def clusters_of(tables: list[list[list[int]]]) -> Clusters:
    """From the clusters of every sub-table."""
    flat = [sorted(cluster) for table in tables for cluster in table]
    return Clusters(
        starts([len(table) for table in tables]),
        starts([len(cluster) for cluster in flat]),
        np.array([vertex for cluster in flat for vertex in cluster], np.int32),
    )


def sub_tables(graph: PhraseGraph, parts: list[list[int]], decomposed: list[bool]) -> SubTables:
    """Sub-tables of these vertices, with every entry between them."""
    edges = [
        [r for r in range(len(graph.source)) if graph.source[r] in part and graph.target[r] in part]
        for part in parts
    ]
    return SubTables(
        starts([len(part) for part in parts]),
        np.array([vertex for part in parts for vertex in sorted(part)], np.int32),
        starts([len(rows) for rows in edges]),
        np.array([row for rows in edges for row in rows], np.int32),
        np.array(decomposed, np.bool_),
    )


def cluster_graphs(
    graph: PhraseGraph,
    tables: SubTables,
    own: Clusters,
    other: Clusters,
    side: str,
    idf: Any,
    sigma: float,
    max_phrases: int,
) -> list[tuple[int, list[int], dict[tuple[int, int], tuple[int, float, float]], dict[int, float]]]:
    """(sub-table, phrases, {(a, b): (edges, w(a→b), w(b→a))}, strength over shared clusters) of every graph."""
    found = []
    for table in range(len(tables)):
        entries = tables.edges[tables.edge_start[table] : tables.edge_start[table + 1]]
        strength: dict[tuple[int, int], float] = defaultdict(float)
        targets = _clusters(other, table)
        for row in entries:
            s, t = int(graph.source[row]), int(graph.target[row])
            mine, theirs = (s, t) if side == "source" else (t, s)
            for number, cluster in enumerate(targets):
                if theirs in cluster:
                    strength[mine, number] += float(graph.count[row])
        for cluster in _clusters(own, table):
            edges: dict[tuple[int, int], tuple[int, float, float]] = {}
            for a, b in combinations(cluster, 2):
                shared = [n for n in range(len(targets)) if (a, n) in strength and (b, n) in strength]
                if shared and (not tables.decomposed[table] or idf is None or idf(a, b) > sigma):
                    edges[a, b] = (
                        len(shared),
                        sum(strength[b, n] for n in shared),
                        sum(strength[a, n] for n in shared),
                    )
            for part in _parts(cluster, edges):
                if 2 <= len(part) <= max_phrases:
                    inside = {pair: value for pair, value in edges.items() if pair[0] in part}
                    reach = {}
                    for s in part:
                        joined = {
                            n
                            for pair in inside
                            if s in pair
                            for n in range(len(targets))
                            if (pair[0], n) in strength and (pair[1], n) in strength
                        }
                        reach[s] = sum(strength[s, n] for n in joined)
                    found.append((table, part, inside, reach))
    return found


def _clusters(clusters: Clusters, table: int) -> list[list[int]]:
    return [
        clusters.members[clusters.member_start[c] : clusters.member_start[c + 1]].tolist()
        for c in range(clusters.table_start[table], clusters.table_start[table + 1])
    ]


def _parts(members: list[int], edges: Any) -> list[list[int]]:
    left, parts = list(members), []
    while left:
        part, waiting = {left[0]}, [left[0]]
        while waiting:
            here = waiting.pop()
            for pair in edges:
                if here in pair:
                    there = pair[0] + pair[1] - here
                    if there not in part:
                        part.add(there)
                        waiting.append(there)
        parts.append(sorted(part))
        left = [vertex for vertex in left if vertex not in part]
    return parts


def weights(graphs: Graphs, features: Features, g: int) -> tuple[list[Any], NDArray[np.float64]]:
    """Vertices of a graph by name and the weights of its edges (eqs. 3–6)."""
    low, high = int(graphs.phrase_start[g]), int(graphs.phrase_start[g + 1])
    phrases = graphs.phrases[low:high].tolist()
    inflated = [n for n in range(len(phrases)) if graphs.inflated[low + n]]
    tags, stems = [], []
    for s in phrases:
        for e in range(features.tag_start[s], features.tag_start[s + 1]):
            if ("tag", int(features.tag[e])) not in tags:
                tags.append(("tag", int(features.tag[e])))
        if features.has_stems and ("stem", int(features.stem[s])) not in stems:
            stems.append(("stem", int(features.stem[s])))
    names: list[Any] = [("phrase", s) for s in phrases] + tags + stems + [("i", n) for n in inflated]
    for n in inflated:
        names += [("i tag", n)] * features.has_tags + [("i stem", n)] * features.has_stems
    at = {name: place for place, name in enumerate(names)}
    w = np.zeros((len(names), len(names)))
    for e in range(graphs.edge_start[g], graphs.edge_start[g + 1]):
        a, b = graphs.edge_a[e], graphs.edge_b[e]
        w[a, b], w[b, a] = graphs.forward[e], graphs.backward[e]

    def to_feature(place: int, around: list[int]) -> float:
        out = [w[place, other] for other in around]
        net = abs(sum(w[place, other] - w[other, place] for other in around)) + len(around) + 1
        return float(np.mean(out) + net)

    among = range(len(phrases))
    to = [to_feature(i, [j for j in among if w[i, j] > 0]) for i in among]
    for n in inflated:
        for i in among:
            w[at["i", n], i], w[i, at["i", n]] = graphs.strength[low + i], 1
        for other in inflated:
            if other != n:
                w[at["i", n], at["i", other]] = 1
    for i, s in enumerate(phrases):
        for e in range(features.tag_start[s], features.tag_start[s + 1]):
            w[i, at["tag", int(features.tag[e])]] = to[i] * features.tag_share[e]
            w[at["tag", int(features.tag[e])], i] = 1
        if features.has_stems:
            w[i, at["stem", int(features.stem[s])]] = to[i]
            w[at["stem", int(features.stem[s])], i] = 1
    for name in tags + stems:
        w[at[name]] /= (w[at[name]] > 0).sum()
    everyone = [*among, *(at["i", n] for n in inflated)]
    for n in inflated:
        value = to_feature(at["i", n], [v for v in everyone if v != at["i", n]])
        for kind in ("i tag", "i stem"):
            if (kind, n) in at:
                w[at["i", n], at[kind, n]], w[at[kind, n], at["i", n]] = value, 1
    return names, w


def commute(w: NDArray[np.float64]) -> NDArray[np.float64]:
    """Eq. 20 with the fundamental matrix and π as the paper writes them."""
    n = len(w)
    p = w / w.sum(axis=1, keepdims=True)
    system = np.vstack([(np.eye(n) - p).T, np.ones(n)])
    pi = np.linalg.lstsq(system, np.r_[np.zeros(n), 1], rcond=None)[0]
    z = np.linalg.inv(np.eye(n) - p + np.outer(np.ones(n), pi))
    kappa = np.zeros((n, n))
    for u in range(n):
        for v in range(n):
            kappa[u, v] = (z[v, v] - z[u, v]) / pi[v] + (z[u, u] - z[v, u]) / pi[u]
    return kappa


def counts(kappa: NDArray[np.float64], rounds: int = 2000) -> NDArray[np.float64]:
    """Eqs. 8–12, each sum written out, and division by the smallest count."""
    n = len(kappa)
    p = np.full((n, n), 1 / (n - 1))
    count = np.zeros((n, n))
    for _ in range(rounds):
        far = [
            [sum(kappa[i, x] * p[i, x] for x in range(n) if x not in (i, j)) for j in range(n)]
            for i in range(n)
        ]
        before = count.copy()
        for u in range(n):
            for v in range(n):
                if u != v:
                    count[u, v] = (far[u][v] + far[v][u]) / (2 * kappa[u, v])
        for u in range(n):
            total = sum(count[u, x] for x in range(n) if x != u)
            for v in range(n):
                p[u, v] = count[u, v] / total
        if np.abs(count - before).max() < 1e-13:
            break
    return count / min(count[u, v] for u in range(n) for v in range(n) if u != v)


def random_graphs(seed: int, number: int) -> tuple[Graphs, Features]:
    draw = np.random.default_rng(seed)
    phrase_count = 30
    sizes, edge_sizes, phrases, ends, weights = [], [], [], [], []
    for _ in range(number):
        size = int(draw.integers(2, 7))
        phrases.append(np.sort(draw.choice(phrase_count, size, replace=False)))
        pairs = {(int(draw.integers(0, j)), j) for j in range(1, size)}
        pairs |= {(i, j) for j in range(size) for i in range(j) if draw.random() < 0.3}
        sizes.append(size)
        edge_sizes.append(len(pairs))
        ends += sorted(pairs)
        weights += [(float(draw.integers(1, 50)), float(draw.integers(1, 50))) for _ in pairs]
    total = sum(sizes)
    graphs = Graphs(
        np.sort(draw.integers(0, max(number // 2, 1), number)).astype(np.int32),
        starts(sizes),
        np.concatenate(phrases).astype(np.int32),
        draw.random(total) < 0.4,
        draw.integers(1, 60, total).astype(float),
        starts(edge_sizes),
        np.array([a for a, _ in ends], np.int32),
        np.array([b for _, b in ends], np.int32),
        np.ones(len(ends), np.int32),
        np.array([a for a, _ in weights]),
        np.array([b for _, b in weights]),
    )
    tag_sizes = draw.integers(0, 3, phrase_count)
    tags = [np.sort(draw.choice(6, size, replace=False)) for size in tag_sizes]
    shares = [draw.dirichlet(np.ones(size)) if size else np.zeros(0) for size in tag_sizes]
    nothing = np.full((6, 7), -1, np.int32)
    features = make_features(
        phrase_count,
        (starts(tag_sizes.tolist()), np.concatenate(tags).astype(np.int32), np.concatenate(shares), nothing),
        (np.full((8, 7), -1, np.int32), draw.integers(0, 8, phrase_count).astype(np.int32)),
    )
    return graphs, features

"""Small graphs, and slow plain twins of what the graph room computes."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
from hypothesis import strategies as st

from paraphrast.graph import PhraseGraph, SubTables, phrase_graph

Edge = tuple[int, int]


def make_graph(
    edges: dict[Edge, int] | list[Edge], source_size: int = 0, target_size: int = 0
) -> PhraseGraph:
    """A graph of (source, target) numbers, each from 0; totals so large that no entry is one to one."""
    counts = edges if isinstance(edges, dict) else dict.fromkeys(edges, 1)
    source = [edge[0] for edge in counts]
    target = [edge[1] for edge in counts]
    return phrase_graph(
        source,
        target,
        list(counts.values()),
        np.full(len(source), 10**6),
        np.full(len(source), 10**6),
        max([source_size, *(s + 1 for s in source)]),
        max([target_size, *(t + 1 for t in target)]),
    )[0]


def neighbours(graph: PhraseGraph) -> dict[int, set[int]]:
    """Vertex to neighbours."""
    found: dict[int, set[int]] = defaultdict(set)
    for one, two in zip(graph.source.tolist(), graph.target.tolist(), strict=True):
        found[one].add(two)
        found[two].add(one)
    return found


def components_of(links: dict[int, set[int]], vertices: set[int]) -> list[set[int]]:
    """Components among these vertices, in order of their lowest."""
    left, found = set(vertices), []
    while left:
        reached, todo = set(), [min(left)]
        while todo:
            vertex = todo.pop()
            if vertex not in reached:
                reached.add(vertex)
                todo += [other for other in links[vertex] if other in left]
        left -= reached
        found.append(reached)
    return found


def cut_vertices_of(links: dict[int, set[int]], vertices: set[int]) -> set[int]:
    """Vertices whose removal leaves more components than there were: by removing each."""
    before = len(components_of(links, vertices))
    return {v for v in vertices if len(components_of(links, vertices - {v})) > before}


def tables_of(tables: SubTables) -> list[tuple[list[int], list[int]]]:
    """Vertices and rows of each sub-table."""
    return [
        (
            tables.vertices[tables.vertex_start[i] : tables.vertex_start[i + 1]].tolist(),
            tables.edges[tables.edge_start[i] : tables.edge_start[i + 1]].tolist(),
        )
        for i in range(len(tables))
    ]


def plain_costs(
    joint: np.ndarray, label: list[int], other_label: list[int], alpha: float
) -> tuple[np.ndarray, np.ndarray]:
    """D(p(Ŷ|x) ‖ p′(Ŷ|x̂)) of every row and cluster of rows, by the book; and p(x)."""
    clusters, others = max(label) + 1, max(other_label) + 1
    merged = np.zeros((len(label), others))
    for column, there in enumerate(other_label):
        merged[:, there] += joint[:, column]
    prior = np.bincount(other_label, minlength=others) / len(other_label)
    costs = np.zeros((len(label), clusters))
    for cluster in range(clusters):
        own = sum((merged[x] for x in range(len(label)) if label[x] == cluster), np.zeros(others))
        smoothed = (own / own.sum() + alpha * prior) / (1 + alpha)
        for x in range(len(label)):
            row = merged[x] / merged[x].sum()
            costs[x, cluster] = sum(
                float(p) * math.log(p / q) for p, q in zip(row, smoothed, strict=True) if p > 0
            )
    return costs, joint.sum(axis=1) / joint.sum()


@st.composite
def random_graphs(draw: st.DrawFn, most: int = 14) -> PhraseGraph:
    """Graphs of up to ``most`` phrases a side, sparse enough to have cut vertices."""
    sources, targets = draw(st.integers(1, most)), draw(st.integers(1, most))
    edges = draw(
        st.dictionaries(
            st.tuples(st.integers(0, sources - 1), st.integers(0, targets - 1)),
            st.integers(1, 9),
            min_size=1,
            max_size=2 * most,
        )
    )
    return make_graph(edges, sources, targets)


def large_graph(seed: int, phrases: int = 400, entries: int = 1000) -> PhraseGraph:
    """A graph whose degrees fall as those of words do."""
    random = np.random.default_rng(seed)
    rank = 1.0 / np.arange(1, phrases + 1) ** 0.8
    source = random.choice(phrases, entries, p=rank / rank.sum())
    target = random.choice(phrases, entries, p=rank / rank.sum())
    count = random.integers(1, 20, entries)
    return make_graph(
        {(int(s), int(t)): int(n) for s, t, n in zip(source, target, count, strict=True)},
        phrases,
        phrases,
    )

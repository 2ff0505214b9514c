"""Components and cut vertices against removing every vertex in turn."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from paraphrast.graph import PhraseGraph
from paraphrast.graph.components import Explorer, Parts, group, join, select, with_entries
from paraphrast.graph.phrase_graph import adjacency
from phrase_graphs import components_of, cut_vertices_of, large_graph, make_graph, neighbours, random_graphs


@settings(max_examples=150, deadline=None)
@given(random_graphs(), st.data())
def test_a_walk_finds_what_removal_finds(graph: PhraseGraph, data: st.DataObject) -> None:
    alive = data.draw(st.sets(st.integers(0, graph.size - 1), min_size=1))
    links = neighbours(graph)
    walk = Explorer(adjacency(graph)).walk(np.array(sorted(alive), dtype=np.int32))
    found = [set(walk.vertices[walk.label == number].tolist()) for number in range(len(walk.size))]
    assert found == components_of(links, alive)
    assert walk.size.tolist() == [len(part) for part in found]
    assert set(walk.vertices[walk.is_cut].tolist()) == cut_vertices_of(links, alive)
    assert walk.degree.tolist() == [len(links[v] & alive) for v in sorted(alive)]


def test_an_explorer_forgets_its_last_walk() -> None:
    graph = make_graph([(0, 0), (1, 0), (1, 1)])
    explorer = Explorer(adjacency(graph))
    explorer.walk(np.arange(4, dtype=np.int32))
    walk = explorer.walk(np.array([0, 1, 3], dtype=np.int32))
    assert walk.label.tolist() == [0, 1, 1]
    assert not walk.is_cut.any()


def test_components_are_those_of_scipy() -> None:
    graph = large_graph(5)
    walk = Explorer(adjacency(graph)).walk(np.arange(graph.size, dtype=np.int32))
    matrix = coo_array((graph.count, (graph.source, graph.target)), shape=(graph.size, graph.size))
    count, label = connected_components(matrix.tocsr(), directed=False)
    assert len(walk.size) == count > 5
    pairs = set(zip(walk.label.tolist(), label.tolist(), strict=True))
    assert len(pairs) == count


@settings(max_examples=100, deadline=None)
@given(random_graphs(), st.data())
def test_entries_within_parts(graph: PhraseGraph, data: st.DataObject) -> None:
    sets = data.draw(st.lists(st.sets(st.integers(0, graph.size - 1), min_size=1), min_size=1, max_size=4))
    part = np.concatenate([np.full(len(some), number) for number, some in enumerate(sets)])
    start, members = group(part, np.concatenate([list(some) for some in sets]).astype(np.int32), len(sets))
    parts = with_entries(adjacency(graph), start, members, graph.source_size)
    for number, some in enumerate(sets):
        assert parts.vertices[start[number] : start[number + 1]].tolist() == sorted(some)
        rows = parts.edges[parts.edge_start[number] : parts.edge_start[number + 1]].tolist()
        both = zip(graph.source.tolist(), graph.target.tolist(), strict=True)
        assert rows == [row for row, (s, t) in enumerate(both) if s in some and t in some]


def test_a_hub_in_a_small_part() -> None:
    """A vertex with far more neighbours than its part has: looked up, not walked."""
    graph = make_graph([(0, target) for target in range(50)] + [(1, 7)])
    parts = with_entries(
        adjacency(graph), np.array([0, 3]), np.array([0, 2 + 7, 2 + 40], dtype=np.int32), graph.source_size
    )
    assert [(int(graph.source[e]), int(graph.target[e])) for e in parts.edges] == [(0, 9), (0, 42)]


def test_lists_are_joined_and_selected() -> None:
    one = Parts(
        np.array([0, 2, 3]),
        np.array([4, 5, 6], dtype=np.int32),
        np.array([0, 1, 1]),
        np.array([9], dtype=np.int32),
    )
    both = join([one, one])
    assert both.vertex_start.tolist() == [0, 2, 3, 5, 6]
    assert both.edges.tolist() == [9, 9]
    some = select(both, np.array([3, 0]))
    assert some.vertices.tolist() == [6, 4, 5]
    assert some.edge_start.tolist() == [0, 0, 1]
    assert len(join([])) == 0

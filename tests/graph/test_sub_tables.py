"""Figures 1 and 2 of Martzoukos & Monz (2012) step by step, and what holds for every phrase graph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.graph import DecomposeOptions, PhraseGraph, sub_tables
from paraphrast.graph.components import Parts
from paraphrast.graph.decompose import decompose
from paraphrast.graph.phrase_graph import adjacency
from paraphrast.graph.residues import attach_leftovers, place_residues
from phrase_graphs import components_of, large_graph, make_graph, neighbours, random_graphs, tables_of

S1, S2, S3, S4, T1, T2, T3, T4 = range(8)
#: The graph G0 of figure 1.
FIGURE_1 = [(S1, 0), (S2, 0), (S2, 1), (S2, 2), (S3, 2), (S3, 3), (S4, 2)]
#: One cut vertex a round, and G12 of four vertices is taken apart, G11 of two is not.
ONE_EACH = DecomposeOptions(largest=3, share=0.005, merge_up_to=0)


def lists(parts: Parts) -> list[list[int]]:
    return [part.tolist() for part in np.split(parts.vertices, parts.vertex_start[1:-1])]


def test_figure_1_and_the_insertions_of_figure_2() -> None:
    graph = make_graph(FIGURE_1)
    links = adjacency(graph)
    taken = decompose(links, np.arange(8, dtype=np.int32), links.degree, graph.source_size, ONE_EACH)
    assert np.flatnonzero(taken.cut).tolist() == [S2, T3]
    first, second = taken.rounds
    assert (first.giants, first.removed, first.components, first.residues) == ((8,), 1, 1, 1)
    assert (second.giants, second.removed, second.components, second.residues) == ((4,), 1, 1, 1)
    # c1 = t3 goes back to {s3, t4}; then c0 = s2 to {s1, t1} and to {s3, t3, t4}. t2 and s4 are residues.
    assert lists(taken.parts) == [[S1, S2, T1], [S2, S3, T3, T4]]
    rows = taken.parts.edges[taken.parts.edge_start[1] :]
    assert [(graph.source[e], graph.target[e]) for e in rows] == [(S2, T3), (S3, T3), (S3, T4)]


def test_the_residue_graph_of_figure_2() -> None:
    graph = make_graph(FIGURE_1)
    links = adjacency(graph)
    everything = np.arange(8, dtype=np.int32)
    taken = decompose(links, everything, links.degree, graph.source_size, ONE_EACH)
    parts, rounds, leftovers = place_residues(graph, links, taken.parts, everything, ONE_EACH)
    assert lists(parts)[2:] == [[S2, T2], [S4, T3]]
    assert len(rounds) == 1
    assert (rounds[0].residues, rounds[0].vertices, rounds[0].components, rounds[0].left) == (2, 4, 2, 0)
    assert leftovers.beside_translations == leftovers.on_their_own == 0


def test_figure_1_merged() -> None:
    """{s1, s2, t1}, {s2, t2} and {s4, t3} go to {s2, s3, t3, t4}, and that over t3 to {s4, t3}, which so stays."""
    tables, report = sub_tables(make_graph(FIGURE_1), replace(ONE_EACH, merge_up_to=5000))
    assert [table[0] for table in tables_of(tables)] == [list(range(8)), [S2, S3, S4, T3, T4]]
    assert report.before.tolist() == [4, 3, 2, 2]
    assert report.after.tolist() == [8, 5]
    assert (report.merged, report.decomposed) == (4, 2)
    assert report.residues == 2


def test_a_small_component_is_left_alone() -> None:
    graph = make_graph([*FIGURE_1, (4, 4), (4, 5)])
    tables, report = sub_tables(graph, ONE_EACH)
    assert tables.decomposed.tolist() == [True] * 4 + [False]
    assert tables_of(tables)[-1][0] == [4, 5 + 4, 5 + 5]
    assert report.components.tolist() == [8, 3]
    assert report.giant_parts.tolist() == [4, 3]


def test_a_giant_without_cut_vertices_loses_its_highest_degree() -> None:
    """A grid of all entries has no cut vertex; it is taken apart nevertheless, and this ends."""
    graph = make_graph([(s, t) for s in range(4) for t in range(4)])
    tables, report = sub_tables(graph, DecomposeOptions(largest=3, merge_up_to=0))
    assert report.rounds[0].whole == 1
    assert report.rounds[0].cut_vertices == 0
    assert set(tables.vertices.tolist()) == set(range(8))


def test_a_star_without_a_place_is_a_table_of_its_own() -> None:
    graph = make_graph([(0, target) for target in range(9)])
    tables, report = sub_tables(graph, DecomposeOptions(largest=4))
    assert tables_of(tables) == [(list(range(10)), list(range(9)))]
    assert report.leftovers.on_their_own == 10
    assert report.residues == 10


def test_leftovers_go_to_the_largest_part_of_a_translation() -> None:
    """u = s3 translates t1, which is in parts of two and of three vertices, and t4, whose part is of two."""
    graph = make_graph([(0, 0), (1, 0), (1, 1), (2, 3), (3, 0), (3, 1), (3, 3)])
    t1, t2, t4 = 4, 5, 7
    parts = Parts(
        np.array([0, 2, 5, 7]),
        np.array([0, t1, 1, t1, t2, 2, t4], dtype=np.int32),
        np.array([0, 1, 3, 4]),
        np.array([0, 1, 2, 3], dtype=np.int32),
    )
    grown, leftovers = attach_leftovers(graph, adjacency(graph), parts, np.array([3], dtype=np.int32))
    assert lists(grown) == [[0, t1], [1, 3, t1, t2], [2, 3, t4]]
    assert np.split(grown.edges, grown.edge_start[1:-1])[1].tolist() == [1, 2, 4, 5]
    assert np.split(grown.edges, grown.edge_start[1:-1])[2].tolist() == [3, 6]
    assert leftovers.beside_translations == 1


def test_a_leftover_waits_for_its_translation() -> None:
    """s1 translates only t1, a leftover too, which goes first: beside s0."""
    graph = make_graph([(0, 0), (0, 1), (1, 1)])
    parts = Parts(
        np.array([0, 2]), np.array([0, 2], dtype=np.int32), np.array([0, 1]), np.array([0], dtype=np.int32)
    )
    grown, _ = attach_leftovers(graph, adjacency(graph), parts, np.array([1, 3], dtype=np.int32))
    assert lists(grown) == [[0, 1, 2, 3]]
    assert grown.edges.tolist() == [0, 1, 2]


@settings(max_examples=200, deadline=None)
@given(random_graphs(), st.integers(2, 6), st.sampled_from([0.005, 0.3, 1.0]), st.sampled_from([0, 3, 50]))
def test_every_vertex_has_a_table_and_every_entry_its_ends(
    graph: PhraseGraph, largest: int, share: float, merge_up_to: int
) -> None:
    tables, report = sub_tables(graph, DecomposeOptions(largest, share, merge_up_to))
    links = neighbours(graph)
    assert set(tables.vertices.tolist()) == set(links)
    kept = [set(vertices) for vertices, _ in tables_of(tables)]
    for vertices, rows in tables_of(tables):
        assert vertices == sorted(set(vertices))
        assert rows == sorted(set(rows))
        ends = {int(end) for row in rows for end in (graph.source[row], graph.target[row])}
        assert ends == set(vertices)
    components = components_of(links, set(links))
    small = [part for part in components if len(part) <= largest]
    assert sorted(map(sorted, small)) == sorted(
        sorted(part) for part, taken in zip(kept, tables.decomposed, strict=True) if not taken
    )
    assert report.components.tolist() == sorted(map(len, components), reverse=True)
    assert report.after.tolist() == sorted(map(len, kept), reverse=True)
    assert report.covered == len({row for _, rows in tables_of(tables) for row in rows})
    left = [figures.left for figures in report.residue_rounds]
    assert left == sorted(left, reverse=True)


def test_no_part_of_a_giant_is_larger_than_it_may_be_before_cut_vertices_return() -> None:
    graph = large_graph(1)
    links = adjacency(graph)
    vertices = np.flatnonzero(links.degree > 0).astype(np.int32)
    taken = decompose(links, vertices, links.degree, graph.source_size, DecomposeOptions(largest=40))
    base = taken.parts.part_of[~taken.cut[taken.parts.vertices]]
    assert np.bincount(base).max() <= 40
    for figures in taken.rounds:
        assert figures.removed == sum(max(1, int(0.005 * size)) for size in figures.giants)
    sizes = [figures.giants[0] for figures in taken.rounds]
    assert sizes == sorted(sizes, reverse=True)


def test_progress_is_told() -> None:
    told: list[str] = []
    sub_tables(large_graph(2), DecomposeOptions(largest=40), told.append)
    assert "giants of" in told[0]
    assert any("residue graph" in line for line in told)


def test_no_entries_no_tables() -> None:
    tables, report = sub_tables(make_graph([]))
    assert len(tables) == 0
    assert len(report.components) == 0


@pytest.mark.parametrize("wrong", [{"largest": 1}, {"share": 0.0}, {"share": 1.5}, {"merge_up_to": -1}])
def test_impossible_options(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        DecomposeOptions(**wrong)  # type: ignore[arg-type]

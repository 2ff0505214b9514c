"""Eq. 1 against counting by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.graph import Clusters, DecomposeOptions, Idf, SubTables, cocluster, sub_tables
from phrase_graphs import large_graph


def tables_with(vertices: list[list[int]], decomposed: list[bool]) -> SubTables:
    start = np.cumsum([0, *map(len, vertices)])
    flat = np.array([v for part in vertices for v in part], dtype=np.int32)
    return SubTables(start, flat, np.zeros_like(start), flat[:0], np.array(decomposed))


def test_eq_1_by_hand() -> None:
    idf = Idf(tables_with([[0, 1, 9], [0, 1, 9], [0, 2, 9], [0, 9], [5, 6, 9]], [True] * 4 + [False]))
    found = idf([0, 0, 1, 5], [1, 2, 2, 6])
    assert found[0] == pytest.approx(math.log(2 * 2 * 4 / (4 + 2)) / math.log(4))
    assert found[1] == pytest.approx(math.log(2 * 1 * 4 / (4 + 1)) / math.log(4))
    assert found[2] == 0
    assert found[3] == pytest.approx(1)


def test_with_clusters_only_tables_count_that_have_both_in_one() -> None:
    tables = tables_with([[0, 1, 2], [0, 1], [0, 1]], [True] * 3)
    # The first table has two clusters that hold 0 and 1, which count once; the second has none that holds both.
    clusters = Clusters(
        np.array([0, 2, 4, 5]),
        np.array([0, 2, 5, 6, 7, 9]),
        np.array([0, 1, 0, 1, 2, 0, 1, 0, 1], dtype=np.int32),
    )
    idf = Idf(tables, clusters)
    assert idf.common([0, 1, 0], [1, 2, 2]).tolist() == [2, 1, 1]
    assert idf([0], [1])[0] == pytest.approx(math.log(2 * 2 * 3 / 6) / math.log(3))
    assert Idf(tables).common([0], [1]).tolist() == [3]


def test_a_single_table_says_only_whether_they_meet() -> None:
    idf = Idf(tables_with([[0, 1], [2, 3]], [True, False]))
    assert idf([0, 0], [1, 2]).tolist() == [1, 0]


def test_all_pairs_of_a_graph_against_sets() -> None:
    graph = large_graph(3)
    tables, _ = sub_tables(graph, DecomposeOptions(largest=30, merge_up_to=0))
    source, _ = cocluster(graph, tables)
    held: dict[int, set[int]] = {}
    together: dict[tuple[int, int], set[int]] = {}
    for table in range(len(tables)):
        for vertex in tables.vertices[tables.vertex_start[table] : tables.vertex_start[table + 1]].tolist():
            held.setdefault(vertex, set()).add(table)
        for cluster in range(source.table_start[table], source.table_start[table + 1]):
            members = source.members[source.member_start[cluster] : source.member_start[cluster + 1]].tolist()
            for one in members:
                for two in members:
                    together.setdefault((one, two), set()).add(table)
    vertices = np.unique(graph.source)[:60]
    first, second = (side.ravel() for side in np.meshgrid(vertices, vertices))
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    plain, refined = Idf(tables), Idf(tables, source)
    assert plain.common(first, second).tolist() == [len(held[a] & held[b]) for a, b in pairs]
    assert refined.common(first, second).tolist() == [len(together.get(pair, ())) for pair in pairs]
    values = refined(first, second)
    assert 0 <= values.min() < 0.5 < values.max() <= 1


def test_what_is_no_pair_is_refused() -> None:
    idf = Idf(tables_with([[0, 1]], [True]))
    with pytest.raises(InputError, match="as many"):
        idf([0, 1], [1])
    with pytest.raises(InputError, match="from 0 to 1"):
        idf([0], [7])

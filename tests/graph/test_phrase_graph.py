"""Counted phrase pairs to the graph P."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.graph import phrase_graph
from paraphrast.graph.phrase_graph import adjacency
from phrase_graphs import make_graph, neighbours


def test_one_to_one_entries_are_dropped_and_counted() -> None:
    graph, report = phrase_graph([2, 0, 0, 1], [1, 1, 0, 2], [5, 2, 1, 7], [5, 3, 3, 7], [7, 7, 1, 7], 3, 3)
    assert graph.source.tolist() == [0, 0, 2]
    assert graph.target.tolist() == [3, 4, 4]
    assert graph.count.tolist() == [1, 2, 5]
    assert (report.entries, report.one_to_one, report.share) == (4, 1, 0.25)


def test_a_pair_that_lost_its_rare_company_is_kept() -> None:
    """Totals of before: the only entry left of a phrase is not one to one if there were others."""
    graph, report = phrase_graph([0], [0], [3], [4], [3], 1, 1)
    assert len(graph.source) == 1
    assert report.one_to_one == 0


def test_no_entries() -> None:
    graph, report = phrase_graph([], [], [], [], [], 0, 0)
    assert (graph.size, report.share) == (0, 0.0)


@pytest.mark.parametrize(
    ("columns", "sizes", "message"),
    [
        (([0, 0], [1, 1], [1, 1], [9, 9], [9, 9]), (1, 2), "repeated"),
        (([0], [2], [1], [9], [9]), (1, 2), "target phrases from 0 to 1"),
        (([-1], [1], [1], [9], [9]), (1, 2), "source phrases"),
        (([0], [1], [0], [9], [9]), (1, 2), "above 0"),
        (([0, 1], [1], [1], [9], [9]), (2, 2), "per entry"),
        (([0], [0], [1], [9], [9]), (2**30, 2**30), "fewer than"),
    ],
)
def test_what_is_no_phrase_table_is_refused(columns: Any, sizes: tuple[int, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        phrase_graph(*(*columns, *sizes))


def test_neighbourhoods_are_ascending_and_name_their_entries() -> None:
    graph = make_graph([(0, 2), (2, 0), (0, 0), (1, 2), (2, 2)])
    links = adjacency(graph)
    plain = neighbours(graph)
    for vertex in range(graph.size):
        span = slice(links.start[vertex], links.start[vertex + 1])
        assert links.neighbour[span].tolist() == sorted(plain[vertex])
        for other, row in zip(links.neighbour[span], links.entry[span], strict=True):
            assert {graph.source[row], graph.target[row]} == {vertex, other}


def test_neighbourhoods_of_some_entries() -> None:
    graph = make_graph([(0, 0), (0, 1), (1, 1)])
    links = adjacency(graph, np.array([1], dtype=np.int32))
    assert links.degree.tolist() == [1, 0, 0, 1]
    assert links.entry.tolist() == [1, 1]

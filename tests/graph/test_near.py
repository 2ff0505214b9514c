from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import plain_graph as plain
from paraphrast.errors import InputError
from paraphrast.graph.features import no_features
from paraphrast.graph.near import NearOptions, near
from paraphrast.graph.phrase_graph import adjacency
from paraphrast.graph.records import PhraseGraph


def two_families() -> PhraseGraph:
    """Sources 0–2 share targets 0–1, sources 3–5 targets 2–3; source 6 stands alone with target 4."""
    entries = {(s, t): 5 + s + t for s in range(3) for t in range(2)}
    entries |= {(s, t): 9 - s + t for s in range(3, 6) for t in range(2, 4)}
    entries[6, 4] = 3
    return plain.phrase_graph(entries, 7, 5)


@pytest.mark.parametrize("vertex", [0, 2, 4])
def test_paraphrases_are_of_the_phrases_family(vertex: int) -> None:
    graph = two_families()
    ranked = near(graph, adjacency(graph), vertex, no_features(7))
    family = {0, 1, 2} if vertex < 3 else {3, 4, 5}
    assert set(ranked.source.tolist()) == {vertex}
    assert set(ranked.target.tolist()) <= family - {vertex}
    assert len(ranked) == 2
    assert ranked.score.sum() == pytest.approx(1)


def test_the_other_side_has_paraphrases_too() -> None:
    graph = two_families()
    ranked = near(graph, adjacency(graph), 7 + 2, no_features(5))
    assert (ranked.source.tolist(), ranked.target.tolist()) == ([2], [3])


def test_a_phrase_alone_has_none() -> None:
    graph = two_families()
    assert len(near(graph, adjacency(graph), 6, no_features(7))) == 0


def test_the_neighbourhood_is_limited() -> None:
    entries = {(s, 0): 1 + s for s in range(50)}
    graph = plain.phrase_graph(entries, 50, 1)
    ranked = near(graph, adjacency(graph), 3, no_features(50), reach=NearOptions(phrases=4))
    assert set(ranked.target.tolist()) == {47, 48, 49}


def test_vertices_outside_are_refused() -> None:
    graph = two_families()
    with pytest.raises(InputError, match="vertex"):
        near(graph, adjacency(graph), 99, no_features(7))


def test_mapped_arrays_serve_as_well(tmp_path: object) -> None:
    graph = two_families()

    def read_only(values: NDArray[Any]) -> NDArray[Any]:
        return np.frombuffer(values.tobytes(), values.dtype)

    frozen = PhraseGraph(
        read_only(graph.source),
        read_only(graph.target),
        read_only(graph.count),
        graph.source_size,
        graph.target_size,
    )
    one = near(graph, adjacency(graph), 1, no_features(7))
    two = near(frozen, adjacency(frozen), 1, no_features(7))
    assert one.score.tobytes() == two.score.tobytes()

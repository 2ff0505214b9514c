from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import plain_graph as plain
from graph_steps import graph_weights
from paraphrast.errors import InputError
from paraphrast.graph import _kernels_graphs as k
from paraphrast.graph.features import make_features, stem_features, tag_features, word_class_codes
from paraphrast.graph.monolingual import Graphs, build_graphs
from paraphrast.graph.options import GraphOptions
from paraphrast.graph.records import Clusters, PhraseGraph, SubTables


def figure_3() -> tuple[PhraseGraph, SubTables, Clusters, Clusters]:
    """Phrases s1 … s8 in one cluster; links to target clusters Ta … Tf (a target phrase each)."""
    linked = {"a": [1], "b": [1, 2, 3], "c": [3, 4], "d": [3, 4, 5], "e": [5, 6], "f": [6, 7, 8]}
    entries = {
        (s - 1, number): 10 * s + number
        for number, (_, members) in enumerate(sorted(linked.items()))
        for s in members
    }
    graph = plain.phrase_graph(entries, 8, 6)
    tables = plain.sub_tables(graph, [list(range(14))], [False])
    return (
        graph,
        tables,
        plain.clusters_of([[list(range(8))]]),
        plain.clusters_of([[[8 + t] for t in range(6)]]),
    )


def test_figure_3_edges() -> None:
    graphs = build_graphs(*figure_3(), "source")
    assert len(graphs) == 1
    assert graphs.phrases.tolist() == list(range(8))
    edges = {
        (int(a) + 1, int(b) + 1): int(n)
        for a, b, n in zip(graphs.edge_a, graphs.edge_b, graphs.edges, strict=True)
    }
    once = [(1, 2), (1, 3), (2, 3), (3, 5), (4, 5), (5, 6), (6, 7), (6, 8), (7, 8)]
    assert edges == {**dict.fromkeys(once, 1), (3, 4): 2}


def test_figure_3_weights_are_sums_of_the_neighbours_strengths() -> None:
    graphs = build_graphs(*figure_3(), "source")
    row = [(int(a), int(b)) for a, b in zip(graphs.edge_a, graphs.edge_b, strict=True)].index((2, 3))
    assert graphs.forward[row] == (40 + 2) + (40 + 3)  # n(s4; Tc) + n(s4; Td)
    assert graphs.backward[row] == (30 + 2) + (30 + 3)
    assert graphs.strength[0] == 10 + 1  # Ta joins s1 with nobody


def test_figure_4_features() -> None:
    """(has) ⇌ (owns) ⇌ (i have) ⇌ (i had): VBZ and the stems HAVE, OWN; PRP VBP, PRP VBD; both stems I HAVE."""
    words = np.full((4, 7), -1, np.int32)
    words[0, 0], words[1, 0] = 0, 1
    words[2, :2], words[3, :2] = (2, 3), (2, 4)
    stem_of_word = np.array([0, 1, 2, 0, 0], np.int32)  # has, own, i, have, had
    class_of_word = np.array([0, 0, 1, 2, 3], np.int32)  # VBZ, PRP, VBP, VBD
    features = make_features(
        4,
        tag_features(np.arange(4, dtype=np.int32), word_class_codes(words, class_of_word), 4),
        stem_features(words, stem_of_word),
    )
    assert features.tag[0] == features.tag[1]
    assert len({int(tag) for tag in features.tag}) == 3
    assert features.stem[2] == features.stem[3]
    assert len({int(stem) for stem in features.stem}) == 3
    sequences = features.tag_sequences[features.tag]
    assert sequences[2, :3].tolist() == [1, 2, -1]
    assert sequences[3, :3].tolist() == [1, 3, -1]
    entries = {(0, 0): 2, (1, 0): 2, (1, 1): 2, (2, 1): 2, (2, 2): 2, (3, 2): 2}
    graph = plain.phrase_graph(entries, 4, 3)
    graphs = build_graphs(
        graph,
        plain.sub_tables(graph, [list(range(7))], [False]),
        plain.clusters_of([[[0, 1, 2, 3]]]),
        plain.clusters_of([[[4], [5], [6]]]),
        "source",
    )
    weights = graph_weights(graphs, features, 0)
    assert len(weights) == 4 + 3 + 3
    assert weights[4, :4].tolist() == [0.5, 0.5, 0, 0]  # VBZ leads to both of its phrases alike (eq. 6)
    assert not weights[4:, 4:].any()  # no edges between features
    assert weights[0, 4] == weights[0, 7] == 2 + 2  # mean 2, net 0 + |Γ| + 1 (eqs. 4 and 5)


def random_case(seed: int) -> tuple[PhraseGraph, SubTables, Clusters, Clusters, NDArray[np.float64]]:
    draw = np.random.default_rng(seed)
    entries = {(int(s), int(t)): int(n) for s, t, n in draw.integers((0, 0, 1), (9, 9, 10), (40, 3))}
    graph = plain.phrase_graph(entries, 9, 9)
    parts = [np.sort(draw.choice(18, int(draw.integers(8, 15)), replace=False)).tolist() for _ in range(3)]
    tables = plain.sub_tables(graph, parts, [True, False, True])
    sides = []
    for low in (0, 9):
        sides.append(
            plain.clusters_of(
                [
                    [
                        [v for v in part if low <= v < low + 9 and draw.random() < share]
                        for share in (0.9, 0.5, 0.3)
                    ]
                    for part in parts
                ]
            )
        )
    return graph, tables, sides[0], sides[1], draw.random((18, 18))


@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize("seed", range(6))
def test_as_by_the_plain_rules(seed: int, side: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, tables, source, target, measure = random_case(seed)
    measure = np.maximum(measure, measure.T)
    monkeypatch.setattr("paraphrast.graph.monolingual.CHUNK", 20)
    options = GraphOptions(sigma=0.5, max_phrases=5, inflate_from=8)
    graphs = build_graphs(graph, tables, source, target, side, lambda x, y: measure[x, y], options)
    own, other = (source, target) if side == "source" else (target, source)
    expected = plain.cluster_graphs(graph, tables, own, other, side, lambda a, b: measure[a, b], 0.5, 5)
    offset = 0 if side == "source" else 9
    assert len(graphs) == len(expected)
    counts = dict.fromkeys(range(18), 0)
    for s, t, n in zip(graph.source, graph.target, graph.count, strict=True):
        counts[int(s)], counts[int(t)] = max(counts[int(s)], int(n)), max(counts[int(t)], int(n))
    for g, (table, part, edges, reach) in enumerate(expected):
        piece = slice(int(graphs.phrase_start[g]), int(graphs.phrase_start[g + 1]))
        assert graphs.table[g] == table
        assert (graphs.phrases[piece] + offset).tolist() == part
        assert graphs.strength[piece] == pytest.approx([reach[s] for s in part])
        assert graphs.inflated[piece].tolist() == [counts[s] >= 8 for s in part]
        rows = range(int(graphs.edge_start[g]), int(graphs.edge_start[g + 1]))
        found = {
            (part[graphs.edge_a[e]], part[graphs.edge_b[e]]): (
                int(graphs.edges[e]),
                graphs.forward[e],
                graphs.backward[e],
            )
            for e in rows
        }
        assert found == edges


def chain(length: int) -> tuple[PhraseGraph, SubTables, Clusters, Clusters]:
    """Phrases in a row, each joined with the next by a target phrase; the middle link is the weakest."""
    entries = {}
    for t in range(length - 1):
        often = 1 if t == length // 2 - 1 else 9
        entries[t, t] = entries[t + 1, t] = often
    graph = plain.phrase_graph(entries, length, length - 1)
    return (
        graph,
        plain.sub_tables(graph, [list(range(2 * length - 1))], [True]),
        plain.clusters_of([[list(range(length))]]),
        plain.clusters_of([[[length + t] for t in range(length - 1)]]),
    )


def phrases_of(graphs: Graphs) -> list[list[int]]:
    return [piece.tolist() for piece in np.split(graphs.phrases, graphs.phrase_start[1:-1])]


def test_large_graphs_are_dropped_and_counted() -> None:
    graphs = build_graphs(*chain(6), "source", None, GraphOptions(max_phrases=5))
    assert len(graphs) == 0
    assert (graphs.dropped, graphs.dropped_phrases) == (1, 6)
    assert graphs.phrase_start.tolist() == [0]
    assert graphs.edge_start.tolist() == [0]


def test_large_graphs_are_split_at_their_weakest_edge() -> None:
    graphs = build_graphs(*chain(6), "source", None, GraphOptions(max_phrases=3, large="split"))
    assert phrases_of(graphs) == [[0, 1, 2], [3, 4, 5]]
    assert graphs.dropped == 0
    assert graphs.edge_a.tolist() == [0, 1, 0, 1]


def test_split_parts_never_grow_beyond_the_limit() -> None:
    draw = np.random.default_rng(5)
    first = draw.integers(0, 39, 200)
    second = np.minimum(first + draw.integers(1, 20, 200), 39)
    part = k.split_parts(40, first, second, np.arange(200), 4)
    assert np.bincount(part).max() <= 4
    whole = k.split_parts(40, first, second, np.arange(200), 40)
    assert whole.tolist() == k.connected_parts(40, first, second).tolist()


@pytest.mark.parametrize("wrong", [{"large": "keep"}, {"max_phrases": 1}, {"sigma": 2.0}])
def test_options_are_checked(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        GraphOptions(**wrong)  # type: ignore[arg-type]


def test_side_is_checked() -> None:
    with pytest.raises(InputError, match="source or target"):
        build_graphs(*chain(4), "left")

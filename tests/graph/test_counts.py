from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.graph import _kernels_counts as k
from paraphrast.graph.commute import GraphCounts, count_graphs
from paraphrast.graph.counts import rank_paraphrases, vertex_pairs
from paraphrast.graph.features import Features
from paraphrast.graph.monolingual import Graphs
from paraphrast.graph.options import MixOptions
from plain_graph import random_graphs

Token = tuple[str, int, int]


def meetings(
    graphs: Graphs, counts: GraphCounts, features: Features, split: bool
) -> dict[Token, dict[Token, dict[int, float]]]:
    """n_C(u, v) of tokens (eq. 13): what meets what in which sub-table, features told apart by their phrase."""
    found: dict[Token, dict[Token, dict[int, float]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(float))
    )
    for g in range(len(graphs)):
        phrases = graphs.phrases[graphs.phrase_start[g] : graphs.phrase_start[g + 1]].tolist()
        vertices: list[tuple[str, int]] = [("phrase", s) for s in phrases]
        for kind in ("tag", "stem"):
            for s in phrases:
                for f in features_of(features, s, kind):
                    if (kind, f) not in vertices:
                        vertices.append((kind, f))
        tokens: list[tuple[Token, int]] = []
        for s in phrases:
            tokens.append((("phrase", s, s), vertices.index(("phrase", s))))
            for kind in ("tag", "stem"):
                tokens += [((kind, s, f), vertices.index((kind, f))) for f in features_of(features, s, kind)]
        matrix = counts.matrix(g)
        assert len(matrix) == len(vertices)
        generators = [sum(place == n for _, place in tokens) for n in range(len(vertices))]
        for u, at in tokens:
            for v, to in tokens:
                if at != to:
                    share = generators[at] * generators[to] if split else 1
                    found[u][v][int(graphs.table[g])] += matrix[at, to] / share
    return found


def features_of(features: Features, s: int, kind: str) -> list[int]:
    if kind == "tag":
        return features.tag[features.tag_start[s] : features.tag_start[s + 1]].tolist()
    return [int(features.stem[s])] if features.has_stems else []


def mixed(met: dict[Token, dict[int, float]]) -> dict[Token, float]:
    """Eqs. 14, 15 and 18, with EM in plain loops."""
    tables = sorted({table for row in met.values() for table in row})
    total = {table: sum(row.get(table, 0.0) for row in met.values()) for table in tables}
    weight = dict.fromkeys(tables, 1 / len(tables))
    for _ in range(5000):
        share = dict.fromkeys(tables, 0.0)
        for row in met.values():
            terms = {table: weight[table] * n / total[table] for table, n in row.items()}
            for table, term in terms.items():
                share[table] += term / sum(terms.values()) / len(met)
        change = max(abs(share[table] - weight[table]) for table in tables)
        weight = share
        if change < 1e-12:
            break
    result = {}
    for v, row in met.items():
        terms = {table: weight[table] * n / total[table] for table, n in row.items()}
        result[v] = sum(n * terms[table] for table, n in row.items()) / sum(terms.values())
    return result


FINE = MixOptions(tolerance=1e-12, rounds=5000, top=0)


@pytest.mark.parametrize("generators", ["split", "each"])
@pytest.mark.parametrize("seed", range(3))
def test_ranking_as_by_the_plain_equations(seed: int, generators: str) -> None:
    graphs, features = random_graphs(seed, 12)
    counts = count_graphs(graphs, features)
    options = MixOptions(generators, 1e-12, 5000, 0)
    ranked = rank_paraphrases(graphs, counts, features, options)
    found = {
        (int(s), int(t)): (n, p, q, r)
        for s, t, n, p, q, r in zip(
            ranked.source, ranked.target, ranked.count, ranked.phrase, ranked.tag, ranked.stem, strict=True
        )
    }
    expected = {}
    for u, met in meetings(graphs, counts, features, generators == "split").items():
        if u[0] != "phrase":
            continue
        vertex: dict[tuple[str, int], float] = defaultdict(float)
        for (kind, _, number), n in mixed(met).items():
            vertex[kind, number] += n
        total = sum(vertex.values())
        for (kind, number), n in vertex.items():
            if kind == "phrase":
                low, high = features.tag_start[number], features.tag_start[number + 1]
                tag = sum(
                    features.tag_share[e] * vertex.get(("tag", int(features.tag[e])), 0.0)
                    for e in range(low, high)
                )
                stem = vertex.get(("stem", int(features.stem[number])), 0.0)
                expected[u[1], number] = (n, n / total, tag / total, stem / total)
    assert set(found) == set(expected)
    for pair, values in expected.items():
        assert found[pair] == pytest.approx(values, rel=1e-5), pair


def test_scores_of_a_phrase_sum_to_one_and_fall() -> None:
    graphs, features = random_graphs(4, 12)
    counts = count_graphs(graphs, features)
    ranked = rank_paraphrases(graphs, counts, features, FINE)
    total = np.bincount(ranked.source, weights=ranked.score)
    assert total[total > 0] == pytest.approx(1)
    same = ranked.source[1:] == ranked.source[:-1]
    assert (ranked.score[1:][same] <= ranked.score[:-1][same]).all()
    best = rank_paraphrases(graphs, counts, features, MixOptions(top=2))
    assert np.bincount(best.source).max() == 2


def test_pairs_of_all_kinds_as_by_the_plain_equations() -> None:
    graphs, features = random_graphs(5, 10)
    counts = count_graphs(graphs, features)
    pairs = vertex_pairs(graphs, counts, features, FINE)
    number = {
        "phrase": 0,
        "tag": features.phrase_size,
        "stem": features.phrase_size + len(features.tag_sequences),
    }
    expected: dict[tuple[int, int], float] = defaultdict(float)
    for u, met in meetings(graphs, counts, features, True).items():
        for v, n in mixed(met).items():
            a, b = number[u[0]] + u[2], number[v[0]] + v[2]
            if a < b:
                expected[a, b] += n
    found = {(int(a), int(b)): n for a, b, n in zip(pairs.u, pairs.v, pairs.count, strict=True)}
    assert found == pytest.approx(dict(expected), rel=1e-5)


def test_threads_and_runs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs, features = random_graphs(6, 20)
    counts = count_graphs(graphs, features)
    one = rank_paraphrases(graphs, counts, features)
    one_pairs = vertex_pairs(graphs, counts, features)
    monkeypatch.setattr("paraphrast.graph.counts.RUN", 4)
    many = rank_paraphrases(graphs, counts, features, threads=3)
    assert one.score.tobytes() == many.score.tobytes()
    assert one.target.tobytes() == many.target.tobytes()
    many_pairs = vertex_pairs(graphs, counts, features, threads=3)
    assert one_pairs.u.tobytes() == many_pairs.u.tobytes()
    assert one_pairs.count == pytest.approx(many_pairs.count, rel=1e-12)


def test_mixture_weights_maximise_the_likelihood() -> None:
    draw = np.random.default_rng(3)
    start = np.arange(0, 41, 2, dtype=np.int64)
    part = np.tile([0, 1], 20).astype(np.int64)
    prob = draw.random(40)

    def likelihood(first: float) -> float:
        table: NDArray[np.float64] = prob.reshape(20, 2)
        return float(np.log(table @ [first, 1 - first]).mean())

    weight = k.mixture_weights(start, part, prob, 2, 1e-12, 100000)
    best = max(np.linspace(0, 1, 2001), key=likelihood)
    assert weight.sum() == pytest.approx(1)
    assert weight[0] == pytest.approx(best, abs=1e-3)


def test_a_vertex_of_one_sub_table_keeps_its_counts() -> None:
    token, part = np.array([4, 2, 4], np.int64), np.zeros(3, np.int64)
    met, count = k.mix(token, part, np.array([1.0, 5.0, 2.5]), 1, 1e-6, 10)
    assert met.tolist() == [2, 4]
    assert count.tolist() == [5.0, 3.5]


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="split or each"):
        MixOptions(generators="both")

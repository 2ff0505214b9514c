from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import plain_graph as plain
from graph_steps import commute_times, graph_weights, pair_counts
from paraphrast.errors import ConvergenceWarning, InputError
from paraphrast.graph import _kernels_commute as k
from paraphrast.graph.commute import count_graphs
from paraphrast.graph.features import Features, make_features, no_features
from paraphrast.graph.monolingual import Graphs
from paraphrast.graph.options import CountOptions
from plain_graph import random_graphs


def two_phrases(inflated: bool) -> Graphs:
    """Figs. 7 and 8: phrases a and b, both of strength 40 in one target cluster."""
    return Graphs(
        np.array([0], np.int32),
        np.array([0, 2], np.int64),
        np.array([0, 1], np.int32),
        np.array([inflated, inflated]),
        np.array([40.0, 40.0]),
        np.array([0, 1], np.int64),
        np.array([0], np.int32),
        np.array([1], np.int32),
        np.array([1], np.int32),
        np.array([40.0]),
        np.array([40.0]),
    )


def distinct_features(phrases: int) -> Features:
    numbers = np.arange(phrases, dtype=np.int32)
    sequences = np.full((phrases, 7), -1, np.int32)
    return make_features(
        phrases,
        (np.arange(phrases + 1), numbers, np.ones(phrases), sequences),
        (sequences, numbers),
    )


def test_figure_7() -> None:
    """Printed: counts 2.0, 2.6, 2.6, 1.3, 1.3 and probabilities .20, .27, .27, .13, .13."""
    counts = count_graphs(two_phrases(False), distinct_features(2)).matrix(0)
    a, b, tag_a, tag_b, stem_a, stem_b = range(6)
    row = counts[a]
    assert row[b] == pytest.approx(2.025, abs=0.005)
    assert row[[tag_a, stem_a]] == pytest.approx([2.6, 2.6], abs=0.01)
    assert row[[tag_b, stem_b]] == pytest.approx([1.27, 1.27], abs=0.01)
    assert row / row.sum() == pytest.approx([0, 0.207, 0.266, 0.130, 0.266, 0.130], abs=0.001)


def test_figure_8() -> None:
    """Printed: 11.3, 13.5, 6.7 and .22, .26, .13; counts come out 3 to 5 per cent lower, probabilities as printed."""
    counts = count_graphs(two_phrases(True), distinct_features(2)).matrix(0)
    row = counts[0]
    assert row[[1, 2, 3]] == pytest.approx([10.80, 13.03, 6.43], abs=0.01)
    assert (row / row.sum())[[1, 2, 3]] == pytest.approx([0.22, 0.26, 0.13], abs=0.005)


def test_figure_7_weights_are_those_of_the_equations() -> None:
    weights = graph_weights(two_phrases(False), distinct_features(2), 0)
    assert weights[0].tolist() == [0, 40, 42, 0, 42, 0]  # mean 40, net |40 − 40| + 2
    assert weights[2].tolist() == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("seed", range(4))
def test_counts_as_by_the_plain_equations(seed: int) -> None:
    graphs, features = random_graphs(seed, 5)
    counted = count_graphs(graphs, features, CountOptions(1e-13, 20000))
    for g in range(len(graphs)):
        _, weights = plain.weights(graphs, features, g)
        assert graph_weights(graphs, features, g) == pytest.approx(weights)
        kappa = plain.commute(weights)
        assert commute_times(weights) == pytest.approx(kappa, rel=1e-7)
        size = int(counted.vertex_size[g])
        expected = plain.counts(kappa)[:size, :size]
        assert counted.matrix(g) == pytest.approx(expected, rel=1e-6)


def test_the_smallest_count_is_one_and_the_iteration_is_at_rest() -> None:
    kappa = commute_times(graph_weights(*random_graphs(7, 1), 0))
    counts = pair_counts(kappa, CountOptions(1e-12, 20000))
    off = ~np.eye(len(counts), dtype=bool)
    assert counts[off].min() == pytest.approx(1)
    assert counts == pytest.approx(counts.T)
    prob = counts / counts.sum(axis=1, keepdims=True)
    mean = (kappa * prob).sum(axis=1)
    again = (mean[:, None] + mean[None, :] - kappa * (prob + prob.T))[off] / (2 * kappa[off])
    assert again / again.min() == pytest.approx(counts[off], rel=1e-6)


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs, features = random_graphs(11, 40)
    monkeypatch.setattr("paraphrast.graph.commute.BATCH", 3)
    one, many = count_graphs(graphs, features), count_graphs(graphs, features, threads=4)
    assert one.counts.tobytes() == many.counts.tobytes()


def test_without_features_a_graph_has_phrases_alone() -> None:
    graphs, _ = random_graphs(3, 4)
    counted = count_graphs(graphs, no_features(30))
    assert counted.vertex_size.tolist() == np.diff(graphs.phrase_start).tolist()


@pytest.mark.parametrize("size", [1, 2, 5, 17])
def test_inverse(size: int) -> None:
    matrix: NDArray[np.float64] = np.random.default_rng(size).normal(size=(size, size))
    matrix[0, 0] = 0.0 if size > 1 else 2.0  # so that rows have to change places
    inverse = matrix.copy()
    k.invert(inverse, size, np.empty(size, np.int64))
    assert inverse @ matrix == pytest.approx(np.eye(size), abs=1e-9)


def test_unfinished_counts_are_told() -> None:
    with pytest.warns(ConvergenceWarning, match="1 of 1 graphs"):
        count_graphs(*random_graphs(7, 1), CountOptions(rounds=1))


def test_features_of_too_few_phrases_are_refused() -> None:
    graphs, _ = random_graphs(3, 4)
    with pytest.raises(InputError, match="every phrase"):
        count_graphs(graphs, no_features(2))

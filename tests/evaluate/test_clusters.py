"""Ratings by cluster, version and judge: means by hand, t-tests against their formula, bad files."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.evaluate.clusters import ClusterRating, plot_clusters, score_clusters, t_test

FIGURES = {
    f"{system}-{cluster}-{number}": {"lm": level, "bleu": 5 - level}
    for system, level in (("V1", 1.0), ("V4", 3.0))
    for cluster in ("a", "b")
    for number in (1, 2)
}


def rating(item: str, rater: str, value: float, system: str = "") -> ClusterRating:
    own, cluster, _ = item.split("-")
    return ClusterRating(cluster, system or own, item, rater, "fidelity", value)


ROWS = [
    rating("V1-a-1", "x", 1),
    rating("V1-a-2", "x", 2),
    rating("V1-b-1", "y", 3),
    rating("V4-a-1", "x", 4),
    rating("V4-a-2", "y", 3),
    rating("V4-b-1", "y", 4),
]


def test_means_and_deviations() -> None:
    scores = score_clusters(ROWS, FIGURES)
    found = scores.systems["fidelity"]["V1"]
    assert found.ratings == 3
    assert found.pooled == 2.0
    assert found.by_cluster == {"a": 1.5, "b": 3.0}
    assert found.clusters == 2.25
    assert found.by_rater == {"x": 1.5, "y": 3.0}
    assert found.between_raters == pytest.approx(math.sqrt(2) * 0.75)
    assert scores.proxies["fidelity"]["lm"]["pearson"] == pytest.approx(
        float(np.corrcoef([1, 1, 1, 3, 3, 3], [1, 2, 3, 4, 3, 4])[0, 1])
    )
    bleu = scores.proxies["fidelity"]["bleu"]["pearson"]
    assert bleu is not None
    assert bleu < 0
    assert "ratings:6" in scores.signature


def test_tests_are_the_papers_where_its_versions_are_rated() -> None:
    tests = {test.name: test for test in score_clusters(ROWS, FIGURES).tests["fidelity"]}
    assert set(tests) == {"syntax", "V4 over V1"}
    one, two = np.array([4, 3, 4.0]), np.array([1, 2, 3.0])
    t = (one.mean() - two.mean()) / math.sqrt(one.var(ddof=1) / 3 + two.var(ddof=1) / 3)
    assert tests["V4 over V1"].t == pytest.approx(t)
    assert tests["V4 over V1"].difference == pytest.approx(5 / 3)
    assert tests["V4 over V1"].clusters == 2
    p = tests["V4 over V1"].p
    assert p is not None
    assert 0 < p < 0.05


def test_other_systems_are_compared_in_pairs() -> None:
    rows = [replace(row, system={"V1": "ours", "V4": "theirs"}[row.system]) for row in ROWS]
    scores = score_clusters(rows)
    assert [test.name for test in scores.tests["fidelity"]] == ["ours over theirs"]


def test_t_tests_without_spread_or_numbers_are_none() -> None:
    assert t_test([1.0, 1.0], [1.0, 1.0]) == (None, None)
    assert t_test([1.0], [2.0, 3.0]) == (None, None)
    assert t_test([2.0, 3.0], [1.0, 2.0], paired=True) == (None, None)


def test_the_picture_has_every_cluster_and_version() -> None:
    scores = score_clusters(ROWS, FIGURES)
    svg = plot_clusters(scores, "fidelity", order=["b", "a"])
    assert "V4" in svg
    assert "Fidelity by cluster" in svg
    with pytest.raises(InputError, match="question"):
        plot_clusters(scores, "beauty")
    with pytest.raises(InputError, match="order"):
        plot_clusters(scores, "fidelity", order=["a"])

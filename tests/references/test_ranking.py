"""Pairwise accuracy with ties, against every threshold tried in turn."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from paraphrast.references.options import Resampling
from paraphrast.references.ranking import pairwise_accuracy

NONE = Resampling(samples=0)


def slow(human: list[float], scores: list[float], segment: list[int]) -> float:
    """The highest mean over segments, over all thresholds of ties."""
    groups = [
        [
            (one, two)
            for one, two in combinations(range(len(human)), 2)
            if segment[one] == segment[two] == name
        ]
        for name in sorted(set(segment))
    ]
    groups = [pairs for pairs in groups if pairs]
    thresholds = {0.0} | {abs(scores[one] - scores[two]) for pairs in groups for one, two in pairs}

    def right(one: int, two: int, threshold: float) -> bool:
        first, second = human[one] - human[two], scores[one] - scores[two]
        second = 0.0 if abs(second) <= threshold else second
        return bool(np.sign(first) == np.sign(second))

    return max(
        float(np.mean([np.mean([right(one, two, threshold) for one, two in pairs]) for pairs in groups]))
        for threshold in thresholds
    )


@pytest.mark.parametrize("seed", range(8))
def test_accuracy_is_the_best_of_all_thresholds(seed: int) -> None:
    generator = np.random.default_rng(seed)
    human = generator.integers(-3, 1, 40).astype(float)
    scores = human * 0.5 + generator.normal(size=40).round(1)
    segment = np.sort(generator.integers(0, 9, 40))
    found = pairwise_accuracy(human, scores, segment, NONE)
    assert found.accuracy == pytest.approx(slow(human.tolist(), scores.tolist(), segment.tolist()))


def test_ties_of_people_are_found_by_the_threshold() -> None:
    human, scores = np.array([0.0, 0.0, -5.0]), np.array([50.0, 49.0, 10.0])
    found = pairwise_accuracy(human, scores, np.zeros(3, dtype=np.int64), Resampling(samples=10))
    assert (found.accuracy, found.threshold, found.pairs) == (1.0, 1.0, 3)
    assert found.low == found.high == 1.0


def test_without_pairs_nothing_is_defined() -> None:
    found = pairwise_accuracy(np.zeros(2), np.zeros(2), np.arange(2), NONE)
    assert found.to_dict()["accuracy"] is None

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from paraphrast.errors import InputError
from paraphrast.references.correlation import (
    correlate,
    gain_of,
    kendall_within,
    moments,
    pearson_of,
    rise_of,
    segment_correlation,
    spread_of,
    system_correlation,
    williams,
)
from paraphrast.references.options import Resampling

DRAW = np.random.default_rng(5)
SEGMENT = np.repeat(np.arange(60), 5)
HUMAN = DRAW.normal(size=300)
GOOD = HUMAN + DRAW.normal(size=300)
BAD = HUMAN + 3 * DRAW.normal(size=300)


def test_correlations_are_scipys() -> None:
    found = segment_correlation(HUMAN, GOOD, SEGMENT, Resampling(samples=200))
    assert found.pearson == pytest.approx(stats.pearsonr(HUMAN, GOOD).statistic)
    assert found.spearman == pytest.approx(stats.spearmanr(HUMAN, GOOD).statistic)
    assert found.kendall == pytest.approx(stats.kendalltau(HUMAN, GOOD).statistic)
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.pearson < found.high
    assert not found.starred
    assert found.to_dict()["cells"] == 300


def test_what_does_not_vary_is_starred_and_unknown() -> None:
    found = segment_correlation(HUMAN, np.ones(300), SEGMENT)
    assert found.starred
    assert found.to_dict()["pearson"] is None
    assert math.isnan(correlate(HUMAN[:2], GOOD[:2])[0])


def test_pearson_from_sums() -> None:
    table = moments(HUMAN, GOOD, SEGMENT, 60)
    assert pearson_of(table.sum(axis=0)[None])[0] == pytest.approx(correlate(HUMAN, GOOD)[0])


def test_kendall_within_segments_by_hand() -> None:
    human = np.array([1.0, 2.0, 3.0, 5.0, 4.0, 7.0, 7.0])
    scores = np.array([1.0, 2.0, 3.0, 1.0, 2.0, 1.0, 2.0])
    # +1 in the first, −1 in the second, and the third sees no difference.
    assert kendall_within(human, scores, np.array([0, 0, 0, 1, 1, 2, 2])) == 0.0


def test_systems_are_points() -> None:
    system = np.tile(np.arange(5), 60)
    rows = np.stack([GOOD, np.ones(300)], axis=1)
    found = system_correlation(
        HUMAN, system, SEGMENT, rows, lambda sums: sums[0] / sums[1], Resampling(samples=50)
    )
    means = [HUMAN[system == one].mean() for one in range(5)]
    scores = [GOOD[system == one].mean() for one in range(5)]
    assert found.pearson == pytest.approx(stats.pearsonr(means, scores).statistic)
    assert found.cells == 5
    assert found.low is not None


def test_williams_by_hand() -> None:
    # r = .4 and .5 with people, .6 with each other, 103 cells: worked with the formula of Steiger (1980, eq. 7).
    determinant = 1 - 0.16 - 0.25 - 0.36 + 2 * 0.4 * 0.5 * 0.6
    value = 0.1 * math.sqrt(102 * 1.6 / (2 * 102 / 100 * determinant + 0.45**2 * 0.4**3))
    assert williams(0.4, 0.5, 0.6, 103) == pytest.approx(stats.t.sf(value, 100))
    assert williams(0.5, 0.4, 0.6, 103) == pytest.approx(1 - williams(0.4, 0.5, 0.6, 103))
    assert williams(0.4, 0.4, 1.0, 103) == 0.5


def test_a_gain_is_told_from_chance() -> None:
    resampling = Resampling(samples=300)
    better = gain_of(HUMAN, BAD, GOOD, SEGMENT, resampling)
    assert better.value > 0
    assert better.williams < 0.01
    assert better.permutation is not None
    assert better.permutation < 0.01
    assert better.low is not None
    assert better.low > 0
    worse = gain_of(HUMAN, GOOD, BAD, SEGMENT, resampling)
    assert worse.permutation is not None
    assert worse.permutation > 0.99
    same = gain_of(HUMAN, GOOD, GOOD + DRAW.normal(size=300) * 1e-9, SEGMENT, resampling)
    assert abs(same.value) < 1e-6
    assert gain_of(HUMAN, GOOD, GOOD, SEGMENT, Resampling(samples=0)).permutation is None


def test_a_rise_is_told_from_chance() -> None:
    first = np.stack([DRAW.random(40), np.ones(40)], axis=1)
    second = first + np.array([0.1, 0.0])

    def mean(sums: list[float]) -> float:
        return sums[0] / sums[1]

    found = rise_of(first, second, mean, Resampling(samples=99))
    assert found.multiple - found.single == pytest.approx(0.1)
    assert found.p_value == 0.01
    assert rise_of(second, first, mean, Resampling(samples=99)).p_value == 1.0
    assert rise_of(second, first, mean, Resampling(samples=99), higher=False).p_value == 0.01


def test_spread_is_mean_and_coefficient_of_variation() -> None:
    mean, variation = spread_of(np.array([2.0, 4.0]))
    assert (mean, variation) == (3.0, pytest.approx(math.sqrt(2) / 3))
    assert spread_of(np.array([-2.0, -4.0]))[1] == pytest.approx(math.sqrt(2) / 3)


def test_resampling_is_checked_and_repeats() -> None:
    with pytest.raises(InputError, match="samples"):
        Resampling(samples=-1)
    one, two = (gain_of(HUMAN, BAD, GOOD, SEGMENT, Resampling(samples=50)) for _ in range(2))
    assert one == two

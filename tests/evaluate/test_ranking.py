"""Rank correlations against scipy, and the rest by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.evaluate.ranking import rank_correlation, resample, spearman

FEW = BootstrapOptions(samples=50)


def test_spearman_is_scipys() -> None:
    from scipy.stats import spearmanr

    generator = np.random.default_rng(3)
    for _ in range(20):
        one, two = generator.integers(0, 6, 30).astype(float), generator.normal(size=30)
        assert spearman(one, two) == pytest.approx(spearmanr(one, two).statistic)
    assert math.isnan(spearman(np.ones(3), np.arange(3.0)))
    assert math.isnan(spearman(np.ones(1), np.ones(1)))


def test_the_figures_by_hand() -> None:
    # Phrase p: ranked by score c (bad), a (good), then b without a score (good). Phrase q: nothing good.
    found = rank_correlation(
        ["p", "p", "p", "q", "q"],
        [0.5, None, 0.9, 0.1, 0.3],
        [4.0, 5.0, 1.0, 1.0, 2.0],
        FEW,
    )
    assert (found.pairs, found.covered_pairs, found.phrases, found.coverage) == (5, 4, 1, 0.8)
    assert found.mrr == 0.5
    assert found.average_precision == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert found.spearman_covered == pytest.approx(
        spearman(np.array([0.5, 0.9, 0.1, 0.3]), np.array([4.0, 1, 1, 2]))
    )
    assert found.spearman_all == pytest.approx(
        spearman(np.array([0.5, -9, 0.9, 0.1, 0.3]), np.array([4.0, 5, 1, 1, 2]))
    )
    assert found.to_dict()["coverage"] == 0.8


def test_ties_are_broken_against_us() -> None:
    found = rank_correlation(["p", "p"], [0.5, 0.5], [5.0, 1.0], FEW)
    assert found.mrr == 0.5


def test_nothing_covered_is_null() -> None:
    found = rank_correlation(["p", "q"], [None, None], [5.0, 1.0], FEW)
    assert found.to_dict()["spearman_covered"] is None
    assert found.to_dict()["spearman_all"] is None


def test_resampling_repeats_by_seed() -> None:
    values = np.arange(20.0)

    def mean(drawn: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[float]:
        return [float(values[drawn].mean())]

    (found,) = resample(20, mean, FEW)
    assert found is not None
    assert found.low < 9.5 < found.high
    assert resample(20, mean, FEW) == [found]
    assert resample(20, mean, BootstrapOptions(samples=0)) == [None]


def test_faults_are_told() -> None:
    with pytest.raises(InputError, match="a judgement per pair"):
        rank_correlation(["p"], [1.0], [])
    with pytest.raises(InputError, match="NaN"):
        rank_correlation(["p"], [math.nan], [1.0])

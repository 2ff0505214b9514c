"""Logistic regression: the weights that made the labels come back, and the gradient is zero there."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from paraphrast._logistic import fit_logistic

TRUTH = np.array([-1.0, 2.0, 0.3])


def labelled(count: int) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(3)
    rows = np.column_stack([np.ones(count), draw.normal(size=count), 5 * draw.normal(size=count)])
    return rows, (draw.random(count) < 1 / (1 + np.exp(-rows @ TRUTH))).astype(float)


def test_the_weights_that_made_the_labels_come_back() -> None:
    rows, truth = labelled(40_000)
    penalty = np.full(3, 1e-6)
    np.testing.assert_allclose(fit_logistic(rows, truth, penalty), TRUTH, atol=0.1)
    sparse = fit_logistic(csr_array(rows), truth, penalty, tolerance=1e-6)
    np.testing.assert_allclose(sparse, fit_logistic(rows, truth, penalty, tolerance=1e-6), atol=1e-6)


@pytest.mark.parametrize("prior", [None, np.array([0.5, -1.0, 0.2])])
def test_the_gradient_is_zero_at_the_weights(prior: np.ndarray | None) -> None:
    rows, truth = labelled(500)
    importance = np.random.default_rng(4).random(500) + 0.5
    penalty = np.array([1e-3, 20.0, 5.0])

    def loss(weights: np.ndarray) -> float:
        odds = rows @ weights
        away = weights - (0.0 if prior is None else prior)
        nats = np.logaddexp(0.0, odds) - truth * odds
        return float((importance * nats).sum() + 0.5 * (penalty * away**2).sum())

    best = fit_logistic(rows, truth, penalty, importance=importance, prior=prior, tolerance=1e-8)
    for column in range(3):
        step = np.zeros(3)
        step[column] = 1e-5
        assert (loss(best + step) - loss(best - step)) / 2e-5 == pytest.approx(0.0, abs=1e-3)
        assert loss(best + 1000 * step) > loss(best) < loss(best - 1000 * step)

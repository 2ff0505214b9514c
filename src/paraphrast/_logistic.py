"""Logistic regression, for all models with yes or no as the outcome."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def fit_logistic(
    rows: Any,
    truth: Floats,
    penalty: Floats,
    *,
    importance: Floats | None = None,
    prior: Floats | None = None,
    tolerance: float | None = None,
    rounds: int = 500,
) -> Floats:
    """The weights w that minimise Σ importance · log loss + ½ Σ penalty · (w − prior)², by L-BFGS.

    rows: float64[n, features], dense or scipy sparse; a constant is a column of ones. truth: 0 or 1 per row.
    prior: the start of the search and the centre of the penalty, 0 by default. tolerance: of the gradient; the default
    stops early, when more steps change no decision.
    """
    from scipy.optimize import minimize

    start = np.zeros(rows.shape[1]) if prior is None else prior
    weight = np.ones(rows.shape[0]) if importance is None else importance
    across = rows.T if isinstance(rows, np.ndarray) else rows.T.tocsr()

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds = rows @ weights
        away = weights - start
        value = weight @ (np.logaddexp(0.0, odds) - truth * odds) + 0.5 * penalty @ (away * away)
        chance = 1.0 / (1.0 + np.exp(-np.clip(odds, -30, 30)))
        return float(value), np.asarray(across @ (weight * (chance - truth)) + penalty * away)

    options: dict[str, float] = {"maxiter": rounds}
    if tolerance is not None:
        options |= {"gtol": tolerance, "ftol": 0.0, "maxfun": 10 * rounds}
    result = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    return np.asarray(result.x, dtype=np.float64)

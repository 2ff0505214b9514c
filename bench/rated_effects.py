"""Effects of phrases and pairs on ratings, beyond what other features say (``tables/quality/rated.py``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse
from sklearn.model_selection import GroupKFold

from paraphrast.tables.quality.rated import ANY, RatedPhrases

FOLDS = 10
#: Ridges of the effects: of a pair, of a substitute, of a source phrase.
PENALTY = (1.0, 2.0, 2.0)


def fit_effects(
    pairs: Sequence[tuple[str, str]],
    offset: NDArray[np.float64],
    accepted: NDArray[np.float64],
    ridges: tuple[float, float, float] = PENALTY,
) -> RatedPhrases:
    """Random intercepts of source phrases, substitutes and pairs, given the log-odds of the other features."""
    keys = [[(one, ANY) for one, _ in pairs], [(ANY, two) for _, two in pairs], list(pairs)]
    names = {key: number for number, key in enumerate(dict.fromkeys(key for kind in keys for key in kind))}
    penalty = np.array([ridges[(one == ANY) + 2 * (two == ANY)] for one, two in names])
    column = np.array([[names[key] for key in kind] for kind in keys])
    matrix = sparse.csr_matrix(
        (np.ones(column.size), (np.tile(np.arange(len(pairs)), 3), column.ravel())), (len(pairs), len(names))
    )

    def loss(value: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = offset + matrix @ value
        wrong = 1.0 / (1.0 + np.exp(-odds)) - accepted
        total = np.logaddexp(0.0, odds) - accepted * odds
        return float(total.sum() + 0.5 * (penalty * value**2).sum()), matrix.T @ wrong + penalty * value

    value = optimize.minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x.round(2)
    return RatedPhrases({key: float(value[number]) for key, number in names.items() if value[number] != 0})


def out_of_fold_effects(
    pairs: Sequence[tuple[str, str]],
    offset: NDArray[np.float64],
    accepted: NDArray[np.float64],
    sentence: NDArray[np.int64],
    usable: NDArray[np.bool_],
    ridges: tuple[float, float, float] = PENALTY,
) -> tuple[NDArray[np.float32], RatedPhrases]:
    """For each row the effect of its pair by ratings of other sentences, and the effects of all usable rows."""
    value = np.zeros(len(pairs), np.float32)
    sources, targets = zip(*pairs, strict=True)
    for train, test in GroupKFold(FOLDS, shuffle=True, random_state=1).split(offset, None, sentence):
        seen = train[usable[train]]
        effects = fit_effects([pairs[row] for row in seen], offset[seen], accepted[seen], ridges)
        value[test] = effects.of([sources[row] for row in test], [targets[row] for row in test])
    rated = [pair for pair, chosen in zip(pairs, usable.tolist(), strict=True) if chosen]
    return value, fit_effects(rated, offset[usable], accepted[usable], ridges)

"""Krippendorff's α (Krippendorff 2004, chapter 11): agreement of any number of raters, with ratings missing.

Every pair of ratings of one item by different raters counts 1 / (m − 1) in the coincidence matrix o, where m is the
number of ratings of the item. With n_c = Σ_k o_ck and n = Σ_c n_c,

    α = 1 − D_o / D_e,   D_o = Σ o_ck δ_ck / n,   D_e = Σ n_c n_k δ_ck / (n (n − 1)),

where δ is 1 for different values (nominal), or (c − k)² where distances have a meaning (interval). The matrix is a sum
over items, so a resample of items needs only the sum of its matrices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def coincidences(votes: Mapping[str, Mapping[str, int]], values: Sequence[int]) -> Floats:
    """The coincidence matrix of every item with at least two ratings: float64[items, values · values]."""
    index = {value: place for place, value in enumerate(values)}
    rows = []
    for item_votes in votes.values():
        size = len(item_votes)
        if size < 2:
            continue
        counts = np.zeros(len(values))
        for value, count in Counter(item_votes.values()).items():
            counts[index[value]] = count
        rows.append((np.outer(counts, counts) - np.diag(counts)).ravel() / (size - 1))
    return np.array(rows) if rows else np.zeros((0, len(values) ** 2))


def alpha_of_sums(sums: Floats, values: Sequence[int], *, graded: bool) -> Floats:
    """α of sums of coincidence matrices: float64[resamples, values · values] → float64[resamples]; NaN if undefined."""
    count = len(values)
    matrix = sums.reshape(-1, count, count)
    scale = np.array(values, dtype=np.float64)
    distance = (scale[:, None] - scale[None, :]) ** 2 if graded else 1.0 - np.eye(count)
    marginals = matrix.sum(axis=2)
    total = marginals.sum(axis=1)
    observed = (matrix * distance).sum(axis=(1, 2)) * (total - 1)
    expected = np.einsum("sc,sk,ck->s", marginals, marginals, distance)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1.0 - observed / expected, np.nan)


def krippendorff_alpha(votes: Mapping[str, Mapping[str, int]], *, graded: bool = False) -> float | None:
    """α; ``None`` if no item has two ratings, or all ratings are the same."""
    values = sorted({value for item_votes in votes.values() for value in item_votes.values()})
    rows = coincidences(votes, values)
    if not len(rows):
        return None
    alpha = float(alpha_of_sums(rows.sum(axis=0, keepdims=True), values, graded=graded)[0])
    return None if np.isnan(alpha) else alpha

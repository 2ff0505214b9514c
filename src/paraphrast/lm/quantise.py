"""Codebooks: a few hundred values that represent millions (Federico and Bertoldi 2006)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Maximum number of values that a codebook is fitted to, taken in equal steps.
SAMPLE = 1 << 23
#: Rounds of Lloyd's algorithm; the error hardly falls after the first ten.
ROUNDS = 30


def fit_codebook(values: NDArray[np.float32], bits: int) -> NDArray[np.float32]:
    """float32[2^bits], ascending: values that represent the given ones with a small squared error.

    Starts with the means of bins with equally many values, as in KenLM, then runs Lloyd's algorithm (Lloyd 1982): each
    value moves to the nearest mean, and the means are updated. At most 2^bits distinct values are represented exactly.
    """
    size = 1 << bits
    ordered = np.sort(values[:: len(values) // SAMPLE + 1])
    if not len(ordered):
        return np.zeros(size, dtype=np.float32)
    distinct = np.unique(values) if len(ordered) == len(values) else np.unique(ordered)
    if len(distinct) <= size:
        return np.concatenate([distinct, np.repeat(distinct[-1:], size - len(distinct))])
    sums = np.concatenate([np.zeros(1), np.cumsum(ordered, dtype=np.float64)])
    edges = np.arange(size + 1) * len(ordered) // size
    means = np.zeros(size)
    for _ in range(ROUNDS):
        counts = np.diff(edges)
        filled = counts > 0
        means[filled] = np.diff(sums[edges])[filled] / counts[filled]
        means = np.maximum.accumulate(means)
        edges[1:-1] = np.searchsorted(ordered, (means[1:] + means[:-1]) / 2)
    return means.astype(np.float32)


def encode(values: NDArray[np.float32], codebook: NDArray[np.float32]) -> NDArray[np.uint32]:
    """For each value, the code of the nearest value in the codebook; the first if several are equal."""
    edges = (codebook[1:].astype(np.float64) + codebook[:-1]) / 2
    return np.searchsorted(edges, values).astype(np.uint32)

"""Codebooks against bins with equally many values, and against brute force."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.lm.quantise import encode, fit_codebook

VALUES = st.lists(st.floats(-20, 0, width=32), min_size=1, max_size=80)


@settings(deadline=None)
@given(VALUES, st.integers(2, 4))
def test_every_value_gets_the_nearest_code(values: list[float], bits: int) -> None:
    given_values = np.array(values, dtype=np.float32)
    codebook = fit_codebook(given_values, bits)
    assert len(codebook) == 1 << bits
    assert (np.diff(codebook) >= 0).all()
    nearest = np.abs(given_values[:, None].astype(np.float64) - codebook).min(axis=1)
    error = np.abs(given_values.astype(np.float64) - codebook[encode(given_values, codebook)])
    np.testing.assert_allclose(error, nearest, atol=1e-6)


def test_few_distinct_values_are_exact() -> None:
    values = np.repeat(np.array([-3.25, -1.5, -0.125], dtype=np.float32), [5, 1, 9])
    codebook = fit_codebook(values, 2)
    np.testing.assert_array_equal(codebook[encode(values, codebook)], values)
    assert fit_codebook(values[:0], 2).tolist() == [0, 0, 0, 0]


def test_less_error_than_bins_of_equal_size() -> None:
    rng = np.random.default_rng(0)
    values = np.sort((-rng.gamma(2.0, 2.0, 20000)).astype(np.float32))
    bins = values.reshape(16, -1)
    by_bins = float(((bins - bins.mean(axis=1, keepdims=True)) ** 2).mean())
    codebook = fit_codebook(values, 4)
    assert float(((values - codebook[encode(values, codebook)]) ** 2).mean()) < 0.7 * by_bins

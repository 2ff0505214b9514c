"""Blame for a rejected rewrite of several substitutions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bench_module import bench_module

pytest.importorskip("sklearn")
for name in ("fitting", "judged_substitutes", "rated_effects", "fast_acceptability"):
    bench_module(name)
bench = bench_module("more_ratings")


def log_odds(*probabilities: float) -> np.ndarray:
    return np.array([math.log(p / (1 - p)) for p in probabilities])


def test_blame_is_shared_by_how_likely_each_substitution_is_wrong() -> None:
    """Worked by hand: of a rejected rewrite with .5 and .8, 1 − Π p = .6, so .5 / .6 and .2 / .6 are wrong."""
    rows = bench_module("fast_acceptability").Rows(
        features=np.zeros((4, 0), np.float32),
        accepted=np.array([0.0, 0.0, 0.0, 1.0]),
        rewrite=np.array([0, 0, 1, 2]),
        sentence=["a", "b", "c"],
        whole=np.array([0.0, 0.0, 1.0]),
        pair=[("a", "b")] * 4,
    )
    shared = bench.shared_blame(rows, log_odds(0.5, 0.8, 0.7, 0.3))
    assert shared == pytest.approx([1 - 0.5 / 0.6, 1 - 0.2 / 0.6, 0.0, 1.0])

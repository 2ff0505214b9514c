"""Effects of phrases and pairs on ratings."""

from __future__ import annotations

import numpy as np
import pytest

from bench_module import bench_module
from paraphrast.tables.quality.rated import ANY

pytest.importorskip("sklearn")
effects = bench_module("rated_effects")


def test_effects_explain_what_the_offset_does_not() -> None:
    pairs = [("must", "should")] * 6 + [("buy", "purchase")] * 6 + [("buy", "get")] * 6
    accepted = np.array([0.0] * 6 + [1.0] * 6 + [0.0] * 3 + [1.0] * 3)
    fitted = effects.fit_effects(pairs, np.zeros(len(pairs)), accepted)
    bad, good, even, new = fitted.of(
        ["must", "buy", "buy", "must"], ["should", "purchase", "get", "have to"]
    ).tolist()
    assert bad < -1 < even < 1 < good
    assert new == pytest.approx(fitted.effects["must", ANY])
    assert new < 0
    # Where the offset explains the ratings already, little is left for the effects.
    known = effects.fit_effects(pairs, np.where(accepted > 0.5, 3.0, -3.0), accepted)
    assert abs(known.of(["must"], ["should"])[0]) < abs(bad) / 3


def test_a_rating_does_not_explain_itself() -> None:
    """Pairs that occur in one sentence only have no effect there, whatever their rating."""
    pairs = [(f"a{number}", f"b{number}") for number in range(20)]
    accepted = np.arange(20) % 2.0
    value, fitted = effects.out_of_fold_effects(
        pairs, np.zeros(20), accepted, np.arange(20), np.ones(20, np.bool_)
    )
    assert not value.any()
    assert len(fitted.effects) == 60

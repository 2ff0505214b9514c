from __future__ import annotations

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.graph.powerlaw import draw_power_law, fit_power_law


def test_the_exponent_of_a_power_law_is_found() -> None:
    counts = 500.0 * np.arange(1, 5001) ** -0.7
    law = fit_power_law(np.random.default_rng(1).permutation(counts))
    assert law.exponent == pytest.approx(0.7, abs=1e-3)
    assert law.scale == pytest.approx(500, rel=1e-2)
    assert law.fit == pytest.approx(1, abs=1e-6)
    assert law.pairs == 5000
    assert law.count[0] == 500


def test_other_distributions_fit_worse() -> None:
    assert fit_power_law(np.linspace(1, 1000, 5000)).fit < 0.8


def test_equal_counts_have_no_exponent() -> None:
    with pytest.raises(InputError, match="differ"):
        fit_power_law(np.ones(9))


def test_the_picture_says_what_was_fitted() -> None:
    drawn = draw_power_law(fit_power_law(100.0 * np.arange(1, 60, dtype=np.float64) ** -1.0)).to_svg()
    assert "59 pairs" in drawn
    assert "rank^−1.00" in drawn

"""Correlation with length held fixed, against residuals of a regression."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from paraphrast.references.options import Resampling
from paraphrast.references.partial import length_controls, partial_correlation


def by_residuals(
    human: NDArray[np.float64], scores: NDArray[np.float64], controls: NDArray[np.float64]
) -> float:
    """The definition: Pearson's r of the residuals of two regressions."""
    design = np.column_stack([np.ones(len(human)), controls])
    rest = [side - design @ np.linalg.lstsq(design, side, rcond=None)[0] for side in (human, scores)]
    return float(np.corrcoef(*rest)[0, 1])


@pytest.mark.parametrize("kind", ["log", "both"])
def test_partial_is_that_of_residuals(kind: str) -> None:
    generator = np.random.default_rng(3)
    lengths = generator.integers(5, 300, 400).astype(float)
    quality = generator.normal(size=400)
    human = quality - lengths / 20
    base = quality * 10 + generator.normal(size=400) * 10
    scores = base + 5 * quality
    segment = np.repeat(np.arange(80), 5)
    found = partial_correlation(
        human, scores, lengths, segment, kind=kind, base=base, resampling=Resampling(samples=50)
    )
    controls = length_controls(lengths, kind)
    assert found.pearson == pytest.approx(by_residuals(human, scores, controls))
    assert found.gain == pytest.approx(found.pearson - by_residuals(human, base, controls))
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.pearson < found.high


def test_a_score_of_length_alone_has_no_partial_correlation() -> None:
    generator = np.random.default_rng(4)
    lengths = generator.integers(5, 300, 300).astype(float)
    human = -lengths + generator.normal(size=300)
    scores = -np.log(lengths)
    segment = np.arange(300)
    assert np.corrcoef(human, scores)[0, 1] > 0.8
    found = partial_correlation(human, scores, lengths, segment, resampling=Resampling(samples=0))
    assert np.isnan(found.pearson)
    assert found.to_dict()["pearson"] is None

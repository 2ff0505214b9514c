"""Figures and intervals agree with the plain functions, on the whole and on every resample."""

from __future__ import annotations

import numpy as np
import pytest

from paraphrast.campaign import agreement as module
from paraphrast.campaign.agreement import measure
from paraphrast.evaluate.bootstrap import Floats, Interval
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.judge.agreement import measure_agreement
from paraphrast.judge.questions import Question

QUESTION = Question("x", "?", ((1, "a"), (2, "b"), (3, "c")), graded=True)


@pytest.mark.parametrize("raters", [2, 3])
def test_resampled_figures_are_those_of_the_resampled_votes(
    raters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(raters)
    votes = {
        f"i{item}": {f"r{one}": int(generator.integers(1, 4)) for one in range(raters)} for item in range(12)
    }
    seen: list[Floats] = []

    def twin(units: Floats, statistic: object, options: object = None) -> list[Interval | None]:
        for _ in range(20):
            drawn = generator.integers(0, 12, 12)
            figures = statistic(units[drawn].sum(axis=0, keepdims=True))[0]  # type: ignore[operator]
            again = {f"{place}": votes[f"i{item}"] for place, item in enumerate(drawn)}
            plain = measure_agreement(again, graded=True)
            assert plain is not None
            expected = [np.nan if one is None else one for one in (plain.percent, plain.kappa, plain.alpha)]
            np.testing.assert_allclose(figures, expected, atol=1e-12)
            seen.append(figures)
        return [None, None, None]

    monkeypatch.setattr(module, "bootstrap", twin)
    result = measure(votes, QUESTION, 1)
    assert result is not None
    assert len(seen) == 20
    assert result.agreement.kind == ("cohen" if raters == 2 else "fleiss")


def test_intervals_hold_the_figure() -> None:
    generator = np.random.default_rng(0)
    votes = {}
    for item in range(100):
        first = int(generator.integers(1, 4))
        votes[str(item)] = {
            "a": first,
            "b": first if generator.random() < 0.8 else int(generator.integers(1, 4)),
        }
    result = measure(votes, QUESTION, 1, BootstrapOptions(samples=200))
    assert result is not None
    for figure, ends in (
        (result.agreement.percent, result.percent),
        (result.agreement.kappa, result.kappa),
        (result.agreement.alpha, result.alpha),
    ):
        assert figure is not None
        assert ends is not None
        assert ends.low < figure < ends.high


def test_without_two_ratings_there_is_no_agreement() -> None:
    assert measure({"a": {"anna": 1}}, QUESTION, 1) is None

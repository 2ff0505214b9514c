"""EM's loop and its warning; what a bitext leaves out."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

from paraphrast.align.base import Bitext, EMModel
from paraphrast.errors import ConvergenceWarning, InputError
from paraphrast.types import Sentences


class Staircase(EMModel):
    """Gains half of what is missing at every step."""

    def __init__(self) -> None:
        super().__init__()
        self.value = -128.0

    def _step(self, bitext: Bitext) -> float:
        self.value /= 2
        return self.value - 1000.0

    def best(self, bitext: Bitext) -> NDArray[np.int32]:
        return np.zeros(0, np.int32)


def empty_bitext() -> Bitext:
    none = Sentences.from_lists([])
    return Bitext.of(none, none, 1, 1)


def test_trace_and_progress() -> None:
    model = Staircase()
    seen: list[tuple[str, int, int]] = []
    model.fit(empty_bitext(), 3, progress=lambda stage, done, total: seen.append((stage, done, total)))
    assert model.log_likelihoods == [-1064.0, -1032.0, -1016.0]
    assert seen == [("model", 1, 3), ("model", 2, 3), ("model", 3, 3)]


def test_stops_when_it_has_converged() -> None:
    model = Staircase()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(empty_bitext(), 50, tolerance=1e-3)
    assert 3 < len(model.log_likelihoods) < 50


def test_warns_only_when_asked_to_converge() -> None:
    with pytest.warns(ConvergenceWarning, match="allow more iterations"):
        Staircase().fit(empty_bitext(), 2, tolerance=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Staircase().fit(empty_bitext(), 2)


def test_pairs_that_are_left_out() -> None:
    source = Sentences.from_lists([[0], [], [0] * 10, [0] * 1001, [0] * 9, [0]])
    target = Sentences.from_lists([[0], [0], [0], [0] * 1001, [0], []])
    bitext = Bitext.of(source, target, 1, 1)
    assert bitext.kept.tolist() == [True, False, False, False, True, False]
    assert bitext.skipped == 4
    assert bitext.flipped().source.tokens is bitext.target.tokens


def test_wrong_input_is_named() -> None:
    one = Sentences.from_lists([[0]])
    two = Sentences.from_lists([[0], [3]])
    with pytest.raises(InputError, match="got 1 and 2"):
        Bitext.of(one, two, 1, 4)
    with pytest.raises(InputError, match="target word ids from 0 to 2"):
        Bitext.of(two, two, 4, 3)

"""PSER by hand; to change nothing is never the best."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.evaluate.pser import SentenceOutcome, pser, sentence_pser

NONE = BootstrapOptions(samples=0)


def test_the_sum_by_hand() -> None:
    # 1/4, then silence where a right one was possible (1), then silence where none was (0), then unjudged: left out.
    found = pser(
        [
            SentenceOutcome(3, 1, 5),
            SentenceOutcome(0, 0),
            SentenceOutcome(0, 0, possible=False),
            SentenceOutcome(0, 0, 2),
        ],
        options=NONE,
    )
    assert found.total == pytest.approx(1.25)
    assert (found.sentences, found.silent) == (3, 2)
    assert found.mean == pytest.approx(1.25 / 3)


def test_silence_may_cost_less() -> None:
    outcomes = [SentenceOutcome(0, 0), SentenceOutcome(1, 3)]
    assert pser(outcomes, silence=0.5, options=NONE).total == pytest.approx(1.25)
    with pytest.raises(InputError, match="between 0 and 1"):
        pser(outcomes, silence=1.5)


@given(st.integers(1, 9), st.integers(0, 9))
def test_any_right_substitute_is_better_than_none(right: int, wrong: int) -> None:
    silent = sentence_pser(SentenceOutcome(0, 0))
    spoken = sentence_pser(SentenceOutcome(right, wrong))
    assert silent is not None
    assert spoken is not None
    assert spoken < silent


def test_nothing_to_count() -> None:
    assert pser([SentenceOutcome(0, 0, 3)]).to_dict() == {
        "pser": 0.0, "mean": 0.0, "interval": None, "sentences": 0, "silent": 0,
    }  # fmt: skip


def test_the_mean_has_an_interval() -> None:
    found = pser([SentenceOutcome(1, number % 3) for number in range(30)])
    assert found.interval is not None
    assert found.interval.low < found.mean < found.interval.high

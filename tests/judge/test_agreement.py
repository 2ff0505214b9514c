"""Agreement by worked examples: the textbook's own numbers."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.judge.agreement import (
    cohen_kappa,
    fleiss_kappa,
    measure_agreement,
    pearson,
    percent_agreement,
)


def test_cohen_by_hand() -> None:
    # 50 items: both yes 20, first only 5, second only 10, both no 15. p_o = .7; p_e = .5 · .6 + .5 · .4 = .5.
    first = [1] * 25 + [0] * 25
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_fleiss_by_hand() -> None:
    # Fleiss' (1971) shape: 10 items, 14 raters, 5 values; the well-known table gives κ = .210.
    table = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    votes = {
        str(item): dict(
            enumerate_names([value for value, count in enumerate(counts, 1) for _ in range(count)])
        )
        for item, counts in enumerate(table)
    }
    assert fleiss_kappa(votes) == pytest.approx(0.210, abs=5e-4)


def enumerate_names(values: list[int]) -> list[tuple[str, int]]:
    return [(f"r{number}", value) for number, value in enumerate(values)]


def slow_percent(votes: dict[str, dict[str, int]]) -> float:
    """The plain twin: every two ratings of one item."""
    pairs = [a == b for said in votes.values() for a, b in itertools.combinations(said.values(), 2)]
    return sum(pairs) / len(pairs) if pairs else math.nan


@given(
    st.dictionaries(
        st.sampled_from("abcdef"),
        st.dictionaries(st.sampled_from("xyzw"), st.integers(0, 3), min_size=1),
        min_size=1,
    )
)
def test_percent_is_that_of_all_pairs(votes: dict[str, dict[str, int]]) -> None:
    found, expected = percent_agreement(votes), slow_percent(votes)
    assert found == pytest.approx(expected, nan_ok=True)


def test_pearson_by_hand() -> None:
    # Deviations −1 0 1 and −1 −1 2 (means 2 and 2): 3 / √(2 · 6).
    assert pearson([1, 2, 3], [1, 1, 4]) == pytest.approx(3 / math.sqrt(12))
    assert pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert pearson([1, 1, 1], [1, 2, 3]) is None
    assert pearson([1], [1]) is None


def test_kappa_without_variety_is_undefined() -> None:
    assert cohen_kappa([1, 1], [1, 1]) is None
    assert fleiss_kappa({"a": {"x": 1, "y": 1, "z": 1}}) is None


def test_two_raters_have_cohens_and_three_fleiss() -> None:
    two = measure_agreement(
        {"a": {"x": 1, "y": 0}, "b": {"x": 1, "y": 1}, "c": {"x": 0, "y": 0}, "d": {"x": 0}}
    )
    assert two is not None
    assert (two.kind, two.items, two.percent) == ("cohen", 3, pytest.approx(2 / 3))
    # p_o = 2/3; shares 2/3, 1/3 and 1/3, 2/3: p_e = 4/9; κ = (2/9) / (5/9).
    assert two.kappa == pytest.approx(0.4)
    assert two.pearson is None
    three = measure_agreement({"a": {"x": 1, "y": 2, "z": 4}, "b": {"x": 1, "y": 1, "z": 1}}, graded=True)
    assert three is not None
    assert three.kind == "fleiss"
    assert len(three.pairs) == 3
    assert three.percent == pytest.approx(3 / 6)


def test_nothing_shared_is_no_agreement() -> None:
    assert measure_agreement({"a": {"x": 1}, "b": {"y": 1}}) is None


def test_uneven_ratings_are_errors() -> None:
    with pytest.raises(InputError, match="two ratings"):
        cohen_kappa([1], [1, 0])
    with pytest.raises(InputError, match="same length"):
        pearson([1], [1, 0])

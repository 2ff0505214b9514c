"""Krippendorff's α by his own example, and against a plain twin."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.judge.reliability import krippendorff_alpha

#: Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section C: four observers, twelve units.
TABLE = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def test_the_published_example() -> None:
    votes = {
        str(unit): {str(rater): row[unit] for rater, row in enumerate(TABLE) if row[unit] is not None}
        for unit in range(12)
    }
    given_votes = {
        unit: {rater: int(value or 0) for rater, value in said.items()} for unit, said in votes.items()
    }
    assert krippendorff_alpha(given_votes) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(given_votes, graded=True) == pytest.approx(0.849, abs=5e-4)


def slow_alpha(votes: dict[str, dict[str, int]], graded: bool) -> float | None:
    """The plain twin: differences of pairs within items, over differences of all pairs of ratings."""

    def distance(first: int, second: int) -> float:
        return float((first - second) ** 2) if graded else float(first != second)

    units = [list(said.values()) for said in votes.values() if len(said) > 1]
    ratings = [value for unit in units for value in unit]
    size = len(ratings)
    if not size:
        return None
    observed = sum(
        distance(a, b) / (len(unit) - 1) for unit in units for a, b in itertools.permutations(unit, 2)
    )
    expected = sum(distance(a, b) for a, b in itertools.permutations(ratings, 2))
    return None if expected == 0 else 1 - (observed / size) / (expected / (size * (size - 1)))


@given(
    st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3), max_size=4), max_size=8),
    st.booleans(),
)
def test_the_twin_agrees(said: list[dict[str, int]], graded: bool) -> None:
    votes = {str(number): one for number, one in enumerate(said)}
    expected = slow_alpha(votes, graded)
    result = krippendorff_alpha(votes, graded=graded)
    assert result == (pytest.approx(expected) if expected is not None else None)

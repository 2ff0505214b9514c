from __future__ import annotations

from dataclasses import replace

import pytest

from paraphrast.errors import InputError
from paraphrast.references.samples import SampleRow
from paraphrast.study.samples import rater_shares, rater_votes

ROWS = [
    SampleRow("small", "best", "a", "b", 0.5, 1, 1),
    SampleRow("small", "best", "c", "d", 0.5, 0, 1),
    SampleRow("small", "all", "c", "d", 0.5, 0),
    SampleRow("small", "all", "c", "e", 0.5, 1),
    SampleRow("large", "best", "a", "f", 0.5),
]


def test_a_row_is_worth_the_mean_of_its_raters() -> None:
    other = [replace(row, same_category=1 if row.same_category is not None else None) for row in ROWS]
    shares = rater_shares([ROWS, other])
    assert shares["same_category"]["small", "best"].share == 0.75
    assert shares["same_category"]["small", "all"].rows == 2
    assert ("large", "best") not in shares["same_category"]
    assert set(shares["same_meaning"]) == {("small", "best")}


def test_intervals_resample_phrases() -> None:
    """Both paraphrases of "c" are drawn together, so their sample has no width."""
    shares = rater_shares([ROWS])["same_category"]
    one, two = shares["small", "all"].interval, shares["small", "best"].interval
    assert one is not None
    assert two is not None
    assert one.low == one.high == 0.5
    assert (two.low, two.high) == (0.0, 1.0)


def test_votes_for_agreement() -> None:
    assert rater_votes([ROWS, ROWS], "same_meaning") == {
        "0": {"0": 1, "1": 1},
        "1": {"0": 1, "1": 1},
        "2": {},
        "3": {},
        "4": {},
    }


def test_raters_of_other_rows_are_refused() -> None:
    with pytest.raises(InputError, match="same paraphrases"):
        rater_shares([ROWS, ROWS[1:] + ROWS[:1]])

from __future__ import annotations

import math

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.tables.resources.comparable import comparable_table
from paraphrast.tables.resources.options import ComparableOptions


def test_equation_7_by_hand() -> None:
    """ "a" met "a" 4 times (8 both ways), "b" once and "c" once: p(b | a) = 1 / 10."""
    phrases: list[tuple[str, ...]] = [("a",), ("b",), ("c",)]
    table = comparable_table(
        phrases, np.array([0, 0, 2], np.int32), np.array([0, 1, 0], np.int32), np.array([4, 1, 1]), "en",
        ComparableOptions(),
    )  # fmt: skip
    rows = {
        (table.phrase(s)[0], table.phrase(t)[0]): (math.exp(score), count)
        for s, t, score, count in zip(
            table.table.source, table.table.target, table.table.score, table.table.count, strict=True
        )
    }
    assert rows == {
        ("a", "b"): (pytest.approx(0.1), 1),
        ("a", "c"): (pytest.approx(0.1), 1),
        ("b", "a"): (pytest.approx(1.0), 1),
        ("c", "a"): (pytest.approx(1.0), 1),
    }


def test_rows_that_say_nothing_are_trimmed() -> None:
    phrases = [("the", "car"), ("the", "auto"), (",", "car"), ("a", "vehicle"), ("<number>", "men"), ("men",)]
    source, target = np.array([0, 2, 0, 4], np.int32), np.array([1, 1, 3, 5], np.int32)
    table = comparable_table(phrases, source, target, np.ones(4, np.int64), "en", ComparableOptions())
    assert {table.phrase(index) for index in table.table.source} == {("the", "car"), ("a", "vehicle")}
    wide = comparable_table(
        phrases, source, target, np.ones(4, np.int64), "en", ComparableOptions(trim=False)
    )
    assert len(wide) == 6


def test_words_that_come_or_go_between_two_others_are_rows() -> None:
    phrases = [("think", "he"), ("think", "that", "he"), ("he", ",", "went"), ("he", "went"), ("so", "he")]
    source, target = np.array([0, 2, 0], np.int32), np.array([1, 3, 4], np.int32)
    table = comparable_table(phrases, source, target, np.array([3, 9, 9]), "en", ComparableOptions())
    pairs = {
        (table.phrase(first), table.phrase(second))
        for first, second in zip(table.table.source, table.table.target, strict=True)
    }
    assert pairs == {
        (("think", "he"), ("think", "that", "he")),
        (("think", "that", "he"), ("think", "he")),
    }
    rare = comparable_table(phrases, source, target, np.array([2, 9, 9]), "en", ComparableOptions())
    assert len(rare) == 0


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="th3"):
        ComparableOptions(th3=-1.0)

"""Whole numbers of files, and what only looks like one."""

from __future__ import annotations

import pytest

from paraphrast.formats.numbers import whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), (" 12\n", 12), ("007", 7), ("9" * 18, 10**18 - 1)])
def test_numbers(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize("text", ["", "-1", "1.0", "²", "٣", "1_0", "9" * 19, "9" * 5000])
def test_everything_else_is_none(text: str) -> None:
    assert whole_number(text) is None

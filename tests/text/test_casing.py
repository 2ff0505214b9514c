from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.text import copy_case


@pytest.mark.parametrize(
    ("before", "true", "at_start", "after", "expected"),
    [
        ("Big", "big", True, "very large", "Very large"),
        ("Big", "big", False, "large", "Large"),
        ("big", "big", True, "large", "large"),
        ("Paris", "Paris", False, "the city", "the city"),
        ("Paris", "Paris", True, "the city", "The city"),
        ("EU", "EU", False, "union", "union"),
        ("BIG NEWS", "big news", False, "great news", "GREAT NEWS"),
        ("BIG", "big", False, "great", "GREAT"),
        ("A", "a", True, "one", "One"),
        ("The Big News", "the big news", False, "the great news of Paris", "The Great News Of Paris"),
        ("The big", "the big", True, "a large", "A large"),
        ("Big", "big", True, "iPhone users", "iPhone users"),
        ("Big", "big", True, "“large”", "“Large”"),
        ("The", "the", True, "McCoy", "McCoy"),
        ("12", "12", True, "twelve", "twelve"),
        ("May 9 parade", "9 parade", False, "parade of May 9", "parade of May 9"),
        ("The", "the", True, "", ""),
    ],
)
def test_patterns(before: str, true: str, at_start: bool, after: str, expected: str) -> None:
    assert copy_case(before, after, before_true=true, at_start=at_start) == expected


@given(st.text(), st.text(), st.text(), st.booleans())
def test_no_letter_is_lowered(before: str, after: str, true: str, at_start: bool) -> None:
    result = copy_case(before, after, before_true=true, at_start=at_start)
    assert result in (after, after.upper()) or result.upper() == after.upper()
    assert sum(map(str.isupper, result)) >= sum(map(str.isupper, after))

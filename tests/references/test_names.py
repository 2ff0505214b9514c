"""Names stand for no other name."""

from __future__ import annotations

import pytest

from paraphrast.references.names import Names, proper_names
from paraphrast.text import get_language

ENGLISH = get_language("en")


def test_names_always_have_a_capital() -> None:
    texts = [
        "Reports from Guangdong say Spring came",
        "in spring the Report came",
        "Then they went. Later reports",
    ]
    assert proper_names(texts, ENGLISH) == {"guangdong", "report"}


def test_where_all_nouns_have_a_capital_there_are_none() -> None:
    assert proper_names(["das Haus in Berlin"], get_language("de")) == frozenset()


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        ("in guangdong", "in shandong", True),
        ("shandong", "shandong province", False),
        ("shandong's", "shandong", False),
        ("guangdong", "province", False),
    ],
)
def test_names_without_a_common_stem_differ(first: str, second: str, differ: bool) -> None:
    names = Names({"guangdong", "shandong", "shandong's"}, ENGLISH)
    assert names.differ(first.split(), second.split()) is differ

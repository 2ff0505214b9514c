from __future__ import annotations

import pytest

from paraphrast.tables.checks.stems import stemmer
from paraphrast.tables.resources.roundtrip import RoundtripOptions, _least, is_contraction
from paraphrast.text import get_language

ENGLISH = get_language("en")


def pair(first: str, second: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(first.split()), tuple(second.split())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I am", "I 'm"),
        ("do n't", "do not"),
        ("ca n't", "cannot"),
        ("will not go", "wo n't go"),
        ("he 's", "he has"),
    ],
)
def test_contractions(first: str, second: str) -> None:
    assert is_contraction(pair(first, second), ENGLISH)
    assert is_contraction(pair(second, first), ENGLISH)


@pytest.mark.parametrize(
    ("first", "second"),
    [("it was", "it 's"), ("we 've got", "we need"), ("it is", "this is"), ("he 's", "he is a")],
)
def test_other_changes_are_no_contractions(first: str, second: str) -> None:
    assert not is_contraction(pair(first, second), ENGLISH)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("purchased", "bought", (2, 0.03)),
        ("hope that", "hope", (2, 0.03)),
        ("want to", "would like to", (3, 0.06)),
        ("element in", "element of", (3, 0.2)),
        ("in order to", "to", (5, 0.4)),
        ("in the", "of the", None),
        ("money", "the money", None),
        ("do you know", "you know", None),
        ("was playing", "played", None),
        ("has become", "became", None),
    ],
)
def test_what_a_row_must_have(first: str, second: str, expected: tuple[int, float] | None) -> None:
    assert _least(pair(first, second), ENGLISH, stemmer(ENGLISH), RoundtripOptions()) == expected

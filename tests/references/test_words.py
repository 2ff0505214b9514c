from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from paraphrast.references.words import (
    closed_class,
    is_word,
    joined,
    like_case,
    place_words,
    source_words,
    split_words,
)
from paraphrast.text import get_language


@given(st.text("abAB01.,-'’“”()[]/:;!?% \t", max_size=30))
def test_words_are_those_of_sacrebleu(text: str) -> None:
    assert split_words(text) == Tokenizer13a()(text).split()


@given(st.text("aB0.,-'“(/:; ", max_size=30))
def test_places_are_those_of_the_words(text: str) -> None:
    found = place_words(text)
    assert list(found.words) == [text[a:b] for a, b in zip(found.starts, found.ends, strict=True)]
    assert len(found) == len(split_words(text))
    assert sorted(found.starts) == list(found.starts)


def test_sources_without_spaces_are_taken_by_character() -> None:
    assert source_words("我们有3.5万人 OK", "zh") == ["我", "们", "有", "3.5", "万", "人", "OK"]
    assert source_words("nous avons, oui", "fr") == ["nous", "avons", ",", "oui"]


@pytest.mark.parametrize(
    ("word", "expected"), [("a", True), ("3", False), (".", False), ("B2", True), ("人", True)]
)
def test_what_is_a_word(word: str, expected: bool) -> None:
    assert is_word(word) is expected


def test_closed_classes() -> None:
    english = get_language("en")
    assert "of" in closed_class("prepositions", english)
    assert "she" not in closed_class("prepositions", english)
    assert "she" in closed_class("function", english)
    assert not closed_class("none", english)


def test_case_follows_the_phrase_replaced() -> None:
    assert like_case(("big", "house"), ("Large", "building")) == ("Big", "house")
    assert like_case(("big",), ("large",)) == ("big",)
    assert like_case(("big", "deal"), ("LARGE", "THING")) == ("BIG", "DEAL")
    assert like_case(("we",), ("I",)) == ("we",)


def test_joined_writes_marks_as_people_do() -> None:
    assert joined(("a", ",", "b", "(", "c", ")")) == "a, b (c)"

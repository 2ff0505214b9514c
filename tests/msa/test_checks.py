"""Checks without a parse."""

from __future__ import annotations

import pytest

from paraphrast.msa.checks import (
    COPY,
    NEW,
    SHORTENED,
    has_inner_end,
    has_open_end,
    has_same_content,
    is_headline,
    is_unbalanced,
    misspelt_words,
    mixes_days,
    mixes_persons,
    novelty,
    repeats_number,
    says_twice,
    unknown_slips,
)
from paraphrast.msa.cluster import make_cluster
from paraphrast.text.languages.registry import get_language
from paraphrast.types import Vocabulary

CLUSTER = make_cluster(
    ["The old mill burnt down on Monday , police said .", "A mill burnt in Rome on Tuesday ."],
    get_language("en"),
    pretokenized=True,
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("the OLD mill burnt down on Monday police said", COPY),
        ("The mill burnt down on Monday .", SHORTENED),
        ("The old mill burnt in Rome .", NEW),
    ],
)
def test_case_punctuation_and_left_out_words_are_nothing_new(text: str, kind: str) -> None:
    assert novelty(text.split(), CLUSTER) == kind


def test_marks_in_pairs() -> None:
    assert is_unbalanced(["``", "We", "came", ",", "he", "said", "."])
    assert is_unbalanced(
        ["We", "came", ",", "'", "'", "he", "said", "."]
    )  # two single marks are one closing mark
    assert not is_unbalanced(["`", "`", "We", "came", ",", "'", "'", "he", "said", "."])
    assert is_unbalanced(["'", "We", "came", ",", "he", "said", "."])
    assert not is_unbalanced(["The", "mill", "'", "s", "owner", "left", "the", "workers", "'", "club", "."])


def test_reports_and_words_said_twice() -> None:
    assert says_twice(["Police", "said", "the", "mill", "burnt", ",", "police", "said", "."], CLUSTER)
    assert says_twice(["The", "mill", "by", "the", "mill", "burnt", "."], CLUSTER)
    assert says_twice(["The", "fire", "broke", "out", "in", "Rome", "out", "."], CLUSTER)
    assert not says_twice(["The", "old", "mill", "burnt", ",", "police", "said", "."], CLUSTER)


def test_numbers_said_twice() -> None:
    assert repeats_number(["20", "20"], {"20": 1})
    assert not repeats_number(["20", "20"], {"20": 2})


def test_days_that_no_sentence_has_together() -> None:
    assert mixes_days(["On", "Monday", "the", "mill", "burnt", "on", "Tuesday", "."], CLUSTER)
    assert not mixes_days(["On", "Monday", "the", "mill", "burnt", "."], CLUSTER)


def test_ends() -> None:
    assert has_inner_end(["They", "fired", "the", "coach", ".", "Named", "Ann", "."])
    assert not has_inner_end(["The", "U", ".", "S", ".", "came", "to", "Calif", ".", "today", "."])
    assert has_open_end(["He", "had", "a", "."])
    assert not has_open_end(["He", "had", "it", "."])


def test_an_abbreviation_ends_a_sentence_only_where_a_source_ends_so() -> None:
    inside = make_cluster(["He left Calif . on Monday ."], get_language("en"), pretokenized=True)
    at_end = make_cluster(["He left Calif ."], get_language("en"), pretokenized=True)
    assert has_open_end(["He", "left", "Calif", "."], inside)
    assert not has_open_end(["He", "left", "Calif", "."], at_end)


def test_headlines() -> None:
    assert is_headline(["Old", "Mill", "Burns", "Down", "in", "Great", "Storm"])
    assert not is_headline(["The", "old", "mill", "burns", "down", "in", "Rome", "."])
    assert not is_headline(["old", "mill", "burns", "down"])


def test_words_that_a_vocabulary_has_with_one_letter_more() -> None:
    english = get_language("en")
    cluster = make_cluster(["the oppsing team kneels", "a team in Oppsing"], english, pretokenized=True)
    words = ["opposing", "kneel", "knees", "team"]
    vocabulary = Vocabulary.from_counts([(word, 500) for word in words])
    # "kneels" is a form of a known word, though "knees" is near.
    assert unknown_slips(cluster, vocabulary) == {"oppsing"}
    assert unknown_slips(cluster, vocabulary, least=1000) == frozenset()


def test_a_word_that_other_sentences_spell_otherwise() -> None:
    sentences = ["a man painting a wall", "one painting a house", "a boy panting a wall , walls"]
    cluster = make_cluster(sentences, get_language("en"), pretokenized=True)
    assert misspelt_words(["a", "boy", "panting", "walls"], cluster) == {"panting"}
    assert misspelt_words(["a", "boy", "painting", "walls"], cluster) == set()


def test_pronouns_of_two_persons_that_no_sentence_has_together() -> None:
    sentences = ["a boy lifts his hand", "a girl lifts her hand"]
    cluster = make_cluster(sentences, get_language("en"), pretokenized=True)
    assert mixes_persons(["a", "boy", "lifts", "his", "hand", "and", "her", "foot"], cluster)
    assert not mixes_persons(["a", "boy", "lifts", "his", "foot"], cluster)


def test_the_same_content_words_in_order() -> None:
    assert has_same_content(["the", "mill", "burnt", "in", "Rome", "on", "Tuesday"], CLUSTER)
    assert not has_same_content(["the", "old", "mill", "burnt", "in", "Rome", "on", "Tuesday"], CLUSTER)

"""Equivalence sets cleaned by monolingual evidence."""

from __future__ import annotations

from paraphrast.references.agreement import clean_sets, shared_sources
from paraphrast.references.equivalents import EquivalenceSet, Item
from paraphrast.references.words import Phrase
from paraphrast.text import get_language

ENGLISH = get_language("en")


def make_set(source: str, *phrases: str) -> EquivalenceSet:
    share = 1 / len(phrases)
    return EquivalenceSet(tuple(source.split()), tuple(Item(tuple(one.split()), share, 1) for one in phrases))


def unknown(first: Phrase, second: Phrase) -> float | None:
    """A model that knows no words."""
    return None


def texts(sets: list[EquivalenceSet]) -> list[str]:
    return [one.text() for one in sets]


def test_a_content_word_and_a_function_word_do_not_stand_for_each_other() -> None:
    assert texts(clean_sets([make_set("x", "advice", "the"), make_set("y", "advice", "the")], ENGLISH)) == []


def test_a_negation_stands_for_nothing_else() -> None:
    sets = [make_set("x", "is", "not"), make_set("y", "is", "not"), make_set("z", "not reports", "report")]
    assert texts(clean_sets(sets, ENGLISH, unknown)) == []


def test_the_same_content_words_support_each_other() -> None:
    found = clean_sets([make_set("x", "the report", "reports", "cathedral")], ENGLISH, unknown)
    assert texts(found) == ["the report – reports"]


def test_without_a_model_only_function_words_are_kept_apart() -> None:
    assert texts(clean_sets([make_set("x", "people", "the", "citizens")], ENGLISH)) == ["people – citizens"]


def test_agreement_of_two_source_phrases_supports_a_pair() -> None:
    one, two = make_set("x", "people", "citizens"), make_set("y", "people", "citizens", "dogs")
    assert texts(clean_sets([one], ENGLISH, unknown)) == []
    assert texts(clean_sets([one, two], ENGLISH, unknown)) == ["people – citizens", "people – citizens"]


def test_a_longer_source_phrase_of_the_same_place_is_no_agreement() -> None:
    one, two = make_set("x", "people", "citizens"), make_set("x z", "people", "citizens")
    assert shared_sources([one, two])[("citizens",), ("people",)] == 1


def test_similar_words_support_a_pair_and_other_words_do_not() -> None:
    near = {frozenset({"cat", "kitten"}), frozenset({"dog", "hound"})}

    def similarity(first: Phrase, second: Phrase) -> float | None:
        return 0.9 if frozenset({first[0], second[0]}) in near else 0.1

    both = [make_set("x", "cat", "dog", "kitten", "hound"), make_set("y", "cat", "dog")]
    # "cat" and "dog" share two source phrases, but their vectors say that they differ.
    assert texts(clean_sets(both, ENGLISH, similarity)) == ["cat – kitten", "dog – hound"]


def test_members_of_a_group_all_support_each_other() -> None:
    chain = {frozenset({"a1", "b1"}), frozenset({"b1", "c1"})}

    def similarity(first: Phrase, second: Phrase) -> float | None:
        return 1.0 if frozenset({first[0], second[0]}) in chain else 0.0

    assert texts(clean_sets([make_set("x", "a1", "b1", "c1")], ENGLISH, similarity)) == ["a1 – b1"]


def test_a_phrase_with_one_more_content_word_says_more() -> None:
    def alike(first: Phrase, second: Phrase) -> float | None:
        return 0.9

    sets = [
        make_set("x", "activities", "outdoor activities"),
        make_set("y", "of the activities", "the activity"),
    ]
    assert texts(clean_sets(sets, ENGLISH, alike)) == ["of the activities – the activity"]


def test_function_words_of_different_classes_and_names_stand_for_nothing_else() -> None:
    sets = [make_set(source, "also", "is") for source in "xy"] + [make_set("z", "texas", "state")]
    assert texts(clean_sets(sets, ENGLISH, lambda first, second: 0.9, names={"texas"})) == []
    assert texts(clean_sets(sets, ENGLISH, lambda first, second: 0.9)) == ["texas – state"]

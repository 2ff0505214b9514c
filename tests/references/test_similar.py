"""Similar words of outputs as substitutes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from paraphrast.references.similar import SAME_STEM, similar_phrases, similar_words
from paraphrast.references.words import Phrase
from paraphrast.text import get_language

ENGLISH = get_language("en")
#: Degrees of the words' vectors, which have two dimensions.
DEGREES = {"large": 0, "big": 30, "dog": 90, "cat": 180, "red": 270, "blue": 271, "house": 135, "home": 136}


def vector_of(phrase: Phrase) -> NDArray[np.float64] | None:
    if not all(word in DEGREES for word in phrase):
        return None
    angles = np.radians([DEGREES[word] for word in phrase])
    total = np.array([np.cos(angles).sum(), np.sin(angles).sum()])
    return total / np.sqrt((total * total).sum())


def test_similar_words_of_the_outputs_are_substitutes() -> None:
    texts = ["A big thing at home", "in the blue house"]
    rows = similar_words("The large , unknown red house", texts, ENGLISH, vector_of).rows
    # "red" and "blue" are near each other, but exclude each other.
    assert {phrase: [one.target for one in row] for phrase, row in rows.items()} == {
        ("house",): [("home",)],
        ("large",): [("big",)],
    }
    assert rows["large",][0].probability == pytest.approx(0.75**0.5)


def test_words_that_the_reference_has_are_no_substitutes() -> None:
    assert len(similar_words("a large big dog", ["a big dog"], ENGLISH, vector_of)) == 0


def test_without_known_words_there_are_none() -> None:
    assert len(similar_words("a stone", ["a rock"], ENGLISH, vector_of)) == 0


def test_words_with_one_stem_need_no_vectors() -> None:
    rows = similar_words("he conscripts them", ["the conscript went"], ENGLISH, vector_of).rows
    assert [(one.target, one.probability) for one in rows["conscripts",]] == [(("conscript",), SAME_STEM)]


def test_possessives_and_hyphens_have_the_vectors_of_their_parts() -> None:
    rows = similar_words("large house's", ["home", "big-big"], ENGLISH, vector_of).rows
    assert {phrase: [one.target for one in row] for phrase, row in rows.items()} == {
        ("house's",): [("home",)],
        ("large",): [("big-big",)],
    }


def phrases(reference: str, output: str) -> dict[str, list[str]]:
    rows = similar_phrases(reference, [output], ENGLISH, vector_of).rows
    return {" ".join(phrase): [" ".join(one.target) for one in row] for phrase, row in rows.items()}


def test_a_phrase_may_stand_for_a_word() -> None:
    # Half-way between 0 and 90 degrees; "large" is at 0, "house" at 135.
    assert phrases("a home", "a dog with cat") == {"home": ["dog with cat"]}


def test_a_phrase_with_one_word_less_or_another_one_is_no_paraphrase() -> None:
    assert "big dog" not in phrases("a large dog", "a big dog").get("large dog", [])
    assert phrases("a home", "a house home") == {}


def test_phrases_with_a_negation_or_a_number_are_no_paraphrases() -> None:
    assert phrases("a home", "a dog not cat") == {}
    assert phrases("a home", "a dog two cat") == {}

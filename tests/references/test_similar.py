"""Similar words of outputs as substitutes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from paraphrast.references.similar import similar_words
from paraphrast.text import get_language

ENGLISH = get_language("en")
#: Degrees of the words' vectors, which have two dimensions.
DEGREES = {"large": 0, "big": 30, "dog": 90, "cat": 180, "red": 270, "blue": 271, "house": 135, "home": 136}


def vector_of(word: str) -> NDArray[np.float64] | None:
    if word not in DEGREES:
        return None
    angle = np.radians(DEGREES[word])
    return np.array([np.cos(angle), np.sin(angle)])


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

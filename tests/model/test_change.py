"""How much an edit changes, and what that is worth."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from paraphrast.decode.features import phrases_of
from paraphrast.model import load
from paraphrast.model.change import OptionChanges, changed_words, gain, gain_of
from paraphrast.text import get_language


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("is not", "isn't", 0),
        ("it's", "it is", 0),
        ("cannot", "can't", 0),
        ("won't", "will not", 0),
        ("percent", "per cent", 0),
        ("labour", "labor", 0),
        ("know", "know that", 0),
        ("first", "very first", 0),
        ("large", "big", 1),
        ("isn't large", "is not big", 1),
        ("examine", "look at", 2),
        ("the official said", "said the official", 2),
    ],
)
def test_words_that_change(before: str, after: str, changed: int) -> None:
    """Contractions, spelling and words that may be left out do not count."""
    assert changed_words(before, after, get_language("en")) == changed


def test_the_gain_grows_with_the_change_up_to_six_words_or_half_of_the_text() -> None:
    """At strength .5 and above, a word is worth .06."""
    assert gain(0, 20, 0.5) == 0
    assert gain(1, 20, 0.5) == gain(1, 20, 0.9) == pytest.approx(0.06)
    assert gain(6, 20, 0.5) == gain(9, 20, 0.5) == pytest.approx(0.36)
    assert gain(2, 4, 0.5) == gain(3, 4, 0.5) == pytest.approx(0.12)
    assert gain(1, 20, 0.1) == pytest.approx(0.012)


def test_options_change_as_many_words_as_their_text() -> None:
    """The decoder's options, compared with the words of their phrases as text, asked for twice in another order."""
    model = load()
    options = np.arange(0, len(model.arrays), 20_011)
    changes = OptionChanges(model.arrays, model.vocabulary.words, model.language)
    first = changes.of(options)
    source, target = (side[options] for side in phrases_of(model.arrays))
    for place in range(len(options)):
        old, new = (
            " ".join(model.vocabulary.words[word] for word in row if word >= 0)
            .replace(" '", "'")
            .replace(" n't", "n't")
            for row in (source[place], target[place])
        )
        assert first[place] == changed_words(old, new, model.language)
    assert changes.of(options[::-1]).tolist() == first[::-1].tolist()


def test_a_larger_change_comes_first_if_it_costs_little() -> None:
    """Results are in the order of probability and gain; the first is not the contraction alone."""
    model = load()
    results = model.paraphrase("It is not the only reason why he began to work in a large city.", n=5)
    worth = [result.probability + gain_of(result, model.language, 0.5) for result in results]
    assert worth == sorted(worth, reverse=True)
    assert gain_of(results[0], model.language, 0.5) > 0
    assert any(one.probability < two.probability for one, two in pairwise(results))


def test_a_short_list_begins_as_a_long_one_does() -> None:
    """The gain ranks a list that is long enough, also for ``n=1``."""
    model = load()
    texts = [
        "It is not the only reason why he began to work in a large city.",
        "The committee will examine the proposal as soon as possible, because it is important.",
        "He bought a new car last week.",
    ]
    for text in texts:
        assert model.paraphrase(text, n=1)[0] == model.paraphrase(text, n=12)[0]

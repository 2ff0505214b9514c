"""Phrases are written as the corpus writes them."""

from __future__ import annotations

from paraphrast.model.spelling import spelled
from paraphrast.text import get_language


def test_words_are_joined_where_the_corpus_joins_them() -> None:
    assert spelled(["the", "EU", "'s"], 0b10, get_language("en")) == "the EU's"
    assert spelled(["do", "n't"], 0b1, get_language("en")) == "don't"
    assert spelled(["l'", "homme"], 0b1, get_language("en")) == "l'homme"
    assert spelled(["the", "EU"], 0, get_language("en")) == "the EU"
    assert spelled(["EU"], 0, get_language("en")) == "EU"
    assert spelled(["does", "n't", "think"], 0, get_language("en")) == "doesn't think"

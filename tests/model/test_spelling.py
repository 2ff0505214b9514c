"""Phrases are written as the corpus writes them."""

from __future__ import annotations

from paraphrast.model.spelling import spelled


def test_words_are_joined_where_the_corpus_joins_them() -> None:
    assert spelled(["the", "EU", "'s"], 0b10) == "the EU's"
    assert spelled(["do", "n't"], 0b1) == "don't"
    assert spelled(["l'", "homme"], 0b1) == "l'homme"
    assert spelled(["the", "EU"], 0) == "the EU"
    assert spelled(["EU"], 0) == "EU"

"""Phrases are written as the corpus writes them."""

from __future__ import annotations

from paraphrast.pipeline.spelling import spelled

WORDS = ["the", "EU", "'s", "do", "n't", "l'", "homme"]


def test_words_are_joined_where_the_corpus_joins_them() -> None:
    assert spelled(WORDS, [0, 1, 2], 0b10) == "the EU's"
    assert spelled(WORDS, [3, 4], 0b1) == "don't"
    assert spelled(WORDS, [5, 6], 0b1) == "l'homme"
    assert spelled(WORDS, [0, 1], 0) == "the EU"
    assert spelled(WORDS, [1], 0) == "EU"

"""Phrases are found wherever they stand, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.extract import find_phrases, merge_phrases, phrase_glue
from paraphrast.types import MAX_PHRASE, Sentences

PHRASE = st.lists(st.integers(11, 14), min_size=1, max_size=MAX_PHRASE)


def sentences_of(lists: list[list[int]], spaces: list[list[bool]] | None = None) -> Sentences:
    """A tiny corpus."""
    tokens = np.array([token for line in lists for token in line], dtype=np.int32)
    starts = np.cumsum([0, *(len(line) for line in lists)]).astype(np.int64)
    flags = [flag for line in spaces for flag in line] if spaces else [True] * len(tokens)
    return Sentences(tokens, starts, np.array(flags, dtype=np.bool_))


def matrix_of(phrases: list[list[int]]) -> np.ndarray:
    """Phrases as rows of seven."""
    rows = np.full((len(phrases), MAX_PHRASE), -1, dtype=np.int32)
    for row, phrase in zip(rows, phrases, strict=True):
        row[: len(phrase)] = phrase
    return merge_phrases([rows])[0]


@settings(max_examples=60, deadline=None)
@given(
    text=st.lists(st.lists(st.integers(11, 14), max_size=12), max_size=5),
    phrases=st.lists(PHRASE, min_size=1, max_size=12),
)
def test_equals_a_plain_search(text: list[list[int]], phrases: list[list[int]]) -> None:
    words = matrix_of(phrases)
    found = find_phrases(sentences_of(text), words)
    lists = [row[row >= 0].tolist() for row in words]
    plain = [
        (number, where, start)
        for where, line in enumerate(text)
        for start in range(len(line))
        for number, phrase in enumerate(lists)
        if line[start : start + len(phrase)] == phrase
    ]
    got = list(zip(found.phrase.tolist(), found.sentence.tolist(), found.start.tolist(), strict=True))
    assert got == plain


def test_spelling_is_the_most_frequent() -> None:
    text = [[11, 12], [11, 12], [11, 12]]
    spaces = [[False, False], [False, True], [False, False]]
    words = matrix_of([[11, 12], [13]])
    corpus = sentences_of(text, spaces)
    assert phrase_glue(corpus, words, find_phrases(corpus, words)).tolist() == [1, 0]


def test_unsorted_phrases_are_refused() -> None:
    words = matrix_of([[11], [12]])
    with pytest.raises(InputError, match="sorted"):
        find_phrases(sentences_of([[11]]), words[::-1].copy())
    with pytest.raises(InputError, match="distinct"):
        find_phrases(sentences_of([[11]]), words[[0, 0]])

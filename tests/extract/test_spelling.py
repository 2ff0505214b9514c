"""Spellings against a Counter."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.extract import extract_pairs, phrase_glue, source_glue
from paraphrast.types import Links, Sentences


@given(st.lists(st.lists(st.tuples(st.integers(0, 1), st.booleans()), max_size=6), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_equals_a_counter(rows: list[list[tuple[int, bool]]]) -> None:
    plain = Sentences.from_lists([word for word, _ in row] for row in rows)
    space = np.array([spaced for row in rows for _, spaced in row], np.uint8)
    sentences = Sentences(plain.tokens, plain.starts, space)
    links = Links.from_lists([(k, k) for k in range(len(row))] for row in rows)
    extraction = extract_pairs(sentences, sentences, links)
    spellings: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    for row in rows:
        for start in range(len(row)):
            for end in range(start + 1, min(len(row), start + 5) + 1):
                mask = sum(1 << k for k, (_, spaced) in enumerate(row[start + 1 : end]) if not spaced)
                spellings[tuple(word for word, _ in row[start:end])][mask] += 1
    for words, glue in zip(extraction.source_words.tolist(), source_glue(sentences, extraction), strict=True):
        tally = spellings[tuple(word for word in words if word >= 0)]
        assert glue == min(mask for mask, count in tally.items() if count == max(tally.values()))


def test_a_tie_goes_to_the_smaller_mask() -> None:
    plain = Sentences.from_lists([[1, 2], [1, 2]])
    sentences = Sentences(plain.tokens, plain.starts, np.array([0, 0, 0, 1], np.uint8))
    extraction = extract_pairs(sentences, sentences, Links.from_lists([[(0, 0), (1, 1)]] * 2))
    glue = dict(
        zip(
            map(tuple, extraction.source_words[:, :2].tolist()),
            source_glue(sentences, extraction),
            strict=True,
        )
    )
    assert glue == {(1, -1): 0, (2, -1): 0, (1, 2): 0}


def test_spelling_of_given_phrases_is_the_most_frequent() -> None:
    plain = Sentences.from_lists([[11, 12], [], [11, 12], [11, 12]])
    sentences = Sentences(plain.tokens, plain.starts, np.array([0, 0, 0, 1, 0, 0], np.uint8))
    words = np.array([[11, 12], [13, -1]], np.int32)
    phrase, position = np.zeros(3, np.int32), np.array([0, 2, 4], np.int64)
    assert phrase_glue(sentences, words, phrase, position).tolist() == [1, 0]

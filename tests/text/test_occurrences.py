"""Phrases are found wherever they occur, and nowhere else."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.text.occurrences import all_occurrences, find_phrases
from paraphrast.types import MAX_PHRASE, Phrases, Sentences


def store(rows: list[list[int]]) -> Phrases:
    matrix = np.full((len(rows), MAX_PHRASE), -1, np.int32)
    for number, row in enumerate(rows):
        matrix[number, : len(row)] = row
    return Phrases(matrix, np.zeros(len(rows), np.uint8))


sentences_of = st.lists(st.lists(st.integers(11, 15), max_size=8), max_size=12)
phrases_of = st.lists(
    st.lists(st.integers(11, 15), min_size=1, max_size=3).map(tuple), max_size=12, unique=True
)


@settings(max_examples=60, deadline=None)
@given(sentences_of, phrases_of, st.sampled_from([3, 1000]))
def test_every_occurrence_is_found(
    sentences: list[list[int]], phrases: list[tuple[int, ...]], chunk: int
) -> None:
    expected = []
    begin = 0
    for sentence in sentences:
        for place in range(len(sentence)):
            for size in range(1, 4):
                piece = tuple(sentence[place : place + size])
                if len(piece) == size and piece in phrases:
                    expected.append((phrases.index(piece), begin + place))
        begin += len(sentence)
    text = Sentences.from_lists(sentences)
    found = [
        (int(phrase), int(position))
        for ids, positions in find_phrases(text, store([list(p) for p in phrases]), chunk)
        for phrase, position in zip(ids, positions, strict=True)
    ]
    assert found == expected


def test_positions_count_on_from_corpus_to_corpus() -> None:
    corpora = [
        Sentences.from_lists([[11, 12], [12]]),
        Sentences.from_lists([]),
        Sentences.from_lists([[12, 11, 12]]),
    ]
    phrase, position = all_occurrences(corpora, store([[12], [11, 12]]))
    assert list(zip(phrase.tolist(), position.tolist(), strict=True)) == [
        (1, 0),
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 4),
        (0, 5),
    ]

"""Model 1 against a sum over every alignment."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.extract import Model1Options, model1_log_prob
from paraphrast.types import WordLexicon

WORDS = 4


def dense_lexicon(table: list[list[float]]) -> WordLexicon:
    """Rows given words, the empty word last; zeros have no entry."""
    rows = [[(column, value) for column, value in enumerate(row) if value > 0] for row in table]
    starts = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
    flat = [entry for row in rows for entry in row]
    return WordLexicon(
        starts,
        np.array([column for column, _ in flat], np.int32),
        np.array([value for _, value in flat], np.float32),
    )


def matrix_of(phrases: list[list[int]]) -> np.ndarray:
    return np.array([phrase + [-1] * (7 - len(phrase)) for phrase in phrases], np.int32).reshape(-1, 7)


def brute_force(
    words: list[int], given_words: list[int], table: list[list[float]], options: Model1Options
) -> float:
    """Σ over all alignments of Π p(word | its given word), by Brown et al.'s definition."""
    rows = given_words + ([WORDS] if options.empty_word else [])
    total = sum(
        math.prod(table[row][word] for row, word in zip(alignment, words, strict=True))
        for alignment in itertools.product(rows, repeat=len(words))
    )
    return total / len(rows) ** len(words) if options.length_normaliser else total


def floored(
    words: list[int], given_words: list[int], table: list[list[float]], options: Model1Options
) -> float:
    """Π over the words of the sum over given words, at least the floor."""
    rows = given_words + ([WORDS] if options.empty_word else [])
    total = math.prod(max(sum(table[row][word] for row in rows), options.floor) for word in words)
    return total / len(rows) ** len(words) if options.length_normaliser else total


probability = st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0])
phrase = st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=4)


@given(
    st.lists(st.lists(probability, min_size=WORDS, max_size=WORDS), min_size=WORDS + 1, max_size=WORDS + 1),
    st.lists(st.tuples(phrase, phrase), min_size=1, max_size=6),
    st.booleans(),
    st.booleans(),
)
@example([[0.0, 1.0, 0.0, 0.0]] * (WORDS + 1), [([0, 1, 1, 1], [1, 1, 1, 1])], True, False)
@settings(max_examples=80, deadline=None)
def test_equals_the_sum_over_alignments(
    table: list[list[float]], pairs: list[tuple[list[int], list[int]]], empty: bool, normalise: bool
) -> None:
    options = Model1Options(empty_word=empty, length_normaliser=normalise, floor=1e-30)
    ids = np.arange(len(pairs), dtype=np.int32)
    found = model1_log_prob(
        matrix_of([words for words, _ in pairs]),
        matrix_of([given_words for _, given_words in pairs]),
        ids,
        ids,
        dense_lexicon(table),
        options,
    )
    for log_prob, (words, given_words) in zip(found.tolist(), pairs, strict=True):
        expected = brute_force(words, given_words, table, options)
        if expected == 0.0:  # a word that nothing gives counts as the floor; the others count as they are
            expected = floored(words, given_words, table, options)
        assert log_prob == pytest.approx(math.log(expected), abs=1e-6)


def test_the_floor_keeps_scores_finite() -> None:
    lexicon = dense_lexicon([[0.0] * WORDS] * (WORDS + 1))
    one = np.zeros(1, np.int32)
    found = model1_log_prob(matrix_of([[1, 2]]), matrix_of([[3]]), one, one, lexicon)
    assert found[0] == pytest.approx(2 * math.log(1e-7))


def test_wrong_input_is_named() -> None:
    lexicon = dense_lexicon([[1.0] * WORDS] * (WORDS + 1))
    one = np.zeros(1, np.int32)
    with pytest.raises(InputError, match="as many phrases"):
        model1_log_prob(matrix_of([[1]]), matrix_of([[1]]), one, one[:0], lexicon)
    with pytest.raises(InputError, match="phrase ids from 0 to 0"):
        model1_log_prob(matrix_of([[1]]), matrix_of([[1]]), one + 1, one, lexicon)
    with pytest.raises(InputError, match="below 4, got 4"):
        model1_log_prob(matrix_of([[1]]), matrix_of([[WORDS]]), one, one, lexicon)
    with pytest.raises(InputError, match="shape"):
        model1_log_prob(np.zeros((1, 3), np.int32), matrix_of([[1]]), one, one, lexicon)
    with pytest.raises(InputError, match="floor"):
        Model1Options(floor=0.0)

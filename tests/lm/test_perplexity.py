"""Perplexity against the sum written out."""

from __future__ import annotations

import math

import pytest

from paraphrast._numeric import advance, start_state
from paraphrast.errors import InputError
from paraphrast.lm import LmOptions, estimate, pack, perplexity
from paraphrast.types import SENTENCE_END, Sentences


def test_with_and_without_unknown_words() -> None:
    arrays = pack(estimate([Sentences.from_lists([[11, 12, 11], [12, 13]])], 15, LmOptions(order=3)))
    text = [[11, 14, 12], [], [0, 99]]  # 14 never occurred, 99 is no id of the vocabulary
    all_scores, known_scores = [], []
    for sentence in text:
        state = start_state(arrays)
        for word in [*sentence, SENTENCE_END]:
            state, log_prob = advance(arrays, state, word)
            all_scores.append(log_prob)
            if word not in (0, 14, 99):
                known_scores.append(log_prob)
    result = perplexity(arrays, Sentences.from_lists(text))
    assert (result.sentences, result.tokens, result.unknown) == (3, 8, 3)
    assert result.with_unknown == pytest.approx(math.exp(-sum(all_scores) / 8))
    assert result.without_unknown == pytest.approx(math.exp(-sum(known_scores) / 5))
    assert result.to_dict()["perplexity_with_unknown"] == result.with_unknown


def test_no_sentences() -> None:
    arrays = estimate([Sentences.from_lists([[11]])], 12, LmOptions(order=1))
    with pytest.raises(InputError):
        perplexity(arrays, Sentences.from_lists([]))


def test_a_piece_of_a_corpus() -> None:
    """Sentences whose starts begin inside their tokens, as a slice of a corpus has them."""
    text = Sentences.from_lists([[11, 99], [11, 12], [14]])
    piece = Sentences(text.tokens, text.starts[1:], text.space_before)
    arrays = estimate([piece], 15, LmOptions(order=2))
    alone = estimate([Sentences.from_lists([[11, 12], [14]])], 15, LmOptions(order=2))
    assert arrays.log_prob.tolist() == alone.log_prob.tolist()
    assert perplexity(arrays, piece) == perplexity(alone, Sentences.from_lists([[11, 12], [14]]))

"""Entropy pruning against a slow twin, and the law that probabilities sum to one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast._numeric import advance, start_state
from paraphrast.errors import InputError
from paraphrast.lm import LmOptions, estimate, pack, perplexity, prune_entropy
from paraphrast.types import SENTENCE_END, SENTENCE_START, UNKNOWN, NgramArrays, Sentences

VOCABULARY = 16
TEXTS = st.lists(st.lists(st.sampled_from([11, 12, 13, 14]), max_size=7), min_size=1, max_size=8)
THRESHOLDS = st.sampled_from([1e-6, 1e-3, 1e-2, 0.1])
Gram = tuple[int, ...]
Table = dict[Gram, tuple[float, float]]


def table_of(arrays: NgramArrays) -> Table:
    """Probability and back-off weight of every n-gram."""
    grams: list[Gram] = [(word,) for word in range(VOCABULARY)]
    for node in range(len(arrays.word)):
        for child in range(int(arrays.child_begin[node]), int(arrays.child_begin[node + 1])):
            grams.append((*grams[node], int(arrays.word[child])))
    return {
        gram: (math.exp(log_prob), math.exp(backoff))
        for gram, log_prob, backoff in zip(grams, arrays.log_prob, arrays.backoff, strict=True)
    }


def conditional(table: Table, history: Gram, word: int) -> float:
    if (*history, word) in table:
        return table[(*history, word)][0]
    return table.get(history, (0, 1))[1] * conditional(table, history[1:], word)


def slow_history(table: Table, history: Gram, text: list[list[int]] | None) -> float:
    if text is not None:
        padded = [[SENTENCE_START, *sentence] for sentence in text]
        spans = (
            tuple(sentence[at : at + len(history)]) for sentence in padded for at in range(len(sentence))
        )
        return sum(span == history for span in spans) / sum(map(len, padded))
    first = SENTENCE_END if history[0] == SENTENCE_START else history[0]
    product = table[(first,)][0]
    for end in range(1, len(history)):
        product *= conditional(table, history[:end], history[end])
    return product


def slow_losses(table: Table, text: list[list[int]] | None) -> dict[Gram, float]:
    """Relative change of perplexity by the loss of each n-gram alone."""
    losses = {}
    for gram, (prob, _) in table.items():
        history, word = gram[:-1], gram[-1]
        if not history:
            continue
        siblings = [other[-1] for other in table if other[:-1] == history]
        weight = table[history][1]
        denominator = 1 - sum(conditional(table, history[1:], other) for other in siblings)
        numerator = weight * denominator
        lower = conditional(table, history[1:], word)
        new_weight = (numerator + prob) / (denominator + lower)
        change = prob * math.log(lower * new_weight / prob) + numerator * math.log(new_weight / weight)
        losses[gram] = math.expm1(-slow_history(table, history, text) * change)
    return losses


@settings(deadline=None, max_examples=80)
@given(TEXTS, st.integers(1, 4), THRESHOLDS, st.booleans())
def test_agrees_with_the_slow_twin(
    text: list[list[int]], order: int, threshold: float, with_text: bool
) -> None:
    sentences = Sentences.from_lists(text)
    arrays = estimate([sentences], VOCABULARY, LmOptions(order=order))
    table = table_of(arrays)
    found = table_of(prune_entropy(arrays, threshold, [sentences] if with_text else None))
    losses = slow_losses(table, text if with_text else None)
    assert set(found) <= set(table)
    for gram, (prob, _) in found.items():
        assert prob == table[gram][0]
    for gram, loss in losses.items():
        needed = any(other[: len(gram)] == gram and other != gram for other in found)
        if abs(loss - threshold) > 1e-3 * threshold + 1e-9:  # otherwise rounding may decide
            assert (gram in found) == (needed or loss >= threshold)
    for history in {gram[:-1] for gram in found if len(gram) > 1}:
        kept = [gram[-1] for gram in found if gram[:-1] == history]
        left = 1 - sum(found[(*history, word)][0] for word in kept)
        lower = 1 - sum(conditional(found, history[1:], word) for word in kept)
        assert found[history][1] == pytest.approx(left / lower, rel=1e-3)


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.integers(1, 4), THRESHOLDS, st.data())
def test_probabilities_sum_to_one_in_any_context(
    text: list[list[int]], order: int, threshold: float, data: st.DataObject
) -> None:
    arrays = estimate([Sentences.from_lists(text)], VOCABULARY, LmOptions(order=order, entropy=threshold))
    ngrams = pack(arrays)
    state = start_state(ngrams)
    for word in data.draw(st.lists(st.integers(11, VOCABULARY - 1), max_size=6)):
        state, _ = advance(ngrams, state, word)
    words = {word for sentence in text for word in sentence} | {UNKNOWN, SENTENCE_END}
    assert sum(math.exp(advance(ngrams, state, word)[1]) for word in words) == pytest.approx(1, abs=1e-5)


def test_a_higher_threshold_leaves_less_and_predicts_worse() -> None:
    rng = np.random.default_rng(1)
    text = Sentences.from_lists((11 + rng.zipf(1.5, 12) % 5).tolist() for _ in range(300))
    arrays = estimate([text], VOCABULARY, LmOptions(order=3))
    models = [arrays, *(prune_entropy(arrays, threshold, [text]) for threshold in (1e-5, 1e-4, 1e-3))]
    sizes = [len(model.word) for model in models]
    perplexities = [perplexity(model, text).with_unknown for model in models]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 4
    assert perplexities == sorted(perplexities)


@pytest.mark.parametrize("threshold", [0.0, -1e-8, 1.0, math.nan])
def test_thresholds_out_of_range(threshold: float) -> None:
    arrays = estimate([Sentences.from_lists([[11]])], VOCABULARY, LmOptions(order=2))
    with pytest.raises(InputError, match="between 0 and 1"):
        prune_entropy(arrays, threshold)

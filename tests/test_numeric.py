"""The shared kernels against plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast import _numeric
from paraphrast.lm import LmOptions, estimate, with_index
from paraphrast.types import SENTENCE_END, SENTENCE_START, UNKNOWN, NgramArrays, Sentences

VOCABULARY = 16
TEXTS = st.lists(st.lists(st.sampled_from([0, 11, 12, 13, 14]), max_size=7), min_size=1, max_size=8)
Gram = tuple[int, ...]


def model(text: list[list[int]], order: int) -> NgramArrays:
    return estimate([Sentences.from_lists(text)], VOCABULARY, LmOptions(order=order))


def table_of(arrays: NgramArrays) -> dict[Gram, tuple[float, float]]:
    grams: list[Gram] = [(word,) for word in range(VOCABULARY)]
    for node in range(len(arrays.word)):
        for child in range(int(arrays.child_begin[node]), int(arrays.child_begin[node + 1])):
            assert child == len(grams)
            grams.append((*grams[node], int(arrays.word[child])))
    return {
        gram: (float(log_prob), float(backoff))
        for gram, log_prob, backoff in zip(grams, arrays.log_prob, arrays.backoff, strict=True)
    }


def slow_log_prob(table: dict[Gram, tuple[float, float]], history: Gram, word: int) -> float:
    """Katz's recursion over the whole history."""
    if (*history, word) in table:
        return table[(*history, word)][0]
    return table.get(history, (0.0, 0.0))[1] + slow_log_prob(table, history[1:], word)


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.integers(1, 4), st.lists(st.integers(-1, VOCABULARY + 1), max_size=9), st.booleans())
def test_advance_is_the_back_off_recursion(
    text: list[list[int]], order: int, words: list[int], indexed: bool
) -> None:
    arrays = model(text, order)
    table = table_of(arrays)
    if indexed:
        arrays = with_index(arrays)
    state = _numeric.start_state(arrays)
    history: Gram = (SENTENCE_START,)
    for word in words:
        inside = word if 0 <= word < VOCABULARY else UNKNOWN
        state, log_prob = _numeric.advance(arrays, state, word)
        assert log_prob == pytest.approx(
            slow_log_prob(table, history[max(0, len(history) - order + 1) :], inside)
        )
        history = (*history, inside)


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.integers(1, 4), st.lists(st.integers(11, 15), max_size=6))
def test_states_are_minimal(text: list[list[int]], order: int, words: list[int]) -> None:
    """A state either extends by some word or costs something to leave, and is shorter than the model's order."""
    arrays = model(text, order)
    state = _numeric.start_state(arrays)
    for word in words:
        state, _ = _numeric.advance(arrays, state, word)
        if state >= 0:
            assert state < arrays.order_start[order - 1]
            assert arrays.child_begin[state] < arrays.child_begin[state + 1] or arrays.backoff[state] != 0


def test_minimal_state_forgets_what_cannot_matter() -> None:
    arrays = model([[11, 12, 13], [12, 11]], 3)
    after_unknown, _ = _numeric.advance(arrays, _numeric.start_state(arrays), UNKNOWN)
    assert after_unknown == -1
    at_end, _ = _numeric.advance(arrays, _numeric.start_state(arrays), SENTENCE_END)
    assert at_end == -1


@settings(deadline=None, max_examples=60)
@given(
    TEXTS,
    st.integers(1, 4),
    st.lists(st.lists(st.integers(-1, VOCABULARY), max_size=9), max_size=_numeric.LANES * 2 + 5),
    st.booleans(),
)
def test_scoring_many_sentences_is_advancing_through_each(
    text: list[list[int]], order: int, sentences: list[list[int]], indexed: bool
) -> None:
    arrays = model(text, order)
    if indexed:
        arrays = with_index(arrays)
    expected = []
    for sentence in sentences:
        state = _numeric.start_state(arrays)
        for word in [*sentence, SENTENCE_END]:
            state, log_prob = _numeric.advance(arrays, state, word)
            expected.append(log_prob)
    flat = Sentences.from_lists(sentences)
    scores = _numeric.score_tokens(arrays, flat.tokens, flat.starts)
    np.testing.assert_allclose(scores, expected, rtol=1e-6)
    ends = np.cumsum([len(sentence) + 1 for sentence in sentences]).astype(np.int64)
    totals = [math.fsum(expected[end - len(row) - 1 : end]) for row, end in zip(sentences, ends, strict=True)]
    np.testing.assert_allclose(_numeric.score_sentences(arrays, flat.tokens, flat.starts), totals, rtol=1e-5)


def test_scoring_a_piece_of_a_corpus() -> None:
    arrays = model([[11, 12, 13], [12, 11]], 3)
    text = Sentences.from_lists([[11, 12], [13], [12, 11, 11]])
    whole = _numeric.score_sentences(arrays, text.tokens, text.starts)
    np.testing.assert_array_equal(_numeric.score_sentences(arrays, text.tokens, text.starts[1:]), whole[1:])


def test_find_child_finds_every_node_and_nothing_else() -> None:
    arrays = model([[11, 12, 13, 14, 11], [12, 14, 13], [11, 13, 12]], 3)
    for node in range(len(arrays.word)):
        begin, end = int(arrays.child_begin[node]), int(arrays.child_begin[node + 1])
        children = {int(arrays.word[child]): child for child in range(begin, end)}
        for word in range(VOCABULARY):
            assert _numeric.find_child(arrays, node, word) == children.get(word, -1)


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.integers(1, 5))
def test_the_index_finds_every_node_and_nothing_else(text: list[list[int]], order: int) -> None:
    arrays = model(text, order)
    indexed = with_index(arrays)
    assert (len(indexed.table) > 0) == (order > 1)
    values = indexed.table.view(np.float32)
    for context in range(int(arrays.order_start[order - 1]) if order > 1 else 0):
        for word in range(VOCABULARY):
            node, slot = (
                _numeric.find_child(arrays, context, word),
                _numeric.find_slot(indexed, context, word),
            )
            assert (node >= 0) == (slot >= 0)
            if slot >= 0:
                state = int(indexed.table[slot + 1].astype(np.int32))
                assert state == _numeric.minimal_state(arrays, node)
                assert values[slot + 2] == arrays.log_prob[node]
                assert values[slot + 3] == (arrays.backoff[state] if state >= 0 else 0)


def test_a_crowded_index_still_finds_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paraphrast.lm.index.LOAD", 1.0)
    random = np.random.default_rng(7)
    arrays = model([random.integers(11, 16, size=30).tolist() for _ in range(40)], 4)
    indexed = with_index(arrays)
    text = Sentences.from_lists(random.integers(0, 18, size=20).tolist() for _ in range(50))
    np.testing.assert_array_equal(
        _numeric.score_tokens(indexed, text.tokens, text.starts),
        _numeric.score_tokens(arrays, text.tokens, text.starts),
    )


def test_known_words() -> None:
    arrays = model([[11, 12]], 2)
    assert np.flatnonzero(_numeric.known_words(arrays)).tolist() == [1, 2, 11, 12]
    unmarked = arrays._replace(suffix=np.maximum(arrays.suffix, -1))  # as models were written before
    assert np.flatnonzero(_numeric.known_words(unmarked)).tolist() == [1, 2, 11, 12]


@settings(deadline=None)
@given(st.lists(st.floats(-800, 800), max_size=8))
def test_logsumexp(values: list[float]) -> None:
    high = max(values, default=0.0)
    total = sum(math.exp(value - high) for value in values)
    expected = high + math.log(total) if values else -math.inf
    assert _numeric.logsumexp(np.array(values, dtype=np.float64)) == pytest.approx(expected)


@settings(deadline=None)
@given(st.floats(-800, 800), st.floats(-800, 800))
def test_log_add(first: float, second: float) -> None:
    assert _numeric.log_add(first, second) == pytest.approx(np.logaddexp(first, second))
    assert _numeric.log_add(first, -math.inf) == first
    assert _numeric.log_add(-math.inf, -math.inf) == -math.inf


@settings(deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_splitmix64(seed: int) -> None:
    mask = 2**64 - 1
    following = (seed + 0x9E3779B97F4A7C15) & mask
    bits = ((following ^ (following >> 30)) * 0xBF58476D1CE4E5B9) & mask
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & mask
    bits ^= bits >> 31
    assert tuple(map(int, _numeric.next_random(np.uint64(seed)))) == (following, bits)
    unit = (bits >> 11) / 2**53
    assert _numeric.random_unit(np.uint64(seed)) == (following, unit)
    assert _numeric.random_below(np.uint64(seed), 10) == (following, math.floor(unit * 10))


def test_splitmix64_published_numbers() -> None:
    state, numbers = np.uint64(1234567), []
    for _ in range(3):
        state, bits = _numeric.next_random(np.uint64(state))
        numbers.append(int(bits))
    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423]

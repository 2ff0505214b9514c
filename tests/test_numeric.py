"""The shared kernels against plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast import _numeric
from paraphrast.lm import LmOptions, estimate, pack, unpack
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
@given(
    TEXTS,
    st.integers(1, 4),
    st.lists(st.integers(-1, VOCABULARY + 1), max_size=9),
    st.sampled_from([None, 4, 16]),
)
def test_advance_is_the_back_off_recursion(
    text: list[list[int]], order: int, words: list[int], bits: int | None
) -> None:
    ngrams = pack(model(text, order), bits)
    table = table_of(unpack(ngrams))
    state = _numeric.start_state(ngrams)
    history: Gram = (SENTENCE_START,)
    for word in words:
        inside = word if 0 <= word < VOCABULARY else UNKNOWN
        state, log_prob = _numeric.advance(ngrams, state, word)
        assert log_prob == pytest.approx(
            slow_log_prob(table, history[max(0, len(history) - order + 1) :], inside)
        )
        history = (*history, inside)


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.integers(1, 4), st.lists(st.integers(11, 15), max_size=6))
def test_states_are_minimal(text: list[list[int]], order: int, words: list[int]) -> None:
    """A state is the longest n-gram at the end of the history that extends by some word or costs something to leave."""
    arrays = model(text, order)
    ngrams = pack(arrays)
    grams = list(table_of(arrays))
    below = range(int(arrays.order_start[order - 1]) if order > 1 else 0)
    contexts = [
        grams[node]
        for node in below
        if arrays.child_begin[node] < arrays.child_begin[node + 1] or arrays.backoff[node] != 0
    ]
    state = _numeric.start_state(ngrams)
    history: Gram = (SENTENCE_START,)
    for word in words:
        state, _ = _numeric.advance(ngrams, state, word)
        history = (*history, word)
        suffixes = [history[begin:] for begin in range(len(history))]
        longest = next((gram for gram in suffixes if gram in contexts), None)
        assert state == (-1 if longest is None else contexts.index(longest))


def test_a_state_forgets_what_cannot_matter() -> None:
    arrays = pack(model([[11, 12, 13], [12, 11]], 3))
    after_unknown, _ = _numeric.advance(arrays, _numeric.start_state(arrays), UNKNOWN)
    assert after_unknown == -1
    at_end, _ = _numeric.advance(arrays, _numeric.start_state(arrays), SENTENCE_END)
    assert at_end == -1


@settings(deadline=None, max_examples=60)
@given(
    TEXTS,
    st.integers(1, 4),
    st.lists(st.lists(st.integers(-1, VOCABULARY), max_size=9), max_size=9),
)
def test_scoring_many_sentences_is_advancing_through_each(
    text: list[list[int]], order: int, sentences: list[list[int]]
) -> None:
    arrays = pack(model(text, order))
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
    arrays = pack(model([[11, 12, 13], [12, 11]], 3))
    text = Sentences.from_lists([[11, 12], [13], [12, 11, 11]])
    whole = _numeric.score_sentences(arrays, text.tokens, text.starts)
    np.testing.assert_array_equal(_numeric.score_sentences(arrays, text.tokens, text.starts[1:]), whole[1:])


def test_find_child_finds_every_node_and_nothing_else() -> None:
    arrays = model([[11, 12, 13, 14, 11], [12, 14, 13], [11, 13, 12]], 3)
    ngrams = pack(arrays)
    for node in range(int(arrays.order_start[2])):
        context = _numeric.context_of(ngrams, node)
        if context < 0:
            continue
        begin, end = int(arrays.child_begin[node]), int(arrays.child_begin[node + 1])
        children = {int(arrays.word[child]): child for child in range(begin, end)}
        for word in range(VOCABULARY):
            assert _numeric.find_child(ngrams, context, word) == children.get(word, -1)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 32)), max_size=20))
def test_read_bits(numbers: list[tuple[int, int]]) -> None:
    whole, ends = 0, [0]
    for number, width in numbers:
        whole |= (number & ((1 << width) - 1)) << ends[-1]
        ends.append(ends[-1] + width)
    stream = np.frombuffer(whole.to_bytes(ends[-1] // 8 + 9, "little"), dtype=np.uint8)
    for (number, width), at in zip(numbers, ends, strict=False):
        assert _numeric.read_bits(stream, at, width) == number & ((1 << width) - 1)


def test_known_words() -> None:
    arrays = model([[11, 12]], 2)
    assert np.flatnonzero(_numeric.known_words(arrays)).tolist() == [1, 2, 11, 12]
    assert np.flatnonzero(_numeric.known_words(pack(arrays))).tolist() == [1, 2, 11, 12]


def test_find_root_halves_the_path() -> None:
    parent = np.array([0, 0, 1, 2, 3], dtype=np.int32)
    assert _numeric.find_root(parent, 4) == 0
    assert parent.tolist() == [0, 0, 0, 2, 2]


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


def test_splitmix64_published_numbers() -> None:
    state, numbers = np.uint64(1234567), []
    for _ in range(3):
        state, bits = _numeric.next_random(np.uint64(state))
        numbers.append(int(bits))
    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423]

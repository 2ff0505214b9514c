"""Compiled: what only the sentence can tell of a substitution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, inner_kernel, kernel
from paraphrast._numeric import advance, start_state
from paraphrast.decode._kernels_scratch import wide
from paraphrast.decode.scoring import EdgeRows, Items
from paraphrast.types import SENTENCE_END, PackedNgrams
from paraphrast.types.ngrams import ORDER

#: Words on either side whose vectors make the context.
WINDOW = 10


class Unchanged(NamedTuple):
    """The tokens of an item by the language model, as they are.

    state: int64[tokens], before each token. log_prob: float64[tokens]. end_log_prob: float64[tokens], of the end of
    the sentence, at its last token. first, stop: int64[tokens], the bounds of each token's sentence.
    """

    state: NDArray[np.int64]
    log_prob: NDArray[np.float64]
    end_log_prob: NDArray[np.float64]
    first: NDArray[np.int64]
    stop: NDArray[np.int64]


@inner_inline_kernel
def _cosine(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    product = 0.0
    left_square = 0.0
    right_square = 0.0
    for axis in range(len(left)):
        product += left[axis] * right[axis]
        left_square += left[axis] * left[axis]
        right_square += right[axis] * right[axis]
    if left_square <= 0.0 or right_square <= 0.0:
        return 0.0
    return float(product / np.sqrt(left_square * right_square))


@inner_kernel
def _unchanged(ngrams: PackedNgrams, tokens: NDArray[np.int32], breaks: NDArray[np.uint8]) -> Unchanged:
    """Score the tokens of one item."""
    size = len(tokens)
    item = Unchanged(
        np.zeros(size, np.int64),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
    )
    begin_state = start_state(ngrams)
    state = begin_state
    first = 0
    for place in range(size):
        if place > 0 and breaks[place] != 0:
            state = begin_state
            first = place
        item.state[place] = state
        item.first[place] = first
        state, item.log_prob[place] = advance(ngrams, state, tokens[place])
        if place + 1 == size or breaks[place + 1] != 0:
            _, item.end_log_prob[place] = advance(ngrams, state, SENTENCE_END)
            for back in range(first, place + 1):
                item.stop[back] = place + 1
    return item


@inner_inline_kernel
def _lm_gains(
    ngrams: PackedNgrams,
    tokens: NDArray[np.int32],
    item: Unchanged,
    start: int,
    end: int,
    words: NDArray[np.int32],
) -> tuple[float, float]:
    """How much likelier the new words are than those they replace, and the words that follow them than before."""
    state = item.state[start]
    own_gain = 0.0
    for at in range(len(words)):
        state, log_prob = advance(ngrams, state, words[at])
        own_gain += log_prob
    for place in range(start, end):
        own_gain -= item.log_prob[place]
    context = ngrams.layout[ORDER] - 1  # words that the language model looks back
    stop = item.stop[end - 1]
    following_gain = 0.0
    for place in range(end, min(stop, end + context)):
        state, log_prob = advance(ngrams, state, tokens[place])
        following_gain += log_prob - item.log_prob[place]
    if stop - end < context:
        _, log_prob = advance(ngrams, state, SENTENCE_END)
        following_gain += log_prob - item.end_log_prob[stop - 1]
    return own_gain, following_gain


@inner_inline_kernel
def _add_vectors(total: NDArray[np.float64], vector: NDArray[np.float32], words: NDArray[np.int32]) -> None:
    """Add the vectors of some words."""
    for at in range(len(words)):
        for axis in range(len(total)):
            total[axis] += vector[words[at], axis]


@kernel
def edge_context(
    ngrams: PackedNgrams,
    items: Items,
    rows: EdgeRows,
    word_begin: NDArray[np.int64],
    target_words: NDArray[np.int32],
    vector: NDArray[np.float32],
    weight: NDArray[np.float32],
) -> NDArray[np.float32]:
    """float32[edges, 4]: four numbers for each substitution.

    How much likelier the new words are than those they replace, given the words before; how much likelier the words
    after them become; how much better the vector of the substitute fits those of the words around than the vector of
    the source does; the cosine of source and substitute.

    vector: [vocabulary, size]; weight: [vocabulary], of a word in a sum of vectors, 0 for function words.
    """
    values = np.zeros((len(rows.option), 4), np.float32)
    size = vector.shape[1]
    around, before, after = np.zeros(size), np.zeros(size), np.zeros(size)
    for number in range(len(items.starts) - 1):
        if rows.begin[number] == rows.begin[number + 1]:
            continue
        tokens = items.tokens[items.starts[number] : items.starts[number + 1]]
        item = _unchanged(ngrams, tokens, items.breaks[items.starts[number] : items.starts[number + 1]])
        for edge in range(rows.begin[number], rows.begin[number + 1]):
            start, end, option = wide(rows.start[edge]), wide(rows.end[edge]), wide(rows.option[edge])
            words = target_words[word_begin[option] : word_begin[option + 1]]
            values[edge, 0], values[edge, 1] = _lm_gains(ngrams, tokens, item, start, end, words)
            around[:] = 0.0
            before[:] = 0.0
            after[:] = 0.0
            _add_vectors(before, vector, tokens[start:end])
            _add_vectors(after, vector, words)
            for place in range(max(item.first[start], start - WINDOW), min(item.stop[end - 1], end + WINDOW)):
                word = tokens[place]
                if (place < start or place >= end) and weight[word] > 0.0:
                    for axis in range(size):
                        around[axis] += weight[word] * vector[word, axis]
            values[edge, 2] = _cosine(after, around) - _cosine(before, around)
            values[edge, 3] = _cosine(after, before)
    return values

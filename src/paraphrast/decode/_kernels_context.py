"""Kernels: features of a substitution in its sentence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, inner_kernel, kernel
from paraphrast._numeric import advance, start_state
from paraphrast.decode._kernels_scratch import wide
from paraphrast.decode.scoring import CONTEXT_COLUMNS, OUTSIDE, UNKNOWN_FLAGS, EdgeRows, Items
from paraphrast.types import SENTENCE_END, SENTENCE_START, UNKNOWN, PackedNgrams
from paraphrast.types.ngrams import ORDER

#: Number of words on either side whose vectors make the context.
WINDOW = 10
_COLUMN_COUNT = len(CONTEXT_COLUMNS)


class Unchanged(NamedTuple):
    """Language model scores of the unchanged tokens of an item.

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
    """Log-probability of the new words less that of the replaced ones, and the change for the following words."""
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
def _add_vectors(total: NDArray[np.float64], vector: NDArray[np.int8], words: NDArray[np.int32]) -> None:
    """Add the vectors of some words."""
    for at in range(len(words)):
        for axis in range(len(total)):
            total[axis] += vector[words[at], axis]


@inner_inline_kernel
def _pull(ngrams: PackedNgrams, left: int, right: int) -> float:
    """log p(right | left) − log p(right): how strongly two neighbouring words are associated."""
    _, alone = advance(ngrams, -1, right)
    state, _ = advance(ngrams, -1, left)
    _, together = advance(ngrams, state, right)
    return together - alone


@inner_inline_kernel
def _flags(flags: NDArray[np.uint8], word: int) -> int:
    """The flags of a word; those of an unknown word are not in the array."""
    return UNKNOWN_FLAGS if word == UNKNOWN else wide(flags[word])


@inner_inline_kernel
def _mean(values: NDArray[np.float64], start: int, end: int) -> float:
    """The mean of some values; 0 for none."""
    total = 0.0
    for place in range(start, end):
        total += values[place]
    return total / max(end - start, 1)


@inner_inline_kernel
def _neighbours(
    ngrams: PackedNgrams,
    tokens: NDArray[np.int32],
    item: Unchanged,
    start: int,
    end: int,
    words: NDArray[np.int32],
    flags: NDArray[np.uint8],
    row: NDArray[np.float32],
) -> None:
    """The features of the words beside the phrase: columns 4 to 13."""
    first, stop = item.first[start], item.stop[end - 1]
    row[4] = _mean(item.log_prob, start, end)
    row[5] = _mean(item.log_prob, end, min(stop, end + 2))
    left = wide(SENTENCE_START) if start == first else wide(tokens[start - 1])
    right = wide(SENTENCE_END) if end == stop else wide(tokens[end])
    row[6] = _pull(ngrams, left, tokens[start])
    row[7] = _pull(ngrams, left, words[0]) if len(words) > 0 else 0.0
    row[8] = _pull(ngrams, tokens[end - 1], right)
    row[9] = _pull(ngrams, words[len(words) - 1], right) if len(words) > 0 else 0.0
    row[10] = OUTSIDE if start == first else _flags(flags, left)
    row[11] = OUTSIDE if end == stop else _flags(flags, right)
    row[12] = 1.0 if start == first else 0.0
    row[13] = 1.0 if end == stop else 0.0


@kernel
def edge_context(
    ngrams: PackedNgrams,
    items: Items,
    rows: EdgeRows,
    word_begin: NDArray[np.int64],
    target_words: NDArray[np.int32],
    vector: NDArray[np.int8],
    weight: NDArray[np.float32],
    flags: NDArray[np.uint8],
) -> NDArray[np.float32]:
    """float32[edges, len(CONTEXT_COLUMNS)]: the features of each substitution in its sentence.

    vector: [vocabulary, size]; weight: [vocabulary], of a word in a sum of vectors, 0 for function words; flags:
    [vocabulary].
    """
    values = np.zeros((len(rows.option), _COLUMN_COUNT), np.float32)
    size = vector.shape[1]
    around, before, after = np.zeros(size), np.zeros(size), np.zeros(size)
    for number in range(len(items.starts) - 1):
        if rows.begin[number] == rows.begin[number + 1]:
            continue
        offset = items.starts[number]
        tokens = items.tokens[offset : items.starts[number + 1]]
        item = _unchanged(ngrams, tokens, items.breaks[offset : items.starts[number + 1]])
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
                        around[axis] += float(weight[word]) * float(vector[word, axis])
            values[edge, 2] = _cosine(after, around) - _cosine(before, around)
            values[edge, 3] = _cosine(after, before)
            _neighbours(ngrams, tokens, item, start, end, words, flags, values[edge])
            if len(items.span_category) > 0:
                values[edge, 14] = items.span_category[offset + start, end - start - 1]
            values[edge, 15] = item.stop[end - 1] - item.first[start]
    return values

"""Compiled: what only the sentence can tell of a substitution."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast._numeric import advance, start_state
from paraphrast.types import SENTENCE_END, PackedNgrams
from paraphrast.types.ngrams import ORDER

#: Words on either side whose vectors make the context.
WINDOW = 10


@inline_kernel
def _cosine(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    product = 0.0
    first = 0.0
    second = 0.0
    for axis in range(len(one)):
        product += one[axis] * two[axis]
        first += one[axis] * one[axis]
        second += two[axis] * two[axis]
    if first <= 0.0 or second <= 0.0:
        return 0.0
    return float(product / np.sqrt(first * second))


@kernel
def edge_context(
    ngrams: PackedNgrams,
    tokens: NDArray[np.int32],
    item_starts: NDArray[np.int64],
    breaks: NDArray[np.uint8],
    edge_begin: NDArray[np.int64],
    edge_start: NDArray[np.int32],
    edge_end: NDArray[np.int32],
    edge_option: NDArray[np.int32],
    word_begin: NDArray[np.int64],
    target_words: NDArray[np.int32],
    vector: NDArray[np.float32],
    weight: NDArray[np.float32],
) -> NDArray[np.float32]:
    """float32[edges, 4]: how much likelier the words themselves are than those they replace, given what stands
    before; how much likelier the words after them become; how much better the substitute's vector goes with those
    of the words around than the source's does; and the cosine of source and substitute.

    vector: [vocabulary, size]; weight: [vocabulary], of a word in a sum of vectors, 0 for function words.
    """
    found = np.zeros((len(edge_option), 4), np.float32)
    size = vector.shape[1]
    order = ngrams.layout[ORDER]
    begin_state = start_state(ngrams)
    around, before, after = np.zeros(size), np.zeros(size), np.zeros(size)
    for item in range(len(item_starts) - 1):
        first, last = item_starts[item], item_starts[item + 1]
        length = last - first
        if edge_begin[item] == edge_begin[item + 1]:
            continue
        # The state before each token, the token's probability, and where its sentence ends.
        state_of = np.zeros(length, np.int64)
        log_prob = np.zeros(length)
        final = np.zeros(length)
        sentence_end = np.zeros(length, np.int64)
        sentence_start = np.zeros(length, np.int64)
        state = begin_state
        opened = 0
        for place in range(length):
            if place > 0 and breaks[first + place] != 0:
                state = begin_state
                opened = place
            state_of[place] = state
            sentence_start[place] = opened
            state, log_prob[place] = advance(ngrams, state, tokens[first + place])
            if place + 1 == length or breaks[first + place + 1] != 0:
                _, final[place] = advance(ngrams, state, SENTENCE_END)
                for back in range(opened, place + 1):
                    sentence_end[back] = place + 1
        for edge in range(edge_begin[item], edge_begin[item + 1]):
            start, end = edge_start[edge], edge_end[edge]
            option = edge_option[edge]
            state = state_of[start]
            gain = 0.0
            for at in range(word_begin[option], word_begin[option + 1]):
                state, value = advance(ngrams, state, target_words[at])
                gain += value
            for place in range(start, end):
                gain -= log_prob[place]
            found[edge, 0] = gain
            stop = sentence_end[end - 1]
            gain = 0.0
            for place in range(end, min(stop, end + order - 1)):
                state, value = advance(ngrams, state, tokens[first + place])
                gain += value - log_prob[place]
            if stop - end < order - 1:
                _, value = advance(ngrams, state, SENTENCE_END)
                gain += value - final[stop - 1]
            found[edge, 1] = gain
            around[:] = 0.0
            before[:] = 0.0
            after[:] = 0.0
            low = max(sentence_start[start], start - WINDOW)
            for place in range(low, min(stop, end + WINDOW)):
                word = tokens[first + place]
                if place >= start and place < end:
                    for axis in range(size):
                        before[axis] += vector[word, axis]
                elif weight[word] > 0.0:
                    for axis in range(size):
                        around[axis] += weight[word] * vector[word, axis]
            for at in range(word_begin[option], word_begin[option + 1]):
                for axis in range(size):
                    after[axis] += vector[target_words[at], axis]
            found[edge, 2] = _cosine(after, around) - _cosine(before, around)
            found[edge, 3] = _cosine(after, before)
    return found

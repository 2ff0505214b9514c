"""Compiled helpers that two rooms share: walking an n-gram model, log-sums, random numbers.

A language model reaches every room as :class:`~paraphrast.types.NgramArrays`. A state is one int: the node
of the longest n-gram at the end of the history that can still matter, −1 for none. ``advance`` is the whole
interface: ``state, log_prob = advance(arrays, state, word)``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.types import SENTENCE_END, SENTENCE_START, UNKNOWN, NgramArrays

#: Tokens that :func:`score_tokens` takes through one order before it goes on to the next.
BLOCK = 2048


@inline_kernel
def find_child(arrays: NgramArrays, node: int, word: int) -> int:
    """The node of ``node``'s n-gram extended by ``word``; −1 where the model has none."""
    begin = arrays.child_begin[node]
    end = arrays.child_begin[node + 1]
    length = end - begin
    if length == 0:
        return -1
    while length > 1:  # without a branch on the comparison: the processor cannot guess it
        half = length >> 1
        begin += half if arrays.word[begin + half] <= word else 0
        length -= half
    return begin if arrays.word[begin] == word else -1


@inline_kernel
def minimal_state(arrays: NgramArrays, node: int) -> int:
    """The shortest state with the same future as ``node``: histories that share it may be recombined.

    An n-gram of full length cannot be extended; one without children and with back-off weight 1 scores every
    next word as its suffix does (Li and Khudanpur 2008; Heafield 2011, section 4.1).
    """
    state = int(node)
    if state >= arrays.order_start[len(arrays.order_start) - 2]:
        state = int(arrays.suffix[state])
    while (
        state >= 0
        and arrays.child_begin[state] == arrays.child_begin[state + 1]
        and arrays.backoff[state] == 0
    ):
        state = int(arrays.suffix[state])
    return state


@inline_kernel
def advance(arrays: NgramArrays, state: int, word: int) -> tuple[int, float]:
    """The state after ``word``, and its natural log probability given ``state``.

    Katz's recursion: while the context does not extend by the word, pay its back-off weight and forget its
    first word. An id outside the vocabulary is the unknown word.
    """
    token = int(word)
    if token < 0 or token >= arrays.order_start[1]:
        token = UNKNOWN
    context = int(state)
    node = -1
    log_prob = 0.0
    while context >= 0:
        node = find_child(arrays, context, token)
        if node >= 0:
            break
        log_prob += arrays.backoff[context]
        context = int(arrays.suffix[context])
    if node < 0:
        node = token
    return minimal_state(arrays, node), log_prob + arrays.log_prob[node]


@inline_kernel
def start_state(arrays: NgramArrays) -> int:
    """The state at the beginning of a sentence: after ``<s>``."""
    return minimal_state(arrays, SENTENCE_START)


@kernel
def score_tokens(
    arrays: NgramArrays, tokens: NDArray[np.int32], starts: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Natural log probability of every token and sentence end, as :func:`advance` gives it, but faster.

    Returns float32[tokens + sentences]: sentence i's tokens, then its ``</s>``, begin at ``starts[i] + i``.

    ``advance`` waits for memory at every step. Here a block of sentences goes through one order after the
    other: the lookups of an order do not depend on each other, so the processor has many under way at once.
    """
    sentence_count = len(starts) - 1
    scores = np.zeros(starts[sentence_count] - starts[0] + sentence_count, dtype=np.float32)
    longest = 0
    for sentence in range(sentence_count):
        longest = max(longest, starts[sentence + 1] - starts[sentence])
    size = BLOCK + longest + 1
    words = np.empty(size, dtype=np.int32)
    at = np.empty(size, dtype=np.int64)
    context = np.empty(size, dtype=np.int64)
    begin = np.empty(size, dtype=np.int64)
    length = np.empty(size, dtype=np.int64)
    totals = np.empty(size, dtype=np.float64)
    block_begin = 0
    sentence = 0
    while sentence < sentence_count:
        filled = 0
        while sentence < sentence_count and filled < BLOCK:
            previous = SENTENCE_START
            for position in range(starts[sentence], starts[sentence + 1] + 1):
                word = SENTENCE_END
                if position < starts[sentence + 1]:
                    word = tokens[position]
                    if word < 0 or word >= arrays.order_start[1]:
                        word = UNKNOWN
                words[filled] = word
                at[filled] = filled
                context[filled] = previous
                totals[filled] = arrays.log_prob[word]
                previous = word
                filled += 1
            sentence += 1
        active = filled
        for _ in range(len(arrays.order_start) - 2):
            active = _match_longer(arrays, words, totals, active, at, context, begin, length)
        for token in range(filled):
            scores[block_begin + token] = totals[token]
        block_begin += filled
    return scores


@inline_kernel
def _match_longer(
    arrays: NgramArrays,
    words: NDArray[np.int32],
    totals: NDArray[np.float64],
    active: int,
    at: NDArray[np.int64],
    context: NDArray[np.int64],
    begin: NDArray[np.int64],
    length: NDArray[np.int64],
) -> int:
    """One order of :func:`score_tokens`: extend each context of that length by its next word, or back off.

    at, context: the ``active`` tokens for which a context exists, and its node; overwritten with those of the
    next order, whose number is returned. begin, length: room to work in.
    """
    for index in range(active):
        begin[index] = arrays.child_begin[context[index]]
        length[index] = arrays.child_begin[context[index] + 1] - begin[index]
    last = len(arrays.word) - 1
    for index in range(active):
        word = words[at[index]]
        low = begin[index]
        left = length[index]
        while left > 1:
            half = left >> 1
            low += half if arrays.word[low + half] <= word else 0
            left -= half
        found = left == 1 and arrays.word[min(low, last)] == word
        begin[index] = low if found else -1
    following = 0
    for index in range(active):
        token = at[index]
        node = begin[index]
        if node < 0:
            totals[token] += arrays.backoff[context[index]]
        else:
            totals[token] = arrays.log_prob[node]
            if words[token] != SENTENCE_END:
                at[following] = token + 1
                context[following] = node
                following += 1
    return following


@kernel
def score_sentences(
    arrays: NgramArrays, tokens: NDArray[np.int32], starts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Natural log probability of every sentence, its end included: float64[sentences]."""
    scores = score_tokens(arrays, tokens, starts)
    sentence_count = len(starts) - 1
    totals = np.zeros(sentence_count, dtype=np.float64)
    at = 0
    for sentence in range(sentence_count):
        total = 0.0
        for _ in range(starts[sentence + 1] - starts[sentence] + 1):
            total += scores[at]
            at += 1
        totals[sentence] = total
    return totals


def known_words(arrays: NgramArrays) -> NDArray[np.bool_]:
    """bool[vocabulary]: False for ``<unk>`` and for the words that the model only knows as ``<unk>``.

    The vocabulary may be larger than the text a model was estimated on. A word that never occurred there has
    the probability of ``<unk>`` and nothing else: what a reader of an ARPA file without the word would do.
    """
    size = int(arrays.order_start[1])
    childless = np.diff(arrays.child_begin[: size + 1]) == 0
    alias = childless & (arrays.log_prob[:size] == arrays.log_prob[UNKNOWN]) & (arrays.backoff[:size] == 0)
    known: NDArray[np.bool_] = ~alias
    known[UNKNOWN] = False
    known[SENTENCE_START] = True
    known[SENTENCE_END] = True
    return known


@inline_kernel
def log_add(first: float, second: float) -> float:
    """``log(exp(first) + exp(second))`` without overflow."""
    high = max(first, second)
    if high == -np.inf:
        return high
    return high + float(np.log1p(np.exp(min(first, second) - high)))


@inline_kernel
def logsumexp(values: NDArray[np.float64]) -> float:
    """``log(sum(exp(values)))`` without overflow, summed from left to right; −∞ for no values."""
    high = -np.inf
    for value in values:
        high = max(high, value)
    if high == -np.inf:
        return high
    total = 0.0
    for value in values:
        total += np.exp(value - high)
    return high + float(np.log(total))


@inline_kernel
def next_random(state: np.uint64) -> tuple[np.uint64, np.uint64]:
    """SplitMix64 (Steele, Lea and Flood 2014): ``(next state, 64 random bits)``, both uint64.

    Any seed is a good one: ``state = np.uint64(seed)``. The same numbers on every machine and thread count.
    """
    following = np.uint64(state) + np.uint64(0x9E3779B97F4A7C15)
    bits = following
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return following, bits ^ (bits >> np.uint64(31))


@inline_kernel
def random_unit(state: np.uint64) -> tuple[np.uint64, float]:
    """``(next state, a number in [0, 1))`` with 53 random bits."""
    following, bits = next_random(state)
    return following, float(bits >> np.uint64(11)) * 2.0**-53


@inline_kernel
def random_below(state: np.uint64, bound: int) -> tuple[np.uint64, int]:
    """``(next state, a whole number in [0, bound))``; biased by less than bound / 2^53."""
    following, unit = random_unit(state)
    return following, int(unit * bound)

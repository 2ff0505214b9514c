"""Compiled helpers that two rooms share: lookups in an n-gram model, union–find, random numbers.

All rooms get a language model as :class:`~paraphrast.types.PackedNgrams`. A state is one int: the context of the
longest n-gram at the end of the history that can still matter, −1 for none. ``advance`` is the whole interface:
``state, log_prob = advance(ngrams, state, word)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel, make_load_word
from paraphrast.types import SENTENCE_END, SENTENCE_START, UNKNOWN, NgramArrays, PackedNgrams
from paraphrast.types.ngrams import (
    BACKOFF_BITS,
    BACKOFF_CODES,
    CHILD_BITS,
    CONTEXT_START,
    CONTEXTS,
    IS_CONTEXT,
    LOG_PROB_BITS,
    LOG_PROB_CODES,
    ORDER,
    ORDER_START,
    RECORDS,
    SUFFIX_BITS,
    UNIGRAM,
    WORD_BITS,
)

#: Suffix value of a word that the model knows only as ``<unk>``.
ONLY_UNKNOWN = -2
#: Number of bits of a code that is the float32 value itself.
RAW_BITS = 32

load_word = make_load_word()


@inline_kernel
def read_bits(stream: NDArray[np.uint8], at: int, width: int) -> int:
    """The number of ``width`` bits, at most 57, that begins at bit ``at`` of a stream."""
    loaded = load_word(stream, at >> 3) >> np.uint64(at & 7)
    return np.int64(loaded & ((np.uint64(1) << np.uint64(width)) - np.uint64(1)))  # type: ignore[return-value]


@inline_kernel
def _value(data: NDArray[np.uint8], at: int, width: int, codes: int, order: int) -> float:
    """The value whose code is at bit ``at``. Codebooks begin at byte ``codes``; ``order`` is the codebook's number."""
    code: Any = load_word(data, at >> 3) >> np.uint64(at & 7)
    if width != RAW_BITS:
        place: Any = np.int64(code & ((np.uint64(1) << np.uint64(width)) - np.uint64(1)))
        code = load_word(data, codes + 4 * ((order << width) + place))
    return float(np.uint32(code & np.uint64(0xFFFFFFFF)).view(np.float32))


@inline_kernel
def find_child(ngrams: PackedNgrams, context: int, word: int) -> int:
    """The node of the n-gram of ``context`` extended by ``word``; −1 if the model does not have it."""
    data, layout = ngrams.data, ngrams.layout
    width = layout[CHILD_BITS] + layout[SUFFIX_BITS] + layout[BACKOFF_BITS]
    at = 8 * layout[CONTEXTS] + context * width
    begin = read_bits(data, at, layout[CHILD_BITS])
    length = read_bits(data, at + width, layout[CHILD_BITS]) - begin
    if length == 0:
        return -1
    mask = (np.uint64(1) << np.uint64(layout[WORD_BITS])) - np.uint64(1)
    wanted = np.uint64(word)
    width = layout[WORD_BITS] + layout[LOG_PROB_BITS]
    base = 8 * layout[RECORDS] - layout[ORDER_START + 1] * width
    while length > 1:  # without a branch on the comparison, which the processor cannot predict
        half = length >> 1
        at = base + (begin + half) * width
        here = (load_word(data, at >> 3) >> np.uint64(at & 7)) & mask
        begin += half if here <= wanted else 0
        length -= half
    at = base + begin * width
    here = (load_word(data, at >> 3) >> np.uint64(at & 7)) & mask
    return begin if here == wanted else -1


@inline_kernel
def context_of(ngrams: PackedNgrams, node: int) -> int:
    """The number of the context of a node; −1 if the node is not a context."""
    layout = ngrams.layout
    if node >= layout[ORDER_START + layout[ORDER] - 1]:
        return -1
    entry: Any = load_word(ngrams.data, layout[IS_CONTEXT] + 8 * (node >> 5))
    bit = np.uint64(1) << np.uint64(node & 31)
    if entry & bit == np.uint64(0):
        return -1
    ones = entry & (bit - np.uint64(1))  # count the bits: Warren 2012, figure 5-2
    ones -= (ones >> np.uint64(1)) & np.uint64(0x55555555)
    ones = (ones & np.uint64(0x33333333)) + ((ones >> np.uint64(2)) & np.uint64(0x33333333))
    ones = (ones + (ones >> np.uint64(4))) & np.uint64(0x0F0F0F0F)
    before = (ones * np.uint64(0x01010101) & np.uint64(0xFFFFFFFF)) >> np.uint64(24)
    return np.int64((entry >> np.uint64(32)) + before)  # type: ignore[return-value]


@inline_kernel
def node_log_prob(ngrams: PackedNgrams, node: int) -> float:
    """Natural log probability of the last word of a node."""
    layout = ngrams.layout
    if node < layout[ORDER_START + 1]:
        return _value(ngrams.data, 8 * (layout[UNIGRAM] + 4 * node), RAW_BITS, 0, 0)
    order = 0
    while node >= layout[ORDER_START + order + 2]:
        order += 1
    width = layout[WORD_BITS] + layout[LOG_PROB_BITS]
    at = 8 * layout[RECORDS] + (node - layout[ORDER_START + 1]) * width + layout[WORD_BITS]
    return _value(ngrams.data, at, layout[LOG_PROB_BITS], layout[LOG_PROB_CODES], order)


@inline_kernel
def context_backoff(ngrams: PackedNgrams, context: int) -> float:
    """Natural log back-off weight of a context."""
    layout = ngrams.layout
    order = 0
    while context >= layout[CONTEXT_START + order + 1]:
        order += 1
    before = layout[CHILD_BITS] + layout[SUFFIX_BITS]
    at = 8 * layout[CONTEXTS] + context * (before + layout[BACKOFF_BITS]) + before
    return _value(ngrams.data, at, layout[BACKOFF_BITS], layout[BACKOFF_CODES], order)


@inline_kernel
def context_suffix(ngrams: PackedNgrams, context: int) -> int:
    """The longest proper suffix of a context that is a context; −1 for none."""
    layout = ngrams.layout
    width = layout[CHILD_BITS] + layout[SUFFIX_BITS] + layout[BACKOFF_BITS]
    at = 8 * layout[CONTEXTS] + context * width + layout[CHILD_BITS]
    return read_bits(ngrams.data, at, layout[SUFFIX_BITS]) - 1


@inline_kernel
def advance(ngrams: PackedNgrams, state: int, word: int) -> tuple[int, float]:
    """The state after ``word``, and its natural log probability given ``state``.

    Katz's recursion: while the context cannot be extended by the word, add its back-off weight and drop its first
    word. The next state is the longest context that ends in the word. Histories with the same state have the same
    future and may be recombined (Li and Khudanpur 2008; Heafield 2011, section 4.1). An id outside the vocabulary is
    the unknown word.
    """
    token: Any = np.int64(word)
    if token < 0 or token >= ngrams.layout[ORDER_START + 1]:
        token = np.int64(UNKNOWN)
    context: Any = np.int64(state)
    log_prob = 0.0
    is_scored = False
    while context >= 0:
        node = find_child(ngrams, context, token)
        if node >= 0:
            if not is_scored:
                log_prob += node_log_prob(ngrams, node)
                is_scored = True
            following = context_of(ngrams, node)
            if following >= 0:
                return following, log_prob
        elif not is_scored:
            log_prob += context_backoff(ngrams, context)
        context = context_suffix(ngrams, context)
    if not is_scored:
        log_prob += node_log_prob(ngrams, token)
    return context_of(ngrams, token), log_prob


@inline_kernel
def start_state(ngrams: PackedNgrams) -> int:
    """The state at the beginning of a sentence: after ``<s>``."""
    return context_of(ngrams, SENTENCE_START)


@kernel
def score_tokens(
    ngrams: PackedNgrams, tokens: NDArray[np.int32], starts: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Natural log probability of every token and sentence end.

    Returns float32[tokens + sentences]: the tokens of sentence i and its ``</s>`` begin at ``starts[i] − starts[0] +
    i``.
    """
    sentence_count = len(starts) - 1
    scores = np.empty(starts[sentence_count] - starts[0] + sentence_count, dtype=np.float32)
    at = 0
    for sentence in range(sentence_count):
        state: Any = np.int64(start_state(ngrams))
        for position in range(starts[sentence], starts[sentence + 1] + 1):
            word: Any = np.int64(SENTENCE_END)
            if position < starts[sentence + 1]:
                word = np.int64(tokens[position])
            state, log_prob = advance(ngrams, state, word)
            scores[at] = log_prob
            at += 1
    return scores


@kernel
def score_sentences(
    ngrams: PackedNgrams, tokens: NDArray[np.int32], starts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Natural log probability of every sentence, including its end: float64[sentences]."""
    scores = score_tokens(ngrams, tokens, starts)
    sentence_count = len(starts) - 1
    totals = np.zeros(sentence_count, dtype=np.float64)
    at = 0
    for sentence in range(sentence_count):
        total = 0.0
        for _ in range(starts[sentence + 1] - starts[sentence] + 1):
            total += float(scores[at])
            at += 1
        totals[sentence] = total
    return totals


def known_words(ngrams: NgramArrays | PackedNgrams) -> NDArray[np.bool_]:
    """bool[vocabulary]: False for ``<unk>`` and for the words that the model only knows as ``<unk>``.

    The vocabulary may be larger than that of the training text. A word that never occurred there only has the
    probability of ``<unk>``, as for a reader of an ARPA file without the word.
    """
    size = int(ngrams.order_start[1])
    known: NDArray[np.bool_]
    if isinstance(ngrams, PackedNgrams):
        known = np.unpackbits(ngrams.listed, count=size, bitorder="little").astype(np.bool_)
    else:
        known = ngrams.suffix[:size] != ONLY_UNKNOWN
    known[UNKNOWN] = False
    known[SENTENCE_START] = True
    known[SENTENCE_END] = True
    return known


@inline_kernel
def find_root(parent: NDArray[np.signedinteger[Any]], node: int) -> int:
    """The root of a node's component in a union–find forest. Halves the path on the way."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@inline_kernel
def next_random(state: np.uint64) -> tuple[np.uint64, np.uint64]:
    """SplitMix64 (Steele, Lea and Flood 2014): ``(next state, 64 random bits)``, both uint64.

    Any seed works: ``state = np.uint64(seed)``. The same numbers on every machine and with any number of threads.
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

"""Compiled helpers that two rooms share: walking an n-gram model, log-sums, random numbers.

A language model reaches every room as :class:`~paraphrast.types.NgramArrays`. A state is one int: the node
of the longest n-gram at the end of the history that can still matter, −1 for none. ``advance`` is the whole
interface: ``state, log_prob = advance(arrays, state, word)``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel, make_prefetch
from paraphrast.types import SENTENCE_END, SENTENCE_START, UNKNOWN, NgramArrays

#: Suffix of a word that the model knows only as ``<unk>``.
ONLY_UNKNOWN = -2
#: Sentences that :func:`score_tokens` walks at the same time.
LANES = 16
#: A slot of an index: check, state, log_prob, backoff, four bytes each. As many stand before the first one.
SLOT = 4
#: Bits of a check that hold a slot's distance from its home.
DISTANCE_BITS = 10
DISTANCE_MASK = np.uint32((1 << DISTANCE_BITS) - 1)

prefetch = make_prefetch()


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
    return max(state, -1)


@inline_kernel
def home_slot(slots: np.uint64, bits: np.uint64, key: np.uint64) -> tuple[int, np.uint32]:
    """Where in an index the n-gram with a key, context · vocabulary size + word, would stand, and its check there.

    The key is scattered over the numbers below 2^bits by a one-to-one map; its home is the result modulo the
    number of slots, and the check holds the quotient and, in its low bits, 1. Home and quotient give back the
    key: no two n-grams are ever confused.
    """
    mask = (np.uint64(1) << bits) - np.uint64(1)
    half = bits >> np.uint64(1)
    mixed = (key * np.uint64(0x9E3779B97F4A7C15)) & mask
    mixed ^= mixed >> half
    mixed = (mixed * np.uint64(0xBF58476D1CE4E5B9)) & mask
    mixed ^= mixed >> half
    quotient = mixed // slots
    home = np.int64(mixed - quotient * slots)
    return int(home), np.uint32((quotient << np.uint64(DISTANCE_BITS)) | np.uint64(1))


@inline_kernel
def probe(index: NDArray[np.uint32], home: int, check: np.uint32) -> int:
    """Where in the index a slot begins that has the given home and check; −1 where there is none.

    Slots further on hold the distance to their home in their check, 1 at home. Those that are nearer to theirs
    than we would be to ours come after us (Celis, Larson and Munro 1985, "Robin Hood"), so meeting one ends the
    search; an empty slot has distance 0.
    """
    at = SLOT + SLOT * home
    wanted = check
    found = index[at]
    while found != wanted and (found & DISTANCE_MASK) >= (wanted & DISTANCE_MASK):
        at += SLOT
        if at == len(index):
            at = SLOT
        wanted += np.uint32(1)
        found = index[at]
    return at if found == wanted else -1


@inline_kernel
def find_slot(arrays: NgramArrays, context: int, word: int) -> int:
    """Where in the index the n-gram ``context word`` stands; −1 where the model has none.

    The slot holds, from its beginning: check, the minimal state after the n-gram, its log_prob, the state's
    back-off weight (0 for the empty state).
    """
    key = np.uint64(context) * np.uint64(arrays.order_start[1]) + np.uint64(word)
    home, check = home_slot(np.uint64(len(arrays.table) // SLOT - 1), np.uint64(arrays.table[0]), key)
    return probe(arrays.table, home, check)


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
    if len(arrays.table) > 0:
        while context >= 0:
            slot = find_slot(arrays, context, token)
            if slot >= 0:
                values = arrays.table.view(np.float32)
                return int(np.int32(arrays.table[slot + 1])), log_prob + values[slot + 2]
            log_prob += arrays.backoff[context]
            context = int(arrays.suffix[context])
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
def _score_by_trie(
    arrays: NgramArrays, tokens: NDArray[np.int32], starts: NDArray[np.int64]
) -> NDArray[np.float32]:
    """As :func:`score_tokens`, of a model without an index.

    ``advance`` waits for memory at every step. Here each of ``LANES`` sentences makes one lookup a round; the
    lookups of a round do not depend on each other, so the processor has many under way at the same time.
    """
    sentence_count = len(starts) - 1
    scores = np.empty(starts[sentence_count] - starts[0] + sentence_count, dtype=np.float32)
    state = np.zeros(LANES, dtype=np.int64)
    word = np.zeros(LANES, dtype=np.int64)
    found = np.zeros(LANES, dtype=np.int64)
    length = np.zeros(LANES, dtype=np.int64)
    position = np.zeros(LANES, dtype=np.int64)
    end = np.zeros(LANES, dtype=np.int64)
    sentence = np.zeros(LANES, dtype=np.int64)
    backed_off = np.zeros(LANES, dtype=np.float64)
    highest = arrays.order_start[max(len(arrays.order_start) - 2, 1)]
    last = len(arrays.word) - 1
    active = min(LANES, sentence_count)
    for lane in range(active):
        sentence[lane] = lane
        position[lane], end[lane] = starts[lane], starts[lane + 1]
        state[lane] = SENTENCE_START
    following = active
    while active > 0:
        for lane in range(active):
            found[lane] = arrays.child_begin[state[lane]]
            length[lane] = arrays.child_begin[state[lane] + 1] - found[lane]
            wanted = SENTENCE_END
            if position[lane] < end[lane]:
                wanted = int(tokens[position[lane]])
                if wanted < 0 or wanted >= arrays.order_start[1]:
                    wanted = UNKNOWN
            word[lane] = wanted
        for lane in range(active):
            node = found[lane]
            left = length[lane]
            wanted = word[lane]
            while left > 1:
                half = left >> 1
                node += half if arrays.word[node + half] <= wanted else 0
                left -= half
            hit = left == 1 and arrays.word[min(node, last)] == wanted
            found[lane] = node if hit else -1
        lane = 0
        while lane < active:
            node = found[lane]
            if node < 0:
                backed_off[lane] += arrays.backoff[state[lane]]
                state[lane] = arrays.suffix[state[lane]]
                if state[lane] >= 0:
                    lane += 1
                    continue
                node = word[lane]
            at = position[lane]
            scores[at - starts[0] + sentence[lane]] = backed_off[lane] + arrays.log_prob[node]
            backed_off[lane] = 0.0
            if at < end[lane]:
                state[lane] = node if node < highest else arrays.suffix[node]
                position[lane] = at + 1
            elif following < sentence_count:
                state[lane] = SENTENCE_START
                sentence[lane] = following
                position[lane], end[lane] = starts[following], starts[following + 1]
                following += 1
            else:  # no sentence left for this lane: the last one takes its place, and its turn
                active -= 1
                state[lane], word[lane], found[lane] = state[active], word[active], found[active]
                sentence[lane], position[lane], end[lane] = sentence[active], position[active], end[active]
                backed_off[lane] = backed_off[active]
                continue
            lane += 1
    return scores


@kernel
def _score_by_index(
    arrays: NgramArrays, tokens: NDArray[np.int32], starts: NDArray[np.int64]
) -> NDArray[np.float32]:
    """As :func:`score_tokens`, of a model with an index.

    ``LANES`` sentences take turns. At its turn, a sentence looks at the slot that it asked for at its last one,
    takes one step, and asks for the next; by its next turn, that will have come from memory. The search is that
    of :func:`probe`, written out: arrays handed to a function here would cost a third of the speed.
    """
    sentence_count = len(starts) - 1
    scores = np.empty(starts[sentence_count] - starts[0] + sentence_count, dtype=np.float32)
    index = arrays.table
    values = index.view(np.float32)
    suffix = arrays.suffix
    backoff = arrays.backoff
    unigram_log_prob = arrays.log_prob
    slots = np.uint64(len(index) // SLOT - 1)
    bits = np.uint64(index[0])
    words = np.uint64(arrays.order_start[1])
    size = arrays.order_start[1]
    trigrams = arrays.order_start[min(2, len(arrays.order_start) - 1)]
    nowhere = arrays.order_start[len(arrays.order_start) - 2]  # stands for the empty state: no key has it
    start_weight = backoff[SENTENCE_START]
    state = np.full(LANES, SENTENCE_START, dtype=np.int64)
    weight = np.full(LANES, start_weight, dtype=np.float32)  # the state's back-off weight
    word = np.zeros(LANES, dtype=np.int64)
    position = np.zeros(LANES, dtype=np.int64)  # of the word; the sentence's end is that of </s>
    end = np.zeros(LANES, dtype=np.int64)
    place = np.zeros(LANES, dtype=np.int64)  # in scores
    home = np.zeros(LANES, dtype=np.int64)
    check = np.zeros(LANES, dtype=np.uint32)
    backed_off = np.zeros(LANES, dtype=np.float64)
    active = min(LANES, sentence_count)
    following = active
    for lane in range(active):  # each lane's first sentence
        position[lane], end[lane] = starts[lane], starts[lane + 1]
        place[lane] = starts[lane] - starts[0] + lane
        token = np.int64(tokens[position[lane]]) if position[lane] < end[lane] else SENTENCE_END
        word[lane] = token if 0 <= token < size else UNKNOWN
        key = np.uint64(SENTENCE_START) * words + np.uint64(word[lane])
        home[lane], check[lane] = home_slot(slots, bits, key)
    while active > 0:
        lane = 0
        while lane < active:
            at = SLOT + SLOT * home[lane]
            wanted = check[lane]
            found = index[at]
            while found != wanted and (found & DISTANCE_MASK) >= (wanted & DISTANCE_MASK):
                at += SLOT
                if at == len(index):
                    at = SLOT
                wanted += np.uint32(1)
                found = index[at]
            context = state[lane]
            here = position[lane]
            if found != wanted:
                backed_off[lane] += weight[lane]
                if (
                    size <= context < nowhere
                ):  # one word less of context; of two, the one before this word is left
                    if context < trigrams:
                        token = np.int64(tokens[here - 1])
                        context = token if 0 <= token < size else UNKNOWN
                    else:
                        context = np.int64(suffix[context])
                    state[lane] = context
                    weight[lane] = backoff[context]
                else:
                    context = -1
            if found == wanted or context < 0:  # the word is done
                if found == wanted:
                    context = np.int64(np.int32(index[at + 1]))
                    log_prob = values[at + 2]
                    next_weight = values[at + 3]
                else:
                    context = word[lane]
                    log_prob = unigram_log_prob[context]
                    next_weight = backoff[context]
                scores[place[lane]] = backed_off[lane] + log_prob
                place[lane] += 1
                backed_off[lane] = 0.0
                if here < end[lane]:
                    here += 1
                    if context < 0:
                        context = nowhere
                        next_weight = np.float32(0.0)
                    state[lane] = context
                    weight[lane] = next_weight
                    if trigrams <= context < nowhere:
                        prefetch(suffix, context)
                elif following < sentence_count:
                    here = starts[following]
                    end[lane] = starts[following + 1]
                    place[lane] = here - starts[0] + following
                    state[lane], weight[lane] = SENTENCE_START, start_weight
                    following += 1
                else:  # no sentence left for this lane: the last one takes its place, and its turn
                    active -= 1
                    state[lane], weight[lane], word[lane] = state[active], weight[active], word[active]
                    position[lane], end[lane], place[lane] = position[active], end[active], place[active]
                    home[lane], check[lane] = home[active], check[active]
                    backed_off[lane] = backed_off[active]
                    continue
                position[lane] = here
                token = np.int64(tokens[here]) if here < end[lane] else SENTENCE_END
                word[lane] = token if 0 <= token < size else UNKNOWN
            key = np.uint64(state[lane]) * words + np.uint64(word[lane])
            home[lane], check[lane] = home_slot(slots, bits, key)
            prefetch(index, SLOT + SLOT * home[lane])
            lane += 1
    return scores


@kernel
def score_tokens(
    arrays: NgramArrays, tokens: NDArray[np.int32], starts: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Natural log probability of every token and sentence end: :func:`advance` on many sentences at once.

    Returns float32[tokens + sentences]: sentence i's tokens, then its ``</s>``, begin at
    ``starts[i] − starts[0] + i``.
    """
    if len(arrays.table) > 0:
        return _score_by_index(arrays, tokens, starts)
    return _score_by_trie(arrays, tokens, starts)


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
    alias: NDArray[np.bool_] = arrays.suffix[:size] == ONLY_UNKNOWN
    if not bool(alias.any()):
        alias = _looks_unknown(arrays, size)
    known: NDArray[np.bool_] = ~alias
    known[UNKNOWN] = False
    known[SENTENCE_START] = True
    known[SENTENCE_END] = True
    return known


def _looks_unknown(arrays: NgramArrays, size: int) -> NDArray[np.bool_]:
    """Words that score as ``<unk>`` everywhere, of a model that does not mark those that it lacks."""
    childless = np.diff(arrays.child_begin[: size + 1]) == 0
    ends_others = np.zeros(size, dtype=np.bool_)
    if arrays.order > 1:
        ends_others[arrays.word[size : int(arrays.order_start[2])]] = True
    alias: NDArray[np.bool_] = (
        childless
        & ~ends_others
        & (arrays.log_prob[:size] == arrays.log_prob[UNKNOWN])
        & (arrays.backoff[:size] == 0)
    )
    return alias


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

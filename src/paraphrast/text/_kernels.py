"""Compiled loops of the tagger: counting features, training, scoring, tagging.

The tagset is defined here, not in ``tag.py``, because the kernels' code depends on it and the cache of compiled code is
keyed by the kernel files.

A row of *static features* describes one distinct word (see :func:`paraphrast.text.syntax.tag.Tagger.features`). Its
columns, in order: the fixed tag or −1; the OWN_COUNT weight rows that describe the word itself; the row used only if
the word begins a sentence; the rows for its right neighbour (as previous word), its left neighbour (as next word, next
suffix), and the words two places away; and last the hash of the word, which the kernel combines with the previous tag.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

#: Penn-like; NEG is "not" and "n't", PUNCT every punctuation mark, FW foreign words.
TAGS = (
    *("NN", "NNS", "NNP", "NNPS", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD", "JJ", "JJR", "JJS"),
    *("RB", "RBR", "RBS", "IN", "TO", "DT", "PDT", "PRP", "PRP$", "WDT", "WP", "WP$", "WRB", "CC", "CD"),
    *("EX", "POS", "UH", "RP", "NEG", "PUNCT", "SYM", "FW"),
)
TAG_COUNT = len(TAGS)
#: Weight rows are padded to a multiple of eight so that the loops over tags become vector instructions.
WIDTH = 40
#: The tag "before the first word".
NO_TAG = TAG_COUNT
PUNCT = TAGS.index("PUNCT")
HASH_BITS = 21

FIXED = 0
OWN = 1
OWN_COUNT = 9
OPENING = OWN + OWN_COUNT
AS_PREVIOUS = OPENING + 1
AS_NEXT = OPENING + 2
AS_NEXT_SUFFIX = OPENING + 3
AS_PREVIOUS_2 = OPENING + 4
AS_NEXT_2 = OPENING + 5
WORD_HASH = OPENING + 6
COLUMNS = WORD_HASH + 1

#: Row 0 has zeros and is never trained; then one row per previous tag, one per pair of previous tags.
TAG_ROW = 1
TAG_PAIR_ROW = TAG_ROW + TAG_COUNT + 1
FIRST_HASHED_ROW = TAG_PAIR_ROW + (TAG_COUNT + 1) * (TAG_COUNT + 1)
#: Number of weight rows active at one position: own, opening, five of neighbours, three with previous tags.
ACTIVE = OWN_COUNT + 1 + 5 + 3


@inline_kernel
def word_and_tag_hash(word_hash: int, previous_tag: int) -> int:
    """Position in the hash space of a word together with the previous tag."""
    mixed = np.int64(word_hash) + np.int64(previous_tag + 1) * np.int64(0x9E3779B1)
    return int(((mixed * np.int64(0x5F4915)) >> np.int64(15)) & np.int64((1 << HASH_BITS) - 1))


@kernel
def count_features(
    hashed: NDArray[np.int32],
    tokens: NDArray[np.int32],
    starts: NDArray[np.int64],
    gold: NDArray[np.uint8],
) -> NDArray[np.int32]:
    """How often each position of the hash space is active in the training text: int32[2 ** HASH_BITS].

    ``hashed`` has the layout of static features with positions in the hash space; its last two rows are the sentence
    boundaries.
    """
    counts = np.zeros(1 << HASH_BITS, np.int32)
    before = len(hashed) - 2
    after = len(hashed) - 1
    for sentence in range(len(starts) - 1):
        first, last = starts[sentence], starts[sentence + 1]
        opening = True
        for position in range(first, last):
            word = tokens[position]
            for column in range(OWN, OWN + OWN_COUNT):
                counts[hashed[word, column]] += 1
            if opening:
                counts[hashed[word, OPENING]] += 1
            previous = tokens[position - 1] if position > first else before
            following = tokens[position + 1] if position + 1 < last else after
            previous_2 = tokens[position - 2] if position - 1 > first else before
            following_2 = tokens[position + 2] if position + 2 < last else after
            counts[hashed[previous, AS_PREVIOUS]] += 1
            counts[hashed[following, AS_NEXT]] += 1
            counts[hashed[following, AS_NEXT_SUFFIX]] += 1
            counts[hashed[previous_2, AS_PREVIOUS_2]] += 1
            counts[hashed[following_2, AS_NEXT_2]] += 1
            tag_before = gold[position - 1] if position > first else NO_TAG
            counts[word_and_tag_hash(hashed[word, WORD_HASH], tag_before)] += 1
            opening = opening and gold[position] == PUNCT
    return counts


@kernel
def train_pass(
    features: NDArray[np.int32],
    row_of_hash: NDArray[np.int32],
    tokens: NDArray[np.int32],
    starts: NDArray[np.int64],
    order: NDArray[np.int64],
    gold: NDArray[np.uint8],
    weights: NDArray[np.int32],
    moments: NDArray[np.int64],
    step: int,
) -> tuple[int, int]:
    """One pass of the averaged perceptron over the sentences in ``order``, in place.

    Collins (2002), figure 1: tag greedily with the current weights; if the prediction is wrong, add the active rows to
    the gold tag and subtract them from the prediction. ``moments`` adds each update times its step, so that the
    average over steps is ``weights − moments / steps``. All numbers are integers, so nothing is rounded. The last two
    rows of ``features`` are the sentence boundaries. Returns the next step and the number of errors.
    """
    before = len(features) - 2
    after = len(features) - 1
    active = np.zeros(ACTIVE, np.int32)
    scores = np.zeros(WIDTH, np.int32)
    errors = 0
    for ordinal in range(len(order)):
        first, last = starts[order[ordinal]], starts[order[ordinal] + 1]
        tag_1, tag_2 = NO_TAG, NO_TAG
        opening = True
        for position in range(first, last):
            word = tokens[position]
            guess = features[word, FIXED]
            if guess < 0:
                previous = tokens[position - 1] if position > first else before
                following = tokens[position + 1] if position + 1 < last else after
                previous_2 = tokens[position - 2] if position - 1 > first else before
                following_2 = tokens[position + 2] if position + 2 < last else after
                for column in range(OWN_COUNT):
                    active[column] = features[word, OWN + column]
                active[OWN_COUNT] = features[word, OPENING] if opening else 0
                active[OWN_COUNT + 1] = features[previous, AS_PREVIOUS]
                active[OWN_COUNT + 2] = features[following, AS_NEXT]
                active[OWN_COUNT + 3] = features[following, AS_NEXT_SUFFIX]
                active[OWN_COUNT + 4] = features[previous_2, AS_PREVIOUS_2]
                active[OWN_COUNT + 5] = features[following_2, AS_NEXT_2]
                active[OWN_COUNT + 6] = TAG_ROW + tag_1
                active[OWN_COUNT + 7] = TAG_PAIR_ROW + tag_2 * (TAG_COUNT + 1) + tag_1
                active[OWN_COUNT + 8] = row_of_hash[word_and_tag_hash(features[word, WORD_HASH], tag_1)]
                scores[:] = 0
                for row in active:
                    for tag in range(WIDTH):
                        scores[tag] += weights[row, tag]
                guess = 0
                for tag in range(1, TAG_COUNT):
                    if scores[tag] > scores[guess]:
                        guess = tag
                truth = gold[position]
                step += 1
                if guess != truth:
                    errors += 1
                    for row in active:
                        if row > 0:
                            weights[row, truth] += 1
                            weights[row, guess] -= 1
                            moments[row, truth] += step
                            moments[row, guess] -= step
            opening = opening and guess == PUNCT
            tag_2 = tag_1
            tag_1 = guess
    return step, errors


@kernel
def word_scores(features: NDArray[np.int32], weights: NDArray[np.int8]) -> NDArray[np.int16]:
    """The contribution of each word to the scores of tags, independent of its sentence: int16[6, words, WIDTH].

    The planes: at its own position; at its own position if it begins the sentence; at the position after it, before
    it, two after it, two before it. Computed once for each distinct word, this leaves eight rows to add per token
    instead of eighteen.
    """
    scores = np.zeros((6, len(features), WIDTH), np.int16)
    for word in range(len(features)):
        for column in range(OWN, OWN + OWN_COUNT):
            row = features[word, column]
            for tag in range(WIDTH):
                scores[0, word, tag] += weights[row, tag]
        for tag in range(WIDTH):
            scores[1, word, tag] = weights[features[word, OPENING], tag]
            scores[2, word, tag] = weights[features[word, AS_PREVIOUS], tag]
            scores[3, word, tag] = np.int16(weights[features[word, AS_NEXT], tag]) + np.int16(
                weights[features[word, AS_NEXT_SUFFIX], tag]
            )
            scores[4, word, tag] = weights[features[word, AS_PREVIOUS_2], tag]
            scores[5, word, tag] = weights[features[word, AS_NEXT_2], tag]
    return scores


@kernel
def tag_tokens(
    features: NDArray[np.int32],
    planes: NDArray[np.int16],
    row_of_hash: NDArray[np.int32],
    weights: NDArray[np.int8],
    tokens: NDArray[np.int32],
    starts: NDArray[np.int64],
) -> NDArray[np.uint8]:
    """Greedy tags from left to right: uint8[tokens]. Of equal scores, the first tag of TAGS wins.

    ``planes``: from :func:`word_scores`; the last two rows of ``features`` are the sentence boundaries.
    """
    tags = np.zeros(len(tokens), np.uint8)
    before = len(features) - 2
    after = len(features) - 1
    scores = np.zeros(WIDTH, np.int16)
    for sentence in range(len(starts) - 1):
        first, last = starts[sentence], starts[sentence + 1]
        tag_1, tag_2 = NO_TAG, NO_TAG
        opening = True
        for position in range(first, last):
            word = tokens[position]
            guess = features[word, FIXED]
            if guess < 0:
                previous = tokens[position - 1] if position > first else before
                following = tokens[position + 1] if position + 1 < last else after
                previous_2 = tokens[position - 2] if position - 1 > first else before
                following_2 = tokens[position + 2] if position + 2 < last else after
                tag_row = TAG_ROW + tag_1
                pair_row = TAG_PAIR_ROW + tag_2 * (TAG_COUNT + 1) + tag_1
                word_row = row_of_hash[word_and_tag_hash(features[word, WORD_HASH], tag_1)]
                for tag in range(WIDTH):
                    scores[tag] = (
                        planes[0, word, tag]
                        + planes[2, previous, tag]
                        + planes[3, following, tag]
                        + planes[4, previous_2, tag]
                        + planes[5, following_2, tag]
                        + weights[tag_row, tag]
                        + weights[pair_row, tag]
                        + weights[word_row, tag]
                    )
                if opening:
                    for tag in range(WIDTH):
                        scores[tag] += planes[1, word, tag]
                guess = 0
                for tag in range(1, TAG_COUNT):
                    if scores[tag] > scores[guess]:
                        guess = tag
            tags[position] = guess
            opening = opening and guess == PUNCT
            tag_2 = tag_1
            tag_1 = guess
    return tags

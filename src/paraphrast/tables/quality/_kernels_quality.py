"""Compiled features of phrase pairs: strings, frequency, vectors, relations of their words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

#: Features that :func:`pair_features` computes, in order.
NAMES = (
    "source_words", "target_words", "source_content", "target_content", "letters", "edit", "words_shared",
    "stems_shared", "source_kept", "target_kept", "same_first", "same_last", "cosine", "cosine_weighted",
    "cosine_rest", "source_aligned", "target_aligned", "source_worst", "target_worst", "cosine_first", "cosine_last",
    "source_rank", "target_rank", "rank_difference", "unknown", "synonym", "hypernym", "hyponym", "sibling",
    "antonym", "derived", "similar", "listed", "paired", "paired_well", "number", "negation",
)  # fmt: skip
#: Relations of words, as bits.
SYNONYM, HYPERNYM, HYPONYM, SIBLING, ANTONYM, DERIVED, SIMILAR, LISTED, PAIRED, PAIRED_WELL = (
    1 << bit for bit in range(10)
)
_RELATIONS = 10
_FIRST_RELATION = NAMES.index("synonym")
_COUNT = len(NAMES)
_LONGEST = 128


@inline_kernel
def _relation(keys: NDArray[np.int64], bits: NDArray[np.uint16], first: int, second: int) -> int:
    """The relation bits of two stems, 0 for none."""
    wanted = (np.int64(first) << 32) | np.int64(second)
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    if low < len(keys) and keys[low] == wanted:
        return int(bits[low])
    return 0


@inline_kernel
def _letters(
    row: NDArray[np.int32],
    letter_begin: NDArray[np.int64],
    letters: NDArray[np.int32],
    out: NDArray[np.int32],
) -> int:
    """Letters of a phrase, words separated by single spaces, cut at the maximum length."""
    size = 0
    for place in range(len(row)):
        if row[place] < 0:
            break
        if place > 0 and size < _LONGEST:
            out[size] = 32
            size += 1
        for at in range(letter_begin[row[place]], letter_begin[row[place] + 1]):
            if size < _LONGEST:
                out[size] = letters[at]
                size += 1
    return size


@inline_kernel
def _distance(
    one: NDArray[np.int32], one_size: int, two: NDArray[np.int32], two_size: int, line: NDArray[np.int32]
) -> int:
    """Levenshtein distance."""
    for j in range(two_size + 1):
        line[j] = j
    for i in range(1, one_size + 1):
        corner = line[0]
        line[0] = i
        for j in range(1, two_size + 1):
            above = line[j]
            best = corner + (0 if one[i - 1] == two[j - 1] else 1)
            if above + 1 < best:
                best = above + 1
            if line[j - 1] + 1 < best:
                best = line[j - 1] + 1
            line[j] = best
            corner = above
    return int(line[two_size])


@inline_kernel
def _cosine(one: NDArray[np.float32], two: NDArray[np.float32]) -> float:
    """Cosine of two vectors; NaN if either is zero."""
    product = 0.0
    first = 0.0
    second = 0.0
    for place in range(len(one)):
        product += one[place] * two[place]
        first += one[place] * one[place]
        second += two[place] * two[place]
    if first <= 0.0 or second <= 0.0:
        return np.nan
    return float(product / np.sqrt(first * second))


@kernel
def pair_features(
    words: NDArray[np.int32],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    letter_begin: NDArray[np.int64],
    letters: NDArray[np.int32],
    vector: NDArray[np.float32],
    rank: NDArray[np.float32],
    folded: NDArray[np.int32],
    stem: NDArray[np.int32],
    content: NDArray[np.bool_],
    number: NDArray[np.int32],
    negation: NDArray[np.bool_],
    keys: NDArray[np.int64],
    bits: NDArray[np.uint16],
) -> NDArray[np.float32]:
    """float32[pairs, features] as in :data:`NAMES`; NaN if unknown.

    vector: unit length, or zeros; rank: NaN if the word has none; number: −1 if the word is not a number.
    """
    width = words.shape[1]
    size = vector.shape[1]
    features = np.full((len(source), _COUNT), np.nan, np.float32)
    one_text = np.zeros(_LONGEST, np.int32)
    two_text = np.zeros(_LONGEST, np.int32)
    line = np.zeros(_LONGEST + 1, np.int32)
    sums = np.zeros((6, size), np.float32)
    shared = np.zeros((2, width), np.bool_)
    cosines = np.zeros((width, width))
    for row in range(len(source)):
        source_words, target_words = words[source[row]], words[target[row]]
        lengths = [0, 0]
        contents = [0, 0]
        ranks = [-1.0, -1.0]
        unknown = 0
        numbers = [0, 0]
        negations = [0, 0]
        sums[:] = 0.0
        shared[:] = False
        for side in range(2):
            side_words = source_words if side == 0 else target_words
            for place in range(width):
                word = side_words[place]
                if word < 0:
                    break
                lengths[side] += 1
                contents[side] += content[word]
                weight = 0.3
                if np.isnan(rank[word]):
                    unknown += 1
                else:
                    weight = rank[word] / 10.0
                    if content[word] and rank[word] > ranks[side]:
                        ranks[side] = rank[word]
                if number[word] >= 0:
                    numbers[side] += 1 + number[word]
                negations[side] += negation[word]
                for axis in range(size):
                    sums[side, axis] += vector[word, axis]
                    sums[2 + side, axis] += vector[word, axis] * weight
        shared_words = 0
        shared_stems = 0
        for i in range(lengths[0]):
            for j in range(lengths[1]):
                if folded[source_words[i]] == folded[target_words[j]]:
                    shared_words += 1
                    break
        for i in range(lengths[0]):
            for j in range(lengths[1]):
                if not shared[1, j] and stem[source_words[i]] == stem[target_words[j]]:
                    shared[0, i] = True
                    shared[1, j] = True
                    shared_stems += 1
                    break
        for side in range(2):
            side_words = source_words if side == 0 else target_words
            for place in range(lengths[side]):
                if not shared[side, place]:
                    for axis in range(size):
                        sums[4 + side, axis] += vector[side_words[place], axis]
        for i in range(lengths[0]):
            for j in range(lengths[1]):
                cosines[i, j] = _cosine(vector[source_words[i]], vector[target_words[j]])
                if stem[source_words[i]] == stem[target_words[j]]:
                    cosines[i, j] = 1.0
        one_size = _letters(source_words, letter_begin, letters, one_text)
        two_size = _letters(target_words, letter_begin, letters, two_text)
        longer = max(one_size, two_size, 1)
        out = features[row]
        out[0], out[1], out[2], out[3] = lengths[0], lengths[1], contents[0], contents[1]
        out[4] = np.log((two_size + 1.0) / (one_size + 1.0))
        out[5] = 1.0 - _distance(one_text, one_size, two_text, two_size, line) / longer
        out[6] = shared_words / max(lengths[0] + lengths[1] - shared_words, 1)
        out[7] = shared_stems / max(lengths[0] + lengths[1] - shared_stems, 1)
        for side in range(2):
            side_words = source_words if side == 0 else target_words
            same = 0
            for place in range(lengths[side]):
                same += content[side_words[place]] and shared[side, place]
            out[8 + side] = same / contents[side] if contents[side] > 0 else np.nan
        out[10] = folded[source_words[0]] == folded[target_words[0]]
        out[11] = folded[source_words[lengths[0] - 1]] == folded[target_words[lengths[1] - 1]]
        out[12] = _cosine(sums[0], sums[1])
        out[13] = _cosine(sums[2], sums[3])
        out[14] = _cosine(sums[4], sums[5])
        for side in range(2):
            side_words = source_words if side == 0 else target_words
            total = 0.0
            worst = 2.0
            counted = 0
            for place in range(lengths[side]):
                if contents[side] > 0 and not content[side_words[place]]:
                    continue
                best = -2.0
                for other in range(lengths[1 - side]):
                    value = cosines[place, other] if side == 0 else cosines[other, place]
                    if value > best:
                        best = value
                if best > -2.0:
                    total += best
                    counted += 1
                    worst = min(worst, best)
            if counted > 0:
                out[15 + side] = total / counted
                out[17 + side] = worst
        out[19] = cosines[0, 0]
        out[20] = cosines[lengths[0] - 1, lengths[1] - 1]
        for side in range(2):
            if ranks[side] >= 0.0:
                out[21 + side] = ranks[side]
        out[23] = out[22] - out[21]
        out[24] = unknown / (lengths[0] + lengths[1])
        related = np.zeros(_RELATIONS)
        places = 0
        for i in range(lengths[0]):
            if shared[0, i] or not content[source_words[i]]:
                continue
            places += 1
            relations = 0
            for j in range(lengths[1]):
                if not shared[1, j]:
                    relations |= _relation(keys, bits, stem[source_words[i]], stem[target_words[j]])
            for bit in range(_RELATIONS):
                related[bit] += relations >> bit & 1
        for bit in range(_RELATIONS):
            out[_FIRST_RELATION + bit] = related[bit] / places if places > 0 else 0.0
        out[_COUNT - 2] = numbers[0] != numbers[1]
        out[_COUNT - 1] = negations[0] != negations[1]
    return features

"""Compiled loops of Model 1 and of the lexicon.

Model 1 works *source word by source word*: the row t(· | e) is scattered into a dense array, then every sentence with e
is visited. A cell costs one load from an array that stays in cache, without a hash probe or a table of cells. Row
``null`` (the last) is the empty word, which is in every sentence.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Expected counts are added as integers, in units of 1 / COUNT_UNIT: so their sum is the same in any order, on any
#: number of machines. A count may reach 2³³, which is why a text may not have more target words than that.
COUNT_UNIT = float(1 << 30)
#: Expected jumps of a text: fewer bits, because all words share one count.
JUMP_UNIT = float(1 << 26)
#: Log-likelihoods, negative, of a sentence pair.
LOG_UNIT = float(1 << 24)


@inline_kernel
def units(value: float, unit: float) -> int:
    """The nearest integer number of units."""
    return int(np.int64(np.floor(value * unit + 0.5)))


@inline_kernel
def digamma(x: float) -> float:
    """ψ(x) for x > 0: recurrence up to 6, then the asymptotic series (error below 1e-10)."""
    result = 0.0
    while x < 6.0:
        result -= 1.0 / x
        x += 1.0
    inverse = 1.0 / (x * x)
    series = inverse * (1.0 / 12.0 - inverse * (1.0 / 120.0 - inverse * (1.0 / 252.0 - inverse / 240.0)))
    return float(result + np.log(x) - 0.5 / x - series)


@inline_kernel
def exp_digamma(x: float, less: float) -> float:
    """exp(ψ(x) − less): like :func:`digamma`, with one quotient for the recurrence and no logarithm."""
    above = 1.0
    below = 0.0
    while x < 6.0:  # Σ 1 / (x + k) as one fraction
        below = below * x + above
        above *= x
        x += 1.0
    inverse = 1.0 / x
    square = inverse * inverse
    series = square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square / 240.0)))
    return float(x * np.exp(-0.5 * inverse - series - below / above - less))


@kernel
def invert(tokens: Int32s, starts: Int64s, kept: Bools, size: int) -> tuple[Int64s, Int32s]:
    """Occurrences by word: (word_start int64[size + 2], sentence int32[n]). Every kept pair contains ``size``."""
    word_start = np.zeros(size + 2, np.int64)
    for s in range(len(kept)):
        if kept[s]:
            for k in range(starts[s], starts[s + 1]):
                word_start[tokens[k] + 1] += 1
            word_start[size + 1] += 1
    for w in range(size + 1):
        word_start[w + 1] += word_start[w]
    cursor = word_start[:-1].copy()
    sentence = np.empty(word_start[size + 1], np.int32)
    for s in range(len(kept)):
        if kept[s]:
            for k in range(starts[s], starts[s + 1]):
                w = tokens[k]
                sentence[cursor[w]] = s
                cursor[w] += 1
            sentence[cursor[size]] = s
            cursor[size] += 1
    return word_start, sentence


@kernel
def build_rows(
    word_start: Int64s, sentence: Int32s, tokens: Int32s, starts: Int64s, size: int
) -> tuple[Int64s, Int32s]:
    """The word pairs that occur, by source word: (row_start int64[rows + 1], target word int32[n]).

    Two passes, count and fill, so that no memory beyond the result is needed. Words are in order of first occurrence.
    """
    rows = len(word_start) - 1
    row_start = np.zeros(rows + 1, np.int64)
    seen = np.full(size, -1, np.int32)
    for e in range(rows):
        distinct = 0
        for o in range(word_start[e], word_start[e + 1]):
            s = sentence[o]
            for k in range(starts[s], starts[s + 1]):
                f = tokens[k]
                if seen[f] != e:
                    seen[f] = e
                    distinct += 1
        row_start[e + 1] = row_start[e] + distinct
    columns = np.empty(row_start[rows], np.int32)
    seen[:] = -1
    for e in range(rows):
        cursor = row_start[e]
        for o in range(word_start[e], word_start[e + 1]):
            s = sentence[o]
            for k in range(starts[s], starts[s + 1]):
                f = tokens[k]
                if seen[f] != e:
                    seen[f] = e
                    columns[cursor] = f
                    cursor += 1
    return row_start, columns


@kernel
def model1_sums(
    word_start: Int64s,
    sentence: Int32s,
    tokens: Int32s,
    starts: Int64s,
    size: int,
    row_start: Int64s,
    columns: Int32s,
    prob: Float32s,
    sums: Float64s,
) -> None:
    """sums[k] = Σ_i t(f_k | e_i) over the empty word and the source words of the sentence of k."""
    sums[:] = 0.0
    dense = np.zeros(size, np.float32)
    for e in range(len(word_start) - 1):
        for c in range(row_start[e], row_start[e + 1]):
            dense[columns[c]] = prob[c]
        for o in range(word_start[e], word_start[e + 1]):
            s = sentence[o]
            for k in range(starts[s], starts[s + 1]):
                sums[k] += dense[tokens[k]]


@kernel
def model1_log_likelihood(kept: Bools, source_starts: Int64s, target_starts: Int64s, sums: Float64s) -> int:
    """Σ log((1 / (l + 1)) Σ_i t(f | e_i)) in units of 1 / LOG_UNIT. Each sum is then replaced by its inverse."""
    total = np.int64(0)
    for s in range(len(kept)):
        if kept[s]:
            log_states = np.log(source_starts[s + 1] - source_starts[s] + 1.0)
            log_likelihood = 0.0
            for k in range(target_starts[s], target_starts[s + 1]):
                log_likelihood += np.log(sums[k]) - log_states
                sums[k] = 1.0 / sums[k]
            total += units(log_likelihood, LOG_UNIT)
    return int(total)


@inline_kernel
def model1_row_counts(
    e: int,
    word_start: Int64s,
    sentence: Int32s,
    tokens: Int32s,
    starts: Int64s,
    row_start: Int64s,
    columns: Int32s,
    prob: Float32s,
    inverse: Float64s,
    dense: Float32s,
    counts: Int64s,
) -> None:
    """Expected counts of row e by target word, in units of 1 / COUNT_UNIT; dense: scratch space."""
    for c in range(row_start[e], row_start[e + 1]):
        dense[columns[c]] = prob[c]
        counts[columns[c]] = 0
    for o in range(word_start[e], word_start[e + 1]):
        s = sentence[o]
        for k in range(starts[s], starts[s + 1]):
            f = tokens[k]
            counts[f] += np.int64(dense[f] * inverse[k] * COUNT_UNIT + 0.5)


@kernel
def model1_counts(
    word_start: Int64s,
    sentence: Int32s,
    tokens: Int32s,
    starts: Int64s,
    size: int,
    row_start: Int64s,
    columns: Int32s,
    prob: Float32s,
    inverse: Float64s,
) -> Int64s:
    """Expected counts of all word pairs, in units of 1 / COUNT_UNIT."""
    dense = np.zeros(size, np.float32)
    counts = np.zeros(size, np.int64)
    result = np.empty(len(columns), np.int64)
    for e in range(len(word_start) - 1):
        model1_row_counts(
            e, word_start, sentence, tokens, starts, row_start, columns, prob, inverse, dense, counts
        )
        for c in range(row_start[e], row_start[e + 1]):
            result[c] = counts[columns[c]]
    return result


@kernel
def model1_update(
    word_start: Int64s,
    sentence: Int32s,
    tokens: Int32s,
    starts: Int64s,
    size: int,
    row_start: Int64s,
    columns: Int32s,
    prob: Float32s,
    inverse: Float64s,
    prior: float,
    floor: float,
) -> None:
    """Expected counts of each row from the old probabilities, normalised in place, without a table of counts."""
    dense = np.zeros(size, np.float32)
    counts = np.zeros(size, np.int64)
    row_counts = np.zeros(size, np.int64)
    for e in range(len(word_start) - 1):
        model1_row_counts(
            e, word_start, sentence, tokens, starts, row_start, columns, prob, inverse, dense, counts
        )
        entries = row_start[e + 1] - row_start[e]
        for c in range(entries):
            row_counts[c] = counts[columns[row_start[e] + c]]
        maximise_row(row_counts[:entries], prior, floor, prob[row_start[e] : row_start[e + 1]])


@inline_kernel
def maximise_row(counts: Int64s, prior: float, floor: float, prob: Float32s) -> None:
    """t = count / total, or exp(ψ(count + prior) − ψ(total + prior · support)) if prior > 0. No counts: unchanged."""
    total = np.int64(0)
    for c in range(len(counts)):
        total += counts[c]
    if total <= 0:
        return
    whole = total / COUNT_UNIT
    log_total = digamma(whole + prior * len(counts)) if prior > 0.0 else 0.0
    for c in range(len(counts)):
        value = counts[c] / COUNT_UNIT
        value = exp_digamma(value + prior, log_total) if prior > 0.0 else value / whole
        prob[c] = max(value, floor)


@kernel
def maximise_rows(row_start: Int64s, counts: Int64s, prior: float, floor: float, prob: Float32s) -> None:
    """:func:`maximise_row` for many rows."""
    for e in range(len(row_start) - 1):
        begin, end = row_start[e], row_start[e + 1]
        maximise_row(counts[begin:end], prior, floor, prob[begin:end])


@inline_kernel
def find_slot(slot_word: Int32s, begin: int, end: int, word: int) -> int:
    """The slot of ``word`` in the row [begin, end), whose length is a power of two; −1 if the word is not there."""
    if begin == end:
        return -1
    mask = end - begin - 1
    place = ((np.int64(word) * 2654435769) >> 13) & mask
    while True:
        slot_value = slot_word[begin + place]
        if slot_value == word:
            return int(begin + place)
        if slot_value < 0:
            return -1
        place = (place + 1) & mask


@kernel
def hash_rows(
    row_start: Int64s, columns: Int32s, prob: Float32s, threshold: float
) -> tuple[Int64s, Int32s, Float32s]:
    """Rows as small open-addressing tables of the entries at or above ``threshold``, at most 3/4 full."""
    rows = len(row_start) - 1
    slot_start = np.zeros(rows + 1, np.int64)
    for e in range(rows):
        entries = 0
        for c in range(row_start[e], row_start[e + 1]):
            if prob[c] >= threshold:
                entries += 1
        slots = 0
        if entries > 0:
            slots = 2
            while slots * 3 < entries * 4:
                slots *= 2
        slot_start[e + 1] = slot_start[e] + slots
    slot_word = np.full(slot_start[rows], -1, np.int32)
    slot_prob = np.zeros(slot_start[rows], np.float32)
    for e in range(rows):
        begin = slot_start[e]
        mask = slot_start[e + 1] - begin - 1
        for c in range(row_start[e], row_start[e + 1]):
            if prob[c] >= threshold:
                place = ((np.int64(columns[c]) * 2654435769) >> 13) & mask
                while slot_word[begin + place] >= 0:
                    place = (place + 1) & mask
                slot_word[begin + place] = columns[c]
                slot_prob[begin + place] = prob[c]
    return slot_start, slot_word, slot_prob


@kernel
def lookup(
    slot_start: Int64s, slot_word: Int32s, slot_prob: Float32s, sources: Int32s, targets: Int32s, floor: float
) -> Float32s:
    """t(target | source) of many pairs; ``floor`` if a pair has no entry."""
    result = np.empty(len(sources), np.float32)
    for n in range(len(sources)):
        e = sources[n]
        slot = find_slot(slot_word, slot_start[e], slot_start[e + 1], targets[n])
        result[n] = slot_prob[slot] if slot >= 0 else floor
    return result


@kernel
def model1_best(
    source_tokens: Int32s,
    source_starts: Int64s,
    target_tokens: Int32s,
    target_starts: Int64s,
    kept: Bools,
    slot_start: Int64s,
    slot_word: Int32s,
    slot_prob: Float32s,
    floor: float,
) -> Int32s:
    """For every target token the source position with the highest t, −1 for the empty word. Ties go to the left."""
    best = np.full(len(target_tokens), -1, np.int32)
    null = len(slot_start) - 2
    for s in range(len(kept)):
        if not kept[s]:
            continue
        for k in range(target_starts[s], target_starts[s + 1]):
            f = target_tokens[k]
            slot = find_slot(slot_word, slot_start[null], slot_start[null + 1], f)
            highest = np.float64(slot_prob[slot]) if slot >= 0 else floor
            for i in range(source_starts[s], source_starts[s + 1]):
                e = source_tokens[i]
                slot = find_slot(slot_word, slot_start[e], slot_start[e + 1], f)
                value = np.float64(slot_prob[slot]) if slot >= 0 else floor
                if value > highest:
                    highest = value
                    best[k] = i - source_starts[s]
    return best

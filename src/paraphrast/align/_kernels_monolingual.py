"""Compiled loops of the monolingual HMM: its lexicon for a text, its M step, and spelling similarity of words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel
from paraphrast.align._kernels import digamma, find_slot

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]


@kernel
def spelling_similarity(
    letters: Int32s, starts: Int64s, first: Int32s, second: Int32s, shortest: int
) -> Float32s:
    """For each pair of words, the larger of 2 · common prefix / (both lengths) and 1 − edits / (longer length).

    Edits are insertions, deletions and substitutions (Levenshtein 1966). Words below ``shortest`` letters get 0.
    """
    longest = 0
    for w in range(len(starts) - 1):
        longest = max(longest, starts[w + 1] - starts[w])
    row = np.zeros(longest + 1, np.int32)
    result = np.zeros(len(first), np.float32)
    for n in range(len(first)):
        first_word = letters[starts[first[n]] : starts[first[n] + 1]]
        two = letters[starts[second[n]] : starts[second[n] + 1]]
        if len(first_word) < shortest or len(two) < shortest:
            continue
        prefix = 0
        while prefix < len(first_word) and prefix < len(two) and first_word[prefix] == two[prefix]:
            prefix += 1
        similarity = 2.0 * prefix / (len(first_word) + len(two))
        longer = max(len(first_word), len(two))
        # Words whose lengths differ by more than 40 % cannot be similar enough to matter.
        if abs(len(first_word) - len(two)) * 5 <= 2 * longer:
            for k in range(len(two) + 1):
                row[k] = k
            for i in range(len(first_word)):
                corner = row[0]
                row[0] = i + 1
                for k in range(len(two)):
                    cost = corner + (0 if first_word[i] == two[k] else 1)
                    corner = row[k + 1]
                    row[k + 1] = min(cost, min(corner, row[k]) + 1)
            similarity = max(similarity, 1.0 - row[len(two)] / longer)
        result[n] = similarity
    return result


@kernel
def fill_lexicon(
    slot_start: Int64s,
    slot_word: Int32s,
    prior: Float32s,
    known: Int32s,
    trained_start: Int64s,
    trained_word: Int32s,
    trained_count: Float64s,
    row_total: Float64s,
    row_prior: Float64s,
    strength: float,
    smallest: float,
    prob: Float32s,
) -> None:
    """t(f | e) = exp(ψ(c(e, f) + α m(f | e)) − ψ(c(e) + α M(e))) for the words of a text. The row of the empty word
    does not change.

    known: the number of each word in training, −1 for a word that training did not see, whose counts are 0.
    trained_*: counts c(e, f) in the layout of a lexicon; row_total and row_prior: c(e) and M(e).
    """
    for e in range(len(slot_start) - 2):
        old = known[e]
        total = strength
        if old >= 0:
            total = row_total[old] + strength * max(row_prior[old], smallest)
        for k in range(slot_start[e], slot_start[e + 1]):
            f = slot_word[k]
            if f < 0:
                continue
            count = 0.0
            if old >= 0 and known[f] >= 0:
                slot = find_slot(trained_word, trained_start[old], trained_start[old + 1], known[f])
                if slot >= 0:
                    count = trained_count[slot]
            expected = digamma(count + max(strength * prior[k], smallest)) - digamma(total)
            prob[k] = max(np.exp(expected), smallest)


@kernel
def maximise(
    slot_start: Int64s, slot_word: Int32s, counts: Float64s, prior: Float64s, smallest: float, prob: Float32s
) -> None:
    """Like :func:`fill_lexicon`, for the text that was counted; prior: α m(f | e) of every slot."""
    for e in range(len(slot_start) - 2):
        total = 0.0
        weight = 0.0
        for k in range(slot_start[e], slot_start[e + 1]):
            if slot_word[k] >= 0:
                total += counts[k]
                weight += prior[k]
        log_total = digamma(total + max(weight, smallest))
        for k in range(slot_start[e], slot_start[e + 1]):
            if slot_word[k] >= 0:
                prob[k] = max(np.exp(digamma(counts[k] + max(prior[k], smallest)) - log_total), smallest)


@kernel
def row_sums(slot_start: Int64s, slot_word: Int32s, values: Float64s) -> Float64s:
    """The sum of the values of the slots in use, for each row."""
    result = np.zeros(len(slot_start) - 1, np.float64)
    for e in range(len(slot_start) - 1):
        for k in range(slot_start[e], slot_start[e + 1]):
            if slot_word[k] >= 0:
                result[e] += values[k]
    return result


@kernel
def slot_rows(slot_start: Int64s) -> Int32s:
    """The row that each slot belongs to."""
    rows = np.empty(slot_start[len(slot_start) - 1], np.int32)
    for e in range(len(slot_start) - 1):
        rows[slot_start[e] : slot_start[e + 1]] = e
    return rows

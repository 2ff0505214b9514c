"""Compiled loops of phrase scores: alignments within phrases, lexical weights, Model 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.types.phrases import MAX_PHRASE

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]


@kernel
def alignment_codes(
    source: Int32s,
    target: Int32s,
    sentence: Int32s,
    source_start: Int32s,
    target_start: Int32s,
    source_sizes: Int64s,
    target_sizes: Int64s,
    link_starts: Int64s,
    link_source: Int32s,
    link_target: Int32s,
) -> Int64s:
    """Links within each occurrence, as bits: bit 7 i + j is set if its word i is linked with its word j.

    Links are sorted by source position within a sentence pair.
    """
    codes = np.zeros(len(source), np.int64)
    for n in range(len(source)):
        first = source_start[n]
        after = first + source_sizes[source[n]]
        low = target_start[n]
        high = low + target_sizes[target[n]]
        begin = link_starts[sentence[n]]
        end = link_starts[sentence[n] + 1]
        stop = end
        while begin < end:
            middle = (begin + end) >> 1
            if link_source[middle] < first:
                begin = middle + 1
            else:
                end = middle
        code = 0
        for k in range(begin, stop):
            if link_source[k] >= after:
                break
            if low <= link_target[k] < high:
                code |= 1 << ((link_source[k] - first) * MAX_PHRASE + link_target[k] - low)
        codes[n] = code
    return codes


@inline_kernel
def word_prob(row_start: Int64s, columns: Int32s, prob: Float32s, given: int, word: int) -> float:
    """p(word | given), 0 if there is no entry."""
    low = row_start[given]
    end = row_start[given + 1]
    high = end
    while low < high:
        middle = (low + high) >> 1
        if columns[middle] < word:
            low = middle + 1
        else:
            high = middle
    if low < end and columns[low] == word:
        return float(prob[low])
    return 0.0


@kernel
def lexical_weights(
    words: Int32s,
    given: Int32s,
    word_ids: Int32s,
    given_ids: Int32s,
    codes: Int64s,
    given_first: bool,
    row_start: Int64s,
    columns: Int32s,
    prob: Float32s,
    floor: float,
) -> Float64s:
    """log Π_j mean over i linked with j of p(word j | given word i), with the empty word if j has no link.

    given_first: whether positions of the given side are the higher digit of a code.
    """
    null = len(row_start) - 2
    result = np.zeros(len(codes), np.float64)
    for n in range(len(codes)):
        total = 0.0
        for j in range(MAX_PHRASE):
            word = words[word_ids[n], j]
            if word < 0:
                break
            linked = 0
            mass = 0.0
            for i in range(MAX_PHRASE):
                if given[given_ids[n], i] < 0:
                    break
                place = i * MAX_PHRASE + j if given_first else j * MAX_PHRASE + i
                if (codes[n] >> place) & 1:
                    linked += 1
                    mass += word_prob(row_start, columns, prob, given[given_ids[n], i], word)
            if linked == 0:
                linked = 1
                mass = word_prob(row_start, columns, prob, null, word)
            total += np.log(max(mass / linked, floor))
        result[n] = total
    return result


@kernel
def model1_scores(
    words: Int32s,
    given: Int32s,
    word_ids: Int32s,
    given_ids: Int32s,
    row_start: Int64s,
    columns: Int32s,
    prob: Float32s,
    empty_word: bool,
    normalise: bool,
    floor: float,
) -> Float64s:
    """log Π_i Σ_j p(word i | given word j); each sum is at least ``floor``."""
    null = len(row_start) - 2
    result = np.zeros(len(word_ids), np.float64)
    for n in range(len(word_ids)):
        choices = 1 if empty_word else 0
        for j in range(MAX_PHRASE):
            if given[given_ids[n], j] < 0:
                break
            choices += 1
        total = 0.0
        for i in range(MAX_PHRASE):
            word = words[word_ids[n], i]
            if word < 0:
                break
            mass = word_prob(row_start, columns, prob, null, word) if empty_word else 0.0
            for j in range(MAX_PHRASE):
                if given[given_ids[n], j] < 0:
                    break
                mass += word_prob(row_start, columns, prob, given[given_ids[n], j], word)
            total += np.log(max(mass, floor))
            if normalise:
                total -= np.log(float(choices))
        result[n] = total
    return result

"""Compiled loops of significance pruning: sentences with a phrase, sentences with both phrases, tail sums."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.extract._kernels import hash_words

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt64s = NDArray[np.uint64]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: A term of a tail sum this far below the current sum adds nothing.
NEGLIGIBLE = 1e-17


@kernel
def phrase_table(words: Int32s, sizes: Int64s, wanted: Bools, table: Int32s, hashes: UInt64s) -> None:
    """Enter the wanted phrases into ``table`` (int32[power of two], −1 if free), keyed by their words."""
    mask = np.uint64(len(table) - 1)
    for n in range(len(words)):
        if not wanted[n]:
            continue
        value = hash_words(words[n], 0, sizes[n])
        hashes[n] = value
        place = value & mask
        while table[place] >= 0:
            place = (place + np.uint64(1)) & mask
        table[place] = n


@inline_kernel
def find_phrase(
    tokens: Int32s, start: int, length: int, words: Int32s, sizes: Int64s, table: Int32s, hashes: UInt64s
) -> int:
    """The phrase at ``tokens[start:start + length]``, −1 if it is not in the table."""
    mask = np.uint64(len(table) - 1)
    value = hash_words(tokens, start, length)
    place = value & mask
    while table[place] >= 0:
        candidate = table[place]
        if hashes[candidate] == value and sizes[candidate] == length:
            same = True
            for k in range(length):
                if words[candidate, k] != tokens[start + k]:
                    same = False
                    break
            if same:
                return int(candidate)
        place = (place + np.uint64(1)) & mask
    return -1


@kernel
def phrases_of_sentences(
    tokens: Int32s,
    starts: Int64s,
    words: Int32s,
    sizes: Int64s,
    table: Int32s,
    hashes: UInt64s,
    longest: int,
    held: Int32s,
) -> Int64s:
    """Write the distinct phrases of each sentence into ``held``. Returns where each sentence's phrases end: int64."""
    last = np.full(len(words), -1, np.int32)
    ends = np.empty(len(starts) - 1, np.int64)
    cursor = 0
    for s in range(len(starts) - 1):
        for start in range(starts[s], starts[s + 1]):
            for length in range(1, min(longest, starts[s + 1] - start) + 1):
                phrase = find_phrase(tokens, start, length, words, sizes, table, hashes)
                if phrase >= 0 and last[phrase] != s:
                    last[phrase] = s
                    held[cursor] = phrase
                    cursor += 1
        ends[s] = cursor
    return ends


@kernel
def invert(held: Int32s, ends: Int64s, phrases: int) -> tuple[Int64s, Int32s]:
    """Sentences with each phrase, ascending: (begin int64[phrases + 1], sentences int32[n])."""
    total = ends[-1] if len(ends) else 0
    begin = np.zeros(phrases + 1, np.int64)
    for k in range(total):
        begin[held[k] + 1] += 1
    for p in range(phrases):
        begin[p + 1] += begin[p]
    cursor = begin[:-1].copy()
    sentences = np.empty(total, np.int32)
    k = 0
    for s in range(len(ends)):
        while k < ends[s]:
            sentences[cursor[held[k]]] = s
            cursor[held[k]] += 1
            k += 1
    return begin, sentences


@kernel
def shared_sentences(
    source: Int32s,
    target: Int32s,
    source_begin: Int64s,
    source_sentences: Int32s,
    target_begin: Int64s,
    target_sentences: Int32s,
) -> Int64s:
    """Number of sentence pairs with both phrases of each pair. The sentences of the rarer side are looked up."""
    shared = np.zeros(len(source), np.int64)
    for n in range(len(source)):
        few, few_end = source_begin[source[n]], source_begin[source[n] + 1]
        many, many_end = target_begin[target[n]], target_begin[target[n] + 1]
        swap = few_end - few > many_end - many
        rare = target_sentences if swap else source_sentences
        common = source_sentences if swap else target_sentences
        if swap:
            few, few_end, many, many_end = many, many_end, few, few_end
        count = 0
        for k in range(few, few_end):
            wanted = rare[k]
            step = 1
            while many + step < many_end and common[many + step] < wanted:
                step *= 2
            low = many + step // 2
            high = min(many + step + 1, many_end)
            while low < high:
                middle = (low + high) >> 1
                if common[middle] < wanted:
                    low = middle + 1
                else:
                    high = middle
            many = low
            if many >= many_end:
                break
            if common[many] == wanted:
                count += 1
        shared[n] = count
    return shared


@kernel
def tail_log_prob(
    joint: Int64s, source: Int64s, target: Int64s, total: int, log_factorial: Float64s
) -> Float64s:
    """−log p of Fisher's exact test: p that at least ``joint`` of ``total`` sentence pairs have both phrases by chance.

    Below the mean of the hypergeometric distribution, the other tail is summed and subtracted from 1, because the terms
    of both sums decrease from the first on.
    """
    result = np.zeros(len(joint), np.float64)
    for n in range(len(joint)):
        joint_count, source_count, target_count = joint[n], source[n], target[n]
        least = max(0, source_count + target_count - total)
        most = min(source_count, target_count)
        if joint_count <= least:
            continue
        upper = joint_count * total > source_count * target_count
        first = joint_count if upper else joint_count - 1
        log_first = (
            log_factorial[source_count]
            - log_factorial[first]
            - log_factorial[source_count - first]
            + log_factorial[total - source_count]
            - log_factorial[target_count - first]
            - log_factorial[total - source_count - target_count + first]
            - log_factorial[total]
            + log_factorial[target_count]
            + log_factorial[total - target_count]
        )
        sum_ = 1.0
        term = 1.0
        k = first
        if upper:
            while k < most and term > NEGLIGIBLE * sum_:
                ways = float(source_count - k) * float(target_count - k)
                term *= ways / (float(k + 1) * float(total - source_count - target_count + k + 1))
                sum_ += term
                k += 1
            result[n] = -(log_first + np.log(sum_))
        else:
            while k > least and term > NEGLIGIBLE * sum_:
                ways = float(k) * float(total - source_count - target_count + k)
                term *= ways / (float(source_count - k + 1) * float(target_count - k + 1))
                sum_ += term
                k -= 1
            result[n] = -np.log1p(-min(np.exp(log_first) * sum_, 1.0 - 1e-16))
    return result

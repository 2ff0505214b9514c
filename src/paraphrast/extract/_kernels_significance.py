"""Compiled loops of significance pruning: sentences that hold a phrase, sentences that hold both, tail sums."""

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

#: A term of a tail sum this far below the sum so far adds nothing.
NEGLIGIBLE = 1e-17


@kernel
def phrase_table(words: Int32s, sizes: Int64s, wanted: Bools, table: Int32s, hashes: UInt64s) -> None:
    """Enter the wanted phrases into ``table`` (int32[power of two], −1 where free), keyed by their words."""
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
    """The phrase that stands at ``tokens[start:start + length]``, −1 where it is none of the table's."""
    mask = np.uint64(len(table) - 1)
    value = hash_words(tokens, start, length)
    place = value & mask
    while table[place] >= 0:
        held = table[place]
        if hashes[held] == value and sizes[held] == length:
            same = True
            for k in range(length):
                if words[held, k] != tokens[start + k]:
                    same = False
                    break
            if same:
                return int(held)
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
    """Phrases that each sentence holds, each once, into ``held``; where each sentence's end: int64[sentences]."""
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
    """Sentences that hold each phrase, ascending: (begin int64[phrases + 1], sentences int32[n])."""
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
    """How many sentence pairs hold both phrases of each pair: the rarer side's are looked up in the other's."""
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
    """−log p of Fisher's exact test: p that at least ``joint`` of ``total`` sentence pairs hold both by chance.

    Below the mean of the hypergeometric distribution the other tail is summed and taken from 1: both sums fall
    from their first term on.
    """
    result = np.zeros(len(joint), np.float64)
    for n in range(len(joint)):
        both, ours, theirs = joint[n], source[n], target[n]
        least = max(0, ours + theirs - total)
        most = min(ours, theirs)
        if both <= least:
            continue
        upper = both * total > ours * theirs
        first = both if upper else both - 1
        log_first = (
            log_factorial[ours]
            - log_factorial[first]
            - log_factorial[ours - first]
            + log_factorial[total - ours]
            - log_factorial[theirs - first]
            - log_factorial[total - ours - theirs + first]
            - log_factorial[total]
            + log_factorial[theirs]
            + log_factorial[total - theirs]
        )
        sum_ = 1.0
        term = 1.0
        k = first
        if upper:
            while k < most and term > NEGLIGIBLE * sum_:
                ways = float(ours - k) * float(theirs - k)
                term *= ways / (float(k + 1) * float(total - ours - theirs + k + 1))
                sum_ += term
                k += 1
            result[n] = -(log_first + np.log(sum_))
        else:
            while k > least and term > NEGLIGIBLE * sum_:
                ways = float(k) * float(total - ours - theirs + k)
                term *= ways / (float(ours - k + 1) * float(theirs - k + 1))
                sum_ += term
                k -= 1
            result[n] = -np.log1p(-min(np.exp(log_first) * sum_, 1.0 - 1e-16))
    return result

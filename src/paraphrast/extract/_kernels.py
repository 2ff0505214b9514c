"""Compiled loops of phrase extraction: spans of each sentence pair, then ids of n-grams."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast._numeric import find_root
from paraphrast.types.phrases import MAX_PHRASE

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt64s = NDArray[np.uint64]
UInt8s = NDArray[np.uint8]


@inline_kernel
def read_links(
    source_len: int,
    target_len: int,
    link_source: Int32s,
    link_target: Int32s,
    parent: Int32s,
    lowest: Int32s,
    highest: Int32s,
) -> None:
    """Cepts (components of the links) and the range that each word is linked to.

    parent, lowest, highest: int32[source_len + target_len], target words after source words. For an unaligned word,
    ``lowest`` is greater than ``highest``.
    """
    for k in range(source_len + target_len):
        parent[k] = k
        lowest[k] = 1 << 30
        highest[k] = -1
    for n in range(len(link_source)):
        i = link_source[n]
        j = link_target[n]
        t = source_len + j
        lowest[i] = min(lowest[i], j)
        highest[i] = max(highest[i], j)
        lowest[t] = min(lowest[t], i)
        highest[t] = max(highest[t], i)
        a = find_root(parent, i)
        b = find_root(parent, t)
        if a != b:
            parent[max(a, b)] = min(a, b)


@kernel
def sentence_spans(
    source_len: int,
    target_len: int,
    parent: Int32s,
    lowest: Int32s,
    highest: Int32s,
    max_length: int,
    max_cepts: int,
    attach: bool,
    spans: Int32s,
    cursor: int,
) -> int:
    """Write (source start, source end, target start, target end), ends exclusive, from row ``cursor`` on.

    If ``spans`` has no rows, only counts them. Returns the row after the last. Order: source start, source end, then
    target start descending and target end ascending from the tightest span.
    """
    write = len(spans) > 0
    for start in range(source_len):
        if highest[start] < 0 and not attach:
            continue
        first = 1 << 30
        last = -1
        cepts = 0
        for end in range(start + 1, min(start + max_length, source_len) + 1):
            word = end - 1
            if highest[word] >= 0:
                first = min(first, lowest[word])
                last = max(last, highest[word])
                root = find_root(parent, word)
                new = 1
                for k in range(start, word):
                    if highest[k] >= 0 and find_root(parent, k) == root:
                        new = 0
                        break
                cepts += new
            elif not attach:
                continue
            if last < 0:
                continue
            if cepts > max_cepts or last - first >= max_length:
                break
            closed = True
            for j in range(source_len + first, source_len + last + 1):
                if highest[j] >= 0 and (lowest[j] < start or highest[j] >= end):
                    closed = False
                    break
            if not closed:
                continue
            low = first
            while True:
                high = last
                while high - low < max_length:
                    if write:
                        spans[cursor, 0] = start
                        spans[cursor, 1] = end
                        spans[cursor, 2] = low
                        spans[cursor, 3] = high + 1
                    cursor += 1
                    high += 1
                    if not attach or high >= target_len or highest[source_len + high] >= 0:
                        break
                low -= 1
                if not attach or low < 0 or highest[source_len + low] >= 0 or last - low >= max_length:
                    break
    return cursor


@kernel
def count_spans(
    source_starts: Int64s,
    target_starts: Int64s,
    link_starts: Int64s,
    link_source: Int32s,
    link_target: Int32s,
    max_length: int,
    max_cepts: int,
    attach: bool,
    longest: int,
) -> Int64s:
    """The number of phrase pairs before each sentence pair: int64[pairs + 1]."""
    pairs = len(link_starts) - 1
    begin = np.zeros(pairs + 1, np.int64)
    parent = np.empty(longest, np.int32)
    lowest = np.empty(longest, np.int32)
    highest = np.empty(longest, np.int32)
    none = np.empty((0, 4), np.int32)
    for n in range(pairs):
        begin[n + 1] = begin[n]
        if link_starts[n] == link_starts[n + 1]:
            continue
        source_len = source_starts[n + 1] - source_starts[n]
        target_len = target_starts[n + 1] - target_starts[n]
        mine_source = link_source[link_starts[n] : link_starts[n + 1]]
        mine_target = link_target[link_starts[n] : link_starts[n + 1]]
        read_links(source_len, target_len, mine_source, mine_target, parent, lowest, highest)
        begin[n + 1] = sentence_spans(
            source_len, target_len, parent, lowest, highest, max_length, max_cepts, attach, none, begin[n]
        )
    return begin


@kernel
def fill_spans(
    source_starts: Int64s,
    target_starts: Int64s,
    link_starts: Int64s,
    link_source: Int32s,
    link_target: Int32s,
    max_length: int,
    max_cepts: int,
    attach: bool,
    longest: int,
    first: int,
    stop: int,
    spans: Int32s,
    sentence: Int32s,
) -> None:
    """The spans of sentence pairs ``first`` to ``stop`` (exclusive), and the pair of each span."""
    parent = np.empty(longest, np.int32)
    lowest = np.empty(longest, np.int32)
    highest = np.empty(longest, np.int32)
    cursor = 0
    for n in range(first, stop):
        if link_starts[n] == link_starts[n + 1]:
            continue
        source_len = source_starts[n + 1] - source_starts[n]
        target_len = target_starts[n + 1] - target_starts[n]
        mine_source = link_source[link_starts[n] : link_starts[n + 1]]
        mine_target = link_target[link_starts[n] : link_starts[n + 1]]
        read_links(source_len, target_len, mine_source, mine_target, parent, lowest, highest)
        if len(spans) == 0:
            continue
        after = sentence_spans(
            source_len, target_len, parent, lowest, highest, max_length, max_cepts, attach, spans, cursor
        )
        sentence[cursor:after] = n
        cursor = after


@inline_kernel
def hash_words(tokens: Int32s, start: int, length: int) -> np.uint64:
    """A 64-bit hash of ``length`` words: FNV-like steps, then the finaliser of SplitMix64."""
    value = np.uint64(0x9E3779B97F4A7C15) + np.uint64(length)
    for k in range(start, start + length):
        value = (value ^ np.uint64(tokens[k])) * np.uint64(0xD6E8FEB86659FD93)
        value ^= value >> np.uint64(32)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@kernel
def intern(
    tokens: Int32s,
    starts: Int64s,
    lengths: Int32s,
    begin: int,
    ids: Int32s,
    table: Int32s,
    hashes: UInt64s,
    firsts: Int64s,
    sizes: UInt8s,
    known: int,
) -> tuple[int, int]:
    """Ids of the n-grams ``tokens[starts[k]:starts[k] + lengths[k]]`` from k = begin on, in order.

    table: int32[power of two], id or −1. hashes, firsts, sizes: for each known n-gram its hash, the position of its
    first occurrence and its length. Stops when the table is two thirds full or the store is full. Returns (the k it
    stopped before, number of known n-grams).
    """
    mask = np.uint64(len(table) - 1)
    limit = min(len(firsts), len(table) * 2 // 3)
    for k in range(begin, len(starts)):
        start = starts[k]
        length = lengths[k]
        value = hash_words(tokens, start, length)
        place = value & mask
        while True:
            candidate = table[place]
            if candidate < 0:
                if known >= limit:
                    return k, known
                table[place] = known
                hashes[known] = value
                firsts[known] = start
                sizes[known] = length
                ids[k] = known
                known += 1
                break
            if hashes[candidate] == value and sizes[candidate] == length:
                same = True
                for w in range(length):
                    if tokens[firsts[candidate] + w] != tokens[start + w]:
                        same = False
                        break
                if same:
                    ids[k] = candidate
                    break
            place = (place + np.uint64(1)) & mask
    return len(starts), known


@kernel
def rehash(table: Int32s, hashes: UInt64s, known: int) -> None:
    """Enter the known n-grams into an empty table."""
    mask = np.uint64(len(table) - 1)
    for n in range(known):
        place = hashes[n] & mask
        while table[place] >= 0:
            place = (place + np.uint64(1)) & mask
        table[place] = n


@kernel
def phrase_words(tokens: Int32s, firsts: Int64s, sizes: UInt8s, known: int) -> Int32s:
    """The words of every n-gram: int32[known, 7], −1 after its end."""
    words = np.full((known, MAX_PHRASE), -1, np.int32)
    for n in range(known):
        for k in range(sizes[n]):
            words[n, k] = tokens[firsts[n] + k]
    return words


@kernel
def commonest_glue(
    ids: Int32s,
    sentence: Int32s,
    position: Int32s,
    starts: Int64s,
    space_before: UInt8s,
    sizes: Int64s,
) -> UInt8s:
    """The most frequent mask of absent spaces over the occurrences of each phrase. Ties go to the smaller mask."""
    phrases = len(sizes)
    begin = np.zeros(phrases + 1, np.int64)
    for n in range(len(ids)):
        begin[ids[n] + 1] += 1
    for p in range(phrases):
        begin[p + 1] += begin[p]
    cursor = begin[:-1].copy()
    masks = np.empty(len(ids), np.uint8)
    for n in range(len(ids)):
        p = ids[n]
        first = starts[sentence[n]] + position[n]
        mask = 0
        for k in range(sizes[p] - 1):
            if space_before[first + k + 1] == 0:
                mask |= 1 << k
        masks[cursor[p]] = mask
        cursor[p] += 1
    glue = np.zeros(phrases, np.uint8)
    tally = np.zeros(1 << (MAX_PHRASE - 1), np.int64)
    for p in range(phrases):
        for n in range(begin[p], begin[p + 1]):
            tally[masks[n]] += 1
        best = 0
        most = tally[0]
        for n in range(begin[p], begin[p + 1]):
            mask = masks[n]
            if tally[mask] > most or (tally[mask] == most and mask < best):
                best = mask
                most = tally[mask]
        for n in range(begin[p], begin[p + 1]):
            tally[masks[n]] = 0
        glue[p] = best
    return glue

"""Counting n-grams in a text: linear passes over integer arrays.

Nodes are numbered within their order, from 0. A text is one array with ``<s> words </s>`` for each sentence.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel
from paraphrast.types import SENTENCE_END, SENTENCE_START


@kernel
def pad(tokens: NDArray[np.int32], starts: NDArray[np.int64], text: NDArray[np.int32]) -> None:
    """Write ``<s> words </s>`` of every sentence into ``text``, int32[tokens + 2 · sentences]."""
    at = 0
    for sentence in range(len(starts) - 1):
        text[at] = SENTENCE_START
        at += 1
        for position in range(starts[sentence], starts[sentence + 1]):
            text[at] = tokens[position]
            at += 1
        text[at] = SENTENCE_END
        at += 1


@kernel
def positions_by_word(text: NDArray[np.int32], counts: NDArray[np.int32]) -> NDArray[np.int32]:
    """Positions sorted by word, then by position (a counting sort), without positions of ``<s>``."""
    total = 0
    place = np.zeros(len(counts), dtype=np.int64)
    for word in range(len(counts)):
        place[word] = total
        if word != SENTENCE_START:
            total += counts[word]
    ordered = np.empty(total, dtype=np.int32)
    for position in range(len(text)):
        word = text[position]
        if word != SENTENCE_START:
            ordered[place[word]] = position
            place[word] += 1
    return ordered


@kernel
def extend(
    text: NDArray[np.int32],
    by_word: NDArray[np.int32],
    ids: NDArray[np.int32],
    counts: NDArray[np.int32],
    length: int,
    next_ids: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """From the n-grams of ``length`` words to those of ``length`` + 1.

    ids: int32[text], the node of the n-gram that begins at each position, −1 if the sentence is too short.
    counts: int32[nodes], number of occurrences of each.
    next_ids: int32[text], filled with the nodes of the longer n-grams.

    One pass of a radix sort per word: positions are visited in the order of the last word (``by_word``) and put into
    the bucket of their parent. They are then sorted by (parent, word), which is the numbering of the nodes.
    Returns word, suffix and count of every new node, and child_begin int32[parents + 1].
    """
    parent_count = len(counts)
    begin = np.empty(parent_count + 1, dtype=np.int32)
    total = 0
    for parent in range(parent_count):
        begin[parent] = total
        total += counts[parent]
    begin[parent_count] = total
    bucket = np.empty(total, dtype=np.int32)
    filled = begin[:parent_count].copy()
    next_ids[:] = -1
    for position in by_word:
        first = position - length
        if first >= 0 and ids[first] >= 0:
            parent = ids[first]
            bucket[filled[parent]] = first
            filled[parent] += 1
    new_total = 0
    for parent in range(parent_count):
        new_total += filled[parent] - begin[parent]
    word = np.empty(new_total, dtype=np.int32)
    suffix = np.empty(new_total, dtype=np.int32)
    new_counts = np.empty(new_total, dtype=np.int32)
    child_begin = np.empty(parent_count + 1, dtype=np.int32)
    node = -1
    for parent in range(parent_count):
        child_begin[parent] = node + 1
        last = -1
        for at in range(begin[parent], filled[parent]):
            first = bucket[at]
            current = text[first + length]
            if current != last:
                last = current
                node += 1
                word[node] = current
                suffix[node] = ids[first + 1]
                new_counts[node] = 0
            new_counts[node] += 1
            next_ids[first] = node
    child_begin[parent_count] = node + 1
    nodes = node + 1
    return word[:nodes].copy(), suffix[:nodes].copy(), new_counts[:nodes].copy(), child_begin


@kernel
def merge_runs(
    limit: int,
    run_begin: NDArray[np.int64],
    parent_run_begin: NDArray[np.int64],
    child_begin: NDArray[np.int32],
    run_word: NDArray[np.int32],
    run_counts: NDArray[np.int32],
    parent_merged: NDArray[np.int32],
    cursor: NDArray[np.int64],
    parent_cursor: NDArray[np.int64],
    nodes: int,
    word: NDArray[np.int32],
    parent: NDArray[np.int32],
    counts: NDArray[np.int32],
    merged: NDArray[np.int32],
) -> int:
    """Merge one order of the tries of several runs: up to ``limit`` more nodes. Returns the number of nodes so far.

    The n-grams of run r are ``run_begin[r] … run_begin[r + 1]`` of run_word and run_counts, sorted. Their parents are
    ``parent_run_begin[r] …`` of parent_merged, which has the number of each in the merged trie. child_begin of the
    parents counts from 0 within the run and has one additional entry per run.
    Each run is a sequence sorted by (merged parent, word), so a heap with one entry per run merges all of them in one
    sequential pass, without comparing whole n-grams.

    cursor, parent_cursor: int64[runs], the position in each run, kept between calls. Fills word, parent and counts of
    the merged nodes, and merged: int32, the merged number of every node of every run.
    """
    runs = len(run_begin) - 1
    keys = np.empty(runs, dtype=np.int64)
    heap = np.empty(runs, dtype=np.int64)
    size = 0
    for run in range(runs):
        if cursor[run] < run_begin[run + 1]:
            offset = parent_run_begin[run] + run
            here = cursor[run] - run_begin[run]
            while child_begin[offset + parent_cursor[run] + 1] <= here:
                parent_cursor[run] += 1
            above = np.int64(parent_merged[parent_run_begin[run] + parent_cursor[run]])
            keys[run] = (above << 32) | np.int64(run_word[cursor[run]])
            at = size
            size += 1
            while at > 0 and keys[heap[(at - 1) >> 1]] > keys[run]:
                heap[at] = heap[(at - 1) >> 1]
                at = (at - 1) >> 1
            heap[at] = run
    last = np.int64(-1)
    stop = nodes + limit
    while size > 0:
        run = heap[0]
        key = keys[run]
        if key != last:
            if nodes == stop:
                break
            last = key
            word[nodes] = key & 0xFFFFFFFF
            parent[nodes] = key >> 32
            counts[nodes] = 0
            nodes += 1
        counts[nodes - 1] += run_counts[cursor[run]]
        merged[cursor[run]] = nodes - 1
        cursor[run] += 1
        if cursor[run] < run_begin[run + 1]:
            offset = parent_run_begin[run] + run
            here = cursor[run] - run_begin[run]
            while child_begin[offset + parent_cursor[run] + 1] <= here:
                parent_cursor[run] += 1
            above = np.int64(parent_merged[parent_run_begin[run] + parent_cursor[run]])
            keys[run] = (above << 32) | np.int64(run_word[cursor[run]])
        else:
            size -= 1
            run = heap[size]
        at = 0  # sift down
        while True:
            child = 2 * at + 1
            if child >= size:
                break
            if child + 1 < size and keys[heap[child + 1]] < keys[heap[child]]:
                child += 1
            if keys[heap[child]] >= keys[run]:
                break
            heap[at] = heap[child]
            at = child
        if size > 0:
            heap[at] = run
    return nodes


@kernel
def fill_child_begin(
    first: int, last: int, parent: NDArray[np.int32], child_begin: NDArray[np.int32], filled: int
) -> int:
    """Compute where the children of each parent begin, from the sorted parents of the nodes ``first`` … ``last``.

    The first ``filled`` parents already have their entry. Returns how many have it now.
    """
    for node in range(first, last):
        while filled <= parent[node]:
            child_begin[filled] = node
            filled += 1
    return filled


@kernel
def link_suffixes(
    first: int,
    last: int,
    child_begin: NDArray[np.int32],
    word: NDArray[np.int32],
    parent_suffix: NDArray[np.int32],
    below_child_begin: NDArray[np.int32],
    below_word: NDArray[np.int32],
    suffix: NDArray[np.int32],
) -> None:
    """Suffix links of the children of parents ``first`` … ``last``: the same word under the parent's suffix.

    below_child_begin and below_word are one order lower than child_begin and word. Every suffix of an n-gram of a text
    is in the text, so each word is found. Both lists are sorted, so each search begins where the previous one ended.
    """
    for parent in range(first, last):
        begin = child_begin[parent]
        end = child_begin[parent + 1]
        if begin == end:
            continue
        low = np.int64(below_child_begin[parent_suffix[parent]])
        top = np.int64(below_child_begin[parent_suffix[parent] + 1])
        for node in range(begin, end):
            wanted = word[node]
            step = np.int64(1)
            while low + step < top and below_word[low + step] <= wanted:
                low += step
                step <<= 1
            left = min(step, top - low)
            while left > 1:
                half = left >> 1
                if below_word[low + half] <= wanted:
                    low += half
                left -= half
            suffix[node] = low

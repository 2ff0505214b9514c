"""Counting n-grams and Kneser–Ney: linear passes over integer arrays.

Nodes are numbered here within their order, from 0. A text is one array: ``<s> words </s>`` a sentence.
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
    """Positions sorted by word, then by position (a counting sort), without those of ``<s>``."""
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
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """From the n-grams of ``length`` words to those of ``length`` + 1.

    ids: int32[text], the node of the n-gram that begins at each position, −1 where the sentence is too short.
    counts: int32[nodes], how often each occurs.
    next_ids: int32[text], filled with the longer n-grams' nodes.

    One pass of a radix sort a word: positions taken in the order of the last word (``by_word``) and dropped
    into the bucket of their parent lie sorted by (parent, word), which is the numbering of the nodes.
    Returns word, suffix and count of every new node and child_begin int64[parents + 1].
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
    child_begin = np.empty(parent_count + 1, dtype=np.int64)
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
def left_extensions(suffix: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """N1+(• w): how many longer n-grams end in each of ``size`` shorter ones."""
    distinct = np.zeros(size, dtype=np.int32)
    for node in suffix:
        distinct[node] += 1
    return distinct


@kernel
def count_of_counts(counts: NDArray[np.int32]) -> NDArray[np.int64]:
    """int64[5]: entry r is how many n-grams have count r (entry 0 is unused)."""
    totals = np.zeros(5, dtype=np.int64)
    for count in counts:
        if 0 < count < 5:
            totals[count] += 1
    return totals


@kernel
def interpolate(
    child_begin: NDArray[np.int64],
    suffix: NDArray[np.int32],
    counts: NDArray[np.int32],
    kept: NDArray[np.bool_],
    discounts: NDArray[np.float64],
    lower: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Interpolated probabilities of one order, and the weight its contexts leave to the order below.

    Chen and Goodman (1999), equations 25 and 26: p(w | h) = (c − D(c)) / Σc + γ(h) p(w | h'), where γ(h) is
    the discounted mass plus the mass of pruned n-grams, over Σc.

    counts: int32[nodes], adjusted; discounts: float64[4], D(0) … D(3+); lower: float64, probabilities of the
    order below by node. Returns probability float64[nodes] and gamma float64[contexts], 1 where childless.
    """
    probability = np.zeros(len(suffix), dtype=np.float64)
    gamma = np.ones(len(child_begin) - 1, dtype=np.float64)
    for context in range(len(child_begin) - 1):
        begin = child_begin[context]
        end = child_begin[context + 1]
        if begin == end:
            continue
        total = 0.0
        left_over = 0.0
        for node in range(begin, end):
            total += counts[node]
            left_over += discounts[min(counts[node], 3)] if kept[node] else counts[node]
        weight = left_over / total
        gamma[context] = weight
        for node in range(begin, end):
            discounted = counts[node] - discounts[min(counts[node], 3)]
            probability[node] = discounted / total + weight * lower[suffix[node]]
    return probability, gamma

"""Bit streams of a packed model: writing, checking, and reading back as a trie."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast._numeric import (
    context_backoff,
    context_of,
    node_log_prob,
    read_bits,
)
from paraphrast.lm._kernels_trie import link_suffixes
from paraphrast.types import NgramArrays, PackedNgrams
from paraphrast.types.ngrams import (
    BACKOFF_BITS,
    CHILD_BITS,
    CONTEXTS,
    LOG_PROB_BITS,
    ORDER,
    ORDER_START,
    RECORDS,
    SUFFIX_BITS,
    WORD_BITS,
)


@inline_kernel
def _put_bits(stream: NDArray[np.uint8], at: int, width: int, value: int) -> None:
    """Write the lowest ``width`` bits of a value, at most 32, at a bit position of a stream that has zeros there."""
    rest = (np.uint64(value) & ((np.uint64(1) << np.uint64(width)) - np.uint64(1))) << np.uint64(at & 7)
    place = at >> 3
    while rest != np.uint64(0):
        stream[place] |= np.uint8(rest & np.uint64(255))
        rest >>= np.uint64(8)
        place += 1


@kernel
def number_contexts(
    arrays: NgramArrays,
    first: int,
    last: int,
    count: int,
    numbers: NDArray[np.int32],
    bits: NDArray[np.uint64],
) -> int:
    """Number the contexts among the nodes from ``count`` on, −1 for other nodes, and mark them in ``bits``.

    A context has children or a back-off weight other than 1. Returns how many there are so far.
    """
    for node in range(first, last):
        if node & 31 == 0:
            bits[node >> 5] = np.uint64(count) << np.uint64(32)
        has_children = arrays.child_begin[node] != arrays.child_begin[node + 1]
        numbers[node] = -1
        if has_children or arrays.backoff[node] != 0:
            numbers[node] = count
            bits[node >> 5] |= np.uint64(1) << np.uint64(node & 31)
            count += 1
    return count


@kernel
def put_records(
    word: NDArray[np.int32],
    codes: NDArray[np.uint32],
    place: int,
    layout: NDArray[np.int64],
    stream: NDArray[np.uint8],
) -> None:
    """Write the records of some nodes, the first of which is ``place``, into the stream."""
    at = place * (layout[WORD_BITS] + layout[LOG_PROB_BITS])
    for index in range(len(word)):
        _put_bits(stream, at, layout[WORD_BITS], word[index])
        _put_bits(stream, at + layout[WORD_BITS], layout[LOG_PROB_BITS], codes[index])
        at += layout[WORD_BITS] + layout[LOG_PROB_BITS]


@kernel
def put_contexts(
    arrays: NgramArrays,
    first: int,
    codes: NDArray[np.uint32],
    numbers: NDArray[np.int32],
    layout: NDArray[np.int64],
    stream: NDArray[np.uint8],
) -> None:
    """Write the contexts among the nodes from ``first`` on. ``codes``: codes of their back-off weights."""
    size = layout[CHILD_BITS] + layout[SUFFIX_BITS] + layout[BACKOFF_BITS]
    for index in range(len(codes)):
        node = first + index
        if numbers[node] < 0:
            continue
        suffix: Any = np.int64(arrays.suffix[node])
        while suffix >= 0 and numbers[suffix] < 0:
            suffix = np.int64(arrays.suffix[suffix])
        at = np.int64(numbers[node]) * size
        _put_bits(stream, at, layout[CHILD_BITS], arrays.child_begin[node])
        at += layout[CHILD_BITS]
        if suffix >= 0:
            _put_bits(stream, at, layout[SUFFIX_BITS], int(numbers[suffix]) + 1)
        _put_bits(stream, at + layout[SUFFIX_BITS], layout[BACKOFF_BITS], codes[index])


@kernel
def put_end(place: int, value: int, layout: NDArray[np.int64], stream: NDArray[np.uint8]) -> None:
    """Write the end mark after ``place`` contexts: where the children of the last one end."""
    _put_bits(
        stream,
        place * (layout[CHILD_BITS] + layout[SUFFIX_BITS] + layout[BACKOFF_BITS]),
        layout[CHILD_BITS],
        value,
    )


@kernel
def read_nodes(ngrams: PackedNgrams, arrays: NgramArrays) -> None:
    """Fill a trie with words, children and values. Suffixes of unigrams exist already; the others are set here."""
    layout = ngrams.layout
    size = layout[ORDER_START + 1]
    nodes = layout[ORDER_START + layout[ORDER]]
    parents = layout[ORDER_START + layout[ORDER] - 1]
    record = layout[WORD_BITS] + layout[LOG_PROB_BITS]
    for node in range(nodes):
        arrays.word[node] = node
        if node >= size:
            at = 8 * layout[RECORDS] + (node - size) * record
            arrays.word[node] = read_bits(ngrams.data, at, layout[WORD_BITS])
        arrays.log_prob[node] = node_log_prob(ngrams, node)
    following = nodes
    arrays.child_begin[nodes] = nodes
    width = layout[CHILD_BITS] + layout[SUFFIX_BITS] + layout[BACKOFF_BITS]
    for node in range(nodes - 1, -1, -1):
        context = context_of(ngrams, node)
        if context >= 0:
            following = read_bits(ngrams.data, 8 * layout[CONTEXTS] + context * width, layout[CHILD_BITS])
            arrays.backoff[node] = context_backoff(ngrams, context)
        elif node < parents:
            following = min(following, arrays.child_begin[node + 1])
        arrays.child_begin[node] = following
    link_suffixes(arrays)

"""The trie of a language model as bit streams: a few bytes per n-gram, used for lookups without unpacking.

A node has its word and the code of its probability. Only a context, an n-gram with children or a back-off weight, has
more: where its children begin, its suffix, and the code of its weight. No node needs a link to its parent, and only
contexts need a link to their suffix: if a lookup ends in a node that is not a context, the same word is looked up in
the suffix of the previous context. Numbers take as many bits as the largest needs.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._numeric import RAW_BITS, known_words
from paraphrast.errors import InputError
from paraphrast.lm import _kernels_pack as _kernels
from paraphrast.lm.counting import blocks
from paraphrast.lm.layout import PADDING, aligned, stream_bytes
from paraphrast.lm.quantise import encode, fit_codebook
from paraphrast.lm.space import Space
from paraphrast.types import NgramArrays, PackedNgrams
from paraphrast.types.ngrams import (
    BACKOFF_BITS,
    CHILD_BITS,
    CONTEXT_START,
    LAYOUT_LENGTH,
    LOG_PROB_BITS,
    ORDER,
    ORDER_START,
    RECORDS,
    SUFFIX_BITS,
    WORD_BITS,
)

#: Number of bits of the codes of quantised values.
LEAST_BITS, MOST_BITS = 2, 16
_NO_BOOK: NDArray[np.float32] = np.zeros(0, dtype=np.float32)


def check_bits(bits: int) -> None:
    """Raise an error for an invalid number of bits per code."""
    if not LEAST_BITS <= bits <= MOST_BITS:
        raise InputError(
            f"expected {LEAST_BITS} to {MOST_BITS} bits per quantised value, got {bits}", remedy="8"
        )


def pack(arrays: NgramArrays, bits: int | None = None, space: Space | None = None) -> PackedNgrams:
    """Pack a model. Lookups return the same numbers.

    bits: quantise probabilities (from order 2 on) and back-off weights to 2^bits values per order, 2 to 16. By default
    every value is exact.
    space: where the packed model is, by default in memory. In a file, only the pages in use are in memory.
    """
    if bits is not None:
        check_bits(bits)
    space = space or Space()
    order, size = arrays.order, int(arrays.order_start[1])
    parents = int(arrays.order_start[-2]) if order > 1 else 0
    numbers = space.zeros(parents, np.int32)
    is_context = space.zeros((parents + 31) // 32, np.uint64)
    context_start = _number_contexts(arrays, numbers, is_context, space)
    total, count = int(arrays.order_start[-1]), int(context_start[-1])
    layout = np.zeros(LAYOUT_LENGTH, dtype=np.int64)
    layout[ORDER] = order
    layout[[WORD_BITS, CHILD_BITS, SUFFIX_BITS]] = (
        (size - 1).bit_length(), total.bit_length(), count.bit_length()
    )  # fmt: skip
    layout[[LOG_PROB_BITS, BACKOFF_BITS]] = bits or RAW_BITS
    layout[ORDER_START : ORDER_START + order + 1] = arrays.order_start
    layout[CONTEXT_START : CONTEXT_START + order] = context_start
    books = _log_prob_books(arrays, bits), _backoff_books(arrays, bits, numbers)
    listed = known_words(arrays)
    listed[0] = True
    record_bits = int(layout[WORD_BITS] + layout[LOG_PROB_BITS])
    context_bits = int(layout[CHILD_BITS] + layout[SUFFIX_BITS] + layout[BACKOFF_BITS])
    lengths = [stream_bytes((total - size) * record_bits), stream_bytes((count + 1) * context_bits)]
    copied: list[NDArray[Any]] = [
        is_context,
        arrays.log_prob[:size],
        *(np.concatenate([_NO_BOOK, *side]) for side in books),
        np.packbits(listed, bitorder="little"),
    ]
    begins = np.cumsum([0, *(aligned(length) for length in [*lengths, *(one.nbytes for one in copied)])])
    layout[RECORDS : RECORDS + len(begins)] = begins
    data = space.zeros(int(begins[-1]) + PADDING, np.uint8)
    records, contexts = (
        data[begin : begin + length] for begin, length in zip(begins.tolist(), lengths, strict=False)
    )
    _put_records(arrays, books[0], layout, records, space)
    _put_contexts(arrays, books[1], numbers, layout, contexts, space)
    _kernels.put_end(count, total, layout, contexts)
    for begin, section in zip(begins[len(lengths) :].tolist(), copied, strict=False):
        data[begin : begin + section.nbytes] = section.view(np.uint8)
    space.release()
    packed = PackedNgrams(data, layout)
    for array in packed:
        array.flags.writeable = False
    return packed


def unpack(ngrams: PackedNgrams) -> NgramArrays:
    """The trie of a packed model with its stored values, for writing ARPA, pruning, or packing again."""
    total, size = ngrams.nodes, int(ngrams.order_start[1])
    suffix = np.full(total, -1, dtype=np.int32)
    suffix[:size][np.unpackbits(ngrams.listed, count=size, bitorder="little") == 0] = -2
    arrays = NgramArrays(
        word=np.zeros(total, dtype=np.int32),
        child_begin=np.zeros(total + 1, dtype=np.int64),
        suffix=suffix,
        log_prob=np.zeros(total, dtype=np.float32),
        backoff=np.zeros(total, dtype=np.float32),
        order_start=ngrams.order_start.copy(),
    )
    _kernels.read_nodes(ngrams, arrays)
    for array in arrays:
        array.flags.writeable = False
    return arrays


def _number_contexts(
    arrays: NgramArrays, numbers: NDArray[np.int32], is_context: NDArray[np.uint64], space: Space
) -> NDArray[np.int64]:
    """Number the contexts and mark them. Returns int64[order], the first context of each order below the highest."""
    start = np.zeros(arrays.order, dtype=np.int64)
    for level in range(arrays.order - 1):
        begin, end = int(arrays.order_start[level]), int(arrays.order_start[level + 1])
        count = int(start[level])
        for first, last in blocks(end - begin):
            count = _kernels.number_contexts(arrays, begin + first, begin + last, count, numbers, is_context)
            space.release()
        start[level + 1] = count
    return start


def _log_prob_books(arrays: NgramArrays, bits: int | None) -> list[NDArray[np.float32]]:
    """The codebooks of the orders from 2 on; none if values are exact."""
    if bits is None:
        return []
    ends = arrays.order_start.tolist()
    return [fit_codebook(arrays.log_prob[start:end], bits) for start, end in pairwise(ends[1:])]


def _backoff_books(
    arrays: NgramArrays, bits: int | None, numbers: NDArray[np.int32]
) -> list[NDArray[np.float32]]:
    """The codebooks of the orders below the highest; none if values are exact."""
    if bits is None:
        return []
    ends = arrays.order_start.tolist()[:-1]
    return [
        fit_codebook(arrays.backoff[start:end][numbers[start:end] >= 0], bits)
        for start, end in pairwise(ends)
    ]


def _put_records(
    arrays: NgramArrays,
    books: list[NDArray[np.float32]],
    layout: NDArray[np.int64],
    stream: NDArray[np.uint8],
    space: Space,
) -> None:
    """Write all records."""
    size = int(arrays.order_start[1])
    for level in range(1, arrays.order):
        start, end = int(arrays.order_start[level]), int(arrays.order_start[level + 1])
        book = books[level - 1] if books else _NO_BOOK
        for first, last in blocks(end - start):
            nodes = slice(start + first, start + last)
            codes = _codes(arrays.log_prob[nodes], book)
            _kernels.put_records(arrays.word[nodes], codes, nodes.start - size, layout, stream)
            space.release()


def _put_contexts(
    arrays: NgramArrays,
    books: list[NDArray[np.float32]],
    numbers: NDArray[np.int32],
    layout: NDArray[np.int64],
    stream: NDArray[np.uint8],
    space: Space,
) -> None:
    """Write all contexts."""
    for level in range(arrays.order - 1):
        start, end = int(arrays.order_start[level]), int(arrays.order_start[level + 1])
        book = books[level] if books else _NO_BOOK
        for first, last in blocks(end - start):
            codes = _codes(arrays.backoff[start + first : start + last], book)
            _kernels.put_contexts(arrays, start + first, codes, numbers, layout, stream)
            space.release()


def _codes(values: NDArray[np.float32], book: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Codes from the codebook, or the bits of the values if there is none."""
    if len(book):
        return encode(values, book)
    bits: NDArray[np.uint32] = np.ascontiguousarray(values).view(np.uint32)
    return bits

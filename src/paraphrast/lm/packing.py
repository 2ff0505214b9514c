"""The trie of a language model as bit streams: a few bytes per n-gram, used for lookups without unpacking.

A node has its word and the code of its probability. Only a context, an n-gram with children or a back-off weight, has
more: where its children begin, its suffix, and the code of its weight. No node needs a link to its parent, and only
contexts need a link to their suffix: if a lookup ends in a node that is not a context, the same word is looked up in
the suffix of the previous context. Numbers take as many bits as the largest needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._numeric import RAW_BITS, known_words
from paraphrast.errors import InputError
from paraphrast.lm import _kernels_pack as _kernels
from paraphrast.lm.counting import blocks
from paraphrast.lm.layout import PADDING, aligned, stream_bytes
from paraphrast.lm.quantise import encode, fit_codebook
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


def check_bits(bits: int) -> None:
    """Raise an error for an invalid number of bits per code."""
    if not LEAST_BITS <= bits <= MOST_BITS:
        raise InputError(
            f"expected {LEAST_BITS} to {MOST_BITS} bits per quantised value, got {bits}", remedy="8"
        )


def pack(arrays: NgramArrays, bits: int | None = None) -> PackedNgrams:
    """Pack a model. Lookups return the same numbers.

    bits: quantise probabilities (from order 2 on) and back-off weights to 2^bits values per order, 2 to 16. By default
    every value is exact.
    """
    if bits is not None:
        check_bits(bits)
    order, size = arrays.order, int(arrays.order_start[1])
    parents = int(arrays.order_start[-2]) if order > 1 else 0
    numbers = np.zeros(parents, dtype=np.int32)
    is_context = np.zeros((parents + 31) // 32, dtype=np.uint64)
    context_start = np.zeros(order, dtype=np.int64)
    for level in range(order - 1):
        first, last = int(arrays.order_start[level]), int(arrays.order_start[level + 1])
        context_start[level + 1] = _kernels.number_contexts(
            arrays, first, last, int(context_start[level]), numbers, is_context
        )
    total, count = int(arrays.order_start[-1]), int(context_start[-1])
    code_bits = bits or RAW_BITS
    layout = np.zeros(LAYOUT_LENGTH, dtype=np.int64)
    layout[ORDER] = order
    layout[[WORD_BITS, CHILD_BITS, SUFFIX_BITS]] = (
        (size - 1).bit_length(), total.bit_length(), count.bit_length()
    )  # fmt: skip
    layout[[LOG_PROB_BITS, BACKOFF_BITS]] = code_bits
    layout[ORDER_START : ORDER_START + order + 1] = arrays.order_start
    layout[CONTEXT_START : CONTEXT_START + order] = context_start
    records = _zeros((total - size) * int(layout[WORD_BITS] + layout[LOG_PROB_BITS]))
    contexts = _zeros((count + 1) * int(layout[CHILD_BITS] + layout[SUFFIX_BITS] + layout[BACKOFF_BITS]))
    log_prob_codes = _put_records(arrays, bits, layout, records)
    backoff_codes = _put_contexts(arrays, bits, numbers, layout, contexts)
    _kernels.put_end(count, total, layout, contexts)
    listed = known_words(arrays)
    listed[0] = True
    unigram = arrays.log_prob[:size].copy()
    packed = _joined(
        [
            records,
            contexts,
            is_context,
            unigram,
            log_prob_codes,
            backoff_codes,
            np.packbits(listed, bitorder="little"),
        ],
        layout,
    )
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


def _zeros(bits: int) -> NDArray[np.uint8]:
    return np.zeros(stream_bytes(bits), dtype=np.uint8)


def _joined(sections: list[NDArray[Any]], layout: NDArray[np.int64]) -> PackedNgrams:
    """All sections in one array, each at a multiple of eight bytes, and the layout with their positions."""
    ends = np.cumsum([aligned(section.nbytes) for section in sections])
    layout[RECORDS + 1 : RECORDS + 1 + len(sections)] = ends
    data = np.zeros(int(ends[-1]) + PADDING, dtype=np.uint8)
    for end, section in zip(ends, sections, strict=True):
        begin = int(end) - aligned(section.nbytes)
        data[begin : begin + section.nbytes] = section.view(np.uint8)
    return PackedNgrams(data, layout)


def _put_records(
    arrays: NgramArrays, bits: int | None, layout: NDArray[np.int64], stream: NDArray[np.uint8]
) -> NDArray[np.float32]:
    """Write all records, with the codebooks of the orders from 2 on in sequence."""
    size = int(arrays.order_start[1])
    books = [np.zeros(0, dtype=np.float32)]
    for level in range(1, arrays.order):
        start, end = int(arrays.order_start[level]), int(arrays.order_start[level + 1])
        if bits is not None:
            books.append(fit_codebook(arrays.log_prob[start:end], bits))
        for first, last in blocks(end - start):
            nodes = slice(start + first, start + last)
            codes = _codes(arrays.log_prob[nodes], books[-1])
            _kernels.put_records(arrays.word[nodes], codes, nodes.start - size, layout, stream)
    return np.concatenate(books)


def _put_contexts(
    arrays: NgramArrays,
    bits: int | None,
    numbers: NDArray[np.int32],
    layout: NDArray[np.int64],
    stream: NDArray[np.uint8],
) -> NDArray[np.float32]:
    """Write all contexts, with the codebooks of the orders below the highest in sequence."""
    books = [np.zeros(0, dtype=np.float32)]
    for level in range(arrays.order - 1):
        start, end = int(arrays.order_start[level]), int(arrays.order_start[level + 1])
        if bits is not None:
            books.append(fit_codebook(arrays.backoff[start:end][numbers[start:end] >= 0], bits))
        for first, last in blocks(end - start):
            codes = _codes(arrays.backoff[start + first : start + last], books[-1])
            _kernels.put_contexts(arrays, start + first, codes, numbers, layout, stream)
    return np.concatenate(books)


def _codes(values: NDArray[np.float32], book: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Codes from the codebook, or the bits of the values if there is none."""
    if len(book):
        return encode(values, book)
    bits: NDArray[np.uint32] = np.ascontiguousarray(values).view(np.uint32)
    return bits

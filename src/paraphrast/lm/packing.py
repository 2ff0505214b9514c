"""The trie of a language model as bit streams: a few bytes per n-gram, looked up as they are.

A node costs its word and the code of its probability. Only a context, an n-gram with children or a back-off
weight, has more: where its children begin, its suffix, and the code of its weight. No node needs a link to its
parent, and only contexts one to their suffix: a look-up that ends in a node which is no context looks the same
word up in the suffix of the context it came from. Numbers take as many bits as the largest needs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._numeric import BACKOFF, CHILD, LOG_PROB, RAW_BITS, SUFFIX, WORD, known_words
from paraphrast.errors import InputError
from paraphrast.lm import _kernels_pack as _kernels
from paraphrast.lm.counting import blocks
from paraphrast.lm.quantise import encode, fit_codebook
from paraphrast.lm.store import stream_bytes
from paraphrast.types import NgramArrays, PackedNgrams

#: Bits of the codes of quantised values.
LEAST_BITS, MOST_BITS = 2, 16


def check_bits(bits: int) -> None:
    """Refuse a number of bits that codes cannot have."""
    if not LEAST_BITS <= bits <= MOST_BITS:
        raise InputError(
            f"expected {LEAST_BITS} to {MOST_BITS} bits per quantised value, got {bits}", remedy="8"
        )


def pack(arrays: NgramArrays, bits: int | None = None) -> PackedNgrams:
    """Pack a model; look-ups give the same numbers.

    bits: quantise probabilities (from order 2 on) and back-off weights to 2^bits values per order, 2 to 16. By
    default every value is kept exactly.
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
    widths = np.array(
        [(size - 1).bit_length(), code_bits, total.bit_length(), count.bit_length(), code_bits],
        dtype=np.int64,
    )
    records = _zeros((total - size) * int(widths[WORD] + widths[LOG_PROB]))
    contexts = _zeros((count + 1) * int(widths[CHILD] + widths[SUFFIX] + widths[BACKOFF]))
    log_prob_codes = _put_records(arrays, bits, widths, records)
    backoff_codes = _put_contexts(arrays, bits, numbers, widths, contexts)
    _kernels.put_end(count, total, widths, contexts)
    listed = known_words(arrays)
    listed[0] = True
    packed = PackedNgrams(
        records=records,
        contexts=contexts,
        is_context=is_context,
        unigram=arrays.log_prob[:size].copy(),
        log_prob_codes=log_prob_codes,
        backoff_codes=backoff_codes,
        listed=np.packbits(listed, bitorder="little"),
        order_start=arrays.order_start.copy(),
        context_start=context_start,
        widths=widths,
    )
    for array in packed:
        array.flags.writeable = False
    return packed


def unpack(ngrams: PackedNgrams) -> NgramArrays:
    """The trie of a packed model, with the values that it has: for writing ARPA, pruning, or packing again."""
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


def _put_records(
    arrays: NgramArrays, bits: int | None, widths: NDArray[np.int64], stream: NDArray[np.uint8]
) -> NDArray[np.float32]:
    """Write all records; the codebooks of the orders from 2 on, one after another."""
    size = int(arrays.order_start[1])
    books = [np.zeros(0, dtype=np.float32)]
    for level in range(1, arrays.order):
        start, end = int(arrays.order_start[level]), int(arrays.order_start[level + 1])
        if bits is not None:
            books.append(fit_codebook(arrays.log_prob[start:end], bits))
        for first, last in blocks(end - start):
            here = slice(start + first, start + last)
            codes = _codes(arrays.log_prob[here], books[-1])
            _kernels.put_records(arrays.word[here], codes, here.start - size, widths, stream)
    return np.concatenate(books)


def _put_contexts(
    arrays: NgramArrays,
    bits: int | None,
    numbers: NDArray[np.int32],
    widths: NDArray[np.int64],
    stream: NDArray[np.uint8],
) -> NDArray[np.float32]:
    """Write all contexts; the codebooks of the orders below the highest, one after another."""
    books = [np.zeros(0, dtype=np.float32)]
    for level in range(arrays.order - 1):
        start, end = int(arrays.order_start[level]), int(arrays.order_start[level + 1])
        if bits is not None:
            books.append(fit_codebook(arrays.backoff[start:end][numbers[start:end] >= 0], bits))
        for first, last in blocks(end - start):
            codes = _codes(arrays.backoff[start + first : start + last], books[-1])
            _kernels.put_contexts(arrays, start + first, codes, numbers, widths, stream)
    return np.concatenate(books)


def _codes(values: NDArray[np.float32], book: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Codes by the book, or the values' own bits where there is none."""
    if len(book):
        return encode(values, book)
    own: NDArray[np.uint32] = np.ascontiguousarray(values).view(np.uint32)
    return own

"""The lattice of one item: for each token, the edge that keeps it and the options that begin there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, inner_kernel
from paraphrast.decode._kernels_edges import MAX_SPAN
from paraphrast.decode._kernels_scratch import grown_hashes, grown_rows, grown_scores, grown_words, wide
from paraphrast.decode.arrays import OptionArrays
from paraphrast.decode.scoring import EdgeRows, Limits, Scoring

# Columns of the edge array. E_NUMBER is the number of an edit within its item, −1 for an edge that keeps a token.
# E_LEFT and E_RIGHT are the item's edge rows that an edge is made of, −1 for kept words; only a swap has the second
# one, and E_SPLIT, the token between its two phrases (otherwise −1). The words of an edge are E_LENGTH words of the
# word array, from E_WORDS on. E_BITS: the required sequences it inserts, and above them the tables with a minimum.
E_START, E_END, E_NUMBER, E_LEFT, E_RIGHT, E_SPLIT = 0, 1, 2, 3, 4, 5
E_BITS, E_WORDS, E_LENGTH, E_COLUMNS = 6, 7, 8, 9
_FIRST_EDGES = 4096
_HASH_FACTOR = np.uint64(0xD1342543DE82EF95)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


class ItemLattice(NamedTuple):
    """The edges of one item by start; the edge that keeps the token is the first of its start.

    begin: int64[tokens + 1]; the edges that start at token i are ``begin[i] … begin[i + 1]``.
    edges: int32[·, 9]. words: int32[·], the output words of the edges.
    score: float64[·], without the language model and minima.
    hash:  uint64[·, 2], factor and addend that an edge applies to the hash of the output.
    """

    begin: NDArray[np.int64]
    edges: NDArray[np.int32]
    score: NDArray[np.float64]
    hash: NDArray[np.uint64]
    words: NDArray[np.int32]


@inner_kernel
def empty_lattice(edges: int) -> ItemLattice:
    """A lattice without tokens, with room for ``edges``."""
    return ItemLattice(
        np.zeros(1, dtype=np.int64),
        np.empty((edges, E_COLUMNS), dtype=np.int32),
        np.empty(edges, dtype=np.float64),
        np.empty((edges, 2), dtype=np.uint64),
        np.empty(edges, dtype=np.int32),
    )


@inner_kernel
def first_lattice() -> ItemLattice:
    """Scratch memory for the first item of a run."""
    return empty_lattice(_FIRST_EDGES)


@inner_kernel
def with_edges(lattice: ItemLattice, count: int, room: int) -> ItemLattice:
    """The lattice, grown if it has no room for ``room`` more edges than ``count``."""
    if count + room <= len(lattice.edges):
        return lattice
    size = 2 * len(lattice.edges) + room
    return ItemLattice(
        lattice.begin,
        grown_rows(lattice.edges, count, size),
        grown_scores(lattice.score, count, size),
        grown_hashes(lattice.hash, count, size),
        lattice.words,
    )


@inner_kernel
def with_words(lattice: ItemLattice, used: int, room: int) -> ItemLattice:
    """The lattice, grown if it has no room for ``room`` more words than ``used``."""
    if used + room <= len(lattice.words):
        return lattice
    words = grown_words(lattice.words, used, 2 * len(lattice.words) + room)
    return ItemLattice(lattice.begin, lattice.edges, lattice.score, lattice.hash, words)


@inner_inline_kernel
def _hash_word(word: int) -> np.uint64:
    """The 64 bits of a word in the hash of an output, Σ_i hash(w_i) · factor^(length − i)."""
    mixed = (np.uint64(word) + np.uint64(1)) * _MIX
    return mixed ^ (mixed >> _SHIFT)


@inner_inline_kernel
def hash_edge(lattice: ItemLattice, edge: int) -> None:
    """Enter the factor and the addend that the words of an edge apply to the hash of the output."""
    factor, addend = np.uint64(1), np.uint64(0)
    first = wide(lattice.edges[edge, E_WORDS])
    for at in range(first, first + wide(lattice.edges[edge, E_LENGTH])):
        factor *= _HASH_FACTOR
        addend = addend * _HASH_FACTOR + _hash_word(lattice.words[at])
    lattice.hash[edge, 0] = factor
    lattice.hash[edge, 1] = addend


@inner_inline_kernel
def set_edge(
    lattice: ItemLattice,
    edge: int,
    span: tuple[int, int],
    number: int,
    rows: tuple[int, int],
    split: int,
    bits: int,
    words: tuple[int, int],
    score: float,
) -> None:
    """Enter an edge, whose words (begin, length) are already in the word array."""
    lattice.edges[edge, E_START], lattice.edges[edge, E_END] = span
    lattice.edges[edge, E_NUMBER] = number
    lattice.edges[edge, E_LEFT], lattice.edges[edge, E_RIGHT] = rows
    lattice.edges[edge, E_SPLIT] = split
    lattice.edges[edge, E_BITS] = bits
    lattice.edges[edge, E_WORDS], lattice.edges[edge, E_LENGTH] = words
    lattice.score[edge] = score
    hash_edge(lattice, edge)


@inner_inline_kernel
def _option_bits(options: OptionArrays, option: int, scoring: Scoring, limits: Limits) -> int:
    """The required sequences that an option inserts, and the tables with a minimum that have it."""
    bits = wide(limits.must_bits[option]) if len(limits.must_bits) > 0 else wide(0)
    for index in range(len(scoring.first_table)):
        if (wide(options.tables[option]) >> wide(scoring.first_table[index])) & 1 == 1:
            bits |= wide(1) << wide(limits.must_count + index)
    return bits  # type: ignore[no-any-return]


@inner_kernel
def fill_lattice(
    options: OptionArrays,
    tokens: NDArray[np.int32],
    rows: EdgeRows,
    item: int,
    scoring: Scoring,
    limits: Limits,
    scratch: ItemLattice,
) -> ItemLattice:
    """The lattice of item ``item`` of ``rows``, in the memory of ``scratch``, which may grow."""
    size = len(tokens)
    first_row, last_row = rows.begin[item], rows.begin[item + 1]
    edge_count = size + last_row - first_row
    if edge_count > len(scratch.edges) or size + MAX_SPAN * (last_row - first_row) > len(scratch.words):
        scratch = empty_lattice(MAX_SPAN * edge_count)
    lattice = ItemLattice(
        np.empty(size + 1, dtype=np.int64), scratch.edges, scratch.score, scratch.hash, scratch.words
    )
    count, used, row = 0, 0, first_row
    for start in range(size):
        lattice.begin[start] = count
        lattice.words[used] = tokens[start]
        kept = scoring.identity + scoring.word
        set_edge(lattice, count, (start, start + 1), -1, (-1, -1), -1, 0, (used, 1), kept)
        used += 1
        count += 1
        while row < last_row and rows.start[row] == start:
            option = wide(rows.option[row])
            first = options.word_begin[option]
            length = options.word_begin[option + 1] - first
            for offset in range(length):
                lattice.words[used + offset] = options.target_words[first + offset]
            set_edge(
                lattice,
                count,
                (start, wide(rows.end[row])),
                row - first_row,
                (row - first_row, -1),
                -1,
                _option_bits(options, option, scoring, limits),
                (used, length),
                rows.score[row],
            )
            used += length
            count += 1
            row += 1
    lattice.begin[size] = count
    return lattice

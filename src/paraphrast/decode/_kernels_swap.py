"""Local reordering: edges that put the second of two adjacent phrases before the first.

Quirk et al. (2004, §6) call the monotone search a limitation. Here two adjacent phrases within a window may swap.
Such a pair is one edge of the lattice, so the search is still exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, inner_kernel, kernel
from paraphrast.decode._kernels_edges import MAX_SPAN, find_child
from paraphrast.decode._kernels_lattice import (
    E_BITS,
    E_COLUMNS,
    E_END,
    E_LEFT,
    E_LENGTH,
    E_NUMBER,
    E_WORDS,
    ItemLattice,
    empty_lattice,
    set_edge,
    with_edges,
    with_words,
)
from paraphrast.decode._kernels_scratch import wide
from paraphrast.decode.arrays import OptionArrays
from paraphrast.decode.scoring import Limits, Scoring


@kernel
def swap_odds(
    options: OptionArrays, tokens: NDArray[np.int32], start: int, end: int, default: float
) -> float:
    """log p(swap | phrase) − log p(monotone | phrase) of the phrase that is first in the source."""
    if len(options.swap) == 0:
        return default
    node = 0
    for at in range(start, end):
        node = find_child(options.word, options.child_begin[node], options.child_begin[node + 1], tokens[at])
        if node < 0:
            return default
    odds = options.swap[node]
    return default if np.isnan(odds) else float(odds)


@inner_inline_kernel
def _reach(
    tokens: NDArray[np.int32],
    breaks: NDArray[np.uint8],
    protected: NDArray[np.uint8],
    start: int,
    window: int,
) -> int:
    """The end of the longest span from ``start`` whose words may move."""
    reach = start
    while (
        reach < min(len(tokens), start + window)
        and protected[reach] == 0
        and tokens[reach] > 0
        and (reach == start or breaks[reach] == 0)
    ):
        reach += 1
    return reach


@inner_inline_kernel
def _put_side(
    lattice: ItemLattice,
    tokens: NDArray[np.int32],
    edge: int,
    first: int,
    stop: int,
    target: NDArray[np.int32],
    used: int,
    total: float,
    kept_score: float,
) -> tuple[int, float]:
    """Write the words of one side of a swap from ``used`` on; returns the number of words used and the score so far.

    An edge that keeps its token means that all words of the span are kept.
    """
    if lattice.edges[edge, E_NUMBER] < 0:
        for at in range(first, stop):
            target[used] = tokens[at]
            used += 1
            total += kept_score
        return used, total
    begin = wide(lattice.edges[edge, E_WORDS])
    for at in range(begin, begin + wide(lattice.edges[edge, E_LENGTH])):
        target[used] = lattice.words[at]
        used += 1
    return used, total + lattice.score[edge]


@inner_inline_kernel
def _copy_edges(old: ItemLattice, start: int, new: ItemLattice, count: int) -> int:
    """Copy the edges of one start; returns the number of edges in ``new`` after that."""
    for edge in range(old.begin[start], old.begin[start + 1]):
        for column in range(E_COLUMNS):
            new.edges[count, column] = old.edges[edge, column]
        new.score[count] = old.score[edge]
        new.hash[count, 0] = old.hash[edge, 0]
        new.hash[count, 1] = old.hash[edge, 1]
        count += 1
    return count


@inner_kernel
def add_swaps(
    options: OptionArrays,
    tokens: NDArray[np.int32],
    breaks: NDArray[np.uint8],
    protected: NDArray[np.uint8],
    scoring: Scoring,
    limits: Limits,
    plain: ItemLattice,
) -> ItemLattice:
    """The lattice with swapped pairs of up to ``window`` words, after the plain edges of each start.

    Each side of a pair is an option or kept words; protected and unknown words are on neither side.
    """
    size = len(tokens)
    plain_count = plain.begin[size]
    empty = empty_lattice(2 * plain_count + 64)
    last = plain_count - 1
    used = wide(plain.edges[last, E_WORDS]) + wide(plain.edges[last, E_LENGTH]) if size > 0 else wide(0)
    lattice = ItemLattice(
        np.empty(size + 1, dtype=np.int64), empty.edges, empty.score, empty.hash, plain.words
    )
    kept_score = scoring.identity + scoring.word
    number = plain_count - size  # plain edits have the numbers below
    count = 0
    for start in range(size):
        lattice.begin[start] = count
        lattice = with_edges(lattice, count, plain.begin[start + 1] - plain.begin[start])
        count = _copy_edges(plain, start, lattice, count)
        reach = _reach(tokens, breaks, protected, start, limits.window)
        for middle in range(start + 1, reach):
            odds = scoring.swap * swap_odds(options, tokens, start, middle, scoring.swap_default)
            for end in range(middle + 1, reach + 1):
                for left in range(plain.begin[start], plain.begin[start + 1]):
                    if plain.edges[left, E_NUMBER] >= 0 and plain.edges[left, E_END] != middle:
                        continue
                    for right in range(plain.begin[middle], plain.begin[middle + 1]):
                        if plain.edges[right, E_NUMBER] >= 0 and plain.edges[right, E_END] != end:
                            continue
                        if count == len(lattice.edges):
                            lattice = with_edges(lattice, count, 1)
                        if used + 2 * MAX_SPAN + limits.window > len(lattice.words):
                            lattice = with_words(lattice, used, 2 * MAX_SPAN + limits.window)
                        words, total = lattice.words, odds
                        stop, total = _put_side(
                            plain, tokens, right, middle, end, words, used, total, kept_score
                        )
                        stop, total = _put_side(
                            plain, tokens, left, start, middle, words, stop, total, kept_score
                        )
                        set_edge(
                            lattice,
                            count,
                            (start, end),
                            number,
                            (wide(plain.edges[left, E_LEFT]), wide(plain.edges[right, E_LEFT])),
                            middle,
                            wide(plain.edges[left, E_BITS]) | wide(plain.edges[right, E_BITS]),
                            (used, stop - used),
                            total,
                        )
                        used = stop
                        number += 1
                        count += 1
    lattice.begin[size] = count
    return lattice

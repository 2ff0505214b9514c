"""Local reordering: edges that put the second of two adjacent phrases before the first.

Quirk et al. (2004, §6) name the monotone search as a limit. Here two neighbours within a window may change
places, and since the pair is one edge of the lattice, the search that follows is as exact as it was.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel
from paraphrast.decode._kernels_lattice import (
    E_BITS,
    E_COLUMNS,
    E_END,
    E_LENGTH,
    E_OPTION,
    E_SECOND,
    E_SPLIT,
    E_START,
    E_WORDS,
    find_edge,
    hash_words,
)
from paraphrast.decode._kernels_scratch import grown_hashes, grown_rows, grown_scores, grown_words, wide
from paraphrast.decode.arrays import OptionArrays
from paraphrast.decode.scoring import Limits, Scoring


@kernel
def swap_odds(
    options: OptionArrays, tokens: NDArray[np.int32], start: int, end: int, default: float
) -> float:
    """log p(swap | phrase) − log p(monotone | phrase) of the phrase that stands first in the source."""
    if len(options.swap) == 0:
        return default
    node = 0
    for at in range(start, end):
        node = find_edge(options.word, options.child_begin[node], options.child_begin[node + 1], tokens[at])
        if node < 0:
            return default
    odds = options.swap[node]
    return default if np.isnan(odds) else float(odds)


@kernel
def add_swaps(
    options: OptionArrays,
    tokens: NDArray[np.int32],
    breaks: NDArray[np.uint8],
    protected: NDArray[np.uint8],
    scoring: Scoring,
    limits: Limits,
    edge_begin: NDArray[np.int64],
    edges: NDArray[np.int32],
    edge_score: NDArray[np.float64],
    edge_hash: NDArray[np.uint64],
    words: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.uint64], NDArray[np.int32]]:
    """The lattice with, after the edges of each start, those of swapped pairs up to ``window`` words long.

    A side of a pair is an option or words that are kept; a protected or unknown word is on neither.
    """
    size = len(tokens)
    old_count = edge_begin[size]
    begin = np.empty(size + 1, dtype=np.int64)
    made = np.empty((2 * old_count + 64, E_COLUMNS), dtype=np.int32)
    score = np.empty(len(made), dtype=np.float64)
    used = 0
    for edge in range(old_count):
        used = max(used, wide(edges[edge, E_WORDS]) + wide(edges[edge, E_LENGTH]))
    hashes = np.empty((len(made), 2), dtype=np.uint64)
    count = 0
    for start in range(size):
        begin[start] = count
        fan = edge_begin[start + 1] - edge_begin[start]
        if count + fan > len(made):
            made = grown_rows(made, count, 2 * len(made) + fan)
            score = grown_scores(score, count, len(made))
            hashes = grown_hashes(hashes, count, len(made))
        for edge in range(edge_begin[start], edge_begin[start + 1]):
            for column in range(E_COLUMNS):
                made[count, column] = edges[edge, column]
            score[count] = edge_score[edge]
            hashes[count, 0] = edge_hash[edge, 0]
            hashes[count, 1] = edge_hash[edge, 1]
            count += 1
        reach = start
        while (
            reach < min(size, start + limits.window)
            and protected[reach] == 0
            and tokens[reach] > 0
            and (reach == start or breaks[reach] == 0)
        ):
            reach += 1
        for middle in range(start + 1, reach):
            odds = scoring.swap * swap_odds(options, tokens, start, middle, scoring.swap_default)
            for end in range(middle + 1, reach + 1):
                # The identity edge of a start stands for all the words of its side that are kept.
                for left in range(edge_begin[start], edge_begin[start + 1]):
                    left_kept = edges[left, E_OPTION] < 0
                    if not left_kept and edges[left, E_END] != middle:
                        continue
                    for right in range(edge_begin[middle], edge_begin[middle + 1]):
                        right_kept = edges[right, E_OPTION] < 0
                        if not right_kept and edges[right, E_END] != end:
                            continue
                        if count == len(made):
                            made = grown_rows(made, count, 2 * count)
                            score = grown_scores(score, count, 2 * count)
                            hashes = grown_hashes(hashes, count, 2 * count)
                        if used + 32 + limits.window > len(words):
                            words = grown_words(words, used, 2 * len(words) + 32 + limits.window)
                        length = 0
                        total = odds
                        for side in range(2):
                            part, kept = (right, right_kept) if side == 0 else (left, left_kept)
                            first, stop = (middle, end) if side == 0 else (start, middle)
                            if kept:
                                for at in range(first, stop):
                                    words[used + length] = tokens[at]
                                    length += 1
                                    total += scoring.identity + scoring.word
                            else:
                                for at in range(edges[part, E_LENGTH]):
                                    words[used + length] = words[edges[part, E_WORDS] + at]
                                    length += 1
                                total += edge_score[part]
                        made[count, E_START] = start
                        made[count, E_END] = end
                        made[count, E_OPTION] = edges[left, E_OPTION]
                        made[count, E_SECOND] = edges[right, E_OPTION]
                        made[count, E_SPLIT] = middle
                        made[count, E_BITS] = edges[left, E_BITS] | edges[right, E_BITS]
                        made[count, E_WORDS] = used
                        made[count, E_LENGTH] = length
                        score[count] = total
                        hash_words(words, used, length, hashes, count)
                        used += length
                        count += 1
    begin[size] = count
    return begin, made, score, hashes, words

"""What lies ahead: an estimate of each edge apart from its context, and of the minima still to be shed.

Search is monotone: all hypotheses of a position have the same words left to cover, so the plain rest cost is
the same for all and cannot rank them. Two things do differ. A hypothesis that has not used a table yet may still
shed its minimum (Zhao et al. 2008, footnote 2): :func:`fill_future` bounds what that is worth from each
position on. And cube pruning wants to know which edge to try first: :func:`estimate_edges`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel
from paraphrast._numeric import advance, start_state
from paraphrast.decode._kernels_lattice import E_BITS, E_END, E_LENGTH, E_WORDS
from paraphrast.decode._kernels_scratch import wide
from paraphrast.decode.scoring import Limits, Scoring
from paraphrast.types import PackedNgrams

_SENTENCE_END = 2


@kernel
def estimate_edges(
    ngrams: PackedNgrams,
    tokens: NDArray[np.int32],
    breaks: NDArray[np.uint8],
    edge_begin: NDArray[np.int64],
    edges: NDArray[np.int32],
    edge_score: NDArray[np.float64],
    words: NDArray[np.int32],
    scoring: Scoring,
    estimate: NDArray[np.float64],
    kept_score: NDArray[np.float64],
) -> None:
    """estimate float64[edges]: the score of each edge as if all before it were kept, and the word after it too.

    kept_score float64[positions]: the score of keeping a word where all before it are kept. The probability of
    the word after the edge is what the edge's last words do to the future, as far as one word tells.
    """
    size = len(tokens)
    prefix = wide(start_state(ngrams))
    for start in range(size):
        if breaks[start] != 0:
            prefix = wide(start_state(ngrams))
        for edge in range(edge_begin[start], edge_begin[start + 1]):
            state, log_prob = prefix, 0.0
            first_word = wide(edges[edge, E_WORDS])
            for at in range(first_word, first_word + wide(edges[edge, E_LENGTH])):
                state, word_log_prob = advance(ngrams, state, words[at])
                log_prob += word_log_prob
            if edge == edge_begin[start]:
                kept_score[start] = edge_score[edge] + scoring.lm * log_prob
            end = wide(edges[edge, E_END])
            following = wide(_SENTENCE_END) if end == size or breaks[end] != 0 else wide(tokens[end])
            _, word_log_prob = advance(ngrams, state, following)
            estimate[edge] = edge_score[edge] + scoring.lm * (log_prob + word_log_prob)
        prefix, _ = advance(ngrams, prefix, tokens[start])


@kernel
def fill_future(
    breaks: NDArray[np.uint8],
    edge_begin: NDArray[np.int64],
    edges: NDArray[np.int32],
    estimate: NDArray[np.float64],
    kept_score: NDArray[np.float64],
    scoring: Scoring,
    limits: Limits,
    future: NDArray[np.float64],
) -> None:
    """future float64[positions + 1, K]: the most that the first use of each table may gain from there on.

    The gain of an edge is the minimum shed, and what its estimate is above that of the words it replaces; not
    to use the table gains 0. Where no edge of the table is left in the sentence, 0 is certain.
    """
    size = len(breaks)
    tables = len(scoring.first_use)
    for table in range(tables):
        future[size, table] = 0.0
    for position in range(size - 1, -1, -1):
        ended = position + 1 < size and breaks[position + 1] != 0
        for table in range(tables):
            future[position, table] = 0.0 if ended else future[position + 1, table]
        for edge in range(edge_begin[position], edge_begin[position + 1]):
            used = wide(edges[edge, E_BITS]) >> wide(limits.must_count)
            if used == 0:
                continue
            last = wide(edges[edge, E_END]) - 1
            gain = estimate[edge] - estimate[edge_begin[last]]
            for covered in range(position, last):
                gain -= kept_score[covered]
            for table in range(tables):
                if (used >> wide(table)) & 1 == 1:
                    future[position, table] = max(future[position, table], gain + scoring.first_use[table])


@kernel
def future_of(bits: int, limits: Limits, position: int, future: NDArray[np.float64]) -> float:
    """What a hypothesis with these bits may still gain: the sum over the tables it has not used."""
    total = 0.0
    for table in range(future.shape[1]):
        if (bits >> (limits.must_count + table)) & 1 == 0:
            total += future[position, table]
    return total

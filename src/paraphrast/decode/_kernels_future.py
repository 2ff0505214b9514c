"""Estimates of what lies ahead: of each edge without its context, and of the minima that can still be removed.

Search is monotone: all hypotheses of a position have the same words left to cover, so the plain rest cost is equal
and cannot rank them. Two things differ. A hypothesis that has not used a table yet may still remove its minimum
(Zhao et al. 2008, footnote 2): :func:`fill_future` bounds that gain from each position on. And cube pruning needs an
order of the edges: :func:`estimate_edges`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, inner_kernel
from paraphrast._numeric import advance, start_state
from paraphrast.decode._kernels_lattice import E_BITS, E_END, E_LENGTH, E_WORDS, ItemLattice
from paraphrast.decode._kernels_scratch import wide
from paraphrast.decode.scoring import Limits, Scoring
from paraphrast.types import PackedNgrams

_SENTENCE_END = 2


class Problem(NamedTuple):
    """What the search of one item reads, besides the language model.

    breaks: uint8[tokens], 1 at a token that begins a sentence. Inner loops use ``problem.lattice.edges`` and the like
    without a local name for it, and get the language model as an argument: a local name would count references.
    """

    tokens: NDArray[np.int32]
    breaks: NDArray[np.uint8]
    lattice: ItemLattice
    scoring: Scoring
    limits: Limits


class Estimates(NamedTuple):
    """Estimates for one item.

    edge: float64[edges], the score of each edge if all tokens before it and the one after it are kept; or empty.
    kept: float64[tokens], the score of keeping a token if all before it are kept; or empty.
    future: float64[tokens + 1, K], the most that the first use of each table with a minimum can still gain.
    """

    edge: NDArray[np.float64]
    kept: NDArray[np.float64]
    future: NDArray[np.float64]


@inner_kernel
def estimate_edges(ngrams: PackedNgrams, problem: Problem, estimates: Estimates) -> None:
    """Fill ``estimates.edge`` and ``estimates.kept``.

    The estimate includes the probability of the token after the edge, which depends on the last words of the edge.
    """
    lattice, lm = problem.lattice, problem.scoring.lm
    size = len(problem.tokens)
    prefix = wide(start_state(ngrams))
    for start in range(size):
        if problem.breaks[start] != 0:
            prefix = wide(start_state(ngrams))
        for edge in range(lattice.begin[start], lattice.begin[start + 1]):
            state, log_prob = prefix, 0.0
            first_word = wide(lattice.edges[edge, E_WORDS])
            for at in range(first_word, first_word + wide(lattice.edges[edge, E_LENGTH])):
                state, word_log_prob = advance(ngrams, state, lattice.words[at])
                log_prob += word_log_prob
            if edge == lattice.begin[start]:
                estimates.kept[start] = lattice.score[edge] + lm * log_prob
            end = wide(lattice.edges[edge, E_END])
            following = wide(_SENTENCE_END)
            if end < size and problem.breaks[end] == 0:
                following = wide(problem.tokens[end])
            _, word_log_prob = advance(ngrams, state, following)
            estimates.edge[edge] = lattice.score[edge] + lm * (log_prob + word_log_prob)
        prefix, _ = advance(ngrams, prefix, problem.tokens[start])


@inner_kernel
def fill_future(problem: Problem, estimates: Estimates) -> None:
    """Fill ``estimates.future``.

    The gain of an edge is the minimum it removes, plus its estimate less that of the words it replaces. Not using the
    table gains 0, which is certain where no edge of the table is left in the sentence.
    """
    lattice, future, first_use = problem.lattice, estimates.future, problem.scoring.first_use
    size = len(problem.breaks)
    tables = len(first_use)
    for table in range(tables):
        future[size, table] = 0.0
    for position in range(size - 1, -1, -1):
        ended = position + 1 < size and problem.breaks[position + 1] != 0
        for table in range(tables):
            future[position, table] = 0.0 if ended else future[position + 1, table]
        for edge in range(lattice.begin[position], lattice.begin[position + 1]):
            used = wide(lattice.edges[edge, E_BITS]) >> wide(problem.limits.must_count)
            if used == 0:
                continue
            last = wide(lattice.edges[edge, E_END]) - 1
            gain = estimates.edge[edge] - estimates.edge[lattice.begin[last]]
            for covered in range(position, last):
                gain -= estimates.kept[covered]
            for table in range(tables):
                if (used >> wide(table)) & 1 == 1:
                    future[position, table] = max(future[position, table], gain + first_use[table])


@inner_inline_kernel
def future_of(bits: int, limits: Limits, position: int, future: NDArray[np.float64]) -> float:
    """What a hypothesis with these bits can still gain: the sum over the tables it has not used."""
    total = 0.0
    for table in range(future.shape[1]):
        if (bits >> (limits.must_count + table)) & 1 == 0:
            total += future[position, table]
    return total


@inner_kernel
def estimate(ngrams: PackedNgrams, problem: Problem, for_cube: bool) -> Estimates:
    """The estimates that a search needs: of edges for cube pruning, and of tables with a minimum for a beam."""
    size = len(problem.tokens)
    tables = len(problem.scoring.first_use) if problem.limits.beam > 0 else 0
    needed = for_cube or tables > 0
    estimates = Estimates(
        np.empty(problem.lattice.begin[size] if needed else 0, dtype=np.float64),
        np.empty(size if needed else 0, dtype=np.float64),
        np.empty((size + 1, tables), dtype=np.float64),
    )
    if needed:
        estimate_edges(ngrams, problem, estimates)
    if tables > 0:
        fill_future(problem, estimates)
    return estimates

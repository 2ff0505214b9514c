"""Similarity of the contexts of two phrases.

Paraphrases occur in the same contexts; pairs that come from alignment errors do not. Every phrase is counted with the
words at fixed distances before and after it, over all text. The counts become positive pointwise mutual information
(PPMI; context counts to the power 0.75, Levy, Goldberg and Dagan 2015). The phrases are projected onto the leading
right singular vectors of that matrix. The cosine of two projections is the same in every basis of that space, so the
space is computed by subspace iteration from a fixed start, without diagonalising.

Sums run in a fixed order: sparse products are scipy's loops or a kernel, the rest is numpy without BLAS. So the same
text gives the same bytes for any number of threads. Cost: one pass over the text for the counts, 16 bytes per distinct
(phrase, context) pair; then ``2 · rounds`` sparse products with ``dimensions`` columns over the most frequent phrases,
and one over all phrases. All of it is at most linear in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.tables.pivot._kernels_contexts import add_transposed
from paraphrast.text.occurrences import find_phrases
from paraphrast.types import Phrases, Sentences

if TYPE_CHECKING:
    from scipy import sparse

__all__ = [
    "ContextOptions",
    "context_feature",
    "context_vectors",
    "cosines",
]

#: Tokens that are counted at a time.
TOKENS = 1 << 22
#: The feature of a pair whose contexts have a cosine of 0 or less.
LOWEST_COSINE = 0.01


@dataclass(frozen=True)
class ContextOptions:
    """Definition of a context.

    distances: places before and after the phrase; each place is a separate kind of context.
    context_words: number of most frequent words that count as contexts.
    dimensions, rounds, fitted: number of dimensions, rounds of subspace iteration, and number of most frequent phrases
        that the dimensions are fitted to. seed: random seed of the start.
    """

    distances: tuple[int, ...] = (1, 2)
    context_words: int = 3000
    dimensions: int = 100
    rounds: int = 4
    fitted: int = 30_000
    power: float = 0.75
    seed: int = 1

    def __post_init__(self) -> None:
        counts = (self.context_words, self.dimensions, self.rounds, self.fitted, *self.distances)
        if not self.distances or min(counts) < 1:
            raise InputError(f"expected distances and counts of contexts from 1, got {self}")


def _neighbours(
    sentences: Sentences,
    position: NDArray[np.int64],
    length: NDArray[np.int64],
    number_of: NDArray[np.int32],
    distance: int,
    after: bool,
) -> NDArray[np.int32]:
    """Context number of the word ``distance`` before or after each occurrence. Sentence edges count as words."""
    starts = np.asarray(sentences.starts)
    sentence = np.searchsorted(starts, position, side="right") - 1
    place = position + length - 1 + distance if after else position - distance
    inside = (place >= starts[sentence]) & (place < starts[sentence + 1])
    if not len(sentences.tokens):
        return np.zeros(0, np.int32)
    word = np.asarray(sentences.tokens)[np.where(inside, place, 0)]
    edge = place == (starts[sentence + 1] if after else starts[sentence] - 1)
    # Number 0 is the edge of the sentence. There is no context beyond it.
    return np.where(inside, number_of[word], np.where(edge, 0, -1)).astype(np.int32)


def word_frequency(tokens: NDArray[np.int32], vocabulary_size: int) -> NDArray[np.int64]:
    """How often each word occurs."""
    frequency = np.zeros(vocabulary_size, dtype=np.int64)
    for first in range(0, len(tokens), TOKENS):
        frequency += np.bincount(tokens[first : first + TOKENS], minlength=vocabulary_size)
    return frequency


def number_contexts(frequency: NDArray[np.int64], options: ContextOptions) -> tuple[NDArray[np.int32], int]:
    """The number of each word as a context, −1 for rare words, and how many numbers there are."""
    vocabulary_size = len(frequency)
    order = np.lexsort((np.arange(vocabulary_size), -frequency))[: options.context_words]
    order = order[frequency[order] > 0]
    number_of = np.full(vocabulary_size, -1, dtype=np.int32)
    number_of[order] = np.arange(1, len(order) + 1)
    return number_of, len(order) + 1


def context_counts(
    corpora: Sequence[Sentences], phrases: Phrases, vocabulary_size: int, options: ContextOptions
) -> sparse.csr_matrix:
    """Counts of contexts, phrases × (kinds · context words)."""
    frequency = np.zeros(vocabulary_size, dtype=np.int64)
    for sentences in corpora:
        frequency += word_frequency(sentences.tokens, vocabulary_size)
    return count_contexts(corpora, phrases, *number_contexts(frequency, options), options)


def count_contexts(
    corpora: Sequence[Sentences],
    phrases: Phrases,
    number_of: NDArray[np.int32],
    width: int,
    options: ContextOptions,
) -> sparse.csr_matrix:
    """As :func:`context_counts`, with the numbers of the context words."""
    from scipy import sparse

    kinds = [(distance, after) for distance in options.distances for after in (False, True)]
    shape = (len(phrases), width * len(kinds))
    lengths = phrases.lengths
    total = sparse.csr_matrix(shape, dtype=np.int32)
    for sentences in corpora:
        for phrase, position in find_phrases(sentences, phrases):
            parts = [
                _neighbours(sentences, position, lengths[phrase], number_of, distance, after)
                for distance, after in kinds
            ]
            context = np.concatenate([part + kind * width for kind, part in enumerate(parts)])
            counted = np.concatenate(parts) >= 0
            row = np.tile(phrase, len(kinds))[counted]
            ones = np.ones(len(row), dtype=np.int32)
            total = total + sparse.coo_matrix((ones, (row, context[counted])), shape=shape).tocsr()
    return total


def ppmi(
    counts: sparse.csr_matrix, power: float, context_totals: NDArray[np.int64] | None = None
) -> sparse.csr_matrix:
    """Positive pointwise mutual information. Context frequencies are raised to ``power``.

    context_totals: the sum of each column over all phrases, if ``counts`` has only some of them.
    """
    from scipy import sparse

    by_phrase = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    if context_totals is None:
        context_totals = np.asarray(counts.sum(axis=0)).ravel()
    by_context = context_totals.astype(np.float64) ** power
    mass = by_context.sum()
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    joint = counts.data.astype(np.float64)
    values = np.log(joint * mass / (by_phrase[row] * by_context[counts.indices]))
    result = sparse.csr_matrix(
        (np.maximum(values, 0.0).astype(np.float32), counts.indices.copy(), counts.indptr.copy()),
        shape=counts.shape,
    )
    result.eliminate_zeros()
    return result


def context_vectors(
    corpora: Sequence[Sentences],
    phrases: Phrases,
    vocabulary_size: int,
    options: ContextOptions | None = None,
) -> NDArray[np.float32]:
    """Unit vectors, float32[phrases, dimensions]; zero for a phrase that never occurs.

    Everything is in memory. ``context_shards`` computes the same in pieces.
    """
    options = options or ContextOptions()
    counts = context_counts(corpora, phrases, vocabulary_size, options)
    often = fitted_phrases(np.asarray(counts.sum(axis=1)).ravel(), options)
    context_totals = np.asarray(counts.sum(axis=0)).ravel()
    fitted = ppmi(counts[often], options.power, context_totals)
    basis = leading_space(lambda: [fitted], fitted.shape, options)
    return unit_vectors(ppmi(counts, options.power, context_totals), basis)


def fitted_phrases(occurrences: NDArray[np.int64], options: ContextOptions) -> NDArray[np.int64]:
    """The phrases that the dimensions are fitted to, sorted. occurrences: the sum of each row of the counts."""
    return np.sort(np.lexsort((np.arange(len(occurrences)), -occurrences))[: options.fitted])


def unit_vectors(weights: sparse.csr_matrix, basis: NDArray[np.float64]) -> NDArray[np.float32]:
    """Projections of some rows onto the basis, with length 1; zero for a row without weights."""
    vectors = np.asarray(weights @ basis, dtype=np.float64)
    norms = np.sqrt((vectors * vectors).sum(axis=1))
    unit = np.zeros_like(vectors)
    np.divide(vectors, norms[:, None], out=unit, where=norms[:, None] > 1e-9)
    return unit.astype(np.float32)


def leading_space(
    blocks: Callable[[], Iterable[sparse.csr_matrix]], shape: tuple[int, int], options: ContextOptions
) -> NDArray[np.float64]:
    """An orthonormal basis, float64[columns, dimensions], that approximates the leading right singular vectors.

    blocks: the rows of a matrix of this shape, in order, as one or more matrices. Called once for every round. The
    division into blocks does not change the basis.
    """
    size = min(options.dimensions, *shape)
    start = np.random.default_rng(options.seed).standard_normal((shape[1], max(size, 1)))
    basis = _orthonormal(start)
    for _ in range(options.rounds):
        product = np.zeros_like(basis)
        for block in blocks():
            add_transposed(
                block.indptr.astype(np.int32, copy=False),
                block.indices.astype(np.int32, copy=False),
                block.data,
                np.asarray(block @ basis, dtype=np.float64),
                product,
            )
        basis = _orthonormal(product)
    return basis


def _orthonormal(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Modified Gram–Schmidt, twice, with sums in a fixed order. A column that vanishes stays zero."""
    rows = np.ascontiguousarray(columns.T)
    scale = np.sqrt((rows * rows).sum(axis=1)).max() if len(rows) else 0.0
    for number in range(len(rows)):
        for _ in range(2):
            if number:
                along = (rows[:number] * rows[number]).sum(axis=1)
                rows[number] -= (along[:, None] * rows[:number]).sum(axis=0)
        norm = float(np.sqrt((rows[number] * rows[number]).sum()))
        rows[number] = rows[number] / norm if norm > 1e-10 * max(scale, 1e-300) else 0.0
    return np.ascontiguousarray(rows.T)


def cosines(
    vectors: NDArray[np.float32], source: NDArray[np.int32], target: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Cosine between the contexts of both phrases of each row; NaN if a phrase has no vector."""
    result = np.empty(len(source), dtype=np.float32)
    step = 1 << 16
    for first in range(0, len(source), step):
        ours, theirs = vectors[source[first : first + step]], vectors[target[first : first + step]]
        result[first : first + step] = (ours.astype(np.float64) * theirs).sum(axis=1)
    known = (vectors != 0).any(axis=1) if vectors.size else np.zeros(len(vectors), np.bool_)
    return np.where(known[source] & known[target], np.clip(result, -1.0, 1.0), np.nan).astype(np.float32)


def context_feature(cosine: NDArray[np.float32]) -> NDArray[np.float32]:
    """The log-feature of a cosine: ln max(cosine, 0.01). NaN stays NaN."""
    return np.asarray(np.log(np.maximum(cosine, np.float32(LOWEST_COSINE))), dtype=np.float32)

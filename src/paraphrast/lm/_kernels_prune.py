"""Entropy pruning (Stolcke 1998): the cost of removing each n-gram, and the weights of the remaining model."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.lm._kernels_trie import backed_off, find_node
from paraphrast.types import SENTENCE_END, SENTENCE_START, NgramArrays

#: Sums of probabilities are kept at least this far from 1, the precision of float32 values.
LEAST_MASS = 1e-9


@kernel
def count_histories(
    arrays: NgramArrays,
    tokens: NDArray[np.int32],
    starts: NDArray[np.int64],
    recent: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Add how often each n-gram below the highest order, from ``<s>`` on, precedes a word or a sentence end.

    recent: int64[order − 1], scratch: the nodes of the n-grams that end here, by order; −1 for none.
    """
    longest = len(recent)
    for sentence in range(len(starts) - 1):
        recent[:] = -1
        recent[0] = SENTENCE_START
        counts[SENTENCE_START] += 1
        for position in range(starts[sentence], starts[sentence + 1]):
            word: Any = np.int64(tokens[position])
            for order in range(longest - 1, 0, -1):
                before = recent[order - 1]
                recent[order] = np.int64(find_node(arrays, before, word)) if before >= 0 else np.int64(-1)
                if recent[order] >= 0:
                    counts[recent[order]] += 1
            recent[0] = word
            counts[word] += 1


@kernel
def history_products(arrays: NgramArrays, log_history: NDArray[np.float64]) -> None:
    """log P(h) of every n-gram below the highest order, as the product of its words' probabilities.

    ``<s>`` counts as frequent as ``</s>``.
    """
    for word in range(arrays.order_start[1]):
        log_history[word] = arrays.log_prob[SENTENCE_END if word == SENTENCE_START else word]
    for parent in range(arrays.order_start[len(arrays.order_start) - 3]):
        for node in range(arrays.child_begin[parent], arrays.child_begin[parent + 1]):
            log_history[node] = log_history[parent] + arrays.log_prob[node]


@inline_kernel
def _lower(arrays: NgramArrays, context: int, node: int, first_below: int) -> float:
    """log p(w | h') of a node h w, where h' is h without its first word. ``first_below``: the first node of the order
    of h' w."""
    suffix = arrays.suffix[node]
    if suffix >= first_below:
        return arrays.log_prob[suffix]  # type: ignore[no-any-return]
    return backed_off(arrays, arrays.suffix[context], arrays.word[node])


@inline_kernel
def _masses(arrays: NgramArrays, context: int, first_below: int) -> tuple[float, float]:
    """1 − Σ p(w | h) and 1 − Σ p(w | h') over the children h w of a context h: numerator and denominator of its
    back-off weight."""
    numerator, denominator = 1.0, 1.0
    for node in range(arrays.child_begin[context], arrays.child_begin[context + 1]):
        if arrays.word[node] != SENTENCE_START:
            numerator -= math.exp(arrays.log_prob[node])
            denominator -= math.exp(_lower(arrays, context, node, first_below))
    return numerator, denominator


@kernel
def mark_kept(
    arrays: NgramArrays,
    order: int,
    log_history: NDArray[np.float64],
    threshold: float,
    is_kept: NDArray[np.bool_],
) -> None:
    """Mark the n-grams of an order to keep: those whose removal would raise the perplexity by a share of ``threshold``
    or more, and the contexts of longer n-grams that are kept.

    Stolcke (1998), equations 3 to 5: D = −P(h) · (p(w | h) · (log p(w | h') + log α'(h) − log p(w | h))
    + (log α'(h) − log α(h)) · Σ_{v not in the model after h} p(v | h)), and the relative change is e^D − 1.
    """
    first_below = arrays.order_start[order - 2]
    for context in range(arrays.order_start[order - 2], arrays.order_start[order - 1]):
        begin, end = arrays.child_begin[context], arrays.child_begin[context + 1]
        if begin == end:
            continue
        _, denominator = _masses(arrays, context, first_below)
        denominator = max(denominator, LEAST_MASS)
        log_weight = np.float64(arrays.backoff[context])
        numerator = math.exp(log_weight) * denominator
        for node in range(begin, end):
            for child in range(arrays.child_begin[node], arrays.child_begin[node + 1]):
                if is_kept[child]:
                    is_kept[node] = True
                    break
            if is_kept[node]:
                continue
            log_prob = np.float64(arrays.log_prob[node])
            log_lower = np.float64(_lower(arrays, context, node, first_below))
            prob = math.exp(log_prob)
            new_weight = math.log((numerator + prob) / (denominator + math.exp(log_lower)))
            change = prob * (log_lower + new_weight - log_prob) + numerator * (new_weight - log_weight)
            loss = -math.exp(log_history[context]) * change
            is_kept[node] = math.expm1(loss) >= threshold


@kernel
def renormalise(arrays: NgramArrays, floor: float) -> None:
    """Back-off weights that make the probabilities after every context sum to 1, lowest order first.

    α(h) = (1 − Σ p(w | h)) / (1 − Σ p(w | h')), over the children h w of h (Stolcke 1998, equation 2).
    """
    for order in range(2, len(arrays.order_start)):
        first_below = arrays.order_start[order - 2]
        for context in range(arrays.order_start[order - 2], arrays.order_start[order - 1]):
            arrays.backoff[context] = 0.0
            if arrays.child_begin[context] == arrays.child_begin[context + 1]:
                continue
            numerator, denominator = _masses(arrays, context, first_below)
            if numerator <= LEAST_MASS:
                arrays.backoff[context] = floor
            elif denominator > LEAST_MASS:
                arrays.backoff[context] = math.log(numerator / denominator)

"""Entropy pruning (Stolcke 1998): drop the n-grams whose removal costs least.

An n-gram is dropped if its removal raises the perplexity of the model by less than a given share. The frequencies of
histories are counted in the text if it is given. Without a text they are products of the model's probabilities, as in
SRILM. The lower orders of a Kneser–Ney model are not frequencies, so this costs perplexity (Chelba and others 2010).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.lm import _kernels_prune as _kernels
from paraphrast.lm._kernels_trie import link_suffixes
from paraphrast.types import NgramArrays, Sentences

#: Represents log 0 in ARPA files (10^-99); the minimum of probabilities and weights.
LOG_ZERO = -99 * float(np.log(10))


def prune_entropy(
    arrays: NgramArrays, threshold: float, sentences: Sequence[Sentences] | None = None
) -> NgramArrays:
    """The model without the n-grams whose removal changes its perplexity by less than a share of ``threshold``.

    The thresholds mean the same as those of SRILM's ``ngram -prune``. Every n-gram is judged against the whole model,
    longest first. Contexts of kept n-grams, and all words, are kept. Back-off weights are computed again.
    sentences: the text that the model was estimated on, for the frequencies of histories.
    """
    if not 0 < threshold < 1:
        raise InputError(
            f"expected an entropy threshold between 0 and 1, got {threshold:g}", remedy="such as 1e-8"
        )
    if arrays.order == 1:
        return arrays
    log_history = _log_histories(arrays, sentences)
    is_kept = np.zeros(len(arrays.word), dtype=np.bool_)
    is_kept[: int(arrays.order_start[1])] = True
    for order in range(arrays.order, 1, -1):
        _kernels.mark_kept(arrays, order, log_history, threshold, is_kept)
    return keep_nodes(arrays, is_kept)


def keep_nodes(arrays: NgramArrays, is_kept: NDArray[np.bool_]) -> NgramArrays:
    """The model with only the marked n-grams, which include all parents, and with back-off weights recomputed."""
    before = np.zeros(len(is_kept) + 1, dtype=np.int64)
    np.cumsum(is_kept, out=before[1:])
    pruned = NgramArrays(
        word=arrays.word[is_kept],
        child_begin=np.concatenate([before[arrays.child_begin[:-1][is_kept]], before[-1:]]),
        suffix=arrays.suffix[is_kept],
        log_prob=arrays.log_prob[is_kept],
        backoff=arrays.backoff[is_kept],
        order_start=before[arrays.order_start],
    )
    link_suffixes(pruned)
    _kernels.renormalise(pruned, LOG_ZERO)
    for array in pruned:
        array.flags.writeable = False
    return pruned


def _log_histories(arrays: NgramArrays, sentences: Sequence[Sentences] | None) -> NDArray[np.float64]:
    """log P(h) of every n-gram below the highest order."""
    parents = int(arrays.order_start[-2])
    log_history = np.zeros(parents)
    if sentences is None:
        _kernels.history_products(arrays, log_history)
        return log_history
    counts = np.zeros(parents, dtype=np.int64)
    total = 0
    for text in sentences:
        recent = np.zeros(arrays.order - 1, dtype=np.int64)
        _kernels.count_histories(arrays, text.tokens, text.starts, recent, counts)
        total += int(text.starts[-1] - text.starts[0]) + len(text)
    with np.errstate(divide="ignore"):
        np.log(counts / max(total, 1), out=log_history)
    return log_history

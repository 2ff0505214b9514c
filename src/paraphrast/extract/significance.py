"""Pruning of pairs that may be due to chance, by Fisher's exact test (Johnson, Martin, Foster and Kuhn 2007).

Of N sentence pairs, C(s) contain s, C(t) contain t and C(s, t) contain both. If s and t were independent, C(s, t)
would be hypergeometric. p is the probability of this count or a larger one, and −log p says how significant the pair
is. A pair of phrases seen once each has p = 1/N, so −log p = α = log N is the critical value: a threshold just above
it drops all such pairs ("a+e"), one just below keeps them ("a-e").

Sentences are counted over the whole text, not only where a pair was extracted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.extract import _kernels_significance
from paraphrast.extract.count import CountedPairs
from paraphrast.extract.lexical import phrase_sizes
from paraphrast.extract.spans import Extraction, significance_threshold
from paraphrast.types import Sentences
from paraphrast.types.corpus import writable

#: Sentence pairs in which phrases are looked up at a time.
PIECE = 1 << 16


@dataclass(frozen=True)
class SentenceCounts:
    """joint, source, target: int64[n], sentence pairs with both phrases, the source, the target; total: N."""

    joint: NDArray[np.int64]
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    total: int


def sentence_counts(
    source: Sentences,
    target: Sentences,
    extraction: Extraction,
    counted: CountedPairs,
    *,
    piece: int = PIECE,
) -> SentenceCounts:
    """C(s, t), C(s) and C(t) of every counted pair.

    Counted ``piece`` sentence pairs at a time, which changes no count. Memory takes 8 bytes for each sentence of a
    piece and each counted phrase in it, and 24 for each pair.
    """
    joint, with_source, with_target = (np.zeros(len(counted), np.int64) for _ in range(3))
    for first in range(0, len(source), piece):
        stop = min(first + piece, len(source))
        source_begin, source_sentences = _postings(
            _part(source, first, stop), extraction.source_words, counted.source
        )
        target_begin, target_sentences = _postings(
            _part(target, first, stop), extraction.target_words, counted.target
        )
        joint += _kernels_significance.shared_sentences(
            counted.source, counted.target, source_begin, source_sentences, target_begin, target_sentences
        )
        with_source += np.diff(source_begin)[counted.source]
        with_target += np.diff(target_begin)[counted.target]
    return SentenceCounts(joint, with_source, with_target, len(source))


def _part(sentences: Sentences, first: int, stop: int) -> Sentences:
    starts = np.array(sentences.starts[first : stop + 1])
    piece = slice(int(starts[0]), int(starts[-1]))
    return Sentences(
        np.array(sentences.tokens[piece]), starts - starts[0], np.array(sentences.space_before[piece])
    )


def _postings(
    sentences: Sentences, words: NDArray[np.int32], ids: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """(begin int64[phrases + 1], sentences int32[n]) of the phrases in ``ids``; other phrases have no sentences."""
    is_counted = np.zeros(len(words), dtype=np.bool_)
    is_counted[ids] = True
    sizes = phrase_sizes(words)
    longest = int(sizes[is_counted].max()) if len(ids) else 0
    table = np.full(1 << max(int(is_counted.sum() * 3 // 2).bit_length(), 4), -1, dtype=np.int32)
    hashes = np.zeros(len(words), dtype=np.uint64)
    words = writable(words)
    _kernels_significance.phrase_table(words, sizes, is_counted, table, hashes)
    # Room for every n-gram of the text; unused parts take no memory.
    sentence_phrases = np.empty(len(sentences.tokens) * longest, dtype=np.int32)
    ends = _kernels_significance.phrases_of_sentences(
        writable(sentences.tokens),
        writable(sentences.starts),
        words,
        sizes,
        table,
        hashes,
        longest,
        sentence_phrases,
    )
    return _kernels_significance.invert(sentence_phrases, ends, len(words))


def significance(counts: SentenceCounts) -> NDArray[np.float64]:
    """−log p (natural) of every pair: float64[n], 0 or more. Larger values are more significant."""
    if len(counts.joint) and (
        int(counts.joint.min()) < 0
        or np.any(counts.joint > np.minimum(counts.source, counts.target))
        or int(max(counts.source.max(), counts.target.max())) > counts.total
    ):
        raise InputError(
            f"expected joint counts up to those of each side, and those up to {counts.total} sentence pairs"
        )
    log_factorial = np.zeros(counts.total + 1, dtype=np.float64)
    np.cumsum(np.log(np.arange(1, counts.total + 1, dtype=np.float64)), out=log_factorial[1:])
    return _kernels_significance.tail_log_prob(
        counts.joint, counts.source, counts.target, counts.total, log_factorial
    )


def prune_by_significance(
    source: Sentences,
    target: Sentences,
    extraction: Extraction,
    counted: CountedPairs,
    wanted: str | float,
) -> CountedPairs:
    """The pairs at or above the threshold. Dropped pairs are added to those dropped by counting."""
    threshold = significance_threshold(wanted, len(source))
    if threshold is None:
        return counted
    values = significance(sentence_counts(source, target, extraction, counted))
    return counted.select(values >= threshold)

"""Phrase pairs of aligned sentences: whole cepts, contiguous on both sides (Quirk et al. 2004, §3.3).

A cept is a connected component of the links. A pair has at most ``max_cepts`` of them and at most ``max_length`` words
per side. It begins and ends with aligned words, unless unaligned words may be attached. Within it, words may be
reordered and unaligned.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.extract import _kernels
from paraphrast.extract.index import PhraseIndex
from paraphrast.extract.options import ExtractOptions
from paraphrast.types import Links, PhrasePairs, Sentences
from paraphrast.types.corpus import writable

log = logging.getLogger(__name__)

#: Pairs with a sentence of more words are skipped: orientations take memory of its square. The aligner skips sentences
#: of more than 1,000 words by default.
LONGEST_SENTENCE = 4096
#: Number of sentence pairs whose spans are in memory at a time.
CHUNK = 8192


#: ε of the significance thresholds α + ε and α − ε, as in the program of Johnson et al. (2007).
EPSILON = 1e-5


def significance_threshold(wanted: str | float, total: int) -> float | None:
    """The minimum −log p: None for "none", log(total) ± ε for "a+e" and "a-e", a number unchanged."""
    if wanted == "none":
        return None
    if wanted in ("a+e", "a-e"):
        return float(np.log(max(total, 1))) + (EPSILON if wanted == "a+e" else -EPSILON)
    if isinstance(wanted, (int, float)) and not isinstance(wanted, bool) and 0 <= wanted < float("inf"):
        return float(wanted)
    raise InputError(
        f"significance: expected none, a+e, a-e or a number from 0, got {wanted!r}",
        remedy="a+e drops pairs of phrases that occur once each, a-e keeps them",
    )


@dataclass(frozen=True)
class Extraction:
    """Occurrences, and the phrases of each side in order of first appearance.

    source_words, target_words: int32[phrases, 7], −1 after the end of a phrase.
    target_start: int32[occurrences], token position of the target phrase within its sentence.
    """

    pairs: PhrasePairs
    source_words: NDArray[np.int32]
    target_words: NDArray[np.int32]
    target_start: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.pairs)


def extract_pairs(
    source: Sentences,
    target: Sentences,
    links: Links,
    options: ExtractOptions | None = None,
    *,
    progress: Callable[[str, int, int], None] | None = None,
) -> Extraction:
    """Every phrase pair of every sentence pair, in corpus order.

    The kernel runs twice, to count and to fill. Phrases are numbered for one chunk of sentences at a time, so memory is
    20 bytes per occurrence and about 50 per phrase.
    """
    options = options or ExtractOptions()
    check_links(source, target, links)
    source_starts, target_starts = writable(source.starts), writable(target.starts)
    skipped = int((_is_long(source, target) & (np.diff(links.starts) > 0)).sum())
    if skipped:
        log.warning("skipped %d pairs with a sentence of more than %d words", skipped, LONGEST_SENTENCE)
    arguments = kernel_arguments(source, target, links, options)
    begin = _kernels.count_spans(*arguments)
    total = int(begin[-1])
    pairs = PhrasePairs(*(np.empty(total, dtype=np.int32) for _ in range(4)))
    target_start = np.empty(total, dtype=np.int32)
    source_index = PhraseIndex(writable(source.tokens))
    target_index = PhraseIndex(writable(target.tokens))
    for first in range(0, len(links), CHUNK):
        stop = min(first + CHUNK, len(links))
        piece = slice(int(begin[first]), int(begin[stop]))
        spans = np.empty((piece.stop - piece.start, 4), dtype=np.int32)
        sentence = pairs.sentence[piece]
        _kernels.fill_spans(*arguments, first, stop, spans, sentence)
        pairs.source_start[piece] = spans[:, 0]
        target_start[piece] = spans[:, 2]
        pairs.source[piece] = source_index.intern(
            source_starts[sentence] + spans[:, 0], spans[:, 1] - spans[:, 0]
        )
        pairs.target[piece] = target_index.intern(
            target_starts[sentence] + spans[:, 2], spans[:, 3] - spans[:, 2]
        )
        if progress is not None:
            progress("phrases", stop, len(links))
    return Extraction(pairs, source_index.words(), target_index.words(), target_start)


def kernel_arguments(
    source: Sentences, target: Sentences, links: Links, options: ExtractOptions
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    int,
    int,
    bool,
    int,
]:
    """The first arguments of all kernels that visit the spans of a corpus.

    Pairs with a sentence of more than :data:`LONGEST_SENTENCE` words lose their links, and kernels skip pairs without
    links, so the work space is that of the longest other pair.
    """
    source_starts, target_starts = writable(source.starts), writable(target.starts)
    links = _without(links, _is_long(source, target))
    lengths = np.diff(source_starts) + np.diff(target_starts)
    longest = int(lengths[np.diff(links.starts) > 0].max(initial=0))
    return (
        source_starts,
        target_starts,
        writable(links.starts),
        writable(links.source),
        writable(links.target),
        options.max_length,
        options.max_cepts,
        options.attach_unaligned == "both",
        longest,
    )


def _is_long(source: Sentences, target: Sentences) -> NDArray[np.bool_]:
    """bool[pairs]: whether a sentence of the pair is too long."""
    return np.maximum(np.diff(source.starts), np.diff(target.starts)) > LONGEST_SENTENCE


def _without(links: Links, dropped: NDArray[np.bool_]) -> Links:
    """Links without those of some pairs."""
    if not dropped.any():
        return links
    counts = np.where(dropped, 0, np.diff(links.starts))
    keep = np.repeat(~dropped, np.diff(links.starts))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(links.starts.dtype)
    return Links(starts, links.source[keep], links.target[keep])


def check_links(source: Sentences, target: Sentences, links: Links) -> None:
    """Raise an error for links to positions outside the sentences."""
    if not len(source) == len(target) == len(links):
        raise InputError(
            f"expected one alignment per sentence pair, got {len(source)} source sentences,"
            f" {len(target)} target sentences and {len(links)} alignments"
        )
    owner = np.repeat(np.arange(len(links)), np.diff(links.starts))
    for side, sentences, positions in (("source", source, links.source), ("target", target, links.target)):
        wrong = np.flatnonzero((positions < 0) | (positions >= np.diff(sentences.starts)[owner]))
        if len(wrong):
            pair = int(owner[wrong[0]])
            raise InputError(
                f"sentence pair {pair + 1} links {side} word {positions[wrong[0]]} (counted from 0),"
                f" but the sentence has {len(sentences[pair])} words",
                remedy="align the same tokens that are given here",
            )

"""Lexical weights: how well the words of a phrase pair translate each other (Koehn, Och and Marcu 2003, §4.4).

    lex(t | s, a) = Π_j 1/|{i : (i, j) ∈ a}| Σ_{(i, j) ∈ a} w(t_j | s_i)

with w(t_j | NULL) if t_j is unaligned. w is the relative frequency of links; unaligned words count as links with the
empty word. Of a pair's alignments the most frequent is used (the first seen if several are equal), as in Moses; the
paper uses the one with the largest weight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.extract import _kernels_score
from paraphrast.extract.count import CountedPairs, commonest_alignments
from paraphrast.extract.spans import Extraction, check_links
from paraphrast.types import MAX_PHRASE, Links, Sentences, WordLexicon
from paraphrast.types.corpus import writable

#: Minimum of each factor of a weight, so that every logarithm is finite.
FLOOR = 1e-7


def link_lexicons(
    source: Sentences, target: Sentences, links: Links, source_size: int, target_size: int
) -> tuple[WordLexicon, WordLexicon]:
    """(w(target word | source word), w(source word | target word)) from the links. Sizes are those of vocabularies."""
    check_links(source, target, links)
    owner = np.repeat(np.arange(len(links)), np.diff(links.starts))
    source_place = source.starts[owner] + links.source
    target_place = target.starts[owner] + links.target
    source_word = source.tokens[source_place].astype(np.int64)
    target_word = target.tokens[target_place].astype(np.int64)
    return (
        _lexicon(source_word, target_word, _unlinked(target, target_place), source_size, target_size),
        _lexicon(target_word, source_word, _unlinked(source, source_place), target_size, source_size),
    )


def _unlinked(sentences: Sentences, linked: NDArray[np.int64]) -> NDArray[np.int64]:
    """Words at the positions without a link."""
    free = np.ones(len(sentences.tokens), dtype=np.bool_)
    free[linked] = False
    return np.asarray(sentences.tokens[free], dtype=np.int64)


def _lexicon(
    given: NDArray[np.int64],
    word: NDArray[np.int64],
    unlinked: NDArray[np.int64],
    given_size: int,
    word_size: int,
) -> WordLexicon:
    """Relative frequencies. The row of the empty word is after that of the last given word."""
    for name, ids, size in (("given", given, given_size), ("generated", word, word_size)):
        if len(ids) and int(ids.max()) >= size:
            raise InputError(
                f"expected {name} word ids below {size}, got {ids.max()}",
                remedy="give the size of the vocabulary that the sentences were encoded with",
            )
    key = np.concatenate([given * word_size + word, given_size * word_size + unlinked])
    distinct, count = np.unique(key, return_counts=True)
    row = distinct // word_size
    total = np.bincount(row, weights=count.astype(np.float64), minlength=given_size + 1)
    row_start = np.zeros(given_size + 2, dtype=np.int64)
    np.cumsum(np.bincount(row, minlength=given_size + 1), out=row_start[1:])
    return WordLexicon(
        row_start, (distinct % word_size).astype(np.int32), (count / total[row]).astype(np.float32)
    )


def alignment_codes(extraction: Extraction, links: Links) -> NDArray[np.int64]:
    """The links within every occurrence as bits: bit 7 i + j for source word i and target word j; int64[n]."""
    pairs = extraction.pairs
    return _kernels_score.alignment_codes(
        pairs.source,
        pairs.target,
        pairs.sentence,
        pairs.source_start,
        extraction.target_start,
        phrase_sizes(extraction.source_words),
        phrase_sizes(extraction.target_words),
        writable(links.starts),
        writable(links.source),
        writable(links.target),
    )


def pair_alignments(
    engine: Engine, extraction: Extraction, counted: CountedPairs, links: Links
) -> NDArray[np.int64]:
    """The most frequent alignment of every counted pair, coded as in :func:`alignment_codes`."""
    return commonest_alignments(engine, extraction, counted, alignment_codes(extraction, links))


def alignment_points(code: int) -> tuple[tuple[int, int], ...]:
    """The links of a code, (source word, target word), sorted."""
    return tuple(divmod(bit, MAX_PHRASE) for bit in range(MAX_PHRASE * MAX_PHRASE) if code >> bit & 1)


def lexical_weights(
    extraction: Extraction,
    counted: CountedPairs,
    codes: NDArray[np.int64],
    lexicons: tuple[WordLexicon, WordLexicon],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(log lex(target | source), log lex(source | target)) of every counted pair, from its alignment."""
    forward, backward = lexicons
    source, target = extraction.source_words, extraction.target_words
    return (
        _kernels_score.lexical_weights(
            target, source, counted.target, counted.source, codes, True, *_arrays(forward), FLOOR
        ),
        _kernels_score.lexical_weights(
            source, target, counted.source, counted.target, codes, False, *_arrays(backward), FLOOR
        ),
    )


def _arrays(lexicon: WordLexicon) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
    return writable(lexicon.row_start), writable(lexicon.columns), writable(lexicon.prob)


def phrase_sizes(words: NDArray[np.int32]) -> NDArray[np.int64]:
    """Number of words in each phrase of a word matrix."""
    return np.asarray((words >= 0).sum(axis=1), dtype=np.int64)

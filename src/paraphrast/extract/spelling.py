"""Spelling of phrases: between which words there is no space."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.extract import _kernels
from paraphrast.extract.spans import Extraction
from paraphrast.types import Sentences
from paraphrast.types.corpus import writable


def source_glue(source: Sentences, extraction: Extraction) -> NDArray[np.uint8]:
    """The most frequent spelling of every source phrase over its occurrences: uint8[phrases]."""
    pairs = extraction.pairs
    return _commonest(source, extraction.source_words, pairs.source, pairs.sentence, pairs.source_start)


def phrase_glue(
    sentences: Sentences,
    words: NDArray[np.int32],
    phrase: NDArray[np.int32],
    position: NDArray[np.int64],
) -> NDArray[np.uint8]:
    """The most frequent spelling of every phrase over its occurrences: uint8[phrases], 0 for phrases without any.

    words: int32[phrases, width], −1 after the end of a phrase. phrase, position: as
    :func:`paraphrast.text.occurrences.find_phrases` gives them.
    """
    starts = np.asarray(sentences.starts)
    sentence = np.searchsorted(starts, position, side="right") - 1
    return _commonest(
        sentences, words, phrase, sentence.astype(np.int32), (position - starts[sentence]).astype(np.int32)
    )


def _commonest(
    sentences: Sentences,
    words: NDArray[np.int32],
    phrase: NDArray[np.int32],
    sentence: NDArray[np.int32],
    start: NDArray[np.int32],
) -> NDArray[np.uint8]:
    """Bit k is set if there is no space between words k and k + 1 (``types.Phrases.glue``). Of two equally frequent
    spellings, the one with the smaller mask is used."""
    sizes = np.asarray((words >= 0).sum(axis=1), dtype=np.int64)
    return _kernels.commonest_glue(
        phrase, sentence, start, writable(sentences.starts), writable(sentences.space_before), sizes
    )

"""Compiled chunker: one pass over tags, greedy from the left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.text._kernels import TAGS

#: Kinds of chunks, numbered by position.
CHUNKS = ("NP", "PP", "VP", "ADJP", "ADVP")
NOUN_PHRASE, PREPOSITION_PHRASE, VERB_GROUP, ADJECTIVES, ADVERBS = range(len(CHUNKS))


def _flags(*names: str) -> NDArray[np.bool_]:
    return np.array([tag in names for tag in TAGS] + [False], dtype=np.bool_)


_NOUN = _flags("NN", "NNS", "NNP", "NNPS")
_IN_NOUN_PHRASE = _flags(
    *("NN", "NNS", "NNP", "NNPS", "DT", "PDT", "PRP$", "WP$", "CD", "JJ", "JJR", "JJS", "POS", "FW"),
    *("VBN", "VBG"),
)
_OPENS_NOUN_PHRASE = _flags(
    *("NN", "NNS", "NNP", "NNPS", "DT", "PDT", "PRP$", "WP$", "CD", "JJ", "JJR", "JJS", "FW")
)
_PRONOUN = _flags("PRP", "EX")
_VERB = _flags("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD")
_ADVERB = _flags("RB", "RBR", "RBS", "NEG")
_ADJECTIVE = _flags("JJ", "JJR", "JJS")
_PREPOSITION = _flags("IN", "TO")
_TO = TAGS.index("TO")
_BASE = TAGS.index("VB")
_PARTICLE = TAGS.index("RP")


@inline_kernel
def noun_phrase_end(tags: NDArray[np.uint8], at: int, high: int) -> int:
    """End of the noun phrase that begins at ``at``, or ``at`` if there is none."""
    if _PRONOUN[tags[at]]:
        return at + 1
    if not _OPENS_NOUN_PHRASE[tags[at]]:
        return at
    end = at
    place = at
    while place < high and _IN_NOUN_PHRASE[tags[place]]:
        place += 1
        if _NOUN[tags[place - 1]]:
            end = place
    return end


@inline_kernel
def verb_group_end(tags: NDArray[np.uint8], at: int, high: int) -> int:
    """End of the verb group that begins at ``at``, or ``at``: auxiliaries, adverbs between them, a final particle."""
    place = at
    if tags[place] == _TO and place + 1 < high and tags[place + 1] == _BASE:
        place += 1
    if not _VERB[tags[place]]:
        return at
    end = place
    while place < high:
        if _VERB[tags[place]]:
            end = place + 1
        elif tags[place] == _TO and place + 1 < high and tags[place + 1] == _BASE:
            end = place + 2
            place += 1
        elif not _ADVERB[tags[place]]:
            break
        place += 1
    if end < high and tags[end] == _PARTICLE:
        end += 1
    return end


@kernel
def find_chunks(
    tags: NDArray[np.uint8], starts: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """int32[n, 3] of begin, end (flat tokens) and kind, and int64[sentences + 1], where each sentence's chunks begin.

    A preposition directly before a noun phrase makes an additional chunk of both.
    """
    chunks = np.empty((2 * len(tags), 3), np.int32)
    chunk_starts = np.zeros(len(starts), np.int64)
    chunk_count = 0
    for sentence in range(len(starts) - 1):
        low, high = starts[sentence], starts[sentence + 1]
        at = low
        while at < high:
            kind = NOUN_PHRASE
            end = noun_phrase_end(tags, at, high)
            if end == at:
                kind = VERB_GROUP
                end = verb_group_end(tags, at, high)
            if end == at:
                kind = ADVERBS
                while end < high and _ADVERB[tags[end]]:
                    end += 1
                if end < high and _ADJECTIVE[tags[end]]:
                    kind = ADJECTIVES
                    while end < high and _ADJECTIVE[tags[end]]:
                        end += 1
            if end == at:
                at += 1
                continue
            chunks[chunk_count, 0] = at
            chunks[chunk_count, 1] = end
            chunks[chunk_count, 2] = kind
            chunk_count += 1
            if kind == NOUN_PHRASE and at > low and _PREPOSITION[tags[at - 1]]:
                chunks[chunk_count, 0] = at - 1
                chunks[chunk_count, 1] = end
                chunks[chunk_count, 2] = PREPOSITION_PHRASE
                chunk_count += 1
            at = end
        chunk_starts[sentence + 1] = chunk_count
    return chunks[:chunk_count].copy(), chunk_starts

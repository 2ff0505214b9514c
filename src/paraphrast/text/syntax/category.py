"""Categories of phrases: the few classes that agreement needs.

A paraphrase that breaks the grammar of its sentence ("they examine" → "they examines") is worse than none.
Callison-Burch (2008), "Syntactic constraints on paraphrases", requires that a phrase and its paraphrase have the same
syntactic type in parse trees. Here the type comes from tags, and one phrase may have several: a mask of those with at
least a tenth of its occurrences. :data:`CATEGORY_NOTES` describes each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import small_work
from paraphrast.errors import InputError
from paraphrast.text.syntax._kernels_category import (
    CATEGORIES,
    CATEGORY_NOTES,
    COMPATIBLE,
    agrees,
    categorise_spans,
    count_categories,
    phrase_category,
)
from paraphrast.types import MAX_PHRASE

__all__ = [
    "CATEGORIES",
    "CATEGORY_NOTES",
    "COMPATIBLE",
    "agrees",
    "categories_of_occurrences",
    "category_names",
    "phrase_category",
    "replaceable_masks",
    "span_categories",
]

#: Seconds that the spans of a token take in plain Python.
TOKEN_SECONDS = 2e-4


def categories_of_occurrences(
    tags: NDArray[np.uint8],
    phrase: NDArray[np.int32],
    position: NDArray[np.int64],
    length: NDArray[np.int32],
    phrase_count: int,
    *,
    percent: int = 10,
) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Category and mask of each phrase from its occurrences in a tagged corpus.

    tags: uint8[tokens], numbers of the tags of the whole corpus.
    phrase, position, length: one entry per occurrence: phrase id, first token in ``tags``, number of words.
    percent: minimum share of a category's occurrences to be in a phrase's mask.

    Returns uint8[phrase_count], the most frequent category, and uint32[phrase_count], the mask; both are 0 for a
    phrase that never occurs.
    """
    if not len(phrase) == len(position) == len(length):
        raise InputError(
            f"expected three arrays of one length, got {len(phrase)}, {len(position)} and {len(length)}"
        )
    if len(phrase):
        ends = position + length
        if int(phrase.min()) < 0 or int(phrase.max()) >= phrase_count:
            raise InputError(
                f"expected phrase ids below {phrase_count}, got {phrase.min()} to {phrase.max()}"
            )
        if int(position.min()) < 0 or int(length.min()) < 0 or int(ends.max()) > len(tags):
            raise InputError(
                f"expected occurrences within {len(tags)} tokens, got one that ends at {ends.max()}"
            )
    return count_categories(
        tags,
        np.asarray(phrase, np.int32),
        np.asarray(position, np.int64),
        np.asarray(length, np.int32),
        phrase_count,
        percent,
    )


def category_names(mask: int) -> list[str]:
    """Readable names of the categories in a mask."""
    return [name for number, name in enumerate(CATEGORIES) if int(mask) >> number & 1]


def span_categories(tags: NDArray[np.uint8], starts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Category of the span of l + 1 tokens that begins at token i, uint8[tokens, 7]; 0 beyond its sentence.

    starts: int64[sentences + 1], as in :class:`~paraphrast.types.Sentences`.
    """
    if len(starts) == 0 or int(starts[0]) != 0 or int(starts[-1]) != len(tags) or np.any(np.diff(starts) < 0):
        raise InputError(
            f"expected sentence starts that ascend from 0 to {len(tags)}",
            remedy="pass the starts of all sentences and the number of tokens",
        )
    with small_work(TOKEN_SECONDS * len(tags), categorise_spans):
        return categorise_spans(tags, np.asarray(starts, np.int64), MAX_PHRASE)


def replaceable_masks(masks: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Masks of targets → masks of the sources that each may replace, so that :func:`agrees` is one bit test.

    ``agrees(c, mask)`` equals ``c == 0 or wide == 0 or wide >> c & 1`` for the returned mask ``wide``; 0 means unknown.
    """
    wide = np.zeros_like(masks)
    for category, compatible in enumerate(COMPATIBLE):
        wide |= np.where(masks & compatible, np.uint32(1 << category), np.uint32(0))
    return np.where(masks & np.uint32(1), np.uint32(0), wide).astype(np.uint32)

"""The phrase pairs of one shard of a bitext, counted: what a worker writes and the engine adds up.

Phrases have no ids here, because no process knows the phrases of all shards: they are packed words
(:class:`~paraphrast.types.phrase_keys.PhraseKeys`). An occurrence is identified by its place, an integer that grows
with the order of the corpus whatever the shards.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.extract.options import ExtractOptions
from paraphrast.extract.orientation import orient_pairs, orientation_counts
from paraphrast.extract.spans import LONGEST_SENTENCE, Extraction, extract_pairs
from paraphrast.text.syntax.category import categories_of_occurrences
from paraphrast.types import MAX_PHRASE, Links, Sentences
from paraphrast.types.phrase_keys import PhraseKeys

#: A place is ``sentence << 32 | word of the sentence << 20 | number of the occurrence in the sentence``.
SENTENCE = 1 << 32
WORD = 1 << 20
WORDS = LONGEST_SENTENCE

Columns = dict[str, NDArray[Any]]


def count_shard(
    source: Sentences,
    target: Sentences,
    links: Links,
    options: ExtractOptions,
    source_keys: PhraseKeys,
    target_keys: PhraseKeys,
    *,
    first_sentence: int = 0,
    orientation: str = "none",
    tags: NDArray[np.uint8] | None = None,
) -> tuple[int, dict[str, Columns]]:
    """Number of occurrences, and the tables of a shard whose first sentence has the number ``first_sentence``.

    pairs: s…, t…, n, place: each distinct pair, how often and where it was first seen.
    glue: s…, mask, n: spellings with an absent space. categories: s…, category, n, with ``tags``.
    sources: s…, n, mono, swap, other, with an orientation.
    """
    extraction = extract_pairs(source, target, links, options)
    tables = {"pairs": _pairs(extraction, source_keys, target_keys, first_sentence)}
    keys = source_keys.pack(extraction.source_words, "s")
    lengths = (extraction.source_words >= 0).sum(axis=1).astype(np.int32)[extraction.pairs.source]
    position = source.starts[extraction.pairs.sentence] + extraction.pairs.source_start
    masks = _masks(source, position, lengths)
    written = masks > 0
    tables["glue"] = _tally(keys, extraction.pairs.source[written], masks[written], "mask")
    if tags is not None:
        one_each = np.arange(len(extraction), dtype=np.int32)
        category, _ = categories_of_occurrences(tags, one_each, position, lengths, len(extraction))
        tables["categories"] = _tally(keys, extraction.pairs.source, category, "category")
    if orientation != "none":
        outcomes = orient_pairs(source, target, links, options, by=orientation).following
        counts = orientation_counts(extraction.pairs.source, outcomes, len(extraction.source_words))
        tables["sources"] = {
            **keys,
            "n": counts.sum(axis=1),
            **{name: np.ascontiguousarray(counts[:, k]) for k, name in enumerate(("mono", "swap", "other"))},
        }
    return len(extraction), tables


def _pairs(
    extraction: Extraction, source_keys: PhraseKeys, target_keys: PhraseKeys, first_sentence: int
) -> Columns:
    pairs = extraction.pairs
    key = pairs.source.astype(np.int64) << 32 | pairs.target
    distinct, first, count = np.unique(key, return_index=True, return_counts=True)
    sentence = pairs.sentence[first].astype(np.int64)
    ordinal = first - np.searchsorted(pairs.sentence, pairs.sentence[first])
    place = (first_sentence + sentence) * SENTENCE + pairs.source_start[first] * np.int64(WORD) + ordinal
    return {
        **source_keys.pack(extraction.source_words[distinct >> 32], "s"),
        **target_keys.pack(extraction.target_words[distinct & 0xFFFFFFFF], "t"),
        "n": count.astype(np.int64),
        "place": place,
    }


def _masks(source: Sentences, position: NDArray[np.int64], lengths: NDArray[np.int32]) -> NDArray[np.uint8]:
    """The absent spaces of each occurrence, as in ``types.Phrases.glue``."""
    masks = np.zeros(len(position), dtype=np.uint8)
    if not len(position):
        return masks
    for word in range(1, min(int(lengths.max()), MAX_PHRASE)):
        inside = np.flatnonzero(lengths > word)
        absent = source.space_before[position[inside] + word] == 0
        masks[inside[absent]] |= np.uint8(1 << (word - 1))
    return masks


def _tally(keys: Columns, phrase: NDArray[np.int32], value: NDArray[np.uint8], name: str) -> Columns:
    """How often each phrase has each value."""
    distinct, count = np.unique(phrase.astype(np.int64) << 8 | value, return_counts=True)
    columns: Columns = {column: values[distinct >> 8] for column, values in keys.items()}
    return {**columns, name: (distinct & 0xFF).astype(np.int32), "n": count.astype(np.int64)}

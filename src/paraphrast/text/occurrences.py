"""Where given phrases occur in a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from paraphrast.text import _kernels_occurrences as k
from paraphrast.types import Phrases, Sentences
from paraphrast.types.corpus import writable

#: Number of tokens that are searched at a time.
CHUNK_TOKENS = 1 << 19


def find_phrases(
    sentences: Sentences, phrases: Phrases, chunk_tokens: int = CHUNK_TOKENS
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
    """Every occurrence of the phrases, for one part of the text at a time: phrase ids and token positions in the text.

    Occurrences are sorted by position, shorter phrases first. The phrases must be distinct; their order does not
    matter.
    """
    lengths = phrases.lengths
    if not len(phrases) or not len(sentences.tokens):
        return
    words = writable(phrases.words.astype(np.int32, copy=False))
    table = np.full(1 << max(int(len(phrases) * 2).bit_length(), 4), -1, dtype=np.int32)
    hashes = np.zeros(len(phrases), dtype=np.uint64)
    k.fill_table(words, lengths, table, hashes)
    starts = np.asarray(sentences.starts, dtype=np.int64)
    first = 0
    room = 2 * chunk_tokens
    while first < len(starts) - 1:
        last = int(np.searchsorted(starts, starts[first] + chunk_tokens, side="right")) - 1
        last = min(max(last, first + 1), len(starts) - 1)
        tokens = writable(np.array(sentences.tokens[starts[first] : starts[last]], dtype=np.int32))
        local = writable(starts[first : last + 1] - starts[first])
        while True:
            phrase, position = np.empty(room, np.int32), np.empty(room, np.int64)
            count = k.find_phrases(
                tokens, local, words, lengths, table, hashes, int(lengths.max()), phrase, position
            )
            if count <= room:
                break
            room = count
        yield phrase[:count], position[:count] + starts[first]
        first = last


def all_occurrences(
    corpora: Sequence[Sentences], phrases: Phrases
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Phrase ids and positions of every occurrence in several corpora. Positions continue from corpus to corpus."""
    ids = [np.zeros(0, np.int32)]
    places = [np.zeros(0, np.int64)]
    begin = 0
    for sentences in corpora:
        for phrase, position in find_phrases(sentences, phrases):
            ids.append(phrase)
            places.append(position + begin)
        begin += len(sentences.tokens)
    return np.concatenate(ids), np.concatenate(places)

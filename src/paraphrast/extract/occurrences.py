"""Where given phrases stand in a text: for tables that come without a corpus of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.extract import _kernels
from paraphrast.extract._kernels_occurrences import count_occurrences, fill_occurrences
from paraphrast.types import Sentences
from paraphrast.types.corpus import writable


@dataclass(frozen=True)
class Occurrences:
    """phrase: int32[n], rows of the phrases looked for; sentence, start: int32[n], where each stands."""

    phrase: NDArray[np.int32]
    sentence: NDArray[np.int32]
    start: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.phrase)


def find_phrases(sentences: Sentences, words: NDArray[np.int32]) -> Occurrences:
    """Every place of every phrase, in corpus order.

    words: int32[phrases, width], −1 beyond a phrase's end, distinct and sorted by words from the first on, as
    :func:`~paraphrast.extract.merge_phrases` gives them. Cost: tokens · log(phrases) for most tokens.
    """
    if len(words) > 1:
        before, after = words[:-1], words[1:]
        differs = before != after
        first = np.argmax(differs, axis=1)
        rows = np.arange(len(first))
        if not differs.any(axis=1).all() or np.any(before[rows, first] > after[rows, first]):
            raise InputError("expected distinct phrases sorted by words", remedy="merge_phrases sorts them")
    tokens, starts = writable(sentences.tokens), writable(sentences.starts)
    total = count_occurrences(tokens, starts, words)
    found = Occurrences(*(np.empty(total, dtype=np.int32) for _ in range(3)))
    fill_occurrences(tokens, starts, words, found.phrase, found.sentence, found.start)
    return found


def phrase_glue(sentences: Sentences, words: NDArray[np.int32], found: Occurrences) -> NDArray[np.uint8]:
    """The most frequent spelling of each phrase over its occurrences (``types.Phrases.glue``); 0 for none."""
    sizes = np.asarray((words >= 0).sum(axis=1), dtype=np.int64)
    return _kernels.commonest_glue(
        found.phrase,
        found.sentence,
        found.start,
        writable(sentences.starts),
        writable(sentences.space_before),
        sizes,
    )

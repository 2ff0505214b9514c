"""A text that is ready for the decoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.text import Analysis
from paraphrast.text.syntax.category import span_categories
from paraphrast.text.syntax.tag import Tagger
from paraphrast.types import MAX_PHRASE, Sentences


@dataclass(frozen=True)
class Prepared:
    """A text with its tokens, their truecased words and ids, and the character spans that must not be edited."""

    analysis: Analysis
    words: list[str]
    ids: list[int]
    protected: list[tuple[int, int]]


def categories_of(
    tagger: Tagger | None, prepared: Sequence[Prepared], breaks: NDArray[np.uint8]
) -> NDArray[np.uint8] | None:
    """The category of every span of some texts, from part-of-speech tags; None without a tagger.

    breaks: 1 where a sentence begins.
    """
    if tagger is None:
        return None
    total = len(breaks)
    distinct: dict[str, int] = {}
    indices = np.array(
        [distinct.setdefault(word, len(distinct)) for item in prepared for word in item.words], dtype=np.int32
    )
    bounds = np.append(np.flatnonzero(breaks), total).astype(np.int64)
    if not len(bounds) or bounds[0] != 0:
        bounds = np.insert(bounds, 0, 0)
    if total == 0:
        return np.zeros((0, MAX_PHRASE), dtype=np.uint8)
    sentences = Sentences(indices, bounds, np.zeros(total, dtype=np.uint8))
    tags = tagger.tag_sentences(tagger.features(list(distinct)), sentences)
    return span_categories(tags, bounds)

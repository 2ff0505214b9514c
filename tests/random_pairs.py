"""Random counted phrase pairs and a random aligned bitext, for tests that compare engines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paraphrast.tables.pivot.join import LanguagePairs
from paraphrast.types import FIRST_WORD, Links, Sentences


def language_pairs(languages: Sequence[str], rows: int, *, seed: int = 1) -> list[LanguagePairs]:
    """``rows`` draws a language, of phrases of which some are far more frequent than others."""
    rng = np.random.default_rng(seed)
    result = []
    for language in languages:
        source = (rng.random(rows) ** 2 * (rows // 6)).astype(np.int64)
        target = (rng.random(rows) ** 2 * (rows // 5)).astype(np.int64)
        key, count = np.unique((source << 32) | target, return_counts=True)
        count = count + rng.integers(0, 9, len(key))
        e, f = (key >> 32).astype(np.int32), (key & 0xFFFFFFFF).astype(np.int32)
        totals = [np.bincount(ids, count).astype(np.int64)[ids] for ids in (e, f)]
        result.append(LanguagePairs(language, e, f, count.astype(np.int64), *totals))
    return result


def bitext(pairs: int, *, words: int = 25, seed: int = 1) -> tuple[Sentences, Sentences, Links]:
    """Sentences of up to nine words on both sides, with links about the diagonal."""
    rng = np.random.default_rng(seed)
    sides: list[list[list[int]]] = [[], []]
    links = []
    for _ in range(pairs):
        lengths = rng.integers(1, 10, 2)
        for side, length in zip(sides, lengths, strict=True):
            side.append((FIRST_WORD + rng.integers(0, words, length)).tolist())
        links.append(
            {
                (place, min(int(lengths[1]) - 1, max(0, place + int(rng.integers(-1, 2)))))
                for place in range(int(lengths[0]))
                if rng.random() < 0.8
            }
        )
    return Sentences.from_lists(sides[0]), Sentences.from_lists(sides[1]), Links.from_lists(links)

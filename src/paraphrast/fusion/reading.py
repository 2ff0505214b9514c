"""Fluency of new sentences by a causal language model of whole sentences, if one is in the cache.

A new sentence is compared with its sources. Names and topics cost the same in both, so the difference comes from the
places where parts of different sources meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np

from paraphrast import data
from paraphrast.msa.cluster import Cluster
from paraphrast.msa.generate import Fused
from paraphrast.read import LanguageModel, PieceScores
from paraphrast.read._runtime import is_installed

#: The language model in the data index, by language.
READERS = {"en": "smollm2-135m"}
#: Maximum number of sources of a sentence that are scored.
_SOURCES = 3


@lru_cache(maxsize=1)
def find_reader(language: str) -> LanguageModel | None:
    """The causal language model of a language, if its data is cached and the extra ``precise`` is installed."""
    name = READERS.get(language)
    if name is None or not is_installed() or not data.is_cached(name):
        return None
    return LanguageModel(data.get(name))


def fluency(sentences: Sequence[Fused], cluster: Cluster, reader: LanguageModel) -> list[tuple[float, float]]:
    """For each sentence two numbers: the mean log-probability per piece less that of its sources, and the largest loss
    over a run of pieces that a source has too (negative: less likely than in the source)."""
    place = {number: row for row, same in enumerate(cluster.same) for number in same}
    sources = [
        sorted({place[number] for span in sentence.spans for number in span.sentences[:_SOURCES]})
        for sentence in sentences
    ]
    needed = sorted({row for rows in sources for row in rows})
    given = dict(zip(needed, reader.score([_clean(cluster.texts[row]) for row in needed]), strict=True))
    results = []
    for read, rows in zip(
        reader.score([_clean(sentence.text) for sentence in sentences]), sources, strict=True
    ):
        means = [float(np.mean(given[row].log_probs)) for row in rows]
        results.append(
            (
                float(np.mean(read.log_probs)) - float(np.mean(means)),
                _worst(read, [given[row] for row in rows]),
            )
        )
    return results


def _clean(text: str) -> str:
    return " ".join(text.split()) or "."


def _worst(read: PieceScores, sources: Sequence[PieceScores]) -> float:
    """The largest loss over four pieces in a row, each compared with the source where it is most likely."""
    best = np.full(len(read.pieces), -np.inf)
    for source in sources:
        before = np.array(source.log_probs)
        for begin, out, size in SequenceMatcher(
            None, source.pieces, read.pieces, autojunk=False
        ).get_matching_blocks():
            best[out : out + size] = np.maximum(best[out : out + size], before[begin : begin + size])
    after = np.array(read.log_probs)
    losses = np.where(np.isfinite(best), np.minimum(after - best, 0), np.minimum(after + 6, 0))
    width = min(4, len(losses))
    return float(np.convolve(losses, np.ones(width), "valid").min()) if width else 0.0

"""Orientations of phrases for lexicalised reordering, learnt from the alignments.

Tillmann (2004); Koehn et al. (2005). For every extracted occurrence, the source phrase that follows (or precedes) it is
*mono* if its translation directly follows (precedes), *swap* if it is directly on the other side, and *other* if it is
further away. An option defines the neighbour's translation: an extracted phrase pair at that corner ("phrase",
Tillmann), or a link there ("word", Koehn et al.). Unaligned words between the two are skipped on both sides. The
position before the first word, or after the last, is mono if both sides agree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.extract import _kernels, _kernels_orientation
from paraphrast.extract._kernels_orientation import MONO, OTHER, SWAP
from paraphrast.extract.merge import merge_phrases
from paraphrast.extract.options import ExtractOptions
from paraphrast.extract.spans import Extraction, check_links, kernel_arguments
from paraphrast.types import Links, Orientation, Phrases, Sentences

__all__ = [
    "MONO",
    "OTHER",
    "SWAP",
    "Orientations",
    "estimate_orientation",
    "orient_pairs",
    "orientation_counts",
    "overall_orientation",
    "pool_orientations",
    "smoothed_orientation",
]

#: The weight of the distribution of all phrases, and how often a phrase must be seen to have one of its own.
SMOOTHING, MIN_COUNT = 10.0, 2


@dataclass(frozen=True)
class Orientations:
    """following, preceding: uint8[occurrences], MONO, SWAP or OTHER for the next and the previous neighbour."""

    following: NDArray[np.uint8]
    preceding: NDArray[np.uint8]


def orient_pairs(
    source: Sentences,
    target: Sentences,
    links: Links,
    options: ExtractOptions | None = None,
    *,
    by: str = "phrase",
) -> Orientations:
    """The orientation of every occurrence, in the order of ``extract_pairs`` with the same options."""
    if by not in ("phrase", "word"):
        raise InputError(f"orientation: expected phrase or word, got {by!r}")
    check_links(source, target, links)
    arguments = kernel_arguments(source, target, links, options or ExtractOptions())
    begin = _kernels.count_spans(*arguments)
    following = np.empty(int(begin[-1]), dtype=np.uint8)
    preceding = np.empty(int(begin[-1]), dtype=np.uint8)
    _kernels_orientation.orientations(*arguments, by == "phrase", begin, following, preceding)
    return Orientations(following, preceding)


def orientation_counts(
    ids: NDArray[np.int32] | NDArray[np.int64], outcomes: NDArray[np.uint8], size: int
) -> NDArray[np.int64]:
    """int64[size, 3]: how often each id (a source phrase, or a pair's row) was mono, swap, other."""
    key = ids.astype(np.int64) * 3 + outcomes
    return np.bincount(key, minlength=3 * size).astype(np.int64).reshape(size, 3)


def estimate_orientation(
    extraction: Extraction,
    outcomes: NDArray[np.uint8],
    *,
    smoothing: float = SMOOTHING,
    min_count: int = MIN_COUNT,
) -> Orientation:
    """The model of one extraction. ``outcomes``: of every occurrence, from :func:`orient_pairs`."""
    if len(outcomes) != len(extraction):
        raise InputError(f"expected {len(extraction)} outcomes, one per occurrence, got {len(outcomes)}")
    counts = orientation_counts(extraction.pairs.source, outcomes, len(extraction.source_words))
    return pool_orientations([extraction.source_words], [counts], smoothing=smoothing, min_count=min_count)


def pool_orientations(
    stores: Sequence[NDArray[np.int32]],
    counts: Sequence[NDArray[np.int64]],
    *,
    smoothing: float = SMOOTHING,
    min_count: int = MIN_COUNT,
) -> Orientation:
    """One model of the source phrases of several extractions, such as one language paired with several others.

        p(outcome | phrase) = (n(outcome) + σ p(outcome)) / (n + σ)

    where p(outcome) is that of all phrases, with add-one smoothing. stores: word matrices; counts: int64[phrases, 3] of
    each, from :func:`orientation_counts`. smoothing: σ. min_count: rarer phrases use p(outcome).
    """
    if not smoothing > 0 or min_count < 1:
        raise InputError(f"expected smoothing above 0 and min_count from 1, got {smoothing} and {min_count}")
    if [len(store) for store in stores] != [len(matrix) for matrix in counts]:
        raise InputError("expected one row of counts for each phrase")
    words, new_ids = merge_phrases(stores)
    pooled = np.zeros((len(words), 3), dtype=np.int64)
    for ids, matrix in zip(new_ids, counts, strict=True):
        np.add.at(pooled, ids, matrix)
    is_frequent = pooled.sum(axis=1) >= min_count
    mono, swap = smoothed_orientation(pooled[is_frequent], pooled.sum(axis=0), smoothing=smoothing)
    phrases = Phrases(words[is_frequent], np.zeros(len(mono), dtype=np.uint8))
    return Orientation(phrases, mono, swap, *overall_orientation(pooled.sum(axis=0)))


def smoothed_orientation(
    counts: NDArray[np.int64], totals: NDArray[np.int64], *, smoothing: float = SMOOTHING
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """log p(mono) and log p(swap) of some phrases; counts: int64[phrases, 3]; totals: int64[3], of all phrases."""
    overall = _overall(totals)
    chosen = counts.astype(np.float64)
    log_prob = np.log((chosen + smoothing * overall) / (chosen.sum(axis=1, keepdims=True) + smoothing))
    return log_prob[:, MONO].astype(np.float32), log_prob[:, SWAP].astype(np.float32)


def overall_orientation(totals: NDArray[np.int64]) -> tuple[float, float]:
    """log p(mono) and log p(swap) of all phrases together. totals: int64[3]."""
    overall = _overall(totals)
    return math.log(overall[MONO]), math.log(overall[SWAP])


def _overall(totals: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray((totals + 1.0) / (totals.sum() + 3.0))

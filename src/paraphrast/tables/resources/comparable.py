"""Phrase pairs from comparable sentences: Zhao et al. (2008), §4, table 3, equation 7.

    Score(p1, p2) = p(p2 | p1) = count(p2, p1) / Σ over p' of count(p', p1)

Pairs come from word alignments within one language, so most phrases are aligned to themselves. Those counts are in the
denominator but give no rows. Both directions of a sentence pair are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.tables.resources.kinds import info_of
from paraphrast.tables.resources.options import ComparableOptions
from paraphrast.tables.resources.words import has_letter, same_masks
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["ComparableOptions", "comparable_table"]

#: Log P(second phrase | first phrase) for two arrays of phrase ids.
Model1 = Callable[[NDArray[np.int32], NDArray[np.int32]], NDArray[np.float64]]


#: Occurrences from which words that come or go between two others are a row.
LEAST_INSERTIONS = 3


def comparable_table(
    phrases: list[tuple[str, ...]],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    count: NDArray[np.int64],
    language: str,
    options: ComparableOptions,
    *,
    glue: Mapping[tuple[str, ...], int] | None = None,
    notes: Mapping[str, Any] | None = None,
    model1: Model1 | None = None,
) -> LooseTable:
    """The table of counted pairs (``source`` and ``target`` index ``phrases``), each counted in both directions.

    model1: gives log P(second | first) for two arrays of phrase ids, for the features of Model 1.
    """
    first, second = np.concatenate([source, target]), np.concatenate([target, source])
    keys = first.astype(np.int64) * len(phrases) + second
    pairs, place = np.unique(keys, return_inverse=True)
    counts = np.bincount(place, np.concatenate([count, count]), minlength=len(pairs)).astype(np.int64)
    first, second = (pairs // max(len(phrases), 1)), (pairs % max(len(phrases), 1))
    totals = np.bincount(first, counts, minlength=len(phrases))
    probability = counts / totals[first]
    keep = (first != second) & (counts >= options.least_count) & (probability >= options.least_probability)
    first, second = (side[keep].astype(np.int32) for side in (first, second))
    features: dict[str, list[float]] = {}
    if model1 is not None:
        features = {
            "model1": model1(first, second).tolist(),
            "model1_inverse": model1(second, first).tolist(),
        }
    rows = [
        PhraseRow(
            phrases[i], phrases[j], float(score), int(times),
            {name: values[number] for name, values in features.items()},
        )
        for number, (i, j, score, times) in enumerate(
            zip(
                first.tolist(), second.tolist(), np.log(probability[keep]).tolist(), counts[keep].tolist(),
                strict=True,
            )
        )
        if _usable(phrases[i], phrases[j], options.trim)
        or (times >= LEAST_INSERTIONS and _inserts(phrases[i], phrases[j]))
    ]  # fmt: skip
    info = info_of("comparable", language, options, notes=notes)
    info = replace(info, features={name: {"direction": "higher"} for name in features})
    return loose_table(rows, info, list(features), top=options.top, glue=glue)


def _inserts(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Whether one side is two words and the other the same with one or two words between: think he, think that he.

    Without the shared words, nothing would be left of one side.
    """
    short, long = sorted((first, second), key=len)
    if len(short) != 2 or not 3 <= len(long) <= 4 or not same_masks(first, second):
        return False
    words = all(any(map(str.isalpha, word)) for word in long)
    return words and long[0] == short[0] and long[-1] == short[-1]


def _usable(first: tuple[str, ...], second: tuple[str, ...], trim: bool) -> bool:
    """Whether a pair can be a row."""
    if not (has_letter(first) and has_letter(second) and same_masks(first, second)):
        return False
    if not trim:
        return True
    if first[0] == second[0] or first[-1] == second[-1]:
        return False
    return all(any(map(str.isalnum, edge)) for side in (first, second) for edge in (side[0], side[-1]))

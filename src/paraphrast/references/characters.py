"""Character n-grams of many references for chrF, as one table of counts: references differ in only a few words.

An n-gram is represented exactly by an integer: up to three characters are packed, and a longer one consists of the
ranks of its first and its last three characters, which determine it up to length six.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
ORDER = 6
BETA = 2
_BITS = 21  # of a code point
_CORE = 3


@dataclass(frozen=True)
class CharacterReferences:
    """The n-grams of the references. known: per order, sorted; counts: int32[references, n-grams], orders in sequence;
    totals: their sums, int64[references] per order.

    cores: the n-grams of three characters. Longer ones consist of their ranks.
    """

    texts: tuple[str, ...]
    known: tuple[Longs, ...]
    cores: Longs
    counts: NDArray[np.int32]
    totals: tuple[Longs, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> CharacterReferences:
        """From the references of a segment."""
        rows = [_code_points(text) for text in texts]
        cores = np.unique(np.concatenate([_short_keys(row, _CORE) for row in rows]))
        keys = [[_keys(row, n, cores) for row in rows] for n in range(1, ORDER + 1)]
        known, parts = [], []
        for reference_keys in keys:
            grams, place = np.unique(np.concatenate(reference_keys), return_inverse=True)
            owner = np.repeat(np.arange(len(reference_keys)), [len(row) for row in reference_keys])
            counts = np.bincount(owner * len(grams) + place, minlength=len(reference_keys) * len(grams))
            known.append(grams)
            parts.append(counts.reshape(len(reference_keys), len(grams)).astype(np.int32))
        totals = tuple(counts.sum(axis=1, dtype=np.int64) for counts in parts)
        return cls(tuple(texts), tuple(known), cores, np.concatenate(parts, axis=1), totals)

    def statistics(self, output: str) -> Floats:
        """For each reference and order: the number of n-grams of the output, of the reference, and of both."""
        row = _code_points(output)
        matches = np.zeros(self.counts.shape[1], dtype=np.int32)
        table = np.zeros((len(self.texts), 3 * ORDER))
        begin = 0
        for order, grams in enumerate(self.known, 1):
            output_keys = _keys(row, order, self.cores)
            place = np.searchsorted(grams, output_keys)
            places = place[np.take(grams, place, mode="clip") == output_keys] if len(grams) else place[:0]
            end = begin + len(grams)
            matches[begin:end] = np.bincount(places, minlength=len(grams))
            reference_counts, total = self.counts[:, begin:end], self.totals[order - 1]
            # sacreBLEU does not count n-grams of the output if the reference has none.
            table[:, 3 * order - 3] = np.where(total > 0, max(len(row) - order + 1, 0), 0)
            table[:, 3 * order - 2] = total
            table[:, 3 * order - 1] = np.minimum(reference_counts, matches[begin:end]).sum(axis=1)
            begin = end
        return table


def _code_points(text: str) -> Longs:
    """The characters that chrF compares: all except white space."""
    return np.frombuffer("".join(text.split()).encode("utf-32-le"), dtype=np.uint32).astype(np.int64)


def _short_keys(row: Longs, order: int) -> Longs:
    size = max(len(row) - order + 1, 0)
    keys = np.zeros(size, dtype=np.int64)
    for place in range(order):
        keys = (keys << _BITS) | row[place : place + size]
    return keys


def _keys(row: Longs, order: int, cores: Longs) -> Longs:
    """The n-grams of a text; −1 for one with three consecutive characters that no reference has."""
    if order <= _CORE:
        return _short_keys(row, order)
    size = max(len(row) - order + 1, 0)
    if not size or not len(cores):
        return np.full(size, -1, dtype=np.int64)
    core_keys = _short_keys(row, _CORE)
    rank = np.minimum(np.searchsorted(cores, core_keys), len(cores) - 1)
    rank[cores[rank] != core_keys] = -1
    first, last = rank[:size], rank[order - _CORE : order - _CORE + size]
    joined: Longs = np.where((first < 0) | (last < 0), -1, (first << 32) | last)
    return joined


def chrf_scores(table: Floats) -> Floats:
    """chrF2 of rows of statistics, in percent, with sacreBLEU's formula."""
    output_grams, reference_grams, right = table[:, 0::3], table[:, 1::3], table[:, 2::3]
    counts = (output_grams > 0) & (reference_grams > 0)
    precision, recall = np.zeros(len(table)), np.zeros(len(table))
    for order in range(output_grams.shape[1]):
        at = counts[:, order]
        precision[at] += right[at, order] / output_grams[at, order]
        recall[at] += right[at, order] / reference_grams[at, order]
    orders = np.maximum(counts.sum(axis=1), 1)
    precision, recall = precision / orders, recall / orders
    below = BETA**2 * precision + recall
    scores: Floats = np.zeros(len(table))
    at = below > 0
    scores[at] = 100 * ((1 + BETA**2) * precision[at] * recall[at] / below[at])
    return scores

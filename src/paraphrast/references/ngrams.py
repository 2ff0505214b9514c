"""The n-grams of references: the largest count of each in any reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Length of BLEU's longest n-grams.
ORDER = 4


def ngrams(words: Sequence[str], order: int = ORDER) -> Counter[tuple[str, ...]]:
    """Number of occurrences of each n-gram of up to ``order`` words."""
    row = tuple(words)
    return Counter(row[at : at + n] for n in range(1, order + 1) for at in range(len(row) - n + 1))


@dataclass(frozen=True)
class NgramReferences:
    """The largest count of each n-gram in any reference, and the lengths of the references."""

    counts: dict[tuple[str, ...], int]
    lengths: tuple[int, ...]

    @classmethod
    def of(cls, rows: Sequence[Sequence[str]], order: int = ORDER) -> NgramReferences:
        """From references as words. A reference that differs from the first in a few words costs only these."""
        first = ngrams(rows[0], order) if rows else Counter()
        counts: dict[tuple[str, ...], int] = dict(first)
        for row in rows[1:]:
            _raise(counts, _gained(first, rows[0], row, order))
        return cls(counts, tuple(len(row) for row in rows))

    def grow(self, row: Sequence[str], order: int = ORDER) -> NgramReferences:
        """With one more reference."""
        counts = dict(self.counts)
        _raise(counts, ngrams(row, order))
        return NgramReferences(counts, (*self.lengths, len(row)))

    def closest(self, length: int) -> int:
        """The reference length nearest to that of an output; the shorter of two."""
        return min(
            self.lengths, key=lambda reference_length: (abs(reference_length - length), reference_length)
        )


def _gained(
    known: Counter[tuple[str, ...]], base: Sequence[str], row: Sequence[str], order: int
) -> dict[tuple[str, ...], int]:
    """Counts of the n-grams that ``row`` has more often than ``base``, whose counts are ``known``.

    Only windows around differences are counted, because an n-gram outside them is in both.
    """
    shorter = min(len(base), len(row))
    start = 0
    while start < shorter and base[start] == row[start]:
        start += 1
    end = 0
    while end < shorter - start and base[-1 - end] == row[-1 - end]:
        end += 1
    first = max(start - order + 1, 0)
    old, new = (ngrams(side[first : max(len(side) - end + order - 1, 0)], order) for side in (base, row))
    return {gram: known[gram] + count - old[gram] for gram, count in new.items() if count > old[gram]}


def _raise(counts: dict[tuple[str, ...], int], more: Mapping[tuple[str, ...], int]) -> None:
    for gram, count in more.items():
        if count > counts.get(gram, 0):
            counts[gram] = count

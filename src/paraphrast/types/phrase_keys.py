"""Phrases as a few integers, so that the engine can compare, sort and join them without a numbering.

As many words as fit are packed into one 64-bit integer. The order of the integers is the order of the words, a phrase
before its extensions. The empty phrase is all zeros.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.types.phrases import MAX_PHRASE


@dataclass(frozen=True)
class PhraseKeys:
    """The packing of phrases of up to ``longest`` words of a vocabulary of ``words`` words."""

    words: int
    longest: int = MAX_PHRASE

    @property
    def bits(self) -> int:
        """Bits of one word."""
        return max(self.words, 1).bit_length()

    @property
    def per_key(self) -> int:
        """Words in one integer."""
        return 63 // self.bits

    @property
    def first_word(self) -> int:
        """A phrase's first integer divided by this is the same for phrases with the same first word."""
        return 1 << self.bits * (self.per_key - 1)

    def names(self, prefix: str) -> list[str]:
        """The names of the columns: prefix1, prefix2, …"""
        return [f"{prefix}{number + 1}" for number in range(-(-self.longest // self.per_key))]

    def pack(self, words: NDArray[np.int32], prefix: str) -> dict[str, NDArray[np.int64]]:
        """The columns of phrases. words: int32[n, 7], −1 after the end of a phrase."""
        columns = {}
        for number, name in enumerate(self.names(prefix)):
            key = np.zeros(len(words), dtype=np.int64)
            for place in range(number * self.per_key, (number + 1) * self.per_key):
                key <<= self.bits
                if place < self.longest:
                    key |= words[:, place].astype(np.int64) + 1
            columns[name] = key
        return columns

    def unpack(self, columns: Mapping[str, NDArray[Any]], prefix: str) -> NDArray[np.int32]:
        """The words of phrases from their columns: int32[n, 7]."""
        names = self.names(prefix)
        words = np.full((len(columns[names[0]]), MAX_PHRASE), -1, dtype=np.int32)
        mask = (1 << self.bits) - 1
        for number, name in enumerate(names):
            for place in range(min(self.per_key, self.longest - number * self.per_key)):
                shift = self.bits * (self.per_key - 1 - place)
                words[:, number * self.per_key + place] = ((columns[name] >> shift) & mask) - 1
        return words


def listed(names: Sequence[str], table: str = "") -> str:
    """Columns of a query, separated by commas, of one of its tables."""
    return ", ".join(f"{table}.{name}" if table else name for name in names)


def equal(left: str, left_names: Sequence[str], right: str, right_names: Sequence[str]) -> str:
    """The condition of a query that the columns of two of its tables are equal."""
    pairs = zip(left_names, right_names, strict=True)
    return " AND ".join(f"{left}.{one} = {right}.{other}" for one, other in pairs)

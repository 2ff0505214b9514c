"""A table of words as bytes, which numbers words separated by white space, and can grow."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.formats import _kernels_words as _kernels
from paraphrast.types import SPECIALS

_FIRST_CAPACITY = 1 << 16


class WordTable:
    """Words as bytes with their numbers, in order of first appearance, special words first."""

    def __init__(self, words: Iterable[str] = SPECIALS, *, frozen: bool = False) -> None:
        self._slots = np.zeros(2 * _FIRST_CAPACITY, dtype=np.int32)
        self._hashes = np.zeros(_FIRST_CAPACITY, dtype=np.uint64)
        self._offsets = np.zeros(_FIRST_CAPACITY + 1, dtype=np.int64)
        self._pool = np.zeros(16 * _FIRST_CAPACITY, dtype=np.uint8)
        self._size = 0
        self._frozen = False
        word_list = list(words)
        self.number("".join(word + "\n" for word in word_list).encode("utf-8", "surrogatepass"))
        if self._size != len(word_list):
            raise InputError(
                f"expected words without white space, each once, got {len(word_list)} that are {self._size}",
                remedy="a word with a space in it is never found in text that is split at white space",
            )
        self._frozen = frozen

    def __len__(self) -> int:
        return self._size

    @property
    def arrays(
        self,
    ) -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint8]]:
        """Slots, hashes, offsets and bytes of the words, for kernels."""
        return self._slots, self._hashes, self._offsets, self._pool

    def words(self) -> list[str]:
        """All words, by number."""
        raw = self._pool[: self._offsets[self._size]].tobytes()
        offsets = self._offsets[: self._size + 1].tolist()
        return [raw[begin:end].decode("utf-8") for begin, end in pairwise(offsets)]

    def number(self, block: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Lines, each with its line feed → the numbers of their words, and the number of words up to each line end."""
        buffer = np.frombuffer(block, dtype=np.uint8)
        tokens = np.empty(len(buffer) // 2 + 1, dtype=np.int32)
        ends = np.empty(block.count(b"\n"), dtype=np.int64)
        at, token_count, line_count = 0, 0, 0
        while True:
            at, token_count, line_count, self._size = _kernels.number_words(
                buffer, at, self._slots, self._hashes, self._offsets, self._pool, self._size, self._frozen,
                tokens, token_count, ends, line_count,
            )  # fmt: skip
            if at == len(buffer):
                return tokens[:token_count], ends
            longest = max(map(len, block[at:].split(None, 1)[:1]), default=0)
            self._grow(longest)

    def _grow(self, longest: int) -> None:
        self._hashes = np.resize(self._hashes, 2 * len(self._hashes))
        self._offsets = np.resize(self._offsets, len(self._hashes) + 1)
        pool = np.zeros(2 * len(self._pool) + longest, dtype=np.uint8)
        pool[: len(self._pool)] = self._pool
        self._pool = pool
        self._slots = np.zeros(2 * len(self._hashes), dtype=np.int32)
        _kernels.fill_slots(self._hashes, self._size, self._slots)

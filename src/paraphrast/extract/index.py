"""N-grams of one text as numbers, in order of first appearance.

A phrase is stored as the position of its first occurrence, so the store needs 17 bytes per phrase of any length. Two
phrases are equal only if their words are; equal hashes are not enough.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.extract import _kernels
from paraphrast.types import MAX_PHRASE

T = TypeVar("T", bound=np.generic)

#: Slots of a new table; it doubles when it fills up.
FIRST_TABLE = 1 << 12


class PhraseIndex:
    """Phrase → int32 id over ``tokens``."""

    def __init__(self, tokens: NDArray[np.int32]) -> None:
        self._tokens = tokens
        self._known = 0
        self._table = np.full(FIRST_TABLE, -1, dtype=np.int32)
        self._hashes = np.empty(FIRST_TABLE // 2, dtype=np.uint64)
        self._firsts = np.empty(FIRST_TABLE // 2, dtype=np.int64)
        self._sizes = np.empty(FIRST_TABLE // 2, dtype=np.uint8)

    def __len__(self) -> int:
        return self._known

    def intern(self, starts: NDArray[np.int64], lengths: NDArray[np.int32]) -> NDArray[np.int32]:
        """The id of every n-gram ``tokens[starts[k] : starts[k] + lengths[k]]``; new n-grams get the next ids."""
        if len(starts) and (
            lengths.min() < 1
            or lengths.max() > MAX_PHRASE
            or starts.min() < 0
            or (starts + lengths).max() > len(self._tokens)
        ):
            raise InputError(
                f"expected n-grams of 1 to {MAX_PHRASE} words within {len(self._tokens)} tokens,"
                f" got {lengths.min()} to {lengths.max()} words up to token {(starts + lengths).max()}"
            )
        ids = np.empty(len(starts), dtype=np.int32)
        done = 0
        while done < len(starts):
            done, self._known = _kernels.intern(
                self._tokens,
                starts,
                lengths,
                done,
                ids,
                self._table,
                self._hashes,
                self._firsts,
                self._sizes,
                self._known,
            )
            if done < len(starts):
                self._grow()
        return ids

    def words(self) -> NDArray[np.int32]:
        """int32[phrases, 7], −1 after the end of a phrase."""
        return _kernels.phrase_words(self._tokens, self._firsts, self._sizes, self._known)

    def _grow(self) -> None:
        if self._known >= len(self._table) * 2 // 3:
            self._table = np.full(2 * len(self._table), -1, dtype=np.int32)
            _kernels.rehash(self._table, self._hashes, self._known)
        if self._known == len(self._firsts):
            room = len(self._firsts) * 3 // 2
            self._hashes = _resized(self._hashes, room)
            self._firsts = _resized(self._firsts, room)
            self._sizes = _resized(self._sizes, room)


def _resized(array: NDArray[T], room: int) -> NDArray[T]:
    larger = np.empty(room, dtype=array.dtype)
    larger[: len(array)] = array
    return larger

"""Words as integers: a vocabulary, and sentences as flat arrays of its ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)

UNKNOWN = 0
SENTENCE_START = 1
SENTENCE_END = 2
#: Entity classes. A masked entity is the token of its class, with the same id in every vocabulary.
MASKS = ("<number>", "<date>", "<time>", "<money>", "<percent>", "<email>", "<url>", "<code>")
SPECIALS = ("<unk>", "<s>", "</s>", *MASKS)
#: The first id that is an ordinary word.
FIRST_WORD = len(SPECIALS)


def writable(array: NDArray[T]) -> NDArray[T]:
    """The array, or a copy if it is mapped read-only: kernels would be compiled again for such memory."""
    return np.require(array, requirements=["C", "W", "E"])


@dataclass(frozen=True)
class Vocabulary:
    """Truecased NFC tokens; ids are positions. Specials first, then by count, then by UTF-8 bytes."""

    words: tuple[str, ...]
    counts: NDArray[np.int64]

    @classmethod
    def from_counts(cls, counts: Iterable[tuple[str, int]]) -> Vocabulary:
        """Order ``(word, count)`` pairs as described in the class. Special words may be among them or not."""
        by_word = dict(counts)
        special_counts = [by_word.pop(special, 0) for special in SPECIALS]
        ordered = sorted(by_word.items(), key=lambda item: (-item[1], item[0].encode()))
        words = SPECIALS + tuple(word for word, _ in ordered)
        values = special_counts + [count for _, count in ordered]
        return cls(words, np.array(values, dtype=np.int64))

    @cached_property
    def ids(self) -> dict[str, int]:
        """Word → id."""
        return {word: index for index, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True)
class Sentences:
    """Tokenised sentences as flat arrays.

    tokens: int32[n], vocabulary ids.
    starts: int64[sentences + 1]; sentence i is ``tokens[starts[i]:starts[i + 1]]``.
    space_before: uint8[n], 1 if there is white space before the token (0 for the first of a sentence).
    char_start, char_end: int32[n] or None, code points into the raw sentence.
    """

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    space_before: NDArray[np.uint8]
    char_start: NDArray[np.int32] | None = None
    char_end: NDArray[np.int32] | None = None

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> NDArray[np.int32]:
        return self.tokens[self.starts[index] : self.starts[index + 1]]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        for index in range(len(self)):
            yield self[index]

    def writable(self) -> Sentences:
        """The sentences with tokens and starts in the form that kernels need."""
        return replace(
            self,
            tokens=writable(self.tokens.astype(np.int32, copy=False)),
            starts=writable(self.starts.astype(np.int64, copy=False)),
        )

    @classmethod
    def from_lists(cls, sentences: Iterable[Iterable[int]]) -> Sentences:
        """From lists of ids, with a space before every token except the first."""
        rows = [np.fromiter(sentence, dtype=np.int32) for sentence in sentences]
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=starts[1:])
        tokens = np.concatenate(rows) if rows else np.zeros(0, np.int32)
        space = np.ones(len(tokens), dtype=np.uint8)
        firsts = starts[:-1]
        space[firsts[firsts < len(tokens)]] = 0
        return cls(tokens.astype(np.int32), starts, space)


def concatenate(pieces: list[Sentences]) -> Sentences:
    """Several corpora as one, in order. Offsets are kept if all have them."""
    if len(pieces) == 1:
        return pieces[0]
    starts = [np.zeros(1, dtype=np.int64)]
    total = 0
    for piece in pieces:
        starts.append(np.asarray(piece.starts[1:]) + total)
        total += int(piece.starts[-1])
    return Sentences(
        np.concatenate([piece.tokens for piece in pieces]),
        np.concatenate(starts),
        np.concatenate([piece.space_before for piece in pieces]),
        _joined([piece.char_start for piece in pieces]),
        _joined([piece.char_end for piece in pieces]),
    )


def _joined(arrays: list[NDArray[np.int32] | None]) -> NDArray[np.int32] | None:
    known = [array for array in arrays if array is not None]
    return np.concatenate(known) if len(known) == len(arrays) else None

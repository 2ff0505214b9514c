"""Text files by white space → ids: a table of words that grows as it reads, and arrays that spill to disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import open_text
from paraphrast.lm import _kernels_words as _kernels
from paraphrast.lm.space import Scalar
from paraphrast.types import SENTENCE_END, SENTENCE_START, SPECIALS, Sentences, Vocabulary

_FIRST_CAPACITY = 1 << 16


class WordTable:
    """Words as bytes with their numbers, in the order in which they came; the specials come first."""

    def __init__(self, words: Iterable[str] = SPECIALS, *, frozen: bool = False) -> None:
        self._slots = np.zeros(2 * _FIRST_CAPACITY, dtype=np.int32)
        self._hashes = np.zeros(_FIRST_CAPACITY, dtype=np.uint64)
        self._offsets = np.zeros(_FIRST_CAPACITY + 1, dtype=np.int64)
        self._pool = np.zeros(16 * _FIRST_CAPACITY, dtype=np.uint8)
        self._size = 0
        self._frozen = False
        given = list(words)
        self.number("".join(word + "\n" for word in given).encode("utf-8", "surrogatepass"))
        if self._size != len(given):
            raise InputError(
                f"expected words without white space, each once, got {len(given)} that are {self._size}",
                remedy="a word with a blank in it cannot be found in text by white space",
            )
        self._frozen = frozen

    def __len__(self) -> int:
        return self._size

    def words(self) -> list[str]:
        """All words, by number."""
        raw = self._pool[: self._offsets[self._size]].tobytes()
        offsets = self._offsets[: self._size + 1].tolist()
        return [raw[begin:end].decode("utf-8") for begin, end in pairwise(offsets)]

    def number(self, block: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Lines, each with its line feed → the numbers of their words, and how many there are by each line's end."""
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


class _Spool(Generic[Scalar]):
    """An array that is appended to: in memory up to ``limit`` bytes, in a file beyond."""

    def __init__(self, dtype: type[Scalar], limit: float, folder: Path | None) -> None:
        self._dtype = dtype
        self._limit = limit
        self._folder = folder
        self._pieces: list[NDArray[Scalar]] = []
        self._bytes = 0
        self._stream: Any = None
        self.size = 0

    def add(self, piece: NDArray[Scalar]) -> None:
        """Append a copy."""
        self._pieces.append(piece.copy())
        self._bytes += piece.nbytes
        self.size += len(piece)
        if self._bytes > self._limit:
            if self._stream is None:
                self._stream = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115
            for kept in self._pieces:
                self._stream.write(kept.data)
            self._pieces, self._bytes = [], 0

    def whole(self) -> NDArray[Scalar]:
        """All of it; may be changed in place."""
        if self._stream is None:
            return np.concatenate([np.zeros(0, dtype=self._dtype), *self._pieces])
        for kept in self._pieces:
            self._stream.write(kept.data)
        self._stream.flush()
        with self._stream as stream:
            return np.asarray(np.memmap(stream, dtype=self._dtype, mode="r+", shape=(self.size,)))


def read_text(
    path: str | Path,
    vocabulary: Vocabulary | None = None,
    *,
    memory: int | None = None,
    folder: str | Path | None = None,
) -> tuple[Vocabulary, Sentences]:
    """The sentences of a text file (plain, gz, xz, zst; ``-`` is standard input), one a line, words by ASCII blanks.

    Without ``vocabulary`` the words of the text are numbered as :class:`~paraphrast.types.Vocabulary` says; with one,
    words outside it become ``<unk>``.

    memory: bytes of ids to keep; what is beyond goes to nameless files of ``folder``.
    """
    table = WordTable() if vocabulary is None else WordTable(vocabulary.words, frozen=True)
    place = Path(folder) if folder is not None else None
    limit = memory if memory is not None else float("inf")
    tokens = _Spool(np.int32, limit, place)
    starts = _Spool(np.int64, limit, place)
    starts.add(np.zeros(1, dtype=np.int64))
    with open_text(path) as reader:
        for block in reader.blocks(min(1 << 23, max(int(min(limit, 2**40)) // 8, 1 << 12))):
            numbers, ends = table.number(block)
            _refuse_ends(numbers, ends, reader.name, reader.line)
            starts.add(ends + tokens.size)
            tokens.add(numbers)
    whole, whole_starts = tokens.whole(), starts.whole()
    if vocabulary is None:
        vocabulary = _by_count(table, whole)
    space_before = np.broadcast_to(np.uint8(1), len(whole))
    return vocabulary, Sentences(whole, whole_starts, space_before)


def _refuse_ends(numbers: NDArray[np.int32], ends: NDArray[np.int64], name: str, last_line: int) -> None:
    wrong = (numbers == SENTENCE_START) | (numbers == SENTENCE_END)
    if bool(wrong.any()):
        first = int(np.flatnonzero(wrong)[0])
        line = last_line - len(ends) + int(np.searchsorted(ends, first, side="right")) + 1
        raise FormatError(
            f"expected no {SPECIALS[int(numbers[first])]} inside a sentence",
            where=At(name, line),
            remedy="sentence ends are added by the estimator: give the sentences without them",
        )


def _by_count(table: WordTable, tokens: NDArray[np.int32]) -> Vocabulary:
    """The vocabulary by count, and the tokens renumbered to it, in place."""
    words = table.words()
    counts = np.zeros(len(words), dtype=np.int64)
    for piece in _pieces(tokens):
        _kernels.count_words(piece, counts)
    vocabulary = Vocabulary.from_counts(zip(words, counts.tolist(), strict=True))
    numbers = np.fromiter((vocabulary.ids[word] for word in words), dtype=np.int32, count=len(words))
    for piece in _pieces(tokens):
        _kernels.renumber(piece, numbers)
    return vocabulary


def _pieces(tokens: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
    for first in range(0, len(tokens), 1 << 22):
        yield tokens[first : first + (1 << 22)]


def read_vocabulary(path: str | Path) -> Vocabulary:
    """The words of a file, by white space, each once; the order is kept, and words get no counts."""
    table = WordTable()
    with open_text(path) as reader:
        for block in reader.blocks():
            table.number(block)
    if len(table) == len(SPECIALS):
        raise InputError("expected a list of words, got an empty file", where=path)
    words = tuple(table.words())
    return Vocabulary(words, np.zeros(len(words), dtype=np.int64))

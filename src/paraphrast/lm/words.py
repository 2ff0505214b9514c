"""Text files with words separated by white space → ids, in arrays that spill to disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats import _kernels_words as _kernels
from paraphrast.formats.files import open_text
from paraphrast.formats.words import WordTable
from paraphrast.lm.space import Scalar
from paraphrast.types import SENTENCE_END, SENTENCE_START, SPECIALS, Sentences, Vocabulary


class _Spool(Generic[Scalar]):
    """An array that can be appended to: in memory up to ``limit`` bytes, in a file beyond that."""

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
            for piece_in_memory in self._pieces:
                self._stream.write(piece_in_memory.data)
            self._pieces, self._bytes = [], 0

    def whole(self) -> NDArray[Scalar]:
        """The whole array, which may be changed in place."""
        if self._stream is None:
            return np.concatenate([np.zeros(0, dtype=self._dtype), *self._pieces])
        for piece in self._pieces:
            self._stream.write(piece.data)
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
    """The sentences of a text file (plain, gz, xz, zst; ``-`` is standard input), one per line, words separated by
    ASCII blanks.

    Without ``vocabulary``, the words of the text are numbered as :class:`~paraphrast.types.Vocabulary` defines. With
    one, words outside it become ``<unk>``.

    memory: number of bytes of ids to keep in memory; the rest goes to unnamed files of ``folder``.
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
    all_tokens, whole_starts = tokens.whole(), starts.whole()
    if vocabulary is None:
        vocabulary = _by_count(table, all_tokens)
    space_before = np.broadcast_to(np.uint8(1), len(all_tokens))
    return vocabulary, Sentences(all_tokens, whole_starts, space_before)


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
    """The vocabulary sorted by count. The tokens are renumbered in place."""
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
    """The distinct words of a file, separated by white space, in their order, without counts."""
    table = WordTable()
    with open_text(path) as reader:
        for block in reader.blocks():
            table.number(block)
    if len(table) == len(SPECIALS):
        raise InputError("expected a list of words, got an empty file", where=path)
    words = tuple(table.words())
    return Vocabulary(words, np.zeros(len(words), dtype=np.int64))

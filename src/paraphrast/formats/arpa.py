"""ARPA back-off language models, compatible with SRILM and KenLM.

    \\data\\
    ngram 1=3
    …
    \\1-grams:
    log10 probability TAB words separated by spaces [TAB log10 back-off]
    …
    \\end\\

Logarithms are to base 10 in the file and natural in memory. ``<s>`` is never predicted: its probability is
written as −99 and always read as 0.
"""

from __future__ import annotations

import logging
import math
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast._numeric import ONLY_UNKNOWN, known_words
from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats import _kernels_arpa
from paraphrast.formats.files import TextReader, atomic_write_bytes, open_text
from paraphrast.formats.words import WordTable
from paraphrast.types import SENTENCE_END, SENTENCE_START, SPECIALS, UNKNOWN, NgramArrays, Vocabulary

log = logging.getLogger(__name__)

LN10 = math.log(10)
#: The format's value for log10 of 0.
LOG10_ZERO = -99.0
_COUNT = re.compile(r"ngram\s+(\d+)\s*=\s*(\d+)\s*")
_ODD_BLANK = re.compile(r"[\v\f\r]")
_BUFFER = 1 << 20
_LONG_LINE = 1 << 12


def write_arpa(path: str | Path, vocabulary: Vocabulary, arrays: NgramArrays) -> None:
    """Write a model with nine digits, so that reading it again gives the same float32 numbers.

    Words that the model knows only as ``<unk>`` are left out, because every reader scores them as ``<unk>``.
    """
    size = int(arrays.order_start[1])
    if len(vocabulary) != size:
        raise InputError(
            f"expected the vocabulary of the model, {size} words, got one of {len(vocabulary)}",
            remedy="pass the vocabulary of the same model",
        )
    listed = known_words(arrays)
    listed[UNKNOWN] = True
    counts = [int(np.count_nonzero(listed)), *np.diff(arrays.order_start)[1:].tolist()]
    pool, offsets = _pooled(vocabulary.words)
    with atomic_write_bytes(path) as stream:
        header = "".join(f"ngram {order}={count}\n" for order, count in enumerate(counts, start=1))
        stream.write(f"\\data\\\n{header}".encode())
        buffer = np.empty(_BUFFER + int(np.diff(offsets).max()) * arrays.order, dtype=np.uint8)
        for order in range(1, arrays.order + 1):
            stream.write(f"\n\\{order}-grams:\n".encode())
            node, end = int(arrays.order_start[order - 1]), int(arrays.order_start[order])
            path_nodes = arrays.order_start[:order].copy()
            while node < end:
                node, size = _kernels_arpa.put_lines(
                    buffer, node, end, order, path_nodes, arrays.word, arrays.child_begin, arrays.log_prob,
                    arrays.backoff, LN10, order == arrays.order, listed, SENTENCE_START, pool, offsets,
                )  # fmt: skip
                stream.write(buffer[:size].data)
        stream.write(b"\n\\end\\\n")


def _pooled(words: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The concatenated bytes of the words, and where each begins."""
    try:
        raw = [word.encode("utf-8") for word in words]
    except UnicodeEncodeError as error:
        raise InputError(f"text that UTF-8 cannot represent: {error.object!r}") from error
    offsets = np.zeros(len(raw) + 1, dtype=np.int64)
    np.cumsum([len(word) for word in raw], out=offsets[1:])
    return np.frombuffer(b"".join(raw) or b"\n", dtype=np.uint8), offsets


class _Lines:
    """The lines of a file, read in blocks: one at a time, or the rest of a block for a kernel."""

    def __init__(self, reader: TextReader) -> None:
        self.name = reader.name
        self.line = 0
        self._blocks = reader.blocks()
        self.block = np.zeros(0, dtype=np.uint8)
        self.at = 0

    def more(self) -> bool:
        """Whether anything is left. Afterwards ``block[at:]`` has complete lines."""
        while self.at == len(self.block):
            block = next(self._blocks, None)
            if block is None:
                return False
            self.block, self.at = np.frombuffer(block, dtype=np.uint8), 0
        return True

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if not self.more():
            raise StopIteration
        raw: bytes = self.block[self.at : self.at + _LONG_LINE].tobytes()
        if b"\n" not in raw:
            raw = self.block[self.at :].tobytes()
        raw = raw[: raw.index(b"\n") + 1]
        self.at += len(raw)
        self.line += 1
        return raw.decode("utf-8").removesuffix("\n").removesuffix("\r")


class _Section:
    """The n-grams of one order from the file, added as they are read. The counts in the header are not trusted."""

    def __init__(self, order: int, *, highest: bool) -> None:
        self.order = order
        self.highest = highest
        self._ids = array("i")
        self._log10 = array("d")
        self._backoff10 = array("d")
        self._lines = array("q")
        self._pieces: list[
            tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]
        ] = []

    def take(self, reader: _Lines, most: int, table: WordTable, ids: NDArray[np.int32]) -> int:
        """Parse as many of the next ``most`` lines as a kernel can. Returns how many."""
        if not reader.more():
            return 0
        room = min(most, (len(reader.block) - reader.at) // (2 * self.order + 2) + 1)
        words = np.empty((room, self.order), dtype=np.int32)
        log10, backoff10 = np.empty(room), np.empty(room)
        lines = np.empty(room, dtype=np.int64)
        reader.at, read, stored = _kernels_arpa.take_lines(
            reader.block, reader.at, room, self.order, *table.arrays, ids, reader.line, words, log10, backoff10,
            lines,
        )  # fmt: skip
        reader.line += read
        if stored:
            self._pieces.append(
                (
                    words[:stored].copy(),
                    log10[:stored].copy(),
                    backoff10[:stored].copy(),
                    lines[:stored].copy(),
                )
            )
        return int(read)

    def add(self, ids: Iterable[int], fields: list[str], reader: _Lines) -> None:
        """One line: the ids of its words, and its fields."""
        try:
            log_prob = float(fields[0])
            backoff = float(fields[-1]) if len(fields) > self.order + 1 else 0.0
        except ValueError as error:
            raise FormatError(f"expected a number: {error}", where=_here(reader)) from error
        if not log_prob <= 0 or not backoff <= _kernels_arpa.LARGEST_BACKOFF:
            raise FormatError(
                f"expected a log probability of at most 0 and a weight of at most 99, got {log_prob:g} and {backoff:g}",
                where=_here(reader),
            )
        self._ids.extend(ids)
        self._log10.append(log_prob)
        self._backoff10.append(backoff)
        self._lines.append(reader.line)

    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """words int32[n, order], natural log_prob and backoff float64[n], line int64[n]."""
        by_hand = (
            np.array(self._ids, dtype=np.int32).reshape(-1, self.order),
            np.array(self._log10, dtype=np.float64),
            np.array(self._backoff10, dtype=np.float64),
            np.array(self._lines, dtype=np.int64),
        )
        pieces = [by_hand, *self._pieces]
        self._pieces = []
        words = np.concatenate([piece[0] for piece in pieces])
        log_prob = np.maximum(np.concatenate([piece[1] for piece in pieces]), LOG10_ZERO) * LN10
        backoff = np.maximum(np.concatenate([piece[2] for piece in pieces]), LOG10_ZERO)
        backoff = backoff * (0.0 if self.highest else LN10) + 0.0
        return words, log_prob, backoff, np.concatenate([piece[3] for piece in pieces])


@dataclass
class _Level:
    """The n-grams of one order by (parent, word); nodes are numbered from 0 within the order."""

    keys: NDArray[np.int64]
    word: NDArray[np.int32]
    parent: NDArray[np.int64]
    suffix: NDArray[np.int64]
    log_prob: NDArray[np.float64]
    backoff: NDArray[np.float64]


def read_arpa(path: str | Path, vocabulary: Vocabulary | None = None) -> tuple[Vocabulary, NgramArrays]:
    """Read a model (plain, gz, xz or zst) with its own vocabulary, or with the ids of a given one.

    With ``vocabulary``, n-grams with other words are dropped (they can never be looked up), and words that the file
    lacks get the probability of ``<unk>``. Without it, the words have no counts and are ordered by their bytes.
    """
    with open_text(path) as file:
        reader = _Lines(file)
        lines = iter(reader)
        counts = _read_counts(reader, lines)
        order = len(counts)
        texts, unigrams = _read_unigrams(reader, lines, counts[0], highest=order == 1)
        if vocabulary is None:
            vocabulary = Vocabulary.from_counts((text, 0) for text in texts)
        ids = {text: vocabulary.ids.get(text, -1) for text in texts}
        if SPECIALS[UNKNOWN] in ids:
            ids.setdefault("<UNK>", UNKNOWN)
        levels = [_first_level(unigrams, texts, vocabulary, reader.name)]
        # a word with a form feed is one word here but two for a table, which then has neither
        table = WordTable(() if any(map(_ODD_BLANK.search, texts)) else texts)
        table_ids = np.array([ids[text] for text in texts], dtype=np.int32)
        for length in range(2, order + 1):
            _expect(reader, lines, f"\\{length}-grams:")
            section = _Section(length, highest=length == order)
            _read_section(reader, lines, counts[length - 1], section, ids, table, table_ids)
            levels.append(_level(section, levels, len(vocabulary), reader.name))
        _expect(reader, lines, "\\end\\")
    return vocabulary, _pack(levels, order)


def _read_counts(reader: _Lines, lines: Iterator[str]) -> list[int]:
    """The header, with the first section's title; text before ``\\data\\`` is skipped."""
    for line in lines:
        if line.strip() == "\\data\\":
            break
    else:
        raise FormatError(
            "expected a line \\data\\, got none",
            where=At(reader.name),
            remedy="check that the file is in ARPA format",
        )
    counts: list[int] = []
    for line in lines:
        if match := _COUNT.fullmatch(line.strip()):
            if int(match[1]) != len(counts) + 1:
                raise FormatError(f"expected 'ngram {len(counts) + 1}=…', got {line!r}", where=_here(reader))
            counts.append(int(match[2]))
        elif line.strip() == "\\1-grams:" and counts:
            return counts
        elif line.strip():
            raise FormatError(
                f"expected 'ngram {len(counts) + 1}=…' or \\1-grams:, got {line!r}", where=_here(reader)
            )
    raise FormatError("expected \\1-grams:, but the file ends", where=_here(reader))


def _read_unigrams(
    reader: _Lines, lines: Iterator[str], count: int, *, highest: bool
) -> tuple[list[str], _Section]:
    """The words, and a section whose ids are their positions in the list."""
    places: dict[str, int] = {}
    section = _Section(1, highest=highest)
    for index in range(count):
        fields = _fields(reader, lines, 1, f"{count} unigrams, got {index}")
        text = SPECIALS[UNKNOWN] if fields[1] == "<UNK>" else fields[1]
        if text in places:
            raise FormatError(f"the unigram {text!r} is in the file twice", where=_here(reader))
        places[text] = index
        section.add((index,), fields, reader)
    return list(places), section


def _read_section(
    reader: _Lines,
    lines: Iterator[str],
    count: int,
    section: _Section,
    ids: dict[str, int],
    table: WordTable,
    table_ids: NDArray[np.int32],
) -> None:
    """The n-grams of one order without those that have a word outside the vocabulary (id −1).

    A kernel parses clearly well-formed lines; other lines are parsed, or rejected, here.
    """
    order = section.order
    index = 0
    while index < count:
        parsed = section.take(reader, count - index, table, table_ids)
        index += parsed
        if parsed:
            continue
        fields = _fields(reader, lines, order, f"{count} n-grams of order {order}, got {index}")
        index += 1
        try:
            words = [ids[word] for word in fields[1 : order + 1]]
        except KeyError as error:
            raise FormatError(
                f"the word {error.args[0]!r} is not among the unigrams", where=_here(reader)
            ) from error
        if min(words) >= 0:
            section.add(words, fields, reader)


def _fields(reader: _Lines, lines: Iterator[str], order: int, expected: str) -> list[str]:
    """Probability, words and back-off (if any) of the next line that is not blank (separated by ASCII blanks)."""
    for line in lines:
        fields = line.replace("\t", " ").split(" ")
        if "" in fields:
            fields = [field for field in fields if field]
            if not fields:
                continue
        if order + 1 <= len(fields) <= order + 2:
            return fields
        if fields[0].startswith("\\"):
            raise FormatError(f"expected {expected} before {line!r}", where=_here(reader))
        raise FormatError(
            f"expected a probability, {order} words and optionally a back-off weight, got {line!r}",
            where=_here(reader),
        )
    raise FormatError(f"expected {expected} before the file ends", where=_here(reader))


def _expect(reader: _Lines, lines: Iterator[str], title: str) -> None:
    for line in lines:
        if line.strip() == title:
            return
        if line.strip():
            raise FormatError(f"expected {title}, got {line!r}", where=_here(reader))
    raise FormatError(f"expected {title}, but the file ends", where=_here(reader))


def _here(reader: _Lines) -> At:
    return At(reader.name, reader.line)


def _first_level(section: _Section, texts: list[str], vocabulary: Vocabulary, name: str) -> _Level:
    size = len(vocabulary)
    present = np.array([vocabulary.ids.get(text, -1) for text in texts], dtype=np.int64)
    for special in (UNKNOWN, SENTENCE_START, SENTENCE_END):
        if special not in present:
            log.warning("%s: no unigram %s", name, SPECIALS[special])
    _, file_log_prob, file_backoff, _ = section.arrays()
    unknown = file_log_prob[present == UNKNOWN]
    log_prob = np.full(size, unknown[0] if len(unknown) else LOG10_ZERO * LN10)
    backoff = np.zeros(size)
    inside = present >= 0
    log_prob[present[inside]] = file_log_prob[inside]
    backoff[present[inside]] = file_backoff[inside]
    log_prob[SENTENCE_START] = 0.0
    every = np.arange(size, dtype=np.int64)
    nothing = np.full(size, -1, dtype=np.int64)
    suffix = np.full(size, ONLY_UNKNOWN, dtype=np.int64)
    suffix[present[inside]] = -1
    suffix[[UNKNOWN, SENTENCE_START, SENTENCE_END]] = -1
    return _Level(every, every.astype(np.int32), nothing, suffix, log_prob, backoff)


def _find(levels: list[_Level], words: NDArray[np.int32], size: int) -> NDArray[np.int64]:
    """Nodes, within their order, of n-grams given as rows of words; −1 if there is none."""
    nodes = words[:, 0].astype(np.int64)
    for column in range(1, words.shape[1]):
        keys = levels[column].keys
        wanted_keys = nodes * size + words[:, column]
        places = np.minimum(np.searchsorted(keys, wanted_keys), max(len(keys) - 1, 0))
        hit = (
            (nodes >= 0) & (keys[places] == wanted_keys)
            if len(keys)
            else np.zeros(len(nodes), dtype=np.bool_)
        )
        nodes = np.where(hit, places, -1)
    return nodes


def _level(section: _Section, levels: list[_Level], size: int, name: str) -> _Level:
    """Sort one order's n-grams under their parents and link each to its longest suffix in the model."""
    words, log_prob, backoff, lines = section.arrays()
    parent = _find(levels, words[:, :-1], size)
    if bool((parent < 0).any()):
        line = int(lines[np.flatnonzero(parent < 0)[0]])
        raise FormatError(
            "expected the prefix of every n-gram as an n-gram in the file, but one is missing",
            where=At(name, line),
            remedy="write the model with a tool that keeps contexts, such as SRILM or KenLM",
        )
    keys = parent * size + words[:, -1]
    order = np.argsort(keys, kind="stable")
    keys, words, parent = keys[order], words[order], parent[order]
    twice = np.flatnonzero(keys[1:] == keys[:-1])
    if len(twice):
        line = int(lines[order[twice[0] + 1]])
        raise FormatError("the n-gram is in the file twice", where=At(name, line))
    offsets = np.cumsum([0] + [len(level.keys) for level in levels])
    suffix = np.full(len(keys), -1, dtype=np.int64)
    for begin in range(1, words.shape[1]):
        open_rows = np.flatnonzero(suffix < 0)
        parents = _find(levels, words[open_rows, begin:], size)
        suffix[open_rows[parents >= 0]] = parents[parents >= 0] + offsets[words.shape[1] - begin - 1]
    return _Level(keys, words[:, -1].copy(), parent, suffix, log_prob[order], backoff[order])


def _pack(levels: list[_Level], order: int) -> NgramArrays:
    order_start = np.zeros(order + 1, dtype=np.int64)
    np.cumsum([len(level.keys) for level in levels], out=order_start[1:])
    total = int(order_start[-1])
    child_begin = np.full(total + 1, total, dtype=np.int64)
    for number, above in enumerate(levels[1:]):
        begin, end = int(order_start[number]), int(order_start[number + 1])
        child_begin[begin:end] = np.searchsorted(above.parent, np.arange(end - begin)) + end
    arrays = NgramArrays(
        word=np.concatenate([level.word for level in levels]),
        child_begin=child_begin,
        suffix=np.concatenate([level.suffix for level in levels]).astype(np.int32),
        log_prob=np.concatenate([level.log_prob for level in levels]).astype(np.float32),
        backoff=np.concatenate([level.backoff for level in levels]).astype(np.float32),
        order_start=order_start,
    )
    for values in arrays:
        values.flags.writeable = False
    return arrays

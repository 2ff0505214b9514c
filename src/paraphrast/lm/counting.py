"""Text → the trie of its n-grams: in memory, or in runs that are written to disk and merged.

The n-grams of each order are computed from those of the order below, in one linear pass over the positions of a text in
memory (:func:`count_in_memory`). A text that is too large for this is counted in pieces: the trie of each piece is
written to disk, and :func:`count_in_runs` merges them, order by order. Both give the same result.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.formats.arrays import save_array
from paraphrast.lm import _kernels
from paraphrast.lm.space import Space
from paraphrast.types import SENTENCE_END, SENTENCE_START, Sentences

log = logging.getLogger(__name__)

#: Number of nodes that are processed between two releases of mapped pages.
BLOCK = 1 << 18
#: Node numbers are int32.
MAX_NODES = 2**31 - 1
Ids = NDArray[np.int32]


@dataclass
class Level:
    """The n-grams of one length, sorted. Node numbers count from 0 within the order.

    word, suffix, counts: int32[nodes]; child_begin: int32[nodes + 1], into the order above.
    """

    word: Ids
    suffix: Ids
    counts: Ids
    child_begin: Ids

    def __len__(self) -> int:
        return len(self.word)


def blocks(size: int, step: int = 0) -> Iterator[tuple[int, int]]:
    """(first, last) of pieces of size ``step``, by default BLOCK."""
    step = step or BLOCK
    for first in range(0, size, step):
        yield first, min(first + step, size)


def check_text(sentences: Sequence[Sentences], vocabulary_size: int) -> int:
    """Number of tokens, including sentence ends. Raises an error if they cannot be counted."""
    if vocabulary_size <= SENTENCE_END:
        raise InputError(
            f"expected a vocabulary with <unk>, <s> and </s>, got {vocabulary_size} words",
            remedy="Vocabulary.from_counts puts them first",
        )
    total = sum(int(corpus.starts[-1] - corpus.starts[0]) + 2 * len(corpus) for corpus in sentences)
    if total == 0:
        raise InputError("expected text to estimate a language model from, got no sentences")
    for number, corpus in enumerate(sentences):
        begin, end = int(corpus.starts[0]), int(corpus.starts[-1])
        for first, last in blocks(end - begin):
            tokens = corpus.tokens[begin + first : begin + last]
            low, high = int(tokens.min()), int(tokens.max())
            if not (low >= 0 and high < vocabulary_size):
                raise InputError(
                    f"expected word ids from 0 to {vocabulary_size - 1}, got {low} to {high} in corpus {number}",
                    remedy="the sentences and the vocabulary do not belong together",
                )
            if bool(((tokens == SENTENCE_START) | (tokens == SENTENCE_END)).any()):
                raise InputError(
                    f"expected no <s> or </s> inside sentences, found one in corpus {number}",
                    remedy="sentence ends are added by the estimator: give the sentences without them",
                )
    return total


def padded(sentences: Sequence[Sentences], limit: int) -> Iterator[Ids]:
    """``<s> words </s>`` of whole sentences, in pieces of about ``limit`` tokens, with at least one sentence each."""
    pending: list[tuple[Sentences, int, int, int]] = []
    room = limit
    for corpus in sentences:
        for window, window_end in blocks(len(corpus)):  # starts may be many, and on disk
            lengths = corpus.starts[window : window_end + 1] + 2 * np.arange(window_end - window + 1)
            first, count = 0, window_end - window
            while first < count:
                last = int(np.searchsorted(lengths, lengths[first] + room, side="right")) - 1
                if last <= first and not pending:
                    last = first + 1
                if last > first:
                    size = int(lengths[last] - lengths[first])
                    pending.append((corpus, window + first, window + last, size))
                    room -= size
                    first = last
                if first < count:
                    yield _padded_piece(pending)
                    pending, room = [], limit
    if pending:
        yield _padded_piece(pending)


def _padded_piece(pieces: list[tuple[Sentences, int, int, int]]) -> Ids:
    text = np.empty(sum(size for *_, size in pieces), dtype=np.int32)
    at = 0
    for corpus, first, last, size in pieces:
        starts = np.array(corpus.starts[first : last + 1])
        tokens = np.array(corpus.tokens[int(starts[0]) : int(starts[-1])], dtype=np.int32)
        _kernels.pad(tokens, starts - starts[0], text[at : at + size])
        at += size
    return text


def _levels(text: Ids, vocabulary_size: int, order: int) -> Iterator[Level]:
    """The orders of one text, lowest first. child_begin of a level is filled when the next level is computed."""
    counts = np.bincount(text, minlength=vocabulary_size).astype(np.int32)
    nothing = np.full(vocabulary_size, -1, dtype=np.int32)
    level = Level(np.arange(vocabulary_size, dtype=np.int32), nothing, counts, np.zeros(0, np.int32))
    by_word = _kernels.positions_by_word(text, counts) if order > 1 else counts
    ids, next_ids = text, np.empty_like(text if order > 1 else text[:0])
    for length in range(1, order):
        word, suffix, counts, level.child_begin = _kernels.extend(
            text, by_word, ids, level.counts, length, next_ids
        )
        yield level
        level = Level(word, suffix, counts, np.zeros(0, np.int32))
        ids, next_ids = next_ids, (np.empty_like(text) if ids is text else ids)
    level.child_begin = np.zeros(len(level) + 1, dtype=np.int32)
    yield level


def count_in_memory(text: Ids, vocabulary_size: int, order: int) -> list[Level]:
    """The trie of all n-grams of a text, each order computed from the one below."""
    return list(_levels(text, vocabulary_size, order))


@dataclass
class _Run:
    """One order of the trie of one piece of text, on disk."""

    word: Ids
    counts: Ids
    child_begin: Ids


def count_in_runs(texts: Iterable[Ids], vocabulary_size: int, order: int, space: Space) -> list[Level]:
    """Like :func:`count_in_memory` for all texts together, with only one of them in memory at a time."""
    runs: list[list[_Run]] = []
    for text in texts:
        runs.append(
            [
                _Run(space.copy(level.word), space.copy(level.counts), space.copy(level.child_begin))
                for level in _levels(text, vocabulary_size, order)
            ]
        )
        space.release()
    return _merge_runs(runs, vocabulary_size, order, space)


def save_run(text: Ids, vocabulary_size: int, order: int, folder: Path) -> None:
    """Count one piece of text, padded, and write its trie to a folder, for :func:`merge_saved_runs`."""
    for number, level in enumerate(_levels(text, vocabulary_size, order)):
        for name in _RUN_ARRAYS:
            save_array(folder / f"{number}-{name}.npy", getattr(level, name))


def merge_saved_runs(folders: Sequence[Path], vocabulary_size: int, order: int, space: Space) -> list[Level]:
    """Like :func:`count_in_memory` for all texts that :func:`save_run` counted."""
    runs = [
        [
            _Run(*(space.load(folder / f"{number}-{name}.npy") for name in _RUN_ARRAYS))
            for number in range(order)
        ]
        for folder in folders
    ]
    return _merge_runs(runs, vocabulary_size, order, space)


_RUN_ARRAYS = ("word", "counts", "child_begin")


def _merge_runs(runs: list[list[_Run]], vocabulary_size: int, order: int, space: Space) -> list[Level]:
    log.info("counted in %d runs", len(runs))
    counts = np.zeros(vocabulary_size, dtype=np.int32)
    for run in runs:
        counts += run[0].counts
        space.release()
    every = np.arange(vocabulary_size, dtype=np.int32)
    levels = [Level(every, np.full(vocabulary_size, -1, np.int32), counts, np.zeros(0, np.int32))]
    merged = space.zeros(len(runs) * vocabulary_size, np.int32)
    for number in range(len(runs)):
        merged[number * vocabulary_size : (number + 1) * vocabulary_size] = every
        space.release()
    for length in range(1, order):
        below = [run[length - 1] for run in runs]
        level, merged = _merge([run[length] for run in runs], below, levels[-1], merged, space)
        levels.append(level)
        _link(levels, space)
        for run in runs:  # these files are no longer needed
            nothing = np.zeros(0, dtype=np.int32)
            run[length - 1] = _Run(nothing, nothing, nothing)
        space.release()
    levels[-1].child_begin = space.zeros(len(levels[-1]) + 1, np.int32)
    return levels


def _merge(
    runs: list[_Run], below: list[_Run], parents: Level, parent_merged: Ids, space: Space
) -> tuple[Level, Ids]:
    """One order of all runs, merged, and the merged number of each node of each run."""
    run_begin = np.cumsum([0] + [len(run.word) for run in runs], dtype=np.int64)
    parent_run_begin = np.cumsum([0] + [len(run.word) for run in below], dtype=np.int64)
    total = int(run_begin[-1])
    run_word = _joined([run.word for run in runs], space)
    run_counts = _joined([run.counts for run in runs], space)
    child_begin = _joined([run.child_begin for run in below], space)
    word, parent, counts, merged = (space.zeros(total, np.int32) for _ in range(4))
    cursor, parent_cursor = run_begin[:-1].copy(), np.zeros(len(runs), dtype=np.int64)
    parents.child_begin = space.zeros(len(parents) + 1, np.int32)
    nodes, filled = 0, 0
    while True:
        before = nodes
        nodes = _kernels.merge_runs(
            BLOCK, run_begin, parent_run_begin, child_begin, run_word, run_counts, parent_merged,
            cursor, parent_cursor, nodes, word, parent, counts, merged,
        )  # fmt: skip
        filled = _kernels.fill_child_begin(before, nodes, parent, parents.child_begin, filled)
        space.release()
        if nodes == before:
            break
        if nodes > MAX_NODES:
            raise too_many(nodes)
    parents.child_begin[filled:] = nodes
    level = Level(word[:nodes], space.zeros(nodes, np.int32), counts[:nodes], np.zeros(0, np.int32))
    return level, merged


def _joined(arrays: list[Ids], space: Space) -> Ids:
    joined = space.zeros(sum(len(array) for array in arrays), np.int32)
    at = 0
    for array in arrays:
        for first, last in blocks(len(array), 8 * BLOCK):
            joined[at + first : at + last] = array[first:last]
            space.release()
        at += len(array)
    return joined


def _link(levels: list[Level], space: Space) -> None:
    """Suffix links of the highest order so far."""
    level, parents = levels[-1], levels[-2]
    if len(levels) == 2:
        level.suffix[:] = level.word
        return
    below = levels[-3]
    for first, last in blocks(len(parents)):
        _kernels.link_suffixes(
            first, last, parents.child_begin, level.word, parents.suffix, below.child_begin, parents.word,
            level.suffix,
        )  # fmt: skip
        space.release()


def too_many(nodes: int) -> InputError:
    """The error for more n-grams than can be numbered."""
    return InputError(
        f"expected fewer than 2^31 n-grams, got {nodes}",
        remedy="lower the order or prune, such as prune=(0, 0, 1)",
    )

"""Similarity of contexts in pieces, by the engine's workers: the numbers of :mod:`paraphrast.tables.pivot.contexts`.

A task counts the contexts of some phrases in the whole text, another projects them onto the common space, another
compares the phrases of some rows. They exchange files in one folder. This process computes the space from blocks of the
fitted phrases, one block at a time. It holds a few numbers per phrase and per row, but neither counts nor vectors. The
sizes of the pieces never change a bit.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.formats.arrays import save_array
from paraphrast.formats.sentences import load_sentences
from paraphrast.tables.pivot.contexts import (
    TOKENS,
    ContextOptions,
    cosines,
    count_contexts,
    fitted_phrases,
    leading_space,
    number_contexts,
    ppmi,
    unit_vectors,
    word_frequency,
)
from paraphrast.types import Phrases

if TYPE_CHECKING:
    from scipy import sparse

#: Phrases whose contexts a task counts. Each task reads the whole text.
PHRASES = 1 << 16
#: Phrases of a task whose vectors are computed at a time.
BLOCK = 1 << 12
#: Rows that a task compares, and how many of them at a time.
ROWS, ROWS_AT_ONCE = 1 << 18, 1 << 14
#: Tasks that count words, at most: this process adds their results.
WORD_TASKS = 64


@dataclass(frozen=True)
class _Job:
    """What all tasks share. folder: where they read and write arrays; corpora: folders of ``save_sentences``."""

    folder: str
    corpora: tuple[str, ...]
    vocabulary_size: int
    phrases_at_once: int
    options: ContextOptions


@dataclass(frozen=True)
class _Task:
    """Phrases, rows, or tokens of one corpus, from ``first`` to ``stop``; the number of the task among its kind."""

    job: _Job
    number: int
    first: int
    stop: int
    corpus: str = ""


def context_cosines(
    engine: Engine,
    corpora: Sequence[Path],
    phrases: Phrases,
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    vocabulary_size: int,
    scratch: Path,
    options: ContextOptions | None = None,
    *,
    phrases_at_once: int = PHRASES,
) -> NDArray[np.float32]:
    """Cosine between the contexts of both phrases of each row; NaN if a phrase never occurs.

    corpora: folders of ``save_sentences``. Workers must be able to read them and ``scratch``.
    """
    options = options or ContextOptions()
    place = Path(tempfile.mkdtemp(prefix="contexts-", dir=scratch)).resolve()
    place.chmod(0o770)
    folders = tuple(str(corpus.resolve()) for corpus in corpora)
    job = _Job(str(place), folders, vocabulary_size, phrases_at_once, options)
    try:
        for name, values in (("words", phrases.words), ("source", source), ("target", target)):
            _put(job, name, values)
        pieces = _tasks(job, len(phrases), phrases_at_once)
        _number_words(engine, job)
        engine.map(_count, pieces)
        totals = sum(_load(job, f"totals-{task.number}") for task in pieces)
        occurrences = np.concatenate([_load(job, f"occurrences-{task.number}") for task in pieces])
        often = fitted_phrases(occurrences, options)
        _put(job, "context-totals", np.asarray(totals))
        _put(job, "often", often)
        blocks = [name for names in engine.map(_weigh, pieces) for name in names]
        shape = (len(often), len(np.asarray(totals)))
        basis = leading_space(lambda: _matrices(job, blocks, shape[1]), shape, options)
        _put(job, "basis", basis)
        engine.map(_project, pieces)
        rows = _tasks(job, len(source), ROWS)
        engine.map(_compare, rows)
        return np.concatenate([_load(job, f"cosines-{task.number}") for task in rows])
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _tasks(job: _Job, total: int, size: int) -> list[_Task]:
    """Pieces of so many phrases or rows. There is always one."""
    return [
        _Task(job, number, first, min(first + size, total))
        for number, first in enumerate(range(0, max(total, 1), size))
    ]


def _number_words(engine: Engine, job: _Job) -> None:
    """Write the number of each word as a context."""
    sizes = [len(load_sentences(Path(corpus)).tokens) for corpus in job.corpora]
    size = max(TOKENS, -(-sum(sizes) // WORD_TASKS))
    ranges = [
        (corpus, first, min(first + size, total))
        for corpus, total in zip(job.corpora, sizes, strict=True)
        for first in range(0, total, size)
    ]
    tasks = [_Task(job, number, first, stop, corpus) for number, (corpus, first, stop) in enumerate(ranges)]
    engine.map(_count_words, tasks)
    frequency = np.zeros(job.vocabulary_size, dtype=np.int64)
    for task in tasks:
        frequency += _load(job, f"frequency-{task.number}")
    number_of, width = number_contexts(frequency, job.options)
    _put(job, "number-of", number_of)
    _put(job, "width", np.array([width]))


def _count_words(task: _Task) -> None:
    tokens = load_sentences(Path(task.corpus)).tokens[task.first : task.stop]
    _put(task.job, f"frequency-{task.number}", word_frequency(tokens, task.job.vocabulary_size))


def _count(task: _Task) -> None:
    """Write the counts of contexts of some phrases, their sums by phrase, and by context."""
    job = task.job
    words = np.array(_load(job, "words", mapped=True)[task.first : task.stop])
    corpora = [load_sentences(Path(corpus)) for corpus in job.corpora]
    phrases = Phrases(words, np.zeros(len(words), np.uint8))
    width = int(_load(job, "width")[0])
    counts = count_contexts(corpora, phrases, _load(job, "number-of"), width, job.options)
    _put(job, f"totals-{task.number}", np.asarray(counts.sum(axis=0)).ravel().astype(np.int64))
    _put(job, f"occurrences-{task.number}", np.asarray(counts.sum(axis=1)).ravel().astype(np.int64))
    _put_matrix(job, f"counts-{task.number}", counts)


def _weigh(task: _Task) -> list[str]:
    """Write the weights of those phrases that the space is fitted to; returns the names of the matrices."""
    job = task.job
    often, totals = _load(job, "often", mapped=True), _load(job, "context-totals")
    names = []
    for first, counts in _blocks(task):
        low, high = np.searchsorted(often, [task.first + first, task.first + first + counts.shape[0]])
        if low < high:
            names.append(f"fitted-{task.number}-{first}")
            rows = np.array(often[low:high]) - task.first - first
            _put_matrix(job, names[-1], ppmi(counts[rows], job.options.power, totals))
    return names


def _project(task: _Task) -> None:
    """Write the vectors of some phrases."""
    job = task.job
    basis, totals = _load(job, "basis"), _load(job, "context-totals")
    vectors = np.zeros((task.stop - task.first, basis.shape[1]), dtype=np.float32)
    for first, counts in _blocks(task):
        weights = ppmi(counts, job.options.power, totals)
        vectors[first : first + counts.shape[0]] = unit_vectors(weights, basis)
    _put(job, f"vectors-{task.number}", vectors)


def _compare(task: _Task) -> None:
    """Write the cosines of some rows."""
    job = task.job
    sides = [_load(job, side, mapped=True) for side in ("source", "target")]
    result = np.zeros(task.stop - task.first, dtype=np.float32)
    for first in range(task.first, task.stop, ROWS_AT_ONCE):
        rows = slice(first, min(first + ROWS_AT_ONCE, task.stop))
        vectors = _vectors(job, np.concatenate([side[rows] for side in sides]))
        places = np.arange(len(vectors), dtype=np.int32)
        half = len(vectors) // 2
        result[first - task.first : rows.stop - task.first] = cosines(vectors, places[:half], places[half:])
    _put(job, f"cosines-{task.number}", result)


def _vectors(job: _Job, ids: NDArray[np.int32]) -> NDArray[np.float32]:
    """The vectors of some phrases."""
    piece = ids // job.phrases_at_once
    vectors = np.zeros((len(ids), len(_load(job, "basis", mapped=True)[0])), dtype=np.float32)
    for number in np.unique(piece).tolist():
        here = np.flatnonzero(piece == number)
        stored = _load(job, f"vectors-{number}", mapped=True)
        vectors[here] = stored[ids[here] - number * job.phrases_at_once]
    return vectors


def _blocks(task: _Task) -> Iterator[tuple[int, sparse.csr_matrix]]:
    """The counts of the phrases of a task, some phrases at a time, with the place of the first."""
    from scipy import sparse

    data, indices, indptr = (_load(task.job, f"counts-{task.number}-{part}", mapped=True) for part in _MATRIX)
    columns = len(_load(task.job, "context-totals", mapped=True))
    for first in range(0, task.stop - task.first, BLOCK):
        starts = np.array(indptr[first : first + BLOCK + 1])
        low, high = int(starts[0]), int(starts[-1])
        parts = np.array(data[low:high]), np.array(indices[low:high]), starts - low
        yield first, sparse.csr_matrix(parts, shape=(len(starts) - 1, columns))


_MATRIX = ("data", "indices", "indptr")


def _put_matrix(job: _Job, name: str, matrix: sparse.csr_matrix) -> None:
    for part in _MATRIX:
        _put(job, f"{name}-{part}", getattr(matrix, part))


def _matrices(job: _Job, names: Sequence[str], columns: int) -> Iterator[sparse.csr_matrix]:
    """Matrices of :func:`_put_matrix`, one at a time."""
    from scipy import sparse

    for name in names:
        parts = tuple(_load(job, f"{name}-{part}") for part in _MATRIX)
        yield sparse.csr_matrix(parts, shape=(len(parts[2]) - 1, columns))


def _put(job: _Job, name: str, values: NDArray[Any]) -> None:
    """Write an array under a temporary name, then rename: a task may run twice."""
    path = Path(job.folder) / f"{name}.npy"
    temporary = path.with_name(f".{name}.{os.getpid()}")
    save_array(temporary, values)
    os.replace(temporary, path)


def _load(job: _Job, name: str, *, mapped: bool = False) -> Any:
    return np.load(Path(job.folder) / f"{name}.npy", mmap_mode="r" if mapped else None, allow_pickle=False)

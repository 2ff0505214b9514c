"""EM of the aligner by workers: what one task does.

A task of a shard reads its sentence pairs and the probabilities of their words, and writes expected counts. A task of a
block of source words adds the counts of all shards and computes the new probabilities of its words. Counts are integers
(``paraphrast.align._kernels``), so their sums, and all bits of the result, are the same for any shards, blocks and
machines. Workers share one folder. Results are put in place by a rename, because a task may run twice.

The table of a direction is divided by source word e into ``blocks`` parts, e modulo ``blocks``. A part has the sorted
keys e · 2³² + f and the probabilities t(f | e).
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import Aligner, AlignOptions, _kernels
from paraphrast.align.base import SMALLEST, Bitext, Lexicon
from paraphrast.align.hmm import HMM, Expectation
from paraphrast.align.ibm1 import Model1
from paraphrast.formats.arrays import save_array
from paraphrast.formats.sentences import load_sentences
from paraphrast.types import Sentences

#: Directions: source to target, and target to source.
FORWARD, BACKWARD = 0, 1
#: Shards whose counts are added at a time by the task of a block.
_TOGETHER = 64
Keys = NDArray[np.int64]


@dataclass(frozen=True)
class Pairs:
    """Sentence pairs ``first`` to ``stop`` of two corpora of ``save_sentences``, number ``shard`` of all shards."""

    shard: int
    source: str
    target: str
    first: int
    stop: int


@dataclass(frozen=True)
class Job:
    """What all tasks of a training run share. words: target words of the whole text in each direction."""

    folder: str
    source_size: int
    target_size: int
    options: AlignOptions
    blocks: int
    shards: int
    words: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class ShardTask:
    """One E step of one shard, or its alignment. rounds: numbers of both tables to read; 0 before the first."""

    job: Job
    pairs: Pairs
    rounds: tuple[int, int]
    directions: tuple[int, ...]


@dataclass(frozen=True)
class BlockTask:
    """One M step of one block, or its pruning. round: number of the table to write.

    parameter: the prior of an M step; the least probability that pruning keeps.
    """

    job: Job
    block: int
    round: int
    direction: int
    parameter: float


def measure_pairs(task: ShardTask) -> tuple[int, int, int]:
    """Skipped pairs, source words and target words of a shard."""
    bitext = bitext_of(task)
    return bitext.skipped, len(bitext.source.tokens), len(bitext.target.tokens)


def model1_counts(task: ShardTask) -> None:
    """The E step of Model 1: expected counts of all word pairs of a shard, in the given directions."""
    both = bitext_of(task)
    for direction in task.directions:
        bitext = both if direction == FORWARD else both.flipped()
        model = Model1(bitext)
        if task.rounds[direction]:
            keys = _keys(model.row_start, model.columns)
            _, model.prob = _look_up(task.job, task.rounds[direction], direction, keys)
        log_units, inverse = model.expect(bitext, uniform=not task.rounds[direction])
        units = model.count_units(bitext, inverse)
        keys = _keys(model.row_start, model.columns)
        order = np.argsort(keys, kind="stable")
        _put_counts(task, direction, keys[order], units[order], {"log": np.array([log_units])})


def hmm_counts(task: ShardTask) -> None:
    """The E step of the HMM: of both directions together if they agree, else of each by itself."""
    both = bitext_of(task)
    models = {direction: _hmm(task, both, direction) for direction in task.directions}
    runs = {
        direction: Expectation(
            model,
            both if direction == FORWARD else both.flipped(),
            words=task.job.words[direction],
        )
        for direction, model in models.items()
    }
    first_run = next(iter(runs.values()))
    agree = task.job.options.agreement
    for first, last in first_run.chunks():
        for run in runs.values():
            run.expect(first, last)
        for direction, run in runs.items():
            run.collect(first, last, runs[1 - direction] if agree else None)
    for direction, run in runs.items():
        lexicon = models[direction].lexicon
        used = np.flatnonzero(run.count_units)
        keys = _slot_keys(lexicon, used)
        order = np.argsort(keys, kind="stable")
        sums = {
            "log": np.array([run.log_units]),
            "widths": run.width_units,
            "departure_cells": np.flatnonzero(run.departure_units),
            "departures": run.departure_units[run.departure_units != 0],
        }
        _put_counts(task, direction, keys[order], run.count_units[used][order], sums)


def align_pairs(task: ShardTask) -> int:
    """The links of a shard, by the tables of ``rounds``."""
    job, both = task.job, bitext_of(task)
    models = [
        _hmm(task, both, direction) if job.options.hmm_iterations else _model1(task, both, direction)
        for direction in (FORWARD, BACKWARD)
    ]
    aligner = Aligner(models[0], models[1], job.source_size, job.target_size, job.options)
    links = aligner.align(both.source, both.target)
    columns: dict[str, NDArray[Any]] = {
        "starts": links.starts,
        "source": links.source,
        "target": links.target,
    }
    _put(links_folder(job, task.pairs.shard), columns)
    return len(links.source)


def maximise_block(task: BlockTask) -> int:
    """The M step of a block of source words: the counts of all shards, added and normalised. Returns the entries."""
    job = task.job
    keys, units, prob = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)
    if task.round > 1:
        keys, prob = _load_block(job, task.round - 1, task.direction, task.block)
        units = np.zeros(len(keys), np.int64)
    for first in range(0, job.shards, _TOGETHER):
        pieces = [
            _counts_of(job, task.round, task.direction, shard, task.block)
            for shard in range(first, min(first + _TOGETHER, job.shards))
        ]
        keys, units = _added([(keys, units), *pieces])
    if task.round == 1:
        size = job.target_size if task.direction == FORWARD else job.source_size
        prob = np.full(len(keys), 1.0 / max(size, 1), np.float32)
    rows = np.flatnonzero(np.diff(keys >> 32, prepend=-1))
    prob = np.array(prob)
    _kernels.maximise_rows(np.append(rows, len(keys)).astype(np.int64), units, task.parameter, SMALLEST, prob)
    _put(_block_folder(job, task.round, task.direction, task.block), {"keys": keys, "prob": prob})
    return len(keys)


def prune_block(task: BlockTask) -> int:
    """The table of the round before, without small probabilities."""
    keys, prob = _load_block(task.job, task.round - 1, task.direction, task.block)
    large = prob.astype(np.float64) >= task.parameter  # the kernels compare in double precision
    folder = _block_folder(task.job, task.round, task.direction, task.block)
    _put(folder, {"keys": keys[large], "prob": prob[large]})
    return int(large.sum())


def bitext_of(task: ShardTask) -> Bitext:
    """The sentence pairs of a shard."""
    options = task.job.options
    source, target = (_side(folder, task.pairs) for folder in (task.pairs.source, task.pairs.target))
    limits = {"max_length": options.max_length, "max_ratio": options.max_ratio}
    return Bitext.of(source, target, task.job.source_size, task.job.target_size, **limits)  # type: ignore[arg-type]


def _side(folder: str, pairs: Pairs) -> Sentences:
    sentences = load_sentences(Path(folder))
    starts = np.array(sentences.starts[pairs.first : pairs.stop + 1])
    tokens = np.array(sentences.tokens[int(starts[0]) : int(starts[-1])])
    return Sentences(tokens, starts - starts[0], np.zeros(len(tokens), np.uint8))


def _hmm(task: ShardTask, both: Bitext, direction: int) -> HMM:
    """The HMM with the entries of the lexicon that the shard can use."""
    options = task.job.options
    model = Model1(both if direction == FORWARD else both.flipped())
    lexicon = Lexicon(*_kernels.hash_rows(*_rows(task, model, direction), -1.0))
    hmm = HMM(
        lexicon,
        max_length=options.max_length,
        window=options.window,
        empty=options.empty,
        prior=options.prior,
    )
    jump = Path(task.job.folder) / f"jump-{task.rounds[direction]}-{direction}.npy"
    if jump.exists():
        hmm.jump = np.load(jump, allow_pickle=False)
    return hmm


def _model1(task: ShardTask, both: Bitext, direction: int) -> Model1:
    model = Model1(both if direction == FORWARD else both.flipped())
    return Model1.from_rows(*_rows(task, model, direction))


def _rows(
    task: ShardTask, model: Model1, direction: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
    """Rows of the table, without word pairs that do not occur in the shard."""
    keys = _keys(model.row_start, model.columns)
    there, prob = _look_up(task.job, task.rounds[direction], direction, keys)
    ends = np.zeros(len(there) + 1, np.int64)
    np.cumsum(there, out=ends[1:])
    return ends[model.row_start], model.columns[there], prob[there]


def _keys(row_start: NDArray[np.int64], columns: NDArray[np.int32]) -> Keys:
    rows = np.repeat(np.arange(len(row_start) - 1, dtype=np.int64), np.diff(row_start))
    return (rows << 32) | columns


def _slot_keys(lexicon: Lexicon, slots: NDArray[np.int64]) -> Keys:
    rows = np.searchsorted(lexicon.slot_start, slots, side="right") - 1
    return (rows.astype(np.int64) << 32) | lexicon.slot_word[slots]


def _look_up(
    job: Job, number: int, direction: int, keys: Keys
) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """Which keys the tables have, and their probabilities."""
    there, prob = np.zeros(len(keys), np.bool_), np.zeros(len(keys), np.float32)
    order, starts = _by_block(keys, job.blocks)
    for part in range(job.blocks):
        places = order[starts[part] : starts[part + 1]]
        if not len(places):
            continue
        known, known_prob = _load_block(job, number, direction, part)
        at = np.searchsorted(known, keys[places])
        at[at == len(known)] = 0
        matches = known[at] == keys[places] if len(known) else np.zeros(len(places), np.bool_)
        there[places[matches]] = True
        prob[places[matches]] = known_prob[at[matches]]
    return there, prob


def _by_block(keys: Keys, blocks: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The order of keys by block, stable, and where each block begins in it."""
    block = ((keys >> 32) % blocks).astype(np.int16 if blocks < 1 << 15 else np.int64)
    starts = np.zeros(blocks + 1, np.int64)
    np.cumsum(np.bincount(block, minlength=blocks), out=starts[1:])
    return np.argsort(block, kind="stable"), starts


def _added(pieces: list[tuple[Keys, NDArray[np.int64]]]) -> tuple[Keys, NDArray[np.int64]]:
    """Sorted distinct keys with the sums of their units."""
    keys = np.concatenate([piece for piece, _ in pieces])
    units = np.concatenate([units for _, units in pieces])
    if not len(keys):
        return keys, units
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[firsts], np.add.reduceat(units[order], firsts)


def counts_folder(job: Job, number: int, direction: int, shard: int) -> Path:
    """The expected counts of a shard."""
    return Path(job.folder) / f"counts-{number}-{direction}" / f"{shard:08d}"


def links_folder(job: Job, shard: int) -> Path:
    """The links of a shard."""
    return Path(job.folder) / "links" / f"{shard:08d}"


def _block_folder(job: Job, number: int, direction: int, block: int) -> Path:
    return Path(job.folder) / f"table-{number}-{direction}" / f"{block:06d}"


def _load_block(job: Job, number: int, direction: int, block: int) -> tuple[Keys, NDArray[np.float32]]:
    folder = _block_folder(job, number, direction, block)
    return load(folder, "keys"), load(folder, "prob")


def load(folder: Path, name: str) -> NDArray[Any]:
    """One array of a result, mapped into memory."""
    path = folder / f"{name}.npy"
    array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return array


def _counts_of(
    job: Job, number: int, direction: int, shard: int, block: int
) -> tuple[Keys, NDArray[np.int64]]:
    folder = counts_folder(job, number, direction, shard)
    begin, end = load(folder, "block_start")[block : block + 2]
    return load(folder, "keys")[begin:end], load(folder, "units")[begin:end]


def _put_counts(
    task: ShardTask, direction: int, keys: Keys, units: NDArray[np.int64], sums: dict[str, NDArray[Any]]
) -> None:
    """Write the counts of a shard, by block."""
    order, starts = _by_block(keys, task.job.blocks)
    columns = {"keys": keys[order], "units": units[order], "block_start": starts, **sums}
    _put(counts_folder(task.job, task.rounds[direction] + 1, direction, task.pairs.shard), columns)


def _put(folder: Path, columns: dict[str, NDArray[Any]]) -> None:
    """Write arrays under a temporary name, then rename. Equal results of another attempt may exist."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    temporary.chmod(0o770)
    for name, values in columns.items():
        save_array(temporary / f"{name}.npy", values)
    try:
        os.rename(temporary, folder)
    except OSError:
        shutil.rmtree(temporary, ignore_errors=True)
        if not folder.is_dir():
            raise

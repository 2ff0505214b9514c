"""EM of the aligner by the engine's workers: the order of the tasks (``em_tasks`` has the tasks themselves).

This process holds only the jumps. The tables, which grow with the text, are files in a folder that workers share. The
links are the same to the byte as those of :func:`paraphrast.align.align`.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import AlignOptions, _kernels
from paraphrast.align.base import Bitext, EMModel, Lexicon, Progress, check_words, tell_skipped
from paraphrast.align.hmm import HMM
from paraphrast.build import em_tasks
from paraphrast.build.em_tasks import BACKWARD, FORWARD, BlockTask, Job, Pairs, ShardTask
from paraphrast.engine import Engine
from paraphrast.errors import InputError, ParaphrastError
from paraphrast.formats.arrays import save_array, save_joined
from paraphrast.types import Sentences

R = TypeVar("R")
BOTH = (FORWARD, BACKWARD)

#: Sentence pairs per shard: at most the first value, at least the second, else an eighth of all. Larger shards mean
#: fewer counts to add.
SHARD, SMALL_SHARD = 32_768, 1_024
#: Source words per block, at most as many blocks as below.
WORDS, BLOCKS = 2_048, 1_024


def align_on_workers(
    engine: Engine,
    corpora: Sequence[tuple[Path, Path]],
    sizes: tuple[int, int],
    options: AlignOptions,
    scratch: Path,
    output: Path,
    *,
    shard: int = 0,
    blocks: int = 0,
    progress: Progress | None = None,
) -> tuple[int, int]:
    """Train on the sentence pairs of all corpora and align them. Writes links to ``output``; returns links and pairs.

    corpora: folders of ``save_sentences``, source and target. sizes: of both vocabularies.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="em-", dir=scratch)).resolve()
    place.chmod(0o770)
    try:
        pairs = _pairs_of(corpora, shard)
        count = blocks or min(max(max(sizes) // WORDS, 4), BLOCKS)
        training = _Training(engine, Job(str(place), *sizes, options, count, len(pairs)), pairs)
        training.run(progress)
        training.map(em_tasks.align_pairs, BOTH)
        return _join_links(training.job, pairs, output)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _pairs_of(corpora: Sequence[tuple[Path, Path]], shard: int) -> list[Pairs]:
    pairs: list[Pairs] = []
    sizes = [[len(em_tasks.load(side, "starts")) - 1 for side in sides] for sides in corpora]
    shard = shard or min(max(sum(size for size, _ in sizes) // 8, SMALL_SHARD), SHARD)
    for (source, target), (total, others) in zip(corpora, sizes, strict=True):
        if total != others:
            raise InputError(
                f"expected as many source as target sentences, got {total} and {others}",
                remedy="both sides of a bitext need one sentence per line, in the same order",
            )
        for first in range(0, total, shard):
            last = min(first + shard, total)
            pairs.append(Pairs(len(pairs), str(source.resolve()), str(target.resolve()), first, last))
    return pairs


class _Training:
    """The rounds of EM. In each direction, every round reads the table of the round before and writes a new one."""

    def __init__(self, engine: Engine, job: Job, pairs: list[Pairs]) -> None:
        self.engine, self.job, self.pairs = engine, job, pairs
        self.rounds = [0, 0]

    def map(self, function: Callable[[ShardTask], R], directions: tuple[int, ...]) -> list[R]:
        """A function of every shard."""
        rounds = self.rounds[FORWARD], self.rounds[BACKWARD]
        return self.engine.map(
            function, [ShardTask(self.job, pairs, rounds, directions) for pairs in self.pairs]
        )

    def run(self, progress: Progress | None) -> None:
        """Model 1, then the HMM: the schedule of ``paraphrast.align.train``."""
        options = self.job.options
        measured = self.map(em_tasks.measure_pairs, ())
        skipped, source_words, target_words = (sum(row[k] for row in measured) for k in range(3))
        tell_skipped(skipped, sum(pairs.stop - pairs.first for pairs in self.pairs))
        check_words(max(source_words, target_words))
        self.job = replace(self.job, words=(target_words, source_words))
        # With a tolerance, each direction may stop at another iteration.
        apart = ((FORWARD,), (BACKWARD,)) if options.tolerance is not None else (BOTH,)
        for directions in apart:
            _WorkersModel1(self, directions).train(options.model1_iterations, progress)
        if options.hmm_iterations:
            self.blocks(em_tasks.prune_block, BOTH, options.prune)
            for directions in (BOTH,) if options.agreement else apart:
                _WorkersHmm(self, directions).train(options.hmm_iterations, progress)

    def blocks(
        self, function: Callable[[BlockTask], int], directions: tuple[int, ...], parameter: float
    ) -> None:
        """A function of every block. Ends the round, and deletes what only that round needed."""
        self.engine.map(
            function,
            [
                BlockTask(self.job, block, self.rounds[direction] + 1, direction, parameter)
                for direction in directions
                for block in range(self.job.blocks)
            ],
        )
        for direction in directions:
            number = self.rounds[direction]
            for name in (f"counts-{number + 1}", f"table-{number}"):
                shutil.rmtree(Path(self.job.folder) / f"{name}-{direction}", ignore_errors=True)
            self.rounds[direction] += 1

    def counts(self, direction: int) -> list[Path]:
        """The folders with the counts of all shards in this round."""
        number = self.rounds[direction] + 1
        return [em_tasks.counts_folder(self.job, number, direction, pairs.shard) for pairs in self.pairs]

    def log_likelihood(self, directions: tuple[int, ...]) -> float:
        """The log-likelihood of the whole text in this round."""
        folders = [folder for direction in directions for folder in self.counts(direction)]
        return sum(int(em_tasks.load(folder, "log")[0]) for folder in folders) / _kernels.LOG_UNIT


class _WorkersModel(EMModel):
    """A model whose text and tables are with the workers."""

    def __init__(self, training: _Training, directions: tuple[int, ...]) -> None:
        super().__init__()
        self.training, self.directions = training, directions

    def train(self, iterations: int, progress: Progress | None) -> None:
        """Run EM."""
        nothing = Sentences(np.zeros(0, np.int32), np.zeros(1, np.int64), np.zeros(0, np.uint8))
        text = Bitext(nothing, nothing, 0, 0, np.zeros(0, np.bool_))
        self.fit(text, iterations, tolerance=self.training.job.options.tolerance, progress=progress)

    def best(self, bitext: Bitext) -> NDArray[np.int32]:
        """Never called: :func:`align_on_workers` lets the workers align their own sentences."""
        raise ParaphrastError(
            "a model whose tables are with the workers cannot align here", remedy="use em_tasks.align_pairs"
        )


class _WorkersModel1(_WorkersModel):
    name = "Model 1"

    def _step(self, bitext: Bitext) -> float:
        training = self.training
        training.map(em_tasks.model1_counts, self.directions)
        log_likelihood = training.log_likelihood(self.directions)
        training.blocks(em_tasks.maximise_block, self.directions, training.job.options.model1_prior)
        return log_likelihood


class _WorkersHmm(_WorkersModel):
    name = "HMM"

    def __init__(self, training: _Training, directions: tuple[int, ...]) -> None:
        super().__init__(training, directions)
        options = training.job.options
        empty = Lexicon(np.zeros(2, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))
        limits = {"max_length": options.max_length, "window": options.window}
        self.models = {direction: HMM(empty, empty=options.empty, **limits) for direction in directions}

    def _step(self, bitext: Bitext) -> float:
        training = self.training
        training.map(em_tasks.hmm_counts, self.directions)
        log_likelihood = training.log_likelihood(self.directions)
        for direction, model in self.models.items():
            self._update_jumps(direction, model)
        training.blocks(em_tasks.maximise_block, self.directions, training.job.options.prior)
        return log_likelihood

    def _update_jumps(self, direction: int, model: HMM) -> None:
        """The jumps' part of the M step, for the next round."""
        widths = np.zeros(len(model.jump), np.int64)
        departures = np.zeros((model.max_length + 1, model.max_length + 1), np.int64)
        for folder in self.training.counts(direction):
            widths += em_tasks.load(folder, "widths")
            departures.reshape(-1)[em_tasks.load(folder, "departure_cells")] += em_tasks.load(
                folder, "departures"
            )
        model.set_jumps(widths, departures)
        path = Path(self.training.job.folder) / f"jump-{self.training.rounds[direction] + 1}-{direction}.npy"
        save_array(path, model.jump)


def _join_links(job: Job, pairs: Sequence[Pairs], output: Path) -> tuple[int, int]:
    """The links of all shards as three files, written one shard after the other."""
    folders = [em_tasks.links_folder(job, one.shard) for one in pairs]

    def starts() -> Iterator[NDArray[np.int64]]:
        total = 0
        yield np.zeros(1, np.int64)
        for folder in folders:
            piece = em_tasks.load(folder, "starts")
            yield piece[1:] + total
            total += int(piece[-1])

    save_joined(output / "starts.npy", starts)
    for name in ("source", "target"):
        save_joined(output / f"{name}.npy", partial(_columns, folders, name))
    links = sum(int(em_tasks.load(folder, "starts")[-1]) for folder in folders)
    return links, sum(one.stop - one.first for one in pairs)


def _columns(folders: Sequence[Path], name: str) -> Iterator[NDArray[np.int32]]:
    for folder in folders:
        yield em_tasks.load(folder, name)

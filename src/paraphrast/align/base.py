"""Shared parts of all alignment models: the sentence pairs in use, the lexicon, and EM.

The base class owns the loop. A model implements one iteration (:meth:`EMModel._step`, which returns the log-likelihood
*before* its update) and the alignment. The model keeps the log-likelihoods of all iterations, so that tests can check
that they never fall.
"""

from __future__ import annotations

import logging
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import _kernels
from paraphrast.errors import ConvergenceWarning, InputError
from paraphrast.types import Sentences

#: t(f | e) of a pair that is not in the lexicon.
FLOOR = 1e-7
#: Minimum probability that is stored, so that no sum is ever zero.
SMALLEST = 1e-30

#: Expected counts are integers of 63 bits, 30 of them behind the point.
MOST_WORDS = 1 << 33

log = logging.getLogger(__name__)

Progress = Callable[[str, int, int], None]
R = TypeVar("R")


def check_words(count: int) -> None:
    """Raise an error if the expected counts of so many words might not fit into integers."""
    if count >= MOST_WORDS:
        raise InputError(
            f"expected a text of fewer than {MOST_WORDS:,} words, got {count:,}",
            remedy="train the aligner on a sample, and align the rest with it (align --save, align --model)",
        )


def tell_skipped(skipped: int, pairs: int) -> None:
    """Report how many pairs are left out, as a warning if they are the majority."""
    if skipped:
        log.log(
            logging.WARNING if 2 * skipped > pairs else logging.INFO,
            "skipped %d of %d pairs: empty, too long or of very different lengths",
            skipped,
            pairs,
        )


@dataclass(frozen=True)
class Bitext:
    """Sentence pairs in one direction: the model generates ``target`` from ``source``.

    kept: bool[pairs], False for skipped pairs (empty, too long, or of very different lengths). They are not used in
        training and get no links, but keep their place.
    """

    source: Sentences
    target: Sentences
    source_size: int
    target_size: int
    kept: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        source: Sentences,
        target: Sentences,
        source_size: int,
        target_size: int,
        *,
        max_length: int = 1000,
        max_ratio: float = 9.0,
    ) -> Bitext:
        """Check that both sides match and mark the pairs that can be aligned."""
        if len(source) != len(target):
            raise InputError(
                f"expected as many source as target sentences, got {len(source)} and {len(target)}",
                remedy="both sides of a bitext need one sentence per line, in the same order",
            )
        for side, sentences, size in (("source", source, source_size), ("target", target, target_size)):
            if len(sentences.tokens) and not 0 <= sentences.tokens.min() <= sentences.tokens.max() < size:
                raise InputError(
                    f"expected {side} word ids from 0 to {size - 1},"
                    f" got {sentences.tokens.min()} to {sentences.tokens.max()}",
                    remedy="pass the size of the vocabulary that encoded the sentences",
                )
            check_words(len(sentences.tokens))
        source_lens = np.diff(source.starts)
        target_lens = np.diff(target.starts)
        shorter = np.minimum(source_lens, target_lens)
        longer = np.maximum(source_lens, target_lens)
        usable = (shorter > 0) & (longer <= max_length) & (longer <= max_ratio * shorter)
        return cls(source.writable(), target.writable(), source_size, target_size, usable)

    def flipped(self) -> Bitext:
        """The same pairs in the other direction."""
        return Bitext(self.target, self.source, self.target_size, self.source_size, self.kept)

    @property
    def skipped(self) -> int:
        """Number of pairs that are left out."""
        return int(len(self.kept) - self.kept.sum())


@dataclass(frozen=True)
class Lexicon:
    """t(target word | source word): one small hash table per source word. The last row is the empty word.

    slot_start: int64[source words + 2]; the slots of row e are ``slot_word[slot_start[e]:slot_start[e + 1]]``.
    slot_word: int32[slots], target word, −1 if the slot is free.
    prob: float32[slots].
    """

    slot_start: NDArray[np.int64]
    slot_word: NDArray[np.int32]
    prob: NDArray[np.float32]

    def __len__(self) -> int:
        return int((self.slot_word >= 0).sum())

    @property
    def null(self) -> int:
        """The row of the empty word."""
        return len(self.slot_start) - 2

    def lookup(self, sources: NDArray[np.int32], targets: NDArray[np.int32]) -> NDArray[np.float32]:
        """t(targets[n] | sources[n]); :data:`FLOOR` if there is no entry."""
        return _kernels.lookup(
            self.slot_start,
            self.slot_word,
            self.prob,
            sources.astype(np.int32),
            targets.astype(np.int32),
            FLOOR,
        )


class EMModel(ABC):
    """A model of p(target | source) trained by EM.

    log_likelihoods: one value per iteration, each from before that iteration's update.
    """

    name = "model"

    def __init__(self) -> None:
        self.log_likelihoods: list[float] = []

    @abstractmethod
    def _step(self, bitext: Bitext) -> float:
        """One E and one M step. Returns the log-likelihood of ``bitext`` before the update."""

    @abstractmethod
    def best(self, bitext: Bitext) -> NDArray[np.int32]:
        """For every target token, the position of its source word; −1 for none."""

    def fit(
        self,
        bitext: Bitext,
        iterations: int,
        *,
        tolerance: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Run ``iterations`` of EM, or fewer if the relative gain falls below ``tolerance``.

        Issues a :class:`ConvergenceWarning` only if a ``tolerance`` was set and not reached.
        """
        for done in range(iterations):
            self.log_likelihoods.append(self._step(bitext))
            if progress is not None:
                progress(self.name, done + 1, iterations)
            if tolerance is not None and self._gain() < tolerance:
                return
        if tolerance is not None and iterations > 0:
            warnings.warn(
                f"{self.name} gained {self._gain():.2g} in its last of {iterations} iterations,"
                f" above the tolerance {tolerance:.2g}: allow more iterations or a larger tolerance",
                ConvergenceWarning,
                stacklevel=2,
            )

    def _gain(self) -> float:
        """Relative rise of the log-likelihood in the last iteration."""
        if len(self.log_likelihoods) < 2:
            return float("inf")
        before, now = self.log_likelihoods[-2:]
        return (now - before) / max(abs(before), 1e-300)


class Pair:
    """Runs two tasks, side by side if there are two threads. Neither waits for a lock."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(max_workers=2) if threads > 1 else None

    def __enter__(self) -> Pair:
        return self

    def __exit__(self, *error: object) -> None:
        # Not the pool's exit method: after Ctrl-C it would wait for kernels that run for a long time.
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def run(self, first: Callable[[], R], second: Callable[[], R]) -> tuple[R, R]:
        """The results of both. An error in either is raised."""
        if self._pool is None:
            return first(), second()
        futures = self._pool.submit(first), self._pool.submit(second)
        return futures[0].result(), futures[1].result()

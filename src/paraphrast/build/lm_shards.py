"""The language model by the engine's workers: each counts the n-grams of a shard, sorted, and writes them to a folder.

This process merges the sorted runs, one block after the other, in files that are mapped into memory. The model is the
same to the byte as that of one machine.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.formats.sentences import load_sentences
from paraphrast.lm import LmOptions
from paraphrast.lm.counting import check_text, padded, save_run
from paraphrast.lm.estimate import build_from_runs
from paraphrast.types import PackedNgrams, Sentences

#: Tokens of a shard: counting takes about 72 bytes for each.
TOKENS = 1 << 22


@dataclass(frozen=True)
class _Task:
    corpus: str
    first: int
    stop: int
    vocabulary_size: int
    order: int
    run: str


def build_on_workers(
    engine: Engine,
    corpora: Sequence[Path],
    vocabulary_size: int,
    options: LmOptions,
    scratch: Path,
    *,
    tokens: int = TOKENS,
) -> PackedNgrams:
    """Like ``lm.build`` of corpora of ``save_sentences``. Workers must be able to read them and ``scratch``."""
    scratch.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="lm-", dir=scratch)).resolve()
    place.chmod(0o770)
    try:
        tasks: list[_Task] = []
        sentences = [load_sentences(corpus) for corpus in corpora]
        for corpus, text in zip(corpora, sentences, strict=True):
            for first, stop in _shards(text, tokens):
                run = place / f"run-{len(tasks):08d}"
                task = _Task(str(corpus.resolve()), first, stop, vocabulary_size, options.order, str(run))
                tasks.append(task)
        if not tasks:
            raise InputError("expected text to estimate a language model from, got no sentences")
        engine.map(_count, tasks)
        runs = [Path(task.run) for task in tasks]
        return build_from_runs(runs, sentences, vocabulary_size, options, place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _shards(text: Sentences, tokens: int) -> list[tuple[int, int]]:
    """Sentences in pieces of about as many tokens, with at least one sentence each."""
    shards, first = [], 0
    while first < len(text):
        stop = int(np.searchsorted(text.starts, int(text.starts[first]) + tokens, side="right")) - 1
        stop = min(max(stop, first + 1), len(text))
        shards.append((first, stop))
        first = stop
    return shards


def _count(task: _Task) -> None:
    text = load_sentences(Path(task.corpus))
    starts = np.array(text.starts[task.first : task.stop + 1])
    tokens = np.array(text.tokens[int(starts[0]) : int(starts[-1])])
    piece = Sentences(tokens, starts - starts[0], np.zeros(len(tokens), np.uint8))
    total = check_text([piece], task.vocabulary_size)
    (words,) = padded([piece], total)
    run = Path(task.run)
    temporary = Path(tempfile.mkdtemp(prefix=f".{run.name}-", dir=run.parent))
    temporary.chmod(0o770)
    save_run(words, task.vocabulary_size, task.order, temporary)
    try:
        os.rename(temporary, run)
    except OSError:  # another attempt was faster, with the same result
        shutil.rmtree(temporary, ignore_errors=True)
        if not run.is_dir():
            raise

"""The stage ``tags``: the tagger, and a tag for every token of the language."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.formats.arrays import save_array, save_joined
from paraphrast.formats.sentences import load_sentences
from paraphrast.formats.tagged import read_tagged
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.text.syntax.tag import Tagger, tagged_sentences
from paraphrast.training.corpora import tagged_file
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import (
    corpus_names,
    open_engine,
)
from paraphrast.types import Sentences

#: Sentences of one task of a worker.
SHARD = 32_768


def tag_text(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Train the tagger and tag every corpus of the language. Does nothing without tagged text."""
    config = recipe.config
    if config.tagger is None:
        return "no tagged text given: vetoes that need tags are off"
    sentences = list(tagged_sentences(list(read_tagged(tagged_file(config.tagger)))))
    tagger = Tagger.train(sentences)
    tagger.save(folder / "tagger")
    names = corpus_names(recipe, config.language)
    text = work / "text" / config.language
    with open_engine(resources, folder, step) as engine:
        if engine.distributed:
            for name in names:
                _tag_on_workers(engine, folder, text, name)
        else:
            vocabulary = load_vocabulary(engine, text / "vocab.parquet")
            features = tagger.features(vocabulary.words)
            for done, name in enumerate(names):
                step(done, len(names), "corpora")
                save_array(
                    folder / f"{name}.npy", tagger.tag_sentences(features, load_sentences(text / name))
                )
    return f"tagger from {len(sentences):,} sentences"


@dataclass(frozen=True)
class _Task:
    tagger: str
    text: str
    name: str
    first: int
    stop: int
    result: str


def _tag_on_workers(engine: Engine, folder: Path, text: Path, name: str) -> None:
    """Tags of one corpus by the engine's workers, each for a shard of its sentences."""
    place = (folder / ".spill" / "tags").resolve()
    place.mkdir(parents=True, exist_ok=True)
    pairs = len(load_sentences(text / name))
    tagger, corpus = str((folder / "tagger").resolve()), str(text.resolve())
    tasks = [
        _Task(tagger, corpus, name, first, min(first + SHARD, pairs), str(place / f"{name}-{first}.npy"))
        for first in range(0, max(pairs, 1), SHARD)
    ]
    engine.map(_tag_shard, tasks)
    save_joined(folder / f"{name}.npy", lambda: (np.load(task.result, mmap_mode="r") for task in tasks))
    shutil.rmtree(place)


def _tag_shard(task: _Task) -> None:
    tagger, features = _loaded_tagger(task.tagger, task.text)
    sentences = load_sentences(Path(task.text) / task.name)
    starts = np.array(sentences.starts[task.first : task.stop + 1])
    tokens = np.array(sentences.tokens[int(starts[0]) : int(starts[-1])])
    piece = Sentences(tokens, starts - starts[0], np.zeros(len(tokens), np.uint8))
    result = Path(task.result)
    temporary = result.with_name(f".{result.name}.{os.getpid()}")
    save_array(temporary, tagger.tag_sentences(features, piece))
    os.replace(temporary, result)


@lru_cache(maxsize=1)
def _loaded_tagger(folder: str, text: str) -> tuple[Tagger, NDArray[np.int32]]:
    """A worker loads the tagger once for all its shards."""
    tagger = Tagger.load(Path(folder))
    with Engine(threads=1) as engine:
        words = load_vocabulary(engine, Path(text) / "vocab.parquet").words
    return tagger, tagger.features(words)

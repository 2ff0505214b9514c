"""Categories of phrases that trimming made: no extraction has counted them, so they are looked for in the text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paraphrast.engine import Engine
from paraphrast.training.pivot_queries import classify_new
from paraphrast.training.recipe import Recipe
from paraphrast.training.work_folder import Corpus, corpus_folders, open_corpus
from paraphrast.types import Phrases
from paraphrast.types.phrase_keys import PhraseKeys, listed

#: Phrases that are looked for at a time. Each pass reads the whole text.
PHRASES = 1 << 19


@dataclass(frozen=True)
class _Task:
    """Rows ``first`` to ``stop`` of the new phrases in ``folder``, and the text, as pairs of folder and tags."""

    folder: str
    number: int
    first: int
    stop: int
    corpora: tuple[tuple[str, str], ...]
    keys: PhraseKeys

    @property
    def result(self) -> Path:
        """The file with its categories."""
        return Path(self.folder) / f"classified-{self.number:06d}.parquet"


def classify_new_phrases(engine: Engine, recipe: Recipe, work: Path, folder: Path, keys: PhraseKeys) -> None:
    """Count the categories of the phrases of the engine's table ``short`` that were not extracted."""
    engine.write_parquet(
        f"SELECT id, {listed(keys.names('k'))} FROM short WHERE known < 0 ORDER BY id", folder / "new.parquet"
    )
    total = int(engine.fetch(f"SELECT count(*) AS n FROM {engine.parquet(folder / 'new.parquet')}")["n"][0])
    corpora = tuple((str(text), str(tags)) for text, tags in corpus_folders(recipe, work))
    tasks = [
        _Task(str(folder), number, first, min(first + PHRASES, total), corpora, keys)
        for number, first in enumerate(range(0, total, PHRASES))
    ]
    engine.map(_classify, tasks)
    if tasks:
        classify_new(engine, [task.result for task in tasks], keys)


def _classify(task: _Task) -> int:
    with Engine(threads=1) as engine:
        rows = engine.fetch(
            f"SELECT * FROM {engine.parquet(Path(task.folder) / 'new.parquet')} ORDER BY id"
            f" LIMIT {task.stop - task.first} OFFSET {task.first}"
        )
        words = task.keys.unpack(rows, "k")
        corpus: Corpus = open_corpus([(Path(text), Path(tags)) for text, tags in task.corpora])
        categories = corpus.categories(Phrases(words, np.zeros(len(words), np.uint8)))
        engine.table("rows", {"id": rows["id"], "category": categories.astype(np.int64)})
        engine.write_parquet("SELECT * FROM rows", task.result)
    return len(words)

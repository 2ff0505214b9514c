"""What stages share: an engine that spills into the work folder, names of corpora, readers of earlier stages."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from paraphrast import engine as engines
from paraphrast.engine import Engine
from paraphrast.formats.sentences import load_sentences
from paraphrast.training.corpora import languages_of
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.types import Links, Sentences, concatenate

#: The sentences of news, in the folder of its stage.
NEWS_TEXT = "text.txt"


def open_engine(resources: Resources, folder: Path, step: Step | None = None) -> Engine:
    """An engine that spills into the stage's own folder."""
    return engines.open_engine(
        resources.engine,
        threads=resources.thread_count,
        memory=resources.memory,
        spill=folder / ".spill",
        progress=step,
    )


def corpus_names(recipe: Recipe, language: str) -> list[str]:
    """Folders of the tokenised corpora of a language: bitexts b0, b1, …, texts t0, t1, …, then all news, n0."""
    names = [f"b{n}" for n, source in enumerate(recipe.config.bitext) if language in languages_of(source)]
    if language == recipe.config.language:
        names += [f"t{n}" for n in range(len(recipe.config.text))]
        names += ["n0"] if recipe.config.news_for("text") else []
    return names


def bitext_names(recipe: Recipe, language: str) -> list[str]:
    """The bitexts that have both the model's language and ``language``."""
    return [name for name in corpus_names(recipe, language) if name.startswith("b")]


def load_side(work: Path, language: str, names: list[str], *, offsets: bool = False) -> Sentences:
    """One language of several bitexts, as one corpus."""
    return concatenate([load_sentences(work / "text" / language / name, offsets=offsets) for name in names])


def vocabulary_size(resources: Resources, work: Path, language: str) -> int:
    """Words in a language's vocabulary."""
    path = work / "text" / language / "vocab.parquet"
    with Engine(threads=1) as engine:
        return int(engine.fetch(f"SELECT count(*) AS n FROM {engine.parquet(path)}")["n"][0])


def load_links(folder: Path) -> Links:
    """Links that :func:`align_words` wrote."""
    arrays = [
        np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        for name in ("starts", "source", "target")
    ]
    return Links(*arrays)

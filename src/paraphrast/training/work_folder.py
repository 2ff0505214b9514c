"""Shared by stages: an engine that spills into the work folder, names of corpora, readers of earlier stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast import engine as engines
from paraphrast.engine import Engine
from paraphrast.formats.sentences import load_sentences
from paraphrast.text.occurrences import find_phrases
from paraphrast.text.syntax.category import CATEGORIES, categories_of_occurrences
from paraphrast.training.corpora import languages_of
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.types import Links, Phrases, Sentences, concatenate
from paraphrast.types.phrase_keys import PhraseKeys

#: The part of ``--memory`` that DuckDB gets.
ENGINE_SHARE = 2
#: A category is in the mask of a phrase if it has at least this share of its occurrences.
CATEGORY_PERCENT = 10
#: The sentences of news, in the folder of its stage.
NEWS_TEXT = "text.txt"


def open_engine(resources: Resources, folder: Path, step: Step | None = None) -> Engine:
    """An engine that spills into the folder of the stage.

    DuckDB shares this process with the arrays of the stage, so it gets a part of the memory. The memory of Spark is
    that of its executors.
    """
    memory = resources.memory
    if resources.memory_bytes is not None and resources.engine == engines.DUCKDB:
        memory = f"{max(resources.memory_bytes // ENGINE_SHARE >> 20, 1)}MiB"
    return engines.open_engine(
        resources.engine,
        threads=resources.thread_count,
        memory=memory,
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


@dataclass(frozen=True)
class Corpus:
    """All text of the model's language: its corpora, and the tags of each (empty without a tagger)."""

    sentences: tuple[Sentences, ...]
    tags: tuple[NDArray[np.uint8], ...] = ()

    def categories(self, phrases: Phrases) -> NDArray[np.uint32]:
        """Category mask of each phrase from its occurrences; 0 without tags and for phrases that do not occur."""
        masks = np.zeros(len(phrases), np.uint32)
        if not self.tags or not len(phrases):
            return masks
        counts = np.zeros((len(phrases), len(CATEGORIES)), np.int32)
        lengths = phrases.lengths.astype(np.int32)
        for sentences, tags in zip(self.sentences, self.tags, strict=True):
            for phrase, position in find_phrases(sentences, phrases):
                _count_categories(counts, phrase, position, lengths[phrase], tags)
        total = counts.sum(axis=1, dtype=np.int64)
        for category in range(len(CATEGORIES)):
            number = counts[:, category].astype(np.int64)
            often = (number > 0) & (number * 100 >= CATEGORY_PERCENT * total)
            masks |= np.where(often, np.uint32(1 << category), np.uint32(0))
        return masks


def _count_categories(
    counts: NDArray[np.int32],
    phrase: NDArray[np.int32],
    position: NDArray[np.int64],
    length: NDArray[np.int32],
    tags: NDArray[np.uint8],
) -> None:
    """Add the categories of some occurrences to ``counts``, int32[phrases, categories]."""
    if not len(phrase):
        return
    first = int(position.min())
    piece = np.array(tags[first : int((position + length).max())])
    one_each = np.arange(len(phrase), dtype=np.int32)
    category, _ = categories_of_occurrences(piece, one_each, position - first, length, len(phrase))
    cells, number = np.unique(phrase.astype(np.int64) * counts.shape[1] + category, return_counts=True)
    counts.reshape(-1)[cells] += number.astype(np.int32)


def corpus_folders(recipe: Recipe, work: Path) -> list[tuple[Path, Path]]:
    """All text of the model's language: the folder of each corpus, and the file of its tags."""
    language = recipe.config.language
    names = corpus_names(recipe, language)
    return [((work / "text" / language / name).resolve(), tags_file(work, name).resolve()) for name in names]


def open_corpus(folders: Sequence[tuple[Path, Path]], tagged: bool = True) -> Corpus:
    """The text of some folders and files of tags, mapped into memory."""
    tags = tuple(np.load(file, mmap_mode="r", allow_pickle=False) for _, file in folders) if tagged else ()
    return Corpus(tuple(load_sentences(folder) for folder, _ in folders), tags)


def load_corpus(recipe: Recipe, work: Path) -> Corpus:
    """All text of the model's language, mapped into memory, with its tags if there is a tagger."""
    return open_corpus(corpus_folders(recipe, work), recipe.config.tagger is not None)


def tags_file(work: Path, name: str) -> Path:
    """Where the tags of one corpus of the model's language are."""
    return work / "tags" / f"{name}.npy"


def load_tags(work: Path, name: str) -> NDArray[np.uint8]:
    """The tags of one corpus of the model's language."""
    tags: NDArray[np.uint8] = np.load(tags_file(work, name), allow_pickle=False)
    return tags


def bitext_names(recipe: Recipe, language: str) -> list[str]:
    """The bitexts that have both the model's language and ``language``."""
    return [name for name in corpus_names(recipe, language) if name.startswith("b")]


def load_side(work: Path, language: str, names: list[str], *, offsets: bool = False) -> Sentences:
    """One language of several bitexts, as one corpus."""
    return concatenate([load_sentences(work / "text" / language / name, offsets=offsets) for name in names])


def phrase_keys(work: Path, language: str, longest: int) -> PhraseKeys:
    """How the phrases of a language are packed into integers."""
    return PhraseKeys(_vocabulary_size(work, language), longest)


def vocabulary_size(resources: Resources, work: Path, language: str) -> int:
    """Number of words in a language's vocabulary."""
    return _vocabulary_size(work, language)


def _vocabulary_size(work: Path, language: str) -> int:
    path = work / "text" / language / "vocab.parquet"
    with Engine(threads=1) as engine:
        return int(engine.fetch(f"SELECT count(*) AS n FROM {engine.parquet(path)}")["n"][0])


def load_links(folder: Path) -> Links:
    """Links written by :func:`align_words`."""
    arrays = [
        np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        for name in ("starts", "source", "target")
    ]
    return Links(*arrays)

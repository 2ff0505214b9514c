"""What each training stage does: read what earlier stages wrote, call one room, write what comes out.

Every function takes the recipe, the machine's resources, the work folder (to read from), the stage's own
folder (to write into) and a progress callback, and returns a note for a person.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast import engine as engines
from paraphrast import lm
from paraphrast.align import train
from paraphrast.engine import Engine
from paraphrast.errors import At
from paraphrast.extract import (
    count_pairs,
    extract_pairs,
    orient_pairs,
    orientation_counts,
    pool_orientations,
    prune_by_significance,
    source_glue,
)
from paraphrast.formats.bitext import Bitext
from paraphrast.formats.files import read_lines
from paraphrast.pipeline.corpora import languages_of, pivot_languages, read_bitext, read_tagged, read_text
from paraphrast.pipeline.folder import (
    concatenate,
    load_sentences,
    load_vocabulary,
    save_orientation,
    save_sentences,
    save_vocabulary,
)
from paraphrast.pipeline.recipe import Recipe, Resources
from paraphrast.pipeline.shards import align_ids, extract_shards
from paraphrast.pipeline.stages import Step
from paraphrast.text import encode, get_language, split_sentences, truecase
from paraphrast.text.category import categories_of_occurrences
from paraphrast.text.tag import Tagger, brown_sentences
from paraphrast.types import Links, Sentences

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


def encode_text(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Tokenise, mask and truecase every corpus; one vocabulary a language."""
    config = recipe.config
    languages = [config.language, *pivot_languages(config)]
    totals = []
    reader = _Reader(recipe, work)
    with open_engine(resources, folder) as engine:
        for done, language in enumerate(languages):
            step(done, len(languages), "languages")
            own = language == config.language
            names = corpus_names(recipe, language)
            encoded = [
                encode(
                    reader.lines(name, language),
                    get_language(language),
                    offsets=own,
                    threads=resources.thread_count,
                )
                for name in names
            ]
            caser = truecase.learn(*encoded)
            vocabulary, corpora = caser.apply_all(encoded)
            target = folder / language
            target.mkdir()
            caser.save(target / "casing.tsv")
            save_vocabulary(engine, vocabulary, target / "vocab.parquet")
            for name, sentences in zip(names, corpora, strict=True):
                save_sentences(sentences, target / name)
            tokens = sum(len(sentences.tokens) for sentences in corpora)
            totals.append(f"{language} {tokens:,} tokens, {len(vocabulary):,} words")
    bad = (
        f"; {len(reader.bad):,} malformed lines left out, the first at {reader.bad[0]}" if reader.bad else ""
    )
    return "; ".join(totals) + bad


class _Reader:
    """Lines of the corpora; a bitext is read once for all its languages, so that bad lines go in every one."""

    def __init__(self, recipe: Recipe, work: Path) -> None:
        self.recipe = recipe
        self.work = work
        self.bitexts: dict[int, Bitext] = {}
        self.bad: list[At] = []

    def lines(self, name: str, language: str) -> list[str]:
        """The lines of corpus ``b0``, ``t0``, … in a language; text is split into sentences."""
        number = int(name[1:])
        if name[0] == "n":
            return list(read_lines(self.work / "news" / NEWS_TEXT))
        if name[0] == "t":
            record = get_language(language)
            lines = read_text(self.recipe.config.text[number], skip_bad=self.recipe.skip_bad)
            return [line[start:end] for line in lines for start, end in split_sentences(line, record)]
        if number not in self.bitexts:
            source = self.recipe.config.bitext[number]
            self.bitexts[number] = read_bitext(source, languages_of(source), skip_bad=self.recipe.skip_bad)
            self.bad += self.bitexts[number].bad
        return self.bitexts[number].lines.pop(language)


def tag_text(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Train the tagger and tag every corpus of the language; without tagged text, nothing."""
    config = recipe.config
    if config.tagger is None:
        return "no tagged text given: vetoes that need tags are off"
    sentences = list(brown_sentences(read_tagged(config.tagger)))
    tagger = Tagger.train(sentences)
    tagger.save(folder / "tagger")
    with open_engine(resources, folder) as engine:
        vocabulary = load_vocabulary(engine, work / "text" / config.language / "vocab.parquet")
    features = tagger.features(vocabulary.words)
    names = corpus_names(recipe, config.language)
    for done, name in enumerate(names):
        step(done, len(names), "corpora")
        tags = tagger.tag_sentences(features, load_sentences(work / "text" / config.language / name))
        np.save(folder / f"{name}.npy", tags, allow_pickle=False)
    return f"tagger from {len(sentences):,} sentences"


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


def align_words(
    recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step, language: str
) -> str:
    """Align the model's language (source) with ``language`` (target)."""
    own = recipe.config.language
    names = bitext_names(recipe, language)
    source, target = load_side(work, own, names), load_side(work, language, names)
    trained = train(
        source,
        target,
        vocabulary_size(resources, work, own),
        vocabulary_size(resources, work, language),
        recipe.align,
        threads=resources.thread_count,
        progress=lambda stage, done, total: step(done, total, stage),
    )
    with open_engine(resources, folder, step) as workers:
        if workers.distributed:
            links = align_ids(workers, trained, source, target, folder / ".spill")
        else:
            links = trained.align(source, target, threads=resources.thread_count)
    np.save(folder / "starts.npy", links.starts, allow_pickle=False)
    np.save(folder / "source.npy", links.source, allow_pickle=False)
    np.save(folder / "target.npy", links.target, allow_pickle=False)
    return f"{len(links.source):,} links in {len(links):,} sentence pairs"


def load_links(folder: Path) -> Links:
    """Links that :func:`align_words` wrote."""
    arrays = [
        np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        for name in ("starts", "source", "target")
    ]
    return Links(*arrays)


def extract_phrases(
    recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step, language: str
) -> str:
    """Extract and count phrase pairs; spelling and categories of the model language's phrases."""
    own = recipe.config.language
    names = bitext_names(recipe, language)
    source = load_side(work, own, names)
    target = load_side(work, language, names)
    links = load_links(work / f"align-{language}")
    with open_engine(resources, folder, step) as workers:
        if workers.distributed:
            extraction = extract_shards(workers, source, target, links, recipe.extract, folder / ".spill")
        else:
            extraction = extract_pairs(source, target, links, recipe.extract)
        counted = count_pairs(workers, extraction, min_count=recipe.min_count)
    seen = len(counted)
    counted = prune_by_significance(source, target, extraction, counted, recipe.extract.significance)
    np.save(folder / "glue.npy", source_glue(source, extraction), allow_pickle=False)
    np.save(
        folder / "categories.npy", _categories(recipe, work, names, source, extraction), allow_pickle=False
    )
    if recipe.orientation != "none":
        outcomes = orient_pairs(source, target, links, recipe.extract, by=recipe.orientation).following
        oriented = orientation_counts(extraction.pairs.source, outcomes, len(extraction.source_words))
        np.save(folder / "orientation.npy", oriented.astype(np.int32), allow_pickle=False)
    columns: dict[str, NDArray[Any]] = {
        "source_words": extraction.source_words,
        "target_words": extraction.target_words,
        "source": counted.source,
        "target": counted.target,
        "count": counted.count,
        "source_total": counted.source_total[counted.source],
        "target_total": counted.target_total[counted.target],
        "sentence": extraction.pairs.sentence[counted.first],
        "source_start": extraction.pairs.source_start[counted.first],
    }
    for name, values in columns.items():
        np.save(folder / f"{name}.npy", values, allow_pickle=False)
    pruned = f", {len(counted):,} of them significant" if len(counted) < seen else ""
    return (
        f"{len(extraction.pairs):,} occurrences, {seen:,} pairs seen {recipe.min_count} times or more{pruned}"
    )


def _categories(
    recipe: Recipe, work: Path, names: list[str], source: Sentences, extraction: Any
) -> NDArray[np.uint32]:
    """Categories each phrase has in the corpus, as a bit mask; 0 without a tagger."""
    number = len(extraction.source_words)
    if recipe.config.tagger is None:
        return np.zeros(number, dtype=np.uint32)
    tags = np.concatenate([np.load(work / "tags" / f"{name}.npy", allow_pickle=False) for name in names])
    lengths = (extraction.source_words >= 0).sum(axis=1).astype(np.int32)
    positions = source.starts[extraction.pairs.sentence] + extraction.pairs.source_start
    _, mask = categories_of_occurrences(
        tags, extraction.pairs.source, positions, lengths[extraction.pairs.source], number
    )
    return mask


def pool_reordering(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """How often each phrase of the language keeps its place before the next, over all its pivots together.

    A phrase seen once with a language says nothing of itself there; it counts for the average.
    """
    stores, counts = [], []
    for language in pivot_languages(recipe.config):
        extracted = work / f"extract-{language}"
        oriented = np.load(extracted / "orientation.npy", allow_pickle=False).astype(np.int64)
        often = oriented.sum(axis=1) > 1
        words = np.load(extracted / "source_words.npy", mmap_mode="r", allow_pickle=False)[often]
        nothing = np.full(
            (1, words.shape[1]), -1, dtype=np.int32
        )  # the phrase of no words holds all the others
        stores.append(np.concatenate([nothing, words]))
        counts.append(np.concatenate([oriented[~often].sum(axis=0, keepdims=True), oriented[often]]))
    pooled = pool_orientations(stores, counts)
    save_orientation(pooled, folder)
    share = np.exp(pooled.overall_swap) / (np.exp(pooled.overall_swap) + np.exp(pooled.overall_mono))
    return f"{len(pooled):,} phrases; of those that stay or swap, {share:.1%} swap"


def language_model(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Estimate the language model on all text of the language."""
    own = recipe.config.language
    names = corpus_names(recipe, own)
    corpora = [load_sentences(work / "text" / own / name) for name in names]
    ngrams = lm.build(
        corpora,
        vocabulary_size(resources, work, own),
        recipe.lm,
        memory=resources.memory_bytes,
        folder=folder,
    )
    lm.save(ngrams, folder / "lm")
    return f"{ngrams.order}-grams, {ngrams.nodes:,} in all"

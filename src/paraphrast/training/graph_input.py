"""The phrase pairs of a training run, with all inputs of the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.build.graph_input import GraphInput, PhraseSide, occurrence_tags, projected_classes
from paraphrast.engine import Engine
from paraphrast.extract import extract_pairs, merge_phrases
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.graph.features import (
    tag_features,
    word_class_codes,
)
from paraphrast.text.syntax.tag import TAGS
from paraphrast.training.extracted import load_extracted
from paraphrast.training.recipe import Recipe
from paraphrast.training.work_folder import bitext_names, load_links, load_side, load_tags
from paraphrast.types import FIRST_WORD


def from_work(
    recipe: Recipe,
    work: Path,
    languages: Sequence[str],
    step: Callable[[float, float, str], None] | None = None,
) -> GraphInput:
    """Phrase pairs of one or several languages from the folder of a training run. Several languages share one graph.

    Tag sequences are counted over the occurrences of the phrases, which are extracted again because they are not
    stored.
    """
    model_language = recipe.config.language
    parts = [_Language.read(work, language) for language in languages]
    words, remaps = merge_phrases([part.source_words for part in parts])
    target_words, offset = [], 0
    vocabulary: list[str] = []
    total = np.zeros(len(words), np.int64)
    glue, category = np.zeros(len(words), np.uint8), np.zeros(len(words), np.uint32)
    codes: list[tuple[NDArray[np.int32], NDArray[np.int64]]] = []
    target_tags: list[NDArray[np.int32]] = []
    rows = []
    with Engine(threads=1) as engine:
        model_vocabulary = load_vocabulary(engine, work / "text" / model_language / "vocab.parquet").words
        vocabularies = [
            load_vocabulary(engine, work / "text" / part.language / "vocab.parquet").words for part in parts
        ]
    for done, (part, remap, foreign_vocabulary) in enumerate(zip(parts, remaps, vocabularies, strict=True)):
        if step is not None:
            step(done, len(parts), "languages read")
        number = np.full(len(part.source), done, np.uint8)
        totals = part.source_total[part.source]
        rows.append((remap[part.source], part.target + offset, part.count, number, totals))
        np.add.at(total, remap, part.source_total)
        glue[remap], category[remap] = part.glue, category[remap] | part.category
        shifted = np.where(
            part.target_words >= FIRST_WORD, part.target_words + len(vocabulary), part.target_words
        )
        target_words.append(shifted)
        offset += len(part.target_words)
        vocabulary += foreign_vocabulary
        if recipe.config.tagger is not None:
            phrase, code, classes = part.tagged(recipe, work, len(foreign_vocabulary))
            codes.append((remap[phrase], code))
            target_tags.append(classes)
    tags = target_lists = None
    if codes:
        phrase_column = np.concatenate([phrase for phrase, _ in codes])
        tags = tag_features(phrase_column, np.concatenate([code for _, code in codes]), len(words))
        known = np.concatenate(target_tags)
        classes = np.where(known >= 0, known, len(TAGS)).astype(np.int32)
        all_words = np.concatenate(target_words)
        target_lists = tag_features(
            np.arange(len(all_words), dtype=np.int32), word_class_codes(all_words, classes), len(all_words)
        )
    every = np.concatenate(target_words)
    return GraphInput(
        PhraseSide(model_language, words, model_vocabulary, total, glue, category, tags, TAGS),
        PhraseSide(
            "+".join(languages) if len(languages) > 1 else languages[0],
            every,
            tuple(vocabulary),
            np.concatenate([part.target_total for part in parts]),
            np.zeros(len(every), np.uint8),
            np.zeros(len(every), np.uint32),
            target_lists,
            (*TAGS, "?"),
        ),
        *(np.concatenate(column) for column in zip(*rows, strict=True)),
    )


@dataclass(frozen=True)
class _Language:
    """The counted pairs of one language, with phrases renumbered by use."""

    language: str
    source_words: NDArray[np.int32]
    target_words: NDArray[np.int32]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.int64]
    source_total: NDArray[np.int64]
    target_total: NDArray[np.int64]
    glue: NDArray[np.uint8]
    category: NDArray[np.uint32]

    @classmethod
    def read(cls, work: Path, language: str) -> _Language:
        extracted = load_extracted(work / f"extract-{language}")
        pairs = extracted.pairs
        # Without pairs that are not significant, some phrases have none.
        source_ids, source_row = np.unique(pairs["source"], return_inverse=True)
        target_ids, target_row = np.unique(pairs["target"], return_inverse=True)
        source_total, target_total = np.zeros(len(source_ids), np.int64), np.zeros(len(target_ids), np.int64)
        source_total[source_row], target_total[target_row] = pairs["source_total"], pairs["target_total"]
        return cls(
            language,
            extracted.source_words[source_ids],
            extracted.target_words[target_ids],
            source_row.astype(np.int32),
            target_row.astype(np.int32),
            pairs["count"],
            source_total,
            target_total,
            extracted.glue[source_ids],
            extracted.category[source_ids],
        )

    def tagged(
        self, recipe: Recipe, work: Path, target_size: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
        """Tag sequences of the source phrases' occurrences, and the classes of target words from the tags."""
        names = bitext_names(recipe, self.language)
        source = load_side(work, recipe.config.language, names)
        target = load_side(work, self.language, names)
        links = load_links(work / f"align-{self.language}")
        tags = np.concatenate([load_tags(work, name) for name in names])
        extraction = extract_pairs(source, target, links, recipe.extract)
        merged, (ours, theirs) = merge_phrases([self.source_words, extraction.source_words])
        place = np.full(len(merged), -1, np.int32)
        place[ours] = np.arange(len(ours), dtype=np.int32)
        number = place[theirs]
        start = np.asarray(source.starts)[extraction.pairs.sentence] + extraction.pairs.source_start
        phrase, code = occurrence_tags(extraction.pairs.source, start, extraction.source_words, tags, number)
        return phrase, code, projected_classes(tags, source, target, links, target_size)

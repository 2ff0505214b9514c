"""The rows of a pivot table in one process, for experiments, with all steps of the stage at hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.extract import merge_phrases
from paraphrast.tables.checks.filters import FilterClasses
from paraphrast.tables.options import PivotOptions
from paraphrast.tables.pivot.join import LanguagePairs
from paraphrast.tables.pivot.normalise import normalise
from paraphrast.tables.rows import drop_unused_phrases, in_order, take
from paraphrast.training.extracted import load_extracted
from paraphrast.training.work_folder import Corpus
from paraphrast.types import ParaphraseTable, Phrases, pair_keys


@dataclass(frozen=True)
class PivotRows:
    """A table, its phrases with their categories, and for each row the pair that is cited for it.

    source, target: int32[rows], ids before normalising, of the pair itself or of the pair it was trimmed from.
    source_begin, target_begin: int8[rows], where the row's phrases begin within those.
    """

    table: ParaphraseTable
    phrases: Phrases
    categories: NDArray[np.uint32]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    source_begin: NDArray[np.int8]
    target_begin: NDArray[np.int8]

    def take(self, rows: NDArray[np.int64]) -> PivotRows:
        """The given rows, in the given order."""
        return replace(
            self,
            table=take(self.table, rows),
            source=self.source[rows],
            target=self.target[rows],
            source_begin=self.source_begin[rows],
            target_begin=self.target_begin[rows],
        )


def normalised_rows(
    table: ParaphraseTable,
    phrases: Phrases,
    categories: NDArray[np.uint32],
    classes: FilterClasses,
    corpus: Corpus,
    options: PivotOptions,
) -> PivotRows:
    """Trimmed and merged rows. New phrases from trimming get their categories from the text."""
    nowhere = np.zeros(len(table), np.int8)
    if not options.normalise:
        return PivotRows(table, phrases, categories, table.source, table.target, nowhere, nowhere)
    short = normalise(phrases, table.source, table.target, table.features["both"], classes)
    cut = take(table, short.row)
    # The cited pair is the pair itself if it was joined, and else the longer pair that it was trimmed from.
    whole_source, whole_target = short.known[short.source], short.known[short.target]
    whole = (whole_source >= 0) & (whole_target >= 0)
    whole &= np.isin(pair_keys(whole_source, whole_target), table.keys)
    rows = PivotRows(
        replace(cut, source=short.source, target=short.target),
        short.phrases,
        _known_categories(short.phrases, short.known, categories, corpus),
        np.where(whole, whole_source, cut.source).astype(np.int32),
        np.where(whole, whole_target, cut.target).astype(np.int32),
        np.where(whole, 0, short.source_begin).astype(np.int8),
        np.where(whole, 0, short.target_begin).astype(np.int8),
    )
    return rows.take(in_order(rows.table))


def _known_categories(
    phrases: Phrases, known: NDArray[np.int32], categories: NDArray[np.uint32], corpus: Corpus
) -> NDArray[np.uint32]:
    """The categories of extracted phrases; those of the others come from their occurrences in the text."""
    result = np.zeros(len(phrases), np.uint32)
    result[known >= 0] = categories[known[known >= 0]]
    new = np.flatnonzero(known < 0)
    result[new] = corpus.categories(Phrases(phrases.words[new], phrases.glue[new]))
    return result


def merged_pairs(
    work: Path, languages: list[str]
) -> tuple[Phrases, NDArray[np.uint32], list[LanguagePairs], list[dict[str, NDArray[np.int32]]]]:
    """The pairs of every language, with source phrase ids common to all languages."""

    parts = [load_extracted(work / f"extract-{language}") for language in languages]
    used = [np.unique(part.pairs["source"]) for part in parts]
    stores = [part.source_words[ids] for part, ids in zip(parts, used, strict=True)]
    words, remaps = merge_phrases(stores)
    glue = np.zeros(len(words), dtype=np.uint8)
    categories = np.zeros(len(words), dtype=np.uint32)
    pairs, places = [], []
    for language, part, ids, remap in zip(languages, parts, used, remaps, strict=True):
        glue[remap] = part.glue[ids]
        categories[remap] |= part.category[ids]
        source = remap[np.searchsorted(ids, part.pairs["source"])]
        order = np.lexsort((part.pairs["target"], source))
        columns = {name: values[order] for name, values in part.pairs.items()}
        pairs.append(
            LanguagePairs(
                language,
                source[order].astype(np.int32),
                *(columns[name] for name in ("target", "count", "source_total", "target_total")),
            )
        )
        places.append({name: columns[name] for name in ("sentence", "source_start")})
    return Phrases(words, glue), categories, pairs, places


def renumbered(rows: PivotRows) -> PivotRows:
    """The rows with phrases renumbered so that only those in use remain."""
    (table,), phrases, categories = drop_unused_phrases([rows.table], rows.phrases, rows.categories)
    return replace(rows, table=table, phrases=phrases, categories=categories)

"""The pivot stage: counted phrase pairs of every language → one table, its phrases, vetoes and evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.extract import merge_phrases
from paraphrast.formats.arrays import save_array
from paraphrast.formats.phrases import save_phrases
from paraphrast.formats.table_file import save_table
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.tables.checks.filters import FilterClasses
from paraphrast.tables.options import PivotOptions
from paraphrast.tables.pivot.contexts import context_feature, context_vectors, cosines
from paraphrast.tables.pivot.join import LanguagePairs, feature_floor, pivot, prune_pairs
from paraphrast.tables.pivot.normalise import normalise
from paraphrast.tables.rows import best_rows, drop_unused_phrases, in_order, take
from paraphrast.text.syntax.category import replaceable_masks
from paraphrast.training.corpora import pivot_languages
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.vetting import make_vetting
from paraphrast.training.work_folder import Corpus, load_corpus, open_engine
from paraphrast.types import ParaphraseTable, Phrases, Sentences, pair_keys

#: The share used for "no common category" in the feature ``syntax``.
LOWEST_SYNTAX = 0.05


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


def pivot_table(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Join, normalise, filter, veto, keep the best; drop unused phrases; record the evidence."""
    language = recipe.config.language
    options = recipe.pivot
    with open_engine(resources, folder, step) as engine:
        vocabulary = load_vocabulary(engine, work / "text" / language / "vocab.parquet")
        phrases, categories, pairs, places = merged_pairs(work, pivot_languages(recipe.config))
        table = pivot(engine, pairs, options, language=language)
        step(1, 4, "steps")
        joined = len(table)
        vetting = make_vetting(engine, recipe, work, vocabulary)
        corpus = load_corpus(recipe, work)
        rows = normalised_rows(table, phrases, categories, vetting.filter_classes, corpus, options)
        distinct = len(rows.table)
        rows = rows.take(vetting.passing(rows.table, rows.phrases))
        passed = len(rows.table)
        step(2, 4, "steps")
        rows = replace(rows, table=vetting.vetoed(rows.table, rows.phrases))
        rows = ranked_rows(rows, options, corpus, len(vocabulary))
        step(3, 4, "steps")
        save_table(engine, rows.table, folder / "pivot.parquet")
        save_phrases(engine, rows.phrases, rows.categories, folder / "phrases.parquet")
        if recipe.config.evidence != "none":
            _cite(engine, rows, pairs, places, options.best_translations, folder)
    dropped = ", ".join(
        f"{name} {figures['mass_dropped']:.1%}" for name, figures in table.info.notes["pruned"].items()
    )
    return (
        f"mass pruned before the join: {dropped}; {joined:,} rows joined, {distinct:,} after normalising, "
        f"{passed:,} pass the filters, {len(rows.table):,} kept"
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


def ranked_rows(rows: PivotRows, options: PivotOptions, corpus: Corpus, vocabulary_size: int) -> PivotRows:
    """The best unvetoed rows per phrase and a few vetoed ones, with their last features.

    If the rank does not use contexts, they are compared after the choice, for far fewer phrases.
    """
    if options.syntax != "none" and corpus.tags:
        syntax = syntax_feature(rows.categories, rows.table.source, rows.table.target)
        rows = replace(rows, table=with_feature(rows.table, "syntax", syntax))
        if options.syntax == "require":
            agree = ~(syntax <= np.float32(np.log(LOWEST_SYNTAX)))
            rows = rows.take(np.flatnonzero(agree))
    ranked_by = {"context": options.context_weight} if options.context_weight else {}
    if ranked_by:
        rows = _with_contexts(renumbered(rows), corpus.sentences, vocabulary_size)
    rows = renumbered(rows.take(best_rows(rows.table, options.top, more=ranked_by)))
    if options.context and not ranked_by:
        rows = _with_contexts(rows, corpus.sentences, vocabulary_size)
    return rows


def syntax_feature(
    categories: NDArray[np.uint32], source: NDArray[np.int32], target: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Log of the share of a source's categories that the target can replace (Callison-Burch 2008).

    NaN if either has none; :data:`LOWEST_SYNTAX` for a share of zero.
    """
    wide = replaceable_masks(categories)
    shared = _bits(categories[source] & wide[target])
    source_bits = _bits(categories[source])
    # A target of any kind (wide 0, see replaceable_masks) can replace everything.
    share = np.where(wide[target] == 0, 1.0, shared / np.maximum(source_bits, 1))
    known = (categories[source] != 0) & (categories[target] != 0)
    return np.where(known, np.log(np.maximum(share, LOWEST_SYNTAX)), np.nan).astype(np.float32)


def _bits(masks: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Number of bits of each mask."""
    return sum(((masks >> bit) & 1 for bit in range(32)), start=np.zeros(len(masks), np.int64))


def _with_contexts(rows: PivotRows, corpora: Sequence[Sentences], vocabulary_size: int) -> PivotRows:
    vectors = context_vectors(corpora, rows.phrases, vocabulary_size)
    values = context_feature(cosines(vectors, rows.table.source, rows.table.target))
    return replace(rows, table=with_feature(rows.table, "context", values))


def with_feature(table: ParaphraseTable, name: str, values: NDArray[np.float32]) -> ParaphraseTable:
    """The table with one more feature."""
    described = {**table.info.features, name: {"direction": "higher", "floor": feature_floor(values)}}
    return replace(
        table, features={**table.features, name: values}, info=replace(table.info, features=described)
    )


def merged_pairs(
    work: Path, languages: list[str]
) -> tuple[Phrases, NDArray[np.uint32], list[LanguagePairs], list[dict[str, NDArray[np.int32]]]]:
    """The pairs of every language, with source phrase ids common to all languages."""

    def read(language: str, name: str) -> NDArray[np.int32]:
        values: NDArray[np.int32] = np.load(work / f"extract-{language}" / f"{name}.npy", allow_pickle=False)
        return values

    used, stores = [], []
    for language in languages:
        # Only phrases that remain after counting: the rest would triple the size of the store.
        ids = np.unique(read(language, "source"))
        used.append(ids)
        stores.append(read(language, "source_words")[ids])
    words, remaps = merge_phrases(stores)
    glue = np.zeros(len(words), dtype=np.uint8)
    categories = np.zeros(len(words), dtype=np.uint32)
    pairs, places = [], []
    for language, ids, remap in zip(languages, used, remaps, strict=True):
        glue[remap] = read(language, "glue")[ids]
        categories[remap] |= read(language, "categories")[ids].astype(np.uint32)
        source = remap[np.searchsorted(ids, read(language, "source"))]
        order = np.lexsort((read(language, "target"), source))
        pairs.append(
            LanguagePairs(
                language,
                source[order].astype(np.int32),
                read(language, "target")[order],
                read(language, "count")[order].astype(np.int64),
                read(language, "source_total")[order].astype(np.int64),
                read(language, "target_total")[order].astype(np.int64),
            )
        )
        places.append({name: read(language, name)[order] for name in ("sentence", "source_start")})
    return Phrases(words, glue), categories, pairs, places


def renumbered(rows: PivotRows) -> PivotRows:
    """The rows with phrases renumbered so that only those in use remain."""
    (table,), phrases, categories = drop_unused_phrases([rows.table], rows.phrases, rows.categories)
    return replace(rows, table=table, phrases=phrases, categories=categories)


def _cite(
    engine: Engine,
    rows: PivotRows,
    pairs: list[LanguagePairs],
    places: list[dict[str, NDArray[np.int32]]],
    best: int,
    folder: Path,
) -> None:
    """The three best pivots per language of every row, and where each half was first seen.

    A trimmed row is cited by the pair it was trimmed from, whose phrases begin some words earlier.
    """
    numbers = np.arange(len(rows.table), dtype=np.int32)
    for language_pairs, place in zip(pairs, places, strict=True):
        prune_pairs(engine, "kept", language_pairs, best)
        engine.table("wanted", {"row": numbers, "e1": rows.source, "e2": rows.target})
        engine.table("seen", {"e": language_pairs.source, "f": language_pairs.target, **place})
        columns = engine.fetch(
            "SELECT CAST(best.row AS INTEGER) AS row, best.f, best.p, "
            "s1.sentence AS sentence1, s1.source_start AS start1, "
            "s2.sentence AS sentence2, s2.source_start AS start2 FROM ("
            "SELECT w.row, w.e1, w.e2, a.f, a.p_fe * b.p_ef AS p, row_number() OVER ("
            "PARTITION BY w.row ORDER BY a.p_fe * b.p_ef DESC, a.f) AS place "
            "FROM wanted w JOIN kept a ON a.e = w.e1 JOIN kept b ON b.e = w.e2 AND b.f = a.f) best "
            "JOIN seen s1 ON s1.e = best.e1 AND s1.f = best.f JOIN seen s2 ON s2.e = best.e2 AND s2.f = best.f "
            "WHERE best.place <= 3 ORDER BY best.row, best.p DESC, best.f"
        )
        for name in ("kept", "wanted", "seen"):
            engine.drop(name)
        columns["start1"] = columns["start1"] + rows.source_begin[columns["row"]]
        columns["start2"] = columns["start2"] + rows.target_begin[columns["row"]]
        target = folder / f"evidence-{language_pairs.language}"
        target.mkdir()
        for name, values in columns.items():
            save_array(target / f"{name}.npy", values)

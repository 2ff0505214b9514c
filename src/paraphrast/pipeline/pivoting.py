"""The pivot stage: counted phrase pairs of every language → one table, its phrases, vetoes and evidence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.extract import merge_phrases
from paraphrast.pipeline.corpora import pivot_languages, read_pairs
from paraphrast.pipeline.folder import load_vocabulary, save_phrases
from paraphrast.pipeline.recipe import Recipe, Resources
from paraphrast.pipeline.stages import Step
from paraphrast.pipeline.work import open_engine
from paraphrast.tables.filters import filter_classes, keep_mask
from paraphrast.tables.pivot import LanguagePairs, keep_top, pivot, prune_pairs, select
from paraphrast.tables.store import save_table
from paraphrast.tables.vetoes import veto_bits, word_classes
from paraphrast.text import get_language
from paraphrast.types import ParaphraseTable, Phrases

#: Rows a veto forbids are kept beside the others, this many a phrase, for those who turn the veto off.
VETOED_TOP = 5


def pivot_table(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Join, filter, veto, keep the best; renumber phrases to those in use; cite the evidence."""
    own = recipe.config.language
    languages = pivot_languages(recipe.config)
    with open_engine(resources, folder, step) as engine:
        vocabulary = load_vocabulary(engine, work / "text" / own / "vocab.parquet")
        phrases, categories, pairs, places = _merged(work, languages)
        table = pivot(engine, pairs, recipe.pivot, language=own)
        step(1, 3, "steps")
        joined = len(table)
        language = get_language(own)
        keep = keep_mask(
            phrases, table.source, table.target, filter_classes(vocabulary, language), recipe.filters
        )
        table = select(table, np.flatnonzero(keep))
        antonyms = read_pairs(recipe.config.antonyms) if recipe.config.antonyms else []
        bits = veto_bits(phrases, table.source, table.target, word_classes(vocabulary, language, antonyms))
        table = _best_rows(replace(table, veto=bits), recipe.pivot.top)
        table, phrases, categories, old_ids = _renumber(table, phrases, categories)
        step(2, 3, "steps")
        save_table(engine, table, folder / "pivot.parquet")
        save_phrases(engine, phrases, categories, folder / "phrases.parquet")
        if recipe.config.evidence != "none":
            _cite(engine, table, old_ids, pairs, places, recipe.pivot.best_translations, folder)
    return f"{joined:,} rows joined, {int(keep.sum()):,} pass the filters, {len(table):,} kept"


def _merged(
    work: Path, languages: list[str]
) -> tuple[Phrases, NDArray[np.uint32], list[LanguagePairs], list[dict[str, NDArray[np.int32]]]]:
    """Every language's pairs with source phrase ids that all languages share."""

    def read(language: str, name: str) -> NDArray[np.int32]:
        values: NDArray[np.int32] = np.load(work / f"extract-{language}" / f"{name}.npy", allow_pickle=False)
        return values

    used, stores = [], []
    for language in languages:
        # Only phrases that survived counting: the rest would triple the store for nothing.
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


def _best_rows(table: ParaphraseTable, top: int) -> ParaphraseTable:
    """The best ``top`` rows a phrase that no veto forbids, and a few that one does."""
    allowed = keep_top(table, table.veto == 0, top)
    forbidden = keep_top(table, table.veto != 0, VETOED_TOP)
    return select(_joined(allowed, forbidden), np.arange(len(allowed) + len(forbidden)))


def _joined(first: ParaphraseTable, second: ParaphraseTable) -> ParaphraseTable:
    return ParaphraseTable(
        np.concatenate([first.source, second.source]),
        np.concatenate([first.target, second.target]),
        np.concatenate([first.count, second.count]),
        np.concatenate([first.score, second.score]),
        {name: np.concatenate([values, second.features[name]]) for name, values in first.features.items()},
        first.info,
        np.concatenate([first.veto, second.veto]),
    )


def _renumber(
    table: ParaphraseTable, phrases: Phrases, categories: NDArray[np.uint32]
) -> tuple[ParaphraseTable, Phrases, NDArray[np.uint32], NDArray[np.int64]]:
    """Phrase ids of the phrases in use only; also the old id of each new one."""
    old_ids = np.unique(np.concatenate([table.source, table.target]))
    renumbered = replace(
        table,
        source=np.searchsorted(old_ids, table.source).astype(np.int32),
        target=np.searchsorted(old_ids, table.target).astype(np.int32),
    )
    return renumbered, Phrases(phrases.words[old_ids], phrases.glue[old_ids]), categories[old_ids], old_ids


def _cite(
    engine: Engine,
    table: ParaphraseTable,
    old_ids: NDArray[np.int64],
    pairs: list[LanguagePairs],
    places: list[dict[str, NDArray[np.int32]]],
    best: int,
    folder: Path,
) -> None:
    """The three best pivots a language of every row, and where each half was first seen."""
    rows = np.arange(len(table), dtype=np.int32)
    for language_pairs, place in zip(pairs, places, strict=True):
        prune_pairs(engine, "kept", language_pairs, best)
        engine.table("wanted", {"row": rows, "e1": old_ids[table.source], "e2": old_ids[table.target]})
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
        target = folder / f"evidence-{language_pairs.language}"
        target.mkdir()
        for name, values in columns.items():
            np.save(target / f"{name}.npy", values, allow_pickle=False)

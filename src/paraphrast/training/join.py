"""The stage that takes tables made elsewhere into the model: one phrase store, one vocabulary, the same vetoes.

Rows with a word that the model's text never had are left out: the language model could not judge them. Phrases that no
other table has get their spelling and their categories from where they stand in the model's text.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.extract import find_phrases, merge_phrases, phrase_glue
from paraphrast.formats.phrases import load_phrases, save_phrases
from paraphrast.formats.sentences import load_sentences
from paraphrast.formats.table_file import read_table_file
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.tables.checks.filters import FilterClasses, filter_classes, keep_mask
from paraphrast.tables.checks.vetoes import WordClasses, veto_bits, word_classes
from paraphrast.tables.options import FilterOptions
from paraphrast.tables.pivot.join import keep_top, select
from paraphrast.tables.store import load_table, save_table
from paraphrast.text import get_language
from paraphrast.text.syntax.category import categories_of_occurrences
from paraphrast.training.corpora import read_pairs
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.tables import table_path
from paraphrast.training.work_folder import corpus_names, open_engine
from paraphrast.types import LooseTable, ParaphraseTable, Phrases, Vocabulary, concatenate

#: Rows a veto forbids are kept beside the others, this many a phrase, for those who turn the veto off.
VETOED_TOP = 5


def join_tables(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Every table of the model in one numbering of phrases; ``phrases.parquet`` and a file a table."""
    config = recipe.config
    own = config.language
    with open_engine(resources, folder) as engine:
        vocabulary = load_vocabulary(engine, work / "text" / own / "vocab.parquet")
        made = {"pivot": load_table(engine, work / "pivot" / "pivot.parquet")}
        known, known_categories = load_phrases(engine, work / "pivot" / "phrases.parquet")
        stores, loose, notes = [known.words], {}, []
        paths = {source.name: table_path(source, work) for source in config.tables}
        for name in config.joined:
            path = paths.get(name) or work / name / f"{name}.parquet"
            table = read_table_file(path)
            if table.table.info.language != own:
                raise InputError(
                    f"expected a table of {own!r}, got one of {table.table.info.language!r}", where=path
                )
            loose[name] = _in_vocabulary(table, vocabulary)
            stores.append(loose[name].phrases.words)
        words, remaps = merge_phrases(stores)
        glue, categories = _from_text(recipe, work, words)
        glue[remaps[0]], categories[remaps[0]] = known.glue, known_categories
        phrases = Phrases(words, glue)
        step(1, 3, "steps")
        made["pivot"] = _renumbered(made["pivot"], remaps[0])
        language = get_language(own)
        antonyms = read_pairs(config.antonyms) if config.antonyms else []
        classes = word_classes(vocabulary, language, antonyms)
        kinds = filter_classes(vocabulary, language)
        for (name, table), remap in zip(loose.items(), remaps[1:], strict=True):
            rows = _renumbered(table.table, remap)
            made[name] = _vetted(rows, phrases, kinds, recipe.filters, classes, recipe.pivot.top)
            notes.append(f"{name} {len(made[name]):,} rows of {len(table):,} with known words")
        step(2, 3, "steps")
        made, phrases, categories = _in_use(made, phrases, categories)
        for name, rows in made.items():
            save_table(engine, rows, folder / f"{name}.parquet")
        save_phrases(engine, phrases, categories, folder / "phrases.parquet")
    return "; ".join([f"pivot {len(made['pivot']):,} rows", *notes])


def _in_vocabulary(table: LooseTable, vocabulary: Vocabulary) -> LooseTable:
    """The rows whose words the model knows, with the model's word ids and phrases sorted by them."""
    number = {word: index for index, word in enumerate(vocabulary.words)}
    ids = np.array([number.get(word, -2) for word in table.words], dtype=np.int32)
    words = np.where(table.phrases.words >= 0, ids[table.phrases.words], np.int32(-1)).astype(np.int32)
    usable = ~(words == -2).any(axis=1)
    keep = usable[table.table.source] & usable[table.table.target]
    rows = select(table.table, np.flatnonzero(keep))
    used = np.unique(np.concatenate([rows.source, rows.target])).astype(np.int64)
    place = np.zeros(len(words), dtype=np.int32)
    merged, (remap,) = merge_phrases([words[used]])
    place[used] = remap
    glue = np.zeros(len(merged), np.uint8)
    glue[remap] = table.phrases.glue[used]
    return LooseTable(
        _renumbered(rows, place), Phrases(merged, glue), vocabulary.words, np.zeros(len(merged), np.uint32)
    )


def _renumbered(table: ParaphraseTable, remap: NDArray[np.int32]) -> ParaphraseTable:
    """A table with other phrase ids, in a table's order again."""
    moved = replace(table, source=remap[table.source], target=remap[table.target])
    return select(moved, np.arange(len(moved)))


def _from_text(
    recipe: Recipe, work: Path, words: NDArray[np.int32]
) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Spelling and category mask of each phrase from where it stands in the model's text."""
    own = recipe.config.language
    names = corpus_names(recipe, own)
    corpus = concatenate([load_sentences(work / "text" / own / name) for name in names])
    found = find_phrases(corpus, words)
    glue = phrase_glue(corpus, words, found)
    if recipe.config.tagger is None:
        return glue, np.zeros(len(words), dtype=np.uint32)
    tags = np.concatenate([np.load(work / "tags" / f"{name}.npy", allow_pickle=False) for name in names])
    lengths = (words >= 0).sum(axis=1).astype(np.int32)
    positions = np.asarray(corpus.starts)[found.sentence] + found.start
    _, categories = categories_of_occurrences(
        tags, found.phrase, positions, lengths[found.phrase], len(words)
    )
    return glue, categories


def _vetted(
    table: ParaphraseTable,
    phrases: Phrases,
    kinds: FilterClasses,
    filters: FilterOptions,
    classes: WordClasses,
    top: int,
) -> ParaphraseTable:
    """The best rows a phrase that no veto forbids, and a few that one does, without rows that say nothing."""
    table = select(table, np.flatnonzero(keep_mask(phrases, table.source, table.target, kinds, filters)))
    table = replace(table, veto=veto_bits(phrases, table.source, table.target, classes))
    ranked = replace(table, features={**table.features, "score": table.score})
    chosen = [
        keep_top(ranked, table.veto == 0, top, by="score"),
        keep_top(ranked, table.veto != 0, VETOED_TOP, by="score"),
    ]
    keys = np.concatenate([_keys(piece) for piece in chosen])
    return select(table, np.flatnonzero(np.isin(_keys(table), keys)))


def _keys(table: ParaphraseTable) -> NDArray[np.int64]:
    return (table.source.astype(np.int64) << 32) | table.target.astype(np.int64)


def _in_use(
    tables: dict[str, ParaphraseTable], phrases: Phrases, categories: NDArray[np.uint32]
) -> tuple[dict[str, ParaphraseTable], Phrases, NDArray[np.uint32]]:
    """Phrase ids of the phrases in use only."""
    used = np.unique(
        np.concatenate([side for table in tables.values() for side in (table.source, table.target)])
    )
    remap = np.zeros(len(phrases), dtype=np.int32)
    remap[used] = np.arange(len(used), dtype=np.int32)
    moved = {
        name: replace(table, source=remap[table.source], target=remap[table.target])
        for name, table in tables.items()
    }
    return moved, Phrases(phrases.words[used], phrases.glue[used]), categories[used]

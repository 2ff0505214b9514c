"""The stage ``tables``: add standalone tables to the model, with its phrases, its vocabulary and its vetoes.

Rows with a word outside the model's text are dropped, because the language model could not judge them. Phrases that no
other table has get their spelling and their categories from their occurrences in the model's text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.extract import merge_phrases, phrase_glue
from paraphrast.formats.phrases import load_phrases, save_phrases
from paraphrast.formats.table_file import load_table, read_table_file, save_table
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.tables.rows import best_rows, drop_unused_phrases, select, take
from paraphrast.text.occurrences import all_occurrences
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.tables import table_path
from paraphrast.training.vetting import make_vetting
from paraphrast.training.work_folder import Corpus, load_corpus, open_engine
from paraphrast.types import LooseTable, ParaphraseTable, Phrases, Vocabulary, concatenate


def join_tables(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Number the phrases of all tables of the model together. Writes ``phrases.parquet`` and one file per table."""
    config = recipe.config
    with open_engine(resources, folder) as engine:
        vocabulary = load_vocabulary(engine, work / "text" / config.language / "vocab.parquet")
        pivot = load_table(engine, work / "pivot" / "pivot.parquet")
        known, known_categories = load_phrases(engine, work / "pivot" / "phrases.parquet")
        standalone = {
            name: _in_vocabulary(table, vocabulary) for name, table in _standalone(recipe, work).items()
        }
        words, remaps = merge_phrases([known.words, *(table.phrases.words for table in standalone.values())])
        glue, categories = _from_text(load_corpus(recipe, work), words)
        glue[remaps[0]], categories[remaps[0]] = known.glue, known_categories
        phrases = Phrases(words, glue)
        step(1, 3, "steps")
        tables = {"pivot": _renumbered(pivot, remaps[0])}
        vetting = make_vetting(engine, recipe, work, vocabulary)
        unfiltered = {source.name for source in config.tables if not source.filtered}
        for (name, table), remap in zip(standalone.items(), remaps[1:], strict=True):
            check = vetting.whole if name in unfiltered else vetting.checked
            rows = check(_renumbered(table.table, remap), phrases)
            tables[name] = take(rows, best_rows(rows, recipe.pivot.top, by="score"))
        lift_vetoes(tables, [source.name for source in config.tables if source.trusted])
        step(2, 3, "steps")
        used, phrases, categories = drop_unused_phrases(list(tables.values()), phrases, categories)
        for name, rows in zip(tables, used, strict=True):
            save_table(engine, rows, folder / f"{name}.parquet")
        save_phrases(engine, phrases, categories, folder / "phrases.parquet")
    notes = [
        f"{name} {len(tables[name]):,} rows of {len(standalone[name]):,} with known words"
        for name in standalone
    ]
    return "; ".join([f"pivot {len(pivot):,} rows", *notes])


def lift_vetoes(tables: dict[str, ParaphraseTable], trusted: Sequence[str]) -> None:
    """Remove the vetoes of all pairs that a trusted table has, from every table."""
    keys = trusted_keys(tables, trusted)
    for name, table in tables.items():
        if len(keys) and len(table.veto):
            tables[name] = replace(table, veto=np.where(np.isin(table.keys, keys), np.uint8(0), table.veto))


def trusted_keys(tables: Mapping[str, ParaphraseTable], trusted: Sequence[str]) -> NDArray[np.int64]:
    """The pairs of the trusted tables, by :func:`~paraphrast.types.pair_keys`."""
    return np.unique(np.concatenate([np.zeros(0, np.int64), *(tables[name].keys for name in trusted)]))


def _standalone(recipe: Recipe, work: Path) -> dict[str, LooseTable]:
    """The tables to join, by name: files from the configuration, and tables built by stages of this run."""
    config = recipe.config
    paths = {source.name: table_path(source, work) for source in config.tables}
    tables = {}
    for name in config.joined:
        path = paths.get(name) or work / name / f"{name}.parquet"
        tables[name] = read_table_file(path)
        language = tables[name].table.info.language
        if language != config.language:
            raise InputError(f"expected a table of {config.language!r}, got one of {language!r}", where=path)
    return tables


def _in_vocabulary(table: LooseTable, vocabulary: Vocabulary) -> LooseTable:
    """The rows whose words are all in the model, with the model's word ids and phrases sorted by them."""
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
    """A table with other phrase ids, sorted in a table's order again."""
    return select(replace(table, source=remap[table.source], target=remap[table.target]))


def _from_text(corpus: Corpus, words: NDArray[np.int32]) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Spelling and category mask of each phrase, from its occurrences in the model's text."""
    phrases = Phrases(words, np.zeros(len(words), np.uint8))
    phrase, position = all_occurrences(corpus.sentences, phrases)
    glue = phrase_glue(concatenate(list(corpus.sentences)), words, phrase, position)
    return glue, corpus.categories(phrases)

"""The pivot stage: counted phrase pairs of every language → one table, its phrases, vetoes and evidence.

Joins, sums and sorts are the engine's (``pivot_queries.py``). Between them, chunks of rows are trimmed, and then
filtered, vetoed and ranked, one at a time (``pivot_chunks.py``). Only the rows and phrases of the finished table are
held here.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.formats.arrays import save_array
from paraphrast.formats.phrases import save_phrases
from paraphrast.formats.table_file import save_table
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.tables.pivot.context_shards import context_cosines
from paraphrast.tables.pivot.contexts import context_feature
from paraphrast.tables.pivot.join import log_table, mix_languages, row_columns
from paraphrast.tables.rows import best_rows, take
from paraphrast.training.corpora import pivot_languages
from paraphrast.training.new_categories import classify_new_phrases
from paraphrast.training.pivot_chunks import (
    Chunk,
    ChunkReport,
    PivotPlan,
    check_chunk,
    load_rows,
    save_classes,
    trim_chunk,
)
from paraphrast.training.pivot_features import with_feature
from paraphrast.training.pivot_queries import (
    cited_pivots,
    merge_languages,
    number_pieces,
    write_joined,
    write_merged,
)
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.vetting import make_vetting
from paraphrast.training.work_folder import corpus_folders, open_engine, phrase_keys
from paraphrast.types import ParaphraseTable, Phrases
from paraphrast.types.phrase_keys import PhraseKeys, listed

#: Rows of a chunk, at most, unless one block of phrases has more.
CHUNK_ROWS = 1 << 18
#: Bytes of memory that a row of a chunk takes while it is worked on, with room to spare.
ROW_BYTES = 1024
#: The part of the memory that a chunk may take: the rest is for the program and the engine.
SHARE = 8
#: Chunks begin at phrases whose number is a multiple of this.
BLOCK = 64
#: Phrases whose contexts are counted at a time. Each pass reads the whole text.
CONTEXT_PHRASES = 1 << 16


@dataclass(frozen=True)
class PivotRows:
    """The finished table with its phrases and their categories.

    cited: columns cited1, cited2 (the pair that is cited for each row, as numbers of the joined phrases) and begin1,
    begin2 (where the row's phrases begin within those).
    """

    table: ParaphraseTable
    phrases: Phrases
    categories: NDArray[np.uint32]
    cited: dict[str, NDArray[Any]]


def chunk_rows(memory: int | None) -> int:
    """Rows per chunk with so much memory. The number never changes a result."""
    return CHUNK_ROWS if memory is None else max(min(memory // SHARE // ROW_BYTES, CHUNK_ROWS), 1024)


def pivot_table(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Join, normalise, filter, veto, keep the best; drop unused phrases; record the evidence."""
    language, options = recipe.config.language, recipe.pivot
    languages = pivot_languages(recipe.config)
    keys = phrase_keys(work, language, recipe.extract.max_length)
    rows_at_once = chunk_rows(resources.memory_bytes)
    scratch = (folder / ".chunks").resolve()
    scratch.mkdir()
    with open_engine(resources, folder, step) as engine:
        vocabulary = load_vocabulary(engine, work / "text" / language / "vocab.parquet")
        vetting = make_vetting(engine, recipe, work, vocabulary)
        save_classes(vetting, scratch)
        plan = PivotPlan(
            str(scratch), tuple(languages), language, options, vetting.filters, vetting.hosts, keys,
            recipe.config.tagger is not None,
        )  # fmt: skip
        counted = merge_languages(engine, work, languages, keys)
        pruned = mix_languages(engine, languages, counted, options)
        write_joined(engine, len(languages), keys, options, scratch / "joined.parquet")
        engine.drop("mixed")
        step(1, 4, "steps")
        chunks = list(_chunks(engine, plan, scratch / "joined.parquet", rows_at_once))
        trimmed = engine.map(trim_chunk, chunks)
        number_pieces(engine, [chunk.result("pieces") for chunk in chunks], keys)
        engine.drop("phrases")
        if plan.tagged:
            classify_new_phrases(engine, recipe, work, scratch, keys)
        write_merged(
            engine, [chunk.result("trimmed") for chunk in chunks], scratch / "joined.parquet", len(languages),
            keys, scratch / "merged.parquet",
        )  # fmt: skip
        step(2, 4, "steps")
        chunks = list(_chunks(engine, plan, scratch / "merged.parquet", rows_at_once))
        checked = engine.map(check_chunk, chunks)
        like = _described(plan, pruned, [*trimmed, *checked])
        corpora = [text for text, _ in corpus_folders(recipe, work)]
        rows = _finished(engine, plan, like, chunks, corpora, len(vocabulary))
        step(3, 4, "steps")
        save_table(engine, rows.table, folder / "pivot.parquet")
        save_phrases(engine, rows.phrases, rows.categories, folder / "phrases.parquet")
        if recipe.config.evidence != "none":
            for name, pivot_language in zip(counted, languages, strict=True):
                _cite(engine, rows, name, options.best_translations, folder / f"evidence-{pivot_language}")
        for name in ("short", *counted):
            engine.drop(name)
    shutil.rmtree(scratch)
    dropped = ", ".join(f"{name} {figures['mass_dropped']:.1%}" for name, figures in pruned.items())
    return (
        f"mass pruned before the join: {dropped}; {sum(one.rows for one in trimmed):,} rows joined, "
        f"{sum(one.rows for one in checked):,} after normalising, "
        f"{sum(one.kept for one in checked):,} pass the filters, {len(rows.table):,} kept"
    )


def _chunks(engine: Engine, plan: PivotPlan, path: Path, rows_at_once: int) -> Iterable[Chunk]:
    """The rows of a file, sorted by e1, in chunks of whole blocks of phrases. There is always one."""
    sizes = engine.fetch(
        f"SELECT e1 // {BLOCK} AS block, count(*) AS n FROM {engine.parquet(path)} GROUP BY 1 ORDER BY 1"
    )
    number, low, begin, rows = 0, 0, 0, 0
    for block, size in zip(sizes["block"].tolist(), sizes["n"].tolist(), strict=True):
        if rows and rows + size > rows_at_once:
            yield Chunk(plan, number, str(path), low, block * BLOCK, begin)
            number, low, begin, rows = number + 1, block * BLOCK, begin + rows, 0
        rows += size
    yield Chunk(plan, number, str(path), low, 1 << 31, begin)


def _described(
    plan: PivotPlan, pruned: dict[str, dict[str, float]], reports: Sequence[ChunkReport]
) -> ParaphraseTable:
    """A table without rows, described as the whole: its features have the lowest values of all chunks."""
    nothing = {name: np.zeros(0, np.int64) for name in row_columns(len(plan.languages))}
    table = log_table(nothing, plan.languages, plan.options, plan.language, pruned)
    names = list(dict.fromkeys(name for report in reports for name in report.lowest))
    features = {}
    for name in names:
        known = [report.lowest[name] for report in reports if report.lowest.get(name) is not None]
        lowest = min((value for value in known if value is not None), default=0.0)
        features[name] = {"direction": "higher", "floor": lowest}
    return replace(table, info=replace(table.info, features=features))


def _finished(
    engine: Engine,
    plan: PivotPlan,
    like: ParaphraseTable,
    chunks: Sequence[Chunk],
    corpora: Sequence[Path],
    vocabulary_size: int,
) -> PivotRows:
    """The chosen rows of all chunks, with their phrases and the similarity of their contexts.

    If the rank does not use contexts, they are compared after the choice, for far fewer phrases.
    """
    rows = _with_phrases(engine, plan.keys, *_loaded(engine, like, chunks))
    options = plan.options
    if options.context:
        rows = replace(rows, table=_with_contexts(engine, rows, corpora, vocabulary_size, Path(plan.folder)))
    if options.context_weight:
        chosen = best_rows(rows.table, options.top, more={"context": options.context_weight})
        used, number = np.unique(
            np.concatenate([rows.table.source[chosen], rows.table.target[chosen]]), return_inverse=True
        )
        table = replace(
            take(rows.table, chosen),
            source=number[: len(chosen)].astype(np.int32),
            target=number[len(chosen) :].astype(np.int32),
        )
        rows = PivotRows(
            table,
            Phrases(rows.phrases.words[used], rows.phrases.glue[used]),
            rows.categories[used],
            {name: values[chosen] for name, values in rows.cited.items()},
        )
    return rows


def _loaded(
    engine: Engine, like: ParaphraseTable, chunks: Sequence[Chunk]
) -> tuple[ParaphraseTable, dict[str, NDArray[Any]]]:
    parts = [load_rows(engine, chunk.result("rows"), like) for chunk in chunks]
    tables = [table for table, _ in parts]
    whole = replace(
        like,
        source=np.concatenate([table.source for table in tables]),
        target=np.concatenate([table.target for table in tables]),
        count=np.concatenate([table.count for table in tables]),
        score=np.concatenate([table.score for table in tables]),
        veto=np.concatenate([table.veto for table in tables]),
        features={
            name: np.concatenate([table.features[name] for table in tables]) for name in tables[0].features
        },
    )
    return whole, {name: np.concatenate([cited[name] for _, cited in parts]) for name in parts[0][1]}


def _with_phrases(
    engine: Engine, keys: PhraseKeys, table: ParaphraseTable, cited: dict[str, NDArray[Any]]
) -> PivotRows:
    """The phrases of the engine's table ``short`` that the rows use, numbered again."""
    used, number = np.unique(np.concatenate([table.source, table.target]), return_inverse=True)
    engine.table("used", {"id": used})
    phrases = engine.fetch(
        f"SELECT {listed(keys.names('k'), 's')}, s.glue, s.category FROM short s JOIN used u ON u.id = s.id"
        " ORDER BY s.id"
    )
    engine.drop("used")
    renumbered = replace(
        table,
        source=number[: len(table)].astype(np.int32),
        target=number[len(table) :].astype(np.int32),
    )
    words = Phrases(keys.unpack(phrases, "k"), phrases["glue"].astype(np.uint8))
    return PivotRows(renumbered, words, phrases["category"].astype(np.uint32), cited)


def _with_contexts(
    engine: Engine, rows: PivotRows, corpora: Sequence[Path], vocabulary_size: int, folder: Path
) -> ParaphraseTable:
    cosines = context_cosines(
        engine, corpora, rows.phrases, rows.table.source, rows.table.target, vocabulary_size, folder,
        phrases_at_once=CONTEXT_PHRASES,
    )  # fmt: skip
    return with_feature(rows.table, "context", context_feature(cosines))


def _cite(engine: Engine, rows: PivotRows, counted: str, best: int, folder: Path) -> None:
    """The best pivots of every row in one language, and where each half was first seen.

    A trimmed row is cited by the pair it was trimmed from, whose phrases begin some words earlier.
    """
    numbers = np.arange(len(rows.table), dtype=np.int32)
    wanted = {"row": numbers, "e1": rows.cited["cited1"], "e2": rows.cited["cited2"]}
    columns = cited_pivots(engine, counted, wanted, best)
    columns["start1"] = columns["start1"] + rows.cited["begin1"][columns["row"]]
    columns["start2"] = columns["start2"] + rows.cited["begin2"][columns["row"]]
    folder.mkdir()
    for name, values in columns.items():
        save_array(folder / f"{name}.npy", values)

"""The part of the pivot stage that is not the engine's, on one chunk of rows at a time: trimming, then filters, vetoes,
categories and the choice of the best rows.

A chunk has all rows of a range of source phrases. It is a task of its own, which reads and writes Parquet files, so
that memory is bounded by a chunk and workers can share the chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.formats.arrays import save_array
from paraphrast.tables.checks.filters import FilterClasses
from paraphrast.tables.checks.vetoes import WordClasses
from paraphrast.tables.checks.vetting import Vetting
from paraphrast.tables.options import FilterOptions, PivotOptions
from paraphrast.tables.pivot.join import log_table, row_columns
from paraphrast.tables.pivot.normalise import TrimmedRows, trim_rows
from paraphrast.tables.rows import best_rows, take
from paraphrast.training.pivot_features import LOWEST_SYNTAX, syntax_feature, with_feature
from paraphrast.types import MAX_PHRASE, ParaphraseTable, Phrases
from paraphrast.types.phrase_keys import PhraseKeys

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class PivotPlan:
    """What all chunks share. folder: where the word classes are and where results go."""

    folder: str
    languages: tuple[str, ...]
    language: str
    options: PivotOptions
    filters: FilterOptions
    hosts: frozenset[int]
    keys: PhraseKeys
    tagged: bool


@dataclass(frozen=True)
class Chunk:
    """The rows of ``path`` with first phrases from ``low`` to ``high`` (exclusive); ``begin`` rows precede them."""

    plan: PivotPlan
    number: int
    path: str
    low: int
    high: int
    begin: int

    def result(self, name: str) -> Path:
        """The file of a result."""
        return Path(self.plan.folder) / f"{name}-{self.number:06d}.parquet"


@dataclass(frozen=True)
class ChunkReport:
    """Rows that came in and went out, and the lowest known value of each feature; None if none is known."""

    rows: int
    kept: int
    lowest: dict[str, float | None]


def save_classes(vetting: Vetting, folder: Path) -> None:
    """Write the word classes for :func:`_vetting`."""
    for name, record in (("filter", vetting.filter_classes), ("word", vetting.word_classes)):
        for field, values in vars(record).items():
            save_array(folder / f"{name}-{field}.npy", values)


def _vetting(plan: PivotPlan) -> Vetting:
    # The same folder may get other classes: a later run in this process trains on changed text.
    written = tuple(path.stat().st_mtime_ns for path in sorted(Path(plan.folder).glob("*.npy")))
    return _loaded_vetting(plan.folder, written, plan.filters, plan.hosts)


@lru_cache(maxsize=1)
def _loaded_vetting(
    folder: str, written: tuple[int, ...], filters: FilterOptions, hosts: frozenset[int]
) -> Vetting:
    def load(name: str, fields: Sequence[str]) -> dict[str, Any]:
        return {field: np.load(Path(folder) / f"{name}-{field}.npy", allow_pickle=False) for field in fields}

    return Vetting(
        filters,
        FilterClasses(**load("filter", list(FilterClasses.__dataclass_fields__))),
        WordClasses(**load("word", list(WordClasses.__dataclass_fields__))),
        hosts,
    )


def _rows(chunk: Chunk, order: str) -> Columns:
    with Engine(threads=1) as engine:
        return engine.fetch(
            f"SELECT * FROM {engine.parquet(Path(chunk.path))}"
            f" WHERE e1 >= {chunk.low} AND e1 < {chunk.high} ORDER BY {order}"
        )


def _write(chunk: Chunk, name: str, columns: Columns) -> None:
    with Engine(threads=1) as engine:
        engine.table("rows", columns)
        engine.write_parquet("SELECT * FROM rows", chunk.result(name))


def _both_sides(plan: PivotPlan, rows: Columns) -> tuple[Phrases, NDArray[np.int32], NDArray[np.int32]]:
    """The phrases of both sides of every row, and the place of each: first all sources, then all targets."""
    words = np.concatenate([plan.keys.unpack(rows, side) for side in "xy"])
    number = len(words) // 2
    glue = [rows[f"{side}_glue"] for side in "xy"] if "x_glue" in rows else [np.zeros(2 * number)]
    places = np.arange(2 * number, dtype=np.int32)
    return Phrases(words, np.concatenate(glue).astype(np.uint8)), places[:number], places[number:]


def trim_chunk(chunk: Chunk) -> ChunkReport:
    """Trim both phrases of every row. Writes ``trimmed``, the rows that have words left, and ``pieces``, the phrases.

    trimmed: packed words x…, y…, the values of the row, its number, its rank as an integer (``level``) and the words
    that it lost at the beginning. pieces: packed words k…, and ``spelt``, the phrase that a piece was cut from and its
    spelling, as one integer whose minimum is the first such phrase.
    """
    plan = chunk.plan
    rows = _rows(chunk, "e1, p DESC, e2")
    table = _numbered_table(plan, rows)
    rows = {name: values[table.count] for name, values in rows.items()}
    phrases, source, target = _both_sides(plan, rows)
    if plan.options.normalise:
        trimmed = trim_rows(phrases, source, target, _vetting(plan).filter_classes)
    else:
        lengths, nowhere = phrases.lengths.astype(np.int8), np.zeros(len(source), np.int8)
        trimmed = TrimmedRows(nowhere, lengths[source], nowhere, lengths[target])
    some = np.flatnonzero(~trimmed.empty)
    ends = ((trimmed.source_begin, trimmed.source_end), (trimmed.target_begin, trimmed.target_end))
    pieces, words = [], []
    for side, ids, (begin, end) in zip(("e1", "e2"), (source, target), ends, strict=True):
        cut = _cut(phrases.words[ids[some]], begin[some], end[some])
        piece = rows[side][some].astype(np.int64) * 64 + begin[some].astype(np.int64) * 8 + end[some]
        shown = np.maximum(end[some].astype(np.int64) - begin[some] - 1, 0)
        glue = (phrases.glue[ids[some]].astype(np.int64) >> begin[some]) & ((1 << shown) - 1)
        distinct, first = np.unique(piece, return_index=True)
        pieces.append({**plan.keys.pack(cut[first], "k"), "spelt": distinct * 256 + glue[first]})
        words.append(cut)
    _write(chunk, "pieces", {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]})
    kept = (words[0] != words[1]).any(axis=1)
    some = some[kept]
    begins = [begin[some].astype(np.int32) for begin, _ in ends]
    columns: Columns = {
        **plan.keys.pack(words[0][kept], "x"),
        **plan.keys.pack(words[1][kept], "y"),
        **{name: rows[name][some] for name in row_columns(len(plan.languages))},
        "number": chunk.begin + some,
        "level": ordered_integers(table.features["both"][some]),
        "lost": begins[0] + begins[1],
        "begin1": begins[0],
        "begin2": begins[1],
    }
    _write(chunk, "trimmed", columns)
    return ChunkReport(
        len(source), len(some), {name: _lowest(values) for name, values in table.features.items()}
    )


def _numbered_table(plan: PivotPlan, rows: Columns) -> ParaphraseTable:
    """The table of some rows, with the place of each among them instead of its count: a table may be sorted again."""
    given = {name: rows[name] for name in row_columns(len(plan.languages))}
    given["c"] = np.arange(len(rows["c"]), dtype=np.int64)
    return log_table(given, plan.languages, plan.options, plan.language, {})


def _cut(words: NDArray[np.int32], begin: NDArray[np.int8], end: NDArray[np.int8]) -> NDArray[np.int32]:
    """The words ``begin`` to ``end`` of each row."""
    place = np.arange(MAX_PHRASE)
    at = np.minimum(begin.astype(np.int64)[:, None] + place, MAX_PHRASE - 1)
    size = end.astype(np.int64) - begin
    return np.where(place < size[:, None], np.take_along_axis(words, at, axis=1), np.int32(-1))


def ordered_integers(values: NDArray[np.float32]) -> NDArray[np.int32]:
    """Integers in the order of floating-point numbers, equal for equal numbers. NaN is not allowed."""
    bits = np.ascontiguousarray(values + np.float32(0)).view(np.int32)  # + 0 makes −0 equal to 0
    return np.where(bits < 0, np.int32(-(2**31)) - bits, bits).astype(np.int32)


def _lowest(values: NDArray[np.float32]) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.min()) if len(known) else None


def check_chunk(chunk: Chunk) -> ChunkReport:
    """Filter, veto, compare categories, and keep the best rows of each phrase. Writes ``rows``.

    If contexts rank the rows, all rows that pass are written: they are compared later.
    """
    plan = chunk.plan
    rows = _rows(chunk, "e1, e2")
    cited: Columns = {name: rows[name] for name in ("cited1", "cited2", "begin1", "begin2")}
    table = _numbered_table(plan, rows)
    ids = np.unique(np.concatenate([table.source, table.target]))
    sides = np.concatenate([rows["e1"], rows["e2"]])
    _, first = np.unique(sides, return_index=True)
    words = np.concatenate([plan.keys.unpack(rows, side) for side in "xy"])[first]
    categories = np.concatenate([rows[f"{side}_category"] for side in "xy"])[first].astype(np.uint32)
    phrases = Phrases(words, np.zeros(len(words), np.uint8))
    local = replace(
        table,
        source=np.searchsorted(ids, table.source).astype(np.int32),
        target=np.searchsorted(ids, table.target).astype(np.int32),
    )
    vetting = _vetting(plan)
    local = take(local, vetting.passing(local, phrases))
    passed = len(local)
    local = vetting.vetoed(local, phrases)
    lowest = {}
    if plan.options.syntax != "none" and plan.tagged:
        syntax = syntax_feature(categories, local.source, local.target)
        lowest["syntax"] = _lowest(syntax)
        local = with_feature(local, "syntax", syntax)
        if plan.options.syntax == "require":
            local = take(local, np.flatnonzero(~(syntax <= np.float32(np.log(LOWEST_SYNTAX)))))
    if not plan.options.context_weight:
        local = take(local, best_rows(local, plan.options.top))
    place = local.count
    columns: Columns = {
        "source": ids[local.source].astype(np.int32),
        "target": ids[local.target].astype(np.int32),
        "count": rows["c"][place],
        # Bits, not numbers: the engine would take unknown values for NULL.
        "score": local.score.view(np.int32),
        **{f"f_{name}": values.view(np.int32) for name, values in local.features.items()},
        "veto": local.veto,
        **{name: values[place] for name, values in cited.items()},
    }
    _write(chunk, "rows", columns)
    return ChunkReport(len(table), passed, lowest)


def load_rows(engine: Engine, path: Path, like: ParaphraseTable) -> tuple[ParaphraseTable, Columns]:
    """The rows that :func:`check_chunk` wrote, with the description of another table, and their citations."""
    columns = engine.read_parquet(path)
    features = {
        name[2:]: values.view(np.float32) for name, values in columns.items() if name.startswith("f_")
    }
    table = replace(
        like,
        source=columns["source"],
        target=columns["target"],
        count=columns["count"],
        score=columns["score"].view(np.float32),
        features=features,
        veto=columns["veto"],
    )
    return table, {name: columns[name] for name in ("cited1", "cited2", "begin1", "begin2")}

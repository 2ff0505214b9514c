"""Standalone tables: rows as text, merging several, comparing two."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paraphrast.errors import InputError
from paraphrast.formats.table_file import read_table_file
from paraphrast.model.spelling import spelled
from paraphrast.text import get_language
from paraphrast.types import LooseTable, PhraseRow, TableInfo, TextRow, loose_table

Pair = tuple[tuple[str, ...], tuple[str, ...]]


def text_rows(table: LooseTable, phrase: str | None = None) -> Iterator[TextRow]:
    """The rows as text, or those of one phrase (words separated by white space), in the table's order."""
    rows = table.table
    language = get_language(rows.info.language)
    texts = [
        spelled(table.phrase(index), int(glue), language) for index, glue in enumerate(table.phrases.glue)
    ]
    wanted_source = " ".join(phrase.split()) if phrase is not None else None
    for row in range(len(rows)):
        source = texts[rows.source[row]]
        if wanted_source is not None and wanted_source not in (
            source,
            " ".join(table.phrase(int(rows.source[row]))),
        ):
            continue
        features = {name: float(values[row]) for name, values in rows.features.items()}
        known = {name: None if math.isnan(value) else value for name, value in features.items()}
        veto = int(rows.veto[row]) if len(rows.veto) else 0
        yield TextRow(
            source, texts[rows.target[row]], float(rows.score[row]), int(rows.count[row]), known, veto
        )


def merge_tables(
    named: Sequence[tuple[str, LooseTable]], weights: Sequence[float] | None = None, *, top: int = 20
) -> LooseTable:
    """One table of several: p(target | source) is the mixture Σ_i w_i · p_i(target | source), counts are added.

    The features of table ``a`` are called ``a_score`` and ``a_FEATURE``, so no information is lost. weights: one
    positive number per table; equal by default.
    """
    if len(named) < 2:
        raise InputError(f"expected at least two tables to merge, got {len(named)}")
    shares = _shares(weights, len(named))
    languages = sorted({table.table.info.language for _, table in named})
    if len(languages) > 1:
        raise InputError(f"expected tables of one language, got {', '.join(languages)}")
    labels = _labels([name for name, _ in named])
    mass: dict[Pair, float] = {}
    counts: dict[Pair, int] = {}
    features: dict[Pair, dict[str, float]] = {}
    names: list[str] = []
    glue: dict[tuple[str, ...], int] = {}
    for label, share, (_, table) in zip(labels, shares, named, strict=True):
        rows = table.table
        names += [f"{label}_score", *(f"{label}_{name}" for name in rows.features)]
        phrases = [table.phrase(index) for index in range(len(table.phrases))]
        for phrase, bits in zip(phrases, table.phrases.glue.tolist(), strict=True):
            glue.setdefault(phrase, bits)
        for row in range(len(rows)):
            pair = phrases[rows.source[row]], phrases[rows.target[row]]
            score = float(rows.score[row])
            mass[pair] = mass.get(pair, 0.0) + share * math.exp(score)
            counts[pair] = counts.get(pair, 0) + int(rows.count[row])
            known = features.setdefault(pair, {})
            known[f"{label}_score"] = score
            known.update({f"{label}_{name}": float(values[row]) for name, values in rows.features.items()})
    info = TableInfo(
        "merged",
        languages[0],
        "merged|" + "+".join(f"{label}:{share:.4g}" for label, share in zip(labels, shares, strict=True)),
        features={name: {"direction": "higher"} for name in names},
        notes={
            "tables": {label: t.table.info.signature for label, (_, t) in zip(labels, named, strict=True)}
        },
    )
    rows_of = (
        PhraseRow(*pair, math.log(value) if value > 0 else -math.inf, counts[pair], features[pair])
        for pair, value in mass.items()
    )
    return loose_table(rows_of, info, names, top=top, glue=glue)


def _shares(weights: Sequence[float] | None, tables: int) -> list[float]:
    values = list(weights) if weights else [1.0] * tables
    if len(values) != tables or not all(math.isfinite(value) and value > 0 for value in values):
        raise InputError(
            f"expected {tables} weights above 0, one per table, got {', '.join(map(str, values)) or 'none'}"
        )
    return [value / math.fsum(values) for value in values]


def _labels(names: Sequence[str]) -> list[str]:
    """Distinct names for features, of letters, digits and _."""
    plain = ["".join(letter if letter.isalnum() else "_" for letter in name) or "table" for name in names]
    return [
        name if plain.count(name) == 1 else f"{name}{plain[:number].count(name) + 1}"
        for number, name in enumerate(plain)
    ]


@dataclass(frozen=True)
class TableDifference:
    """Rows of only the first table, of only the second, and of both with another score, the largest change first."""

    only_first: list[TextRow]
    only_second: list[TextRow]
    changed: list[tuple[TextRow, TextRow]]
    same: int


def compare_tables(first: LooseTable, second: LooseTable) -> TableDifference:
    """The differences between two tables. Scores that agree to one millionth are equal."""
    rows = [{(row.source, row.target): row for row in text_rows(table)} for table in (first, second)]
    both = [(row, rows[1][pair]) for pair, row in rows[0].items() if pair in rows[1]]
    changed = [pair for pair in both if abs(pair[0].score - pair[1].score) > 1e-6]
    changed.sort(key=lambda pair: (-abs(pair[0].score - pair[1].score), pair[0].source, pair[0].target))
    alone = [
        sorted(
            (row for pair, row in rows_of_one.items() if pair not in other),
            key=lambda row: (-row.score, row.source, row.target),
        )
        for rows_of_one, other in (rows, rows[::-1])
    ]
    return TableDifference(alone[0], alone[1], changed, len(both) - len(changed))


def read_tables(paths: Sequence[str]) -> list[tuple[str, LooseTable]]:
    """Tables by the names of their files."""
    return [(Path(path).name.removesuffix(".parquet"), read_table_file(path)) for path in paths]


def is_table_file(name: str) -> bool:
    """Whether a name on the command line is a file and not a table of a model."""
    return Path(name).is_file() or name.endswith(".parquet")


def describe(table: LooseTable) -> str:
    """A short description of a table."""
    rows = table.table
    sources = len(np.unique(rows.source)) if len(rows) else 0
    return (
        f"{rows.info.kind} ({rows.info.language})  {rows.info.signature}\n"
        f"{len(rows):,} rows of {sources:,} phrases; features: {', '.join(['score', *rows.features])}"
    )

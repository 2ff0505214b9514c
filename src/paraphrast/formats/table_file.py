"""Paraphrase tables as Parquet files: those of a model, with phrase ids, and standalone ones, with text.

Columns of both: source, target, count, score (natural log), veto, and the named log-features (NULL if unknown). A
model's table has phrase ids of the model as source and target. A standalone table has text instead (words separated by
single spaces, truecased, entities masked), followed by the spelling bits and tag categories of both phrases. The file's
metadata describes the table under ``paraphrast_table``; a standalone table has ``layout`` = ``text`` in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine, column_name, typed_column
from paraphrast.errors import FormatError, InputError
from paraphrast.types import MAX_PHRASE, SPECIALS, LooseTable, ParaphraseTable, Phrases, TableInfo

FORMAT_VERSION = 1
#: Most characters for each byte of a standalone table.
MOST_CHARACTERS = 200
#: The layout of standalone tables.
TEXT = "text"
_FIXED = ("source", "target", "count", "score", "veto")
#: Further columns of standalone tables, and their types.
_PHRASE = {
    "source_glue": "UTINYINT",
    "target_glue": "UTINYINT",
    "source_categories": "UINTEGER",
    "target_categories": "UINTEGER",
}


def save_table(engine: Engine, table: ParaphraseTable, path: Path) -> None:
    """Write a model's table: phrase ids, rows in their order. NaN features become NULL."""
    _write(engine, path, table, {"source": table.source, "target": table.target})


def load_table(engine: Engine, path: Path) -> ParaphraseTable:
    """Read a table written by :func:`save_table`."""
    info = table_info(engine, path)
    columns = _read(engine, path, info)
    source, target = (columns[side].astype(np.int32) for side in ("source", "target"))
    return _table(source, target, columns, info, np.arange(len(source)))


def table_info(engine: Engine, path: Path) -> TableInfo:
    """The metadata of a model's table."""
    return _info(engine, path)


def write_table_file(path: str | Path, table: LooseTable) -> int:
    """Write a standalone table under a temporary name, then rename it; returns the number of rows."""
    path = Path(path)
    rows, phrases = table.table, table.phrases
    if not path.parent.is_dir():
        raise InputError("no such folder", where=path.parent, remedy="create it first")
    reserved = sorted({*_FIXED, *_PHRASE} & set(rows.features))
    if reserved:
        raise InputError(
            f"expected features with names other than those of the columns, got {', '.join(reserved)}"
        )
    texts = np.array([" ".join(table.phrase(index)) for index in range(len(phrases))], dtype=object)
    more: dict[str, NDArray[Any]] = {
        "source_glue": phrases.glue[rows.source],
        "target_glue": phrases.glue[rows.target],
        "source_categories": table.category[rows.source].astype(np.int64),
        "target_categories": table.category[rows.target].astype(np.int64),
    }
    with Engine(threads=1) as engine:
        sides = {"source": texts[rows.source], "target": texts[rows.target]}
        _write(engine, path, rows, sides, more, {"layout": TEXT})
    return len(rows)


def table_file_info(path: str | Path) -> TableInfo:
    """The metadata of a standalone table."""
    with Engine(threads=1) as engine:
        return _info(engine, Path(path), TEXT)


def read_table_file(path: str | Path) -> LooseTable:
    """Read a standalone table. :class:`FormatError` if the file is something else or of a newer format."""
    path = Path(path)
    if not path.is_file():
        raise InputError("no such table", where=path)
    with Engine(threads=1) as engine:
        info = _info(engine, path, TEXT)
        _check_text(engine, path)
        columns = _read(engine, path, info, _PHRASE)
    texts, inverse = np.unique(
        np.concatenate([columns["source"].astype(str), columns["target"].astype(str)]), return_inverse=True
    )
    split = [tuple(text.split(" ")) for text in texts.tolist()]
    # Sorted by words, not by text: "a b" comes before "a-b" there and after it here.
    order = sorted(range(len(split)), key=split.__getitem__)
    place = np.empty(len(split), dtype=np.int64)
    place[order] = np.arange(len(split))
    phrase = place[inverse]
    words, matrix = _numbered([split[index] for index in order], path)
    glue, category = np.zeros(len(split), np.uint8), np.zeros(len(split), np.uint32)
    glue[phrase] = np.concatenate([columns["source_glue"], columns["target_glue"]]).astype(np.uint8)
    category[phrase] = np.concatenate([columns["source_categories"], columns["target_categories"]]).astype(
        np.uint32
    )
    half = len(columns["source"])
    source, target = phrase[:half].astype(np.int32), phrase[half:].astype(np.int32)
    rows = np.lexsort((target, -columns["score"].astype(np.float32), source))
    return LooseTable(_table(source, target, columns, info, rows), Phrases(matrix, glue), words, category)


def _write(
    engine: Engine,
    path: Path,
    table: ParaphraseTable,
    sides: Mapping[str, NDArray[Any]],
    more: Mapping[str, NDArray[Any]] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Write rows of either layout. sides: columns source and target, ids or text; more: columns after the features."""
    columns: dict[str, NDArray[Any]] = {
        "row": np.arange(len(table), dtype=np.int64),
        **sides,
        "count": table.count,
        "score": table.score,
        "veto": table.veto if len(table.veto) else np.zeros(len(table), np.uint8),
        **table.features,
        **(more or {}),
    }
    # DuckDB treats an object column without rows as INTEGER.
    kind = {True: "CAST({0} AS VARCHAR) AS {0}", False: "{0}"}
    names = [kind[values.dtype == object].format(name) for name, values in sides.items()]
    names += ['"count"', "score", "veto"]
    quoted = map(column_name, table.features)
    names += [f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END AS {name}" for name in quoted]
    engine.table("table_rows", columns)
    engine.write_parquet(
        f"SELECT {', '.join([*names, *(more or {})])} FROM table_rows ORDER BY row",
        path,
        {"paraphrast_table": {**asdict(table.info), **(metadata or {})}},
    )
    engine.drop("table_rows")


def _read(
    engine: Engine, path: Path, info: TableInfo, more: Mapping[str, str] | None = None
) -> dict[str, NDArray[Any]]:
    side = "VARCHAR" if more else "INTEGER"
    kinds = {"source": side, "target": side, "count": "BIGINT", "score": "FLOAT", "veto": "UTINYINT"}
    kinds.update(more or {})
    quoted = map(column_name, info.features)
    features = [f"coalesce(CAST({name} AS FLOAT), 'NaN'::FLOAT) AS {name}" for name in quoted]
    return engine.read_parquet(path, ", ".join([*starmap(typed_column, kinds.items()), *features]))


def _check_text(engine: Engine, path: Path) -> None:
    """Refuse a file whose texts have far more characters than its size warrants: one long text many times."""
    sides = "length(CAST(source AS VARCHAR)) + length(CAST(target AS VARCHAR))"
    total = engine.read_parquet(path, f"CAST(coalesce(sum({sides}), 0) AS BIGINT) AS n")["n"][0]
    if total > (16 << 20) + MOST_CHARACTERS * path.stat().st_size:
        raise FormatError(
            f"phrases of {total} characters in a file of {path.stat().st_size} bytes", where=path
        )


def _table(
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    columns: Mapping[str, NDArray[Any]],
    info: TableInfo,
    rows: NDArray[np.int64],
) -> ParaphraseTable:
    return ParaphraseTable(
        source[rows],
        target[rows],
        columns["count"].astype(np.int64)[rows],
        columns["score"].astype(np.float32)[rows],
        {name: columns[name].astype(np.float32)[rows] for name in info.features},
        info,
        columns["veto"].astype(np.uint8)[rows],
    )


def _numbered(phrases: list[tuple[str, ...]], path: Path) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    longest = max(phrases, key=len, default=())
    if len(longest) > MAX_PHRASE:
        raise FormatError(
            f"expected phrases of at most {MAX_PHRASE} words, got {' '.join(longest)!r}", where=path
        )
    words = (*SPECIALS, *sorted({word for phrase in phrases for word in phrase} - set(SPECIALS)))
    number = {word: index for index, word in enumerate(words)}
    matrix = np.full((len(phrases), MAX_PHRASE), -1, dtype=np.int32)
    for index, phrase in enumerate(phrases):
        matrix[index, : len(phrase)] = [number[word] for word in phrase]
    return words, matrix


def _info(engine: Engine, path: Path, layout: str | None = None) -> TableInfo:
    metadata = engine.parquet_metadata(path).get("paraphrast_table")
    if not isinstance(metadata, dict) or metadata.pop("layout", None) != layout:
        expected = "a standalone table, as `paraphrast table KIND` writes it" if layout else "a model's table"
        raise FormatError(f"expected {expected}, got another Parquet file", where=path)
    version = metadata.get("format_version")
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise FormatError(
            f"expected table format {FORMAT_VERSION} or older, got {version}",
            where=path,
            remedy="upgrade paraphrast: pip install -U paraphrast",
        )
    try:
        info = TableInfo(**metadata)
    except TypeError as error:
        raise FormatError(f"the table's metadata is damaged: {error}", where=path) from error
    texts = (info.kind, info.language, info.signature)
    records = (
        info.features,
        info.notes,
        *(info.features.values() if isinstance(info.features, dict) else ()),
    )
    if not all(isinstance(text, str) for text in texts) or not all(isinstance(r, dict) for r in records):
        raise FormatError("the table's metadata is damaged: a value has another type", where=path)
    return info

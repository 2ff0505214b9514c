"""A standalone paraphrase table: one Parquet file that any tool opens.

Columns: source, target (words by single spaces, truecased, entities masked), count, score (natural log), the named
log-features (NULL where unknown), veto, then the spelling bits and tag categories of both phrases. What the table is
stands in the file's metadata under ``paraphrast_table``, as in a model's tables, with ``layout`` = ``text``.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.errors import FormatError, InputError
from paraphrast.types import MAX_PHRASE, SPECIALS, LooseTable, ParaphraseTable, Phrases, TableInfo

FORMAT_VERSION = 1
_FIXED = ("source", "target", "count", "score", "veto")
_PHRASE = ("source_glue", "target_glue", "source_categories", "target_categories")


def write_table_file(path: str | Path, table: LooseTable) -> int:
    """Write a table under a temporary name, then rename; the number of rows."""
    path = Path(path)
    rows, phrases = table.table, table.phrases
    if not path.parent.is_dir():
        raise InputError("no such folder", where=path.parent, remedy="create it first")
    taken = sorted({*_FIXED, *_PHRASE} & set(rows.features))
    if taken:
        raise InputError(
            f"expected features with names other than those of the columns, got {', '.join(taken)}"
        )
    texts = np.array([" ".join(table.phrase(index)) for index in range(len(phrases))], dtype=object)
    columns: dict[str, NDArray[Any]] = {
        "row": np.arange(len(rows), dtype=np.int64),
        "source": texts[rows.source],
        "target": texts[rows.target],
        "count": rows.count,
        "score": rows.score,
        "veto": rows.veto if len(rows.veto) else np.zeros(len(rows), np.uint8),
        **rows.features,
        "source_glue": phrases.glue[rows.source],
        "target_glue": phrases.glue[rows.target],
        "source_categories": table.category[rows.source].astype(np.int64),
        "target_categories": table.category[rows.target].astype(np.int64),
    }
    features = "".join(
        f', CASE WHEN isnan("{name}") THEN NULL ELSE "{name}" END AS "{name}"' for name in rows.features
    )
    with Engine(threads=1) as engine:
        engine.table("loose_rows", columns)
        engine.write_parquet(
            # An object column without rows would come as INTEGER.
            'SELECT CAST(source AS VARCHAR) AS source, CAST(target AS VARCHAR) AS target, "count", score, veto'
            f"{features}, {', '.join(_PHRASE)} FROM loose_rows ORDER BY row",
            path,
            {"paraphrast_table": {**asdict(rows.info), "layout": "text"}},
        )
    return len(rows)


def table_file_info(path: str | Path) -> TableInfo:
    """What a table's file says of itself."""
    with Engine(threads=1) as engine:
        return _info(engine, Path(path))


def read_table_file(path: str | Path) -> LooseTable:
    """Read a standalone table; raises :class:`FormatError` for other files and newer formats."""
    path = Path(path)
    if not path.is_file():
        raise InputError("no such table", where=path)
    with Engine(threads=1) as engine:
        info = _info(engine, path)
        features = "".join(f""", coalesce("{name}", 'NaN'::FLOAT) AS "{name}\"""" for name in info.features)
        columns = engine.read_parquet(
            path, f'source, target, "count", score, veto{features}, {", ".join(_PHRASE)}'
        )
    texts, inverse = np.unique(
        np.concatenate([columns["source"].astype(str), columns["target"].astype(str)]), return_inverse=True
    )
    split = [tuple(text.split(" ")) for text in texts.tolist()]
    # By words, not by text: "a b" stands before "a-b" there and after it here.
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
    score = columns["score"].astype(np.float32)
    rows = np.lexsort((target, -score, source))
    table = ParaphraseTable(
        source[rows],
        target[rows],
        columns["count"].astype(np.int64)[rows],
        score[rows],
        {name: columns[name].astype(np.float32)[rows] for name in info.features},
        info,
        columns["veto"].astype(np.uint8)[rows],
    )
    return LooseTable(table, Phrases(matrix, glue), words, category)


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


def _info(engine: Engine, path: Path) -> TableInfo:
    metadata = engine.parquet_metadata(path).get("paraphrast_table")
    if not isinstance(metadata, dict) or metadata.pop("layout", None) != "text":
        raise FormatError(
            "expected a standalone table, as `paraphrast table KIND` writes it, got another Parquet file",
            where=path,
        )
    version = metadata.get("format_version")
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise FormatError(
            f"expected table format {FORMAT_VERSION} or older, got {version}",
            where=path,
            remedy="upgrade paraphrast: pip install -U paraphrast",
        )
    try:
        return TableInfo(**metadata)
    except TypeError as error:
        raise FormatError(f"the table's metadata is damaged: {error}", where=path) from error

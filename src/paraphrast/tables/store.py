"""A paraphrase table as a Parquet file: ids, count, score, log-features; what it is, in the file's metadata."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.errors import FormatError
from paraphrast.types import ParaphraseTable, TableInfo

FORMAT_VERSION = 1


def save_table(engine: Engine, table: ParaphraseTable, path: Path) -> None:
    """Write a table, rows in their order; NaN features become NULL."""
    columns: dict[str, NDArray[Any]] = {
        "row": np.arange(len(table), dtype=np.int64),
        "source": table.source,
        "target": table.target,
        "count": table.count,
        "score": table.score,
        "veto": table.veto if len(table.veto) else np.zeros(len(table), np.uint8),
        **table.features,
    }
    engine.table("table_rows", columns)
    features = "".join(
        f', CASE WHEN isnan("{name}") THEN NULL ELSE "{name}" END AS "{name}"' for name in table.features
    )
    engine.write_parquet(
        f'SELECT source, target, "count", score, veto{features} FROM table_rows ORDER BY row',
        path,
        {"paraphrast_table": asdict(table.info)},
    )
    engine.drop("table_rows")


def table_info(engine: Engine, path: Path) -> TableInfo:
    """What a table's file says of itself."""
    metadata = engine.parquet_metadata(path).get("paraphrast_table")
    if not isinstance(metadata, dict):
        raise FormatError("expected a paraphrase table, got a Parquet file of something else", where=path)
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


def load_table(engine: Engine, path: Path) -> ParaphraseTable:
    """Read a table written by :func:`save_table`."""
    info = table_info(engine, path)
    features = "".join(f""", coalesce("{name}", 'NaN'::FLOAT) AS "{name}\"""" for name in info.features)
    columns = engine.read_parquet(path, f'source, target, "count", score, veto{features}')
    return ParaphraseTable(
        columns["source"].astype(np.int32),
        columns["target"].astype(np.int32),
        columns["count"].astype(np.int64),
        columns["score"].astype(np.float32),
        {name: columns[name].astype(np.float32) for name in info.features},
        info,
        columns["veto"].astype(np.uint8),
    )

"""Paraphrase tables as plain Parquet files for other tools: the columns of the TSV export.

``source``, ``target`` (text), ``probability``, ``count``, then every feature as a probability, NULL if unknown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine, column_name
from paraphrast.errors import InputError
from paraphrast.types import TextRow


def write_rows(path: str | Path, rows: Iterable[TextRow]) -> int:
    """Write rows to a Parquet file. Returns their number."""
    if str(path) == "-":
        raise InputError("a Parquet file cannot be written to standard output", remedy="name a file with -o")
    listed = list(rows)
    names = list(listed[0].features) if listed else []
    columns: dict[str, NDArray[Any]] = {
        "row": np.arange(len(listed), dtype=np.int64),
        "source": np.array([row.source for row in listed], dtype=object),
        "target": np.array([row.target for row in listed], dtype=object),
        "probability": np.array([math.exp(row.score) for row in listed], dtype=np.float64),
        "count": np.array([row.count for row in listed], dtype=np.int64),
    }
    for name in names:
        values = [row.features[name] for row in listed]
        columns[f"feature_{name}"] = np.array(
            [math.nan if value is None else math.exp(value) for value in values], dtype=np.float64
        )
    features = [
        f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END AS {column_name(name)}"
        for name, column in ((name, column_name(f"feature_{name}")) for name in names)
    ]
    texts = ["CAST(source AS VARCHAR) AS source", "CAST(target AS VARCHAR) AS target"]
    selected = ", ".join([*texts, "probability", '"count"', *features])
    with Engine(threads=1) as engine:
        engine.table("export_rows", columns)
        engine.write_parquet(f"SELECT {selected} FROM export_rows ORDER BY row", Path(path))
    return len(listed)

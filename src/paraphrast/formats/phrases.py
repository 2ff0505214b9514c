"""The phrases of a model: ``phrases.parquet``."""

from __future__ import annotations

from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.types import MAX_PHRASE, Phrases

if TYPE_CHECKING:
    from paraphrast.engine import Engine


def save_phrases(engine: Engine, phrases: Phrases, category_mask: NDArray[np.uint32], path: Path) -> None:
    """``phrases.parquet``: id, w1 … w7, glue, categories."""
    words = {f"w{place + 1}": np.ascontiguousarray(phrases.words[:, place]) for place in range(MAX_PHRASE)}
    rows: dict[str, NDArray[Any]] = {
        "id": np.arange(len(phrases), dtype=np.int32),
        **words,
        "glue": phrases.glue,
        "categories": category_mask.astype(np.int64),
    }
    engine.table("phrase_rows", rows)
    engine.write_parquet(f"SELECT {', '.join(rows)} FROM phrase_rows ORDER BY id", path)
    engine.drop("phrase_rows")


def load_phrases(engine: Engine, path: Path) -> tuple[Phrases, NDArray[np.uint32]]:
    """Read ``phrases.parquet``: the phrases and their category masks."""
    from paraphrast.engine import typed_column

    kinds = {f"w{place + 1}": "INTEGER" for place in range(MAX_PHRASE)}
    kinds.update({"glue": "UTINYINT", "categories": "UINTEGER"})
    columns = engine.read_parquet(path, ", ".join(starmap(typed_column, kinds.items())))
    words = np.stack([columns[f"w{place + 1}"] for place in range(MAX_PHRASE)], axis=1).astype(np.int32)
    return Phrases(words, columns["glue"].astype(np.uint8)), columns["categories"].astype(np.uint32)

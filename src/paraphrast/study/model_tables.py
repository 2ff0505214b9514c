"""A model's tables with their phrases as text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.formats.phrases import load_phrases
from paraphrast.formats.table_file import load_table
from paraphrast.model.explain import phrase_id
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.spelling import spelled
from paraphrast.types import TextRow


def table_file(model: Paraphraser, name: str) -> Path:
    """The file of a table by name."""
    path = model.path / "tables" / f"{name}.parquet"
    if not path.exists():
        known = sorted(file.stem for file in (model.path / "tables").glob("*.parquet"))
        raise InputError(f"unknown table {name!r}", remedy=f"this model has: {', '.join(known)}")
    return path


def read_rows(
    model: Paraphraser, name: str, phrase: str | None = None, *, vetoed: bool = False
) -> Iterator[TextRow]:
    """The rows of a table, or of one phrase in it, in the table's order. Vetoed rows only if ``vetoed``."""
    with Engine(threads=1) as engine:
        table = load_table(engine, table_file(model, name))
        phrases, _ = load_phrases(engine, model.path / "phrases.parquet")
    source_id = phrase_id(model, phrase) if phrase is not None else None
    words = model.vocabulary.words
    for row in range(len(table)):
        if (source_id is not None and table.source[row] != source_id) or (table.veto[row] and not vetoed):
            continue
        source, target = (
            spelled((words[word] for word in phrases.ids_of(int(side[row]))), int(phrases.glue[side[row]]))
            for side in (table.source, table.target)
        )
        features = {key: float(values[row]) for key, values in table.features.items()}
        known = {key: None if math.isnan(value) else value for key, value in features.items()}
        yield TextRow(
            source, target, float(table.score[row]), int(table.count[row]), known, int(table.veto[row])
        )

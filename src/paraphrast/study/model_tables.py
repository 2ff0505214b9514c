"""A model's tables with their phrases as text."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from paraphrast.errors import InputError
from paraphrast.model.explain import phrase_id
from paraphrast.model.lookup import TableRows
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.spelling import spelled
from paraphrast.types import TextRow


def table_rows(model: Paraphraser, name: str) -> TableRows:
    """The rows of a table by name."""
    tables = model.lookup.tables
    if name not in tables:
        raise InputError(f"unknown table {name!r}", remedy=f"this model has: {', '.join(sorted(tables))}")
    return tables[name]


def phrase_text(model: Paraphraser, phrase: int) -> str:
    """A phrase in its most frequent spelling."""
    words = model.vocabulary.words
    ids = model.lookup.phrases.words_of(phrase)
    return spelled((words[word] for word in ids), int(model.glue[phrase]), model.language)


def read_rows(
    model: Paraphraser, name: str, phrase: str | None = None, *, vetoed: bool = False
) -> Iterator[TextRow]:
    """The rows of a table, or of one phrase in it, in the table's order. Vetoed rows only if ``vetoed``."""
    rows = table_rows(model, name)
    if phrase is None:
        sources = np.flatnonzero(np.diff(rows.begin)).tolist()
    else:
        sources = [phrase_id(model, phrase)]
    for source in sources:
        source_text = phrase_text(model, source)
        for row in rows.rows_of(source):
            if rows.veto[row] and not vetoed:
                continue
            values = dict(zip(rows.names, rows.features[row].tolist(), strict=True))
            features = {key: None if math.isnan(value) else value for key, value in values.items()}
            yield TextRow(
                source_text,
                phrase_text(model, int(rows.target[row])),
                float(rows.score[row]),
                int(rows.count[row]),
                features,
                int(rows.veto[row]),
            )

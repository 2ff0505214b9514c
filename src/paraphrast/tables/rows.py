"""Select rows of a table: sorted, the best of each phrase, and only the phrases in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from paraphrast.types import ParaphraseTable, Phrases

#: Number of vetoed rows per phrase that are kept beside the others, for users who turn the veto off.
VETOED_TOP = 5


def take(table: ParaphraseTable, rows: NDArray[np.int64]) -> ParaphraseTable:
    """The given rows, in the given order."""
    return replace(
        table,
        source=table.source[rows],
        target=table.target[rows],
        count=table.count[rows],
        score=table.score[rows],
        features={name: values[rows] for name, values in table.features.items()},
        veto=table.veto[rows] if len(table.veto) else table.veto,
    )


def in_order(table: ParaphraseTable, rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Row numbers (all by default) in a table's order: by source, score descending, target."""
    rows = np.arange(len(table)) if rows is None else rows
    return rows[np.lexsort((table.target[rows], -table.score[rows], table.source[rows]))]


def select(table: ParaphraseTable, rows: NDArray[np.int64] | None = None) -> ParaphraseTable:
    """The given rows (all by default), in a table's order."""
    return take(table, in_order(table, rows))


def top_rows(
    table: ParaphraseTable,
    keep: NDArray[np.bool_],
    top: int,
    by: str = "both",
    more: Mapping[str, float] | None = None,
) -> NDArray[np.int64]:
    """Numbers of the rows where ``keep`` is true, at most ``top`` per source, ranked by ``by``. Ties go by target.

    by: a feature, or ``score``. more: other features with their weights, added to the rank. Unknown values add 0.
    """
    ranked_by = table.score if by == "score" else table.features[by]
    rank_values = np.nan_to_num(ranked_by, nan=-np.inf).astype(np.float64)
    for name, weight in sorted((more or {}).items()):
        rank_values = rank_values + weight * np.nan_to_num(table.features[name]).astype(np.float64)
    candidates = np.flatnonzero(keep)
    order = candidates[
        np.lexsort((table.target[candidates], -rank_values[candidates], table.source[candidates]))
    ]
    sources = table.source[order]
    first = np.r_[True, sources[1:] != sources[:-1]] if len(order) else np.zeros(0, bool)
    rank = np.arange(len(order)) - np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
    return order[rank < top]


def best_rows(
    table: ParaphraseTable, top: int, by: str = "both", more: Mapping[str, float] | None = None
) -> NDArray[np.int64]:
    """Numbers of the best unvetoed rows of each source and of a few vetoed ones, in a table's order."""
    allowed = top_rows(table, table.veto == 0, top, by, more)
    vetoed = top_rows(table, table.veto != 0, VETOED_TOP, by, more)
    return in_order(table, np.concatenate([allowed, vetoed]))


def drop_unused_phrases(
    tables: Sequence[ParaphraseTable], phrases: Phrases, categories: NDArray[np.uint32]
) -> tuple[list[ParaphraseTable], Phrases, NDArray[np.uint32]]:
    """Renumber tables, phrases and categories so that only phrases in use remain."""
    used = np.unique(np.concatenate([side for table in tables for side in (table.source, table.target)]))
    renumbered = [
        replace(
            table,
            source=np.searchsorted(used, table.source).astype(np.int32),
            target=np.searchsorted(used, table.target).astype(np.int32),
        )
        for table in tables
    ]
    return renumbered, Phrases(phrases.words[used], phrases.glue[used]), categories[used]

"""Rows of a table: the best of each phrase, vetoed ones beside them, phrases in use only."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from paraphrast.tables.rows import VETOED_TOP, best_rows, drop_unused_phrases, select, take, top_rows
from paraphrast.types import MAX_PHRASE, ParaphraseTable, Phrases, TableInfo


@pytest.fixture
def table() -> ParaphraseTable:
    """Every pair of nine phrases but the first two, with scores drawn at random."""
    draw = np.random.default_rng(3)
    source, target = (axis.ravel().astype(np.int32) + 2 for axis in np.mgrid[0:7, 0:7])
    keep = source != target
    source, target = source[keep], target[keep]
    scores = np.log(draw.random((2, len(source)))).astype(np.float32)
    table = ParaphraseTable(
        source,
        target,
        np.ones(len(source), np.int64),
        scores[0],
        {"both": scores[1]},
        TableInfo("pivot", "en", "x"),
    )
    return select(table)


def test_top_rows_are_the_best_of_each_source(table: ParaphraseTable) -> None:
    keep = np.ones(len(table), np.bool_)
    best = take(table, top_rows(table, keep, 2))
    for source in np.unique(table.source):
        all_rows = table.features["both"][table.source == source]
        kept = best.features["both"][best.source == source]
        assert sorted(kept.tolist(), reverse=True) == sorted(all_rows.tolist(), reverse=True)[:2]
    assert len(top_rows(table, ~keep, 2)) == 0
    by_score = take(table, top_rows(table, keep, 1, by="score"))
    first = np.unique(table.source, return_index=True)[1]  # a table is sorted by source, then score
    assert by_score.target.tolist() == table.target[first].tolist()


def test_a_rank_may_have_more_features(table: ParaphraseTable) -> None:
    pushed = {**table.features, "more": np.where(table.target == 5, 100.0, np.nan).astype(np.float32)}
    more = replace(table, features=pushed)
    best = take(more, top_rows(more, np.ones(len(table), np.bool_), 1, more={"more": 1.0}))
    with_five = np.unique(table.source[table.target == 5])
    assert len(with_five)
    assert best.target[np.isin(best.source, with_five)].tolist() == [5] * len(with_five)


def test_vetoed_rows_take_no_place_of_others(table: ParaphraseTable) -> None:
    vetoed = replace(table, veto=(table.target % 2).astype(np.uint8))
    rows = best_rows(vetoed, 1)
    best = take(vetoed, rows)
    assert (np.diff(best.source) >= 0).all()
    for source in np.unique(table.source):
        of_source = best.veto[best.source == source]
        assert (of_source == 0).sum() == 1
        assert (of_source != 0).sum() == min(VETOED_TOP, (vetoed.veto[table.source == source] != 0).sum())


def test_phrases_without_rows_are_dropped(table: ParaphraseTable) -> None:
    words = np.full((9, MAX_PHRASE), -1, np.int32)
    words[:, 0] = np.arange(20, 29)
    glue, categories = np.arange(9).astype(np.uint8), np.arange(9).astype(np.uint32)
    (used, again), phrases, masks = drop_unused_phrases([table, table], Phrases(words, glue), categories)
    assert phrases.words[:, 0].tolist() == list(range(22, 29))
    assert phrases.glue.tolist() == masks.tolist() == list(range(2, 9))
    assert (used.source == table.source - 2).all()
    assert (again.target == table.target - 2).all()

"""A smaller model: what is dropped, and that everything is numbered anew together."""

from __future__ import annotations

import numpy as np
import pytest

from paraphrast.model.substitution import STATIC
from paraphrast.training import substitution
from paraphrast.training.join import lift_vetoes
from paraphrast.training.model_options import ModelOptions
from paraphrast.training.shrink import shrink
from paraphrast.training.substitution import JudgedTables
from paraphrast.types import ParaphraseTable, Phrases, TableInfo, pair_keys


def table(rows: list[tuple[int, int]], veto: list[int]) -> ParaphraseTable:
    source, target = (np.array(side, np.int32) for side in zip(*rows, strict=True))
    size = len(rows)
    return ParaphraseTable(
        source,
        target,
        np.arange(size),
        -np.arange(size, dtype=np.float32),
        {"both": np.arange(size, dtype=np.float32)},
        TableInfo("pivot", "en", "test"),
        np.array(veto, np.uint8),
    )


@pytest.fixture
def parts(monkeypatch):
    """Six phrases of one word; the log-odds of a pair are its target's number less 2."""
    tables = {
        "pivot": table([(0, 1), (0, 2), (0, 5), (3, 4)], [0, 0, 0, 1]),
        "other": table([(0, 5), (3, 4), (3, 1)], [0, 0, 0]),
    }
    keys = np.unique(np.concatenate([each.keys for each in tables.values()]))
    static = np.full((len(keys), len(STATIC)), np.nan, np.float32)
    static[:, 0] = keys & 0xFFFFFFFF

    class Prior:
        @staticmethod
        def predict(values):
            return values[:, 0].astype(np.float64) - 2.0

    class Fitted:
        prior = Prior

    monkeypatch.setattr(substitution, "default_acceptance", lambda: Fitted)
    words = np.full((6, 7), -1, np.int32)
    words[:, 0] = np.arange(10, 16)
    phrases = Phrases(words, np.arange(6, dtype=np.uint8))
    vector, weight, flags = np.zeros((20, 1), np.int8), np.zeros(20, np.float32), np.zeros(20, np.uint8)
    return tables, phrases, np.arange(6, dtype=np.uint32), JudgedTables(keys, static, vector, weight, flags)


def words_of(shrunk, name: str) -> list[tuple[int, int]]:
    """The pairs of a table, by their words."""
    rows = shrunk.tables[name]
    first = shrunk.phrases.words[:, 0]
    return list(zip(first[rows.source].tolist(), first[rows.target].tolist(), strict=True))


def test_unlikely_pairs_go_and_phrases_are_numbered_anew(parts):
    shrunk = shrink(*parts, ModelOptions(least_odds=0.0))
    assert words_of(shrunk, "pivot") == [(10, 12), (10, 15), (13, 14)]
    assert words_of(shrunk, "other") == [(10, 15), (13, 14)]
    assert shrunk.phrases.words[:, 0].tolist() == [10, 12, 13, 14, 15]
    assert shrunk.phrases.glue.tolist() == shrunk.categories.tolist() == [0, 2, 3, 4, 5]
    assert shrunk.rows["pivot"].tolist() == [-1, 0, 1, 2]
    rows = shrunk.tables["pivot"]
    assert rows.features["both"].tolist() == [1.0, 2.0, 3.0]
    assert rows.veto.tolist() == [0, 0, 1]


def test_pairs_of_a_trusted_table_stay(parts):
    shrunk = shrink(*parts, ModelOptions(least_odds=3.0, vetoed=False), ["other"])
    assert words_of(shrunk, "other") == [(10, 15), (13, 14), (13, 11)]
    assert words_of(shrunk, "pivot") == [(10, 15), (13, 14)]


def test_vetoes_of_trusted_pairs_are_lifted_in_every_table(parts):
    tables = dict(parts[0])
    lift_vetoes(tables, ["other"])
    assert tables["pivot"].veto.tolist() == [0, 0, 0, 0]
    tables = dict(parts[0])
    lift_vetoes(tables, [])
    assert tables["pivot"].veto.tolist() == [0, 0, 0, 1]


def test_a_pair_that_one_table_vetoes_is_dropped_from_all(parts):
    shrunk = shrink(*parts, ModelOptions(vetoed=False))
    assert (13, 14) not in words_of(shrunk, "pivot") + words_of(shrunk, "other")
    assert (13, 11) in words_of(shrunk, "other")


def test_what_is_known_of_a_pair_stays_with_it(parts):
    shrunk = shrink(*parts, ModelOptions(least_odds=0.0))
    judged = shrunk.judged
    assert (np.diff(judged.keys) > 0).all()
    for rows in shrunk.tables.values():
        places = np.searchsorted(judged.keys, pair_keys(rows.source, rows.target))
        assert judged.static[places, 0].tolist() == [
            float(parts[1].words[:, 0].tolist().index(word))
            for word in shrunk.phrases.words[rows.target, 0].tolist()
        ]


def test_options_that_drop_nothing_do_not_shrink():
    assert not ModelOptions().shrinks
    assert ModelOptions(least_odds=0.0).shrinks
    assert ModelOptions(vetoed=False).shrinks

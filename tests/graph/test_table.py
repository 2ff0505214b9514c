from __future__ import annotations

import numpy as np
import pytest

from paraphrast.graph.commute import count_graphs
from paraphrast.graph.counts import Ranked, VertexPairs, rank_paraphrases, vertex_pairs
from paraphrast.graph.options import MixOptions
from paraphrast.graph.table import FLOOR, ranked_loose, ranked_table, sequence_table, table_info
from paraphrast.types import SPECIALS
from plain_graph import random_graphs

INFO = table_info("en", "test", note=1)


def some_ranked() -> Ranked:
    return Ranked(
        np.array([0, 0, 2], np.int32),
        np.array([2, 1, 0], np.int32),
        np.array([3.6, 1.2, 2.0]),
        np.array([0.75, 0.25, 1.0]),
        np.array([0.2, 0.1, 0.3]),
        np.array([0.0, 0.1, 0.2]),
        np.zeros(3),
    )


def test_rows_with_the_graphs_phrase_ids() -> None:
    table = ranked_table(some_ranked(), INFO)
    assert table.source.tolist() == [0, 0, 2]
    assert table.count.tolist() == [4, 1, 2]
    assert table.score == pytest.approx(np.log([0.75, 0.25, 1.0]), rel=1e-6)
    assert table.features["tag"][0] == FLOOR
    assert set(table.features) == {"phrase", "tag"} == set(table.info.features)  # no stems were asked for


def test_a_table_that_stands_alone() -> None:
    vocabulary = (*SPECIALS, "zebra", "apple", "unused", "the")
    first = len(SPECIALS)
    words = np.full((3, 7), -1, np.int32)
    words[0, :2], words[1, 0], words[2, :2] = (first + 3, first), first + 1, (3, first + 1)
    glue, kinds = np.array([1, 0, 0], np.uint8), np.array([4, 5, 6], np.uint32)
    loose = ranked_loose(some_ranked(), words, vocabulary, INFO, glue, kinds)
    assert loose.words == (*SPECIALS, "apple", "the", "zebra")
    rows = [
        (loose.phrase(s), loose.phrase(t), n)
        for s, t, n in zip(loose.table.source, loose.table.target, loose.table.count, strict=True)
    ]
    the_zebra, apple, number_apple = ("the", "zebra"), ("apple",), ("<number>", "apple")
    assert sorted(rows) == sorted(
        [(the_zebra, number_apple, 4), (the_zebra, apple, 1), (number_apple, the_zebra, 2)]
    )
    place = next(n for n in range(3) if loose.phrase(n) == the_zebra)
    assert (loose.phrases.glue[place], loose.category[place]) == (1, 4)
    assert (np.diff(loose.table.source) >= 0).all()


def test_sequences_that_stand_for_each_other() -> None:
    """Phrases 0 and 1, tag sequences 2 and 3, one stem sequence 4."""
    pairs = VertexPairs(
        np.array([0, 0, 2, 2], np.int32),
        np.array([1, 2, 3, 4], np.int32),
        np.array([1.0, 2.0, 3.0, 5.0]),
        2,
        2,
        1,
    )
    sequences = np.full((2, 7), -1, np.int32)
    sequences[0, 0], sequences[1, :2] = 1, (0, 1)
    table = sequence_table(pairs, sequences, ["DT", "NN"], "tag", INFO)
    rows = {
        (table.phrase(s), table.phrase(t)): p
        for s, t, p in zip(table.table.source, table.table.target, table.table.score, strict=True)
    }
    assert rows == pytest.approx(
        {(("NN",), ("DT", "NN")): np.log(3 / 10), (("DT", "NN"), ("NN",)): np.log(3 / 3)}, abs=1e-6
    )


def test_tables_of_graphs_hold_together() -> None:
    graphs, features = random_graphs(3, 15)
    counts = count_graphs(graphs, features)
    ranked = rank_paraphrases(graphs, counts, features, MixOptions(top=0))
    pairs = vertex_pairs(graphs, counts, features)
    of_phrases = {
        (int(u), int(v)): n
        for u, v, n in zip(pairs.u, pairs.v, pairs.count, strict=True)
        if v < pairs.phrases
    }
    upwards = {
        (int(s), int(t)): n
        for s, t, n in zip(ranked.source, ranked.target, ranked.count, strict=True)
        if s < t
    }
    assert upwards
    assert {pair: of_phrases[pair] for pair in upwards} == pytest.approx(upwards, rel=1e-6)

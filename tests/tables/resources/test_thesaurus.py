from __future__ import annotations

import math

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.tables.resources.options import ThesaurusOptions
from paraphrast.tables.resources.thesaurus import (
    Counted,
    count_triples,
    information,
    similar_words,
    thesaurus_table,
)
from paraphrast.text.syntax.dependencies import Triple


def triples(*rows: tuple[str, str, str, int]) -> Counted:
    return count_triples(
        Triple(head, "v", relation, word, "n") for head, relation, word, times in rows for _ in range(times)
    )


def test_mutual_information_by_hand() -> None:
    """drink–dobj–tea 3 times of 5 dobj triples, drink 4 times, tea 3 times: log (3 · 5 / (4 · 3))."""
    counted = triples(("drink", "dobj", "tea", 3), ("drink", "dobj", "milk", 1), ("see", "dobj", "milk", 1))
    value = information(counted)
    drink, tea = counted.words.index(("drink", "v")), counted.words.index(("tea", "n"))
    row = np.flatnonzero((counted.word == drink) & (counted.other == tea))
    assert value[row] == pytest.approx([math.log(3 * 5 / (4 * 3))])
    back = np.flatnonzero((counted.word == tea) & (counted.other == drink))
    assert value[back] == value[row]


def test_equation_5_by_hand() -> None:
    """Features a (I = 1 and 2), b (I = 3) and c (I = 4): (1 + 2) / (1 + 3 + 2 + 4)."""
    row, feature = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 2])
    value = np.array([1.0, 3.0, 2.0, 4.0])
    ours, theirs, similarity = similar_words(row, feature, value, 2, top=5, most_words=10)
    assert ours.tolist() == [0, 1]
    assert theirs.tolist() == [1, 0]
    assert similarity == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize("seed", range(4))
def test_all_pairs_as_a_plain_loop(seed: int) -> None:
    draw = np.random.default_rng(seed)
    words = [{int(f): float(draw.random()) for f in draw.integers(0, 12, 6)} for _ in range(17)]
    row = np.array([number for number, own in enumerate(words) for _ in own])
    feature = np.array([f for own in words for f in own])
    value = np.array([v for own in words for v in own.values()])
    expected = []
    for i, ours in enumerate(words):
        scored = []
        for j, theirs in enumerate(words):
            shared = ours.keys() & theirs.keys()
            if i != j and shared:
                above = sum(ours[f] + theirs[f] for f in shared)
                scored.append((-above / (sum(ours.values()) + sum(theirs.values())), j))
        expected += [(i, j, pytest.approx(-score)) for score, j in sorted(scored)[:3]]
    found = similar_words(row, feature, value, 17, top=3, most_words=100, block=5)
    assert [(i, j) for i, j, _ in zip(*found, strict=True)] == [(i, j) for i, j, _ in expected]
    assert found[2].tolist() == [score for *_, score in expected]


def test_table_of_classes_with_inflection() -> None:
    rows = [(verb, "dobj", noun, 3) for verb in ("drink", "pour", "spill") for noun in ("tea", "milk")]
    rows += [("read", "dobj", "book", 3), ("write", "dobj", "book", 3)]
    options = ThesaurusOptions(least_count=1, least_features=1, least_similarity=0.01, inflect=False)
    table = thesaurus_table(triples(*rows), "en", options)
    pairs = {
        (table.phrase(s)[0], table.phrase(t)[0])
        for s, t in zip(table.table.source, table.table.target, strict=True)
    }
    assert ("tea", "milk") in pairs
    assert ("drink", "pour") in pairs
    assert not any({"tea", "book"} == set(pair) for pair in pairs)
    grown = thesaurus_table(
        triples(*rows), "en", ThesaurusOptions(least_count=1, least_features=1, least_similarity=0.01)
    )
    grown_pairs = {
        (grown.phrase(s)[0], grown.phrase(t)[0])
        for s, t in zip(grown.table.source, grown.table.target, strict=True)
    }
    assert ("drank", "poured") in grown_pairs
    assert ("drank", "pouring") not in grown_pairs


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="least_similarity"):
        ThesaurusOptions(least_similarity=0.0)
    with pytest.raises(InputError, match="top"):
        ThesaurusOptions(top=0)

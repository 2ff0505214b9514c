from __future__ import annotations

import numpy as np
import pytest

from paraphrast.build.comparable import build_comparable, select, sentence_overlaps
from paraphrast.errors import InputError
from paraphrast.tables.resources.options import ComparableOptions
from paraphrast.types import Sentences

NAMES = ("dog", "cat", "cow", "hen", "pig", "fox", "owl", "rat", "bee", "ant")


def test_phrases_of_aligned_sentences() -> None:
    first = [f"The {name} was purchased in the old town yesterday." for name in NAMES]
    second = [f"The {name} was bought in the old town yesterday." for name in NAMES]
    table = build_comparable(first, second, evidence=("spelling",))
    rows = {
        (" ".join(table.phrase(s)), " ".join(table.phrase(t)))
        for s, t in zip(table.table.source, table.table.target, strict=True)
    }
    assert ("purchased", "bought") in rows
    assert ("bought", "purchased") in rows
    assert all(row[0].split()[0] != row[1].split()[0] for row in rows)
    assert table.table.info.notes["pairs_used"] == len(NAMES)


def test_model1_tells_the_usual_word_from_the_rare_one() -> None:
    first = [f"The {name} was purchased in the old town yesterday." for name in NAMES]
    second = [f"The {name} was bought in the old town yesterday." for name in NAMES]
    second[0] = "The dog was acquired in the old town yesterday."
    plain = build_comparable(first, second, evidence=("spelling",))
    table = build_comparable(first, second, ComparableOptions(model1=True), evidence=("spelling",))
    assert plain.table.features == {}
    assert plain.table.score.tolist() == table.table.score.tolist()
    assert sorted(table.table.features) == sorted(table.table.info.features) == ["model1", "model1_inverse"]
    score = {
        (" ".join(table.phrase(s)), " ".join(table.phrase(t))): (forward, inverse)
        for s, t, forward, inverse in zip(
            table.table.source, table.table.target, *table.table.features.values(), strict=True
        )
    }
    assert score["purchased", "bought"][0] > score["purchased", "acquired"][0]
    assert score["purchased", "bought"][1] == score["bought", "purchased"][0]


def test_sentences_that_overlap_too_little_are_no_pairs() -> None:
    with pytest.raises(InputError, match=r"above 0\.9"):
        build_comparable(["a b c"], ["d e f"], ComparableOptions(th3=0.9))


def test_overlaps_and_selection() -> None:
    first, second = Sentences.from_lists([[1, 2], [3]]), Sentences.from_lists([[1, 3], [3]])
    assert sentence_overlaps(first, second).tolist() == [0.5, 1.0]
    picked = select(first, np.array([1, 0]))
    assert [row.tolist() for row in picked] == [[3], [1, 2]]

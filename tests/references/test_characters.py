"""Character n-grams of many references at once against plain counting."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.references.characters import ORDER, CharacterReferences
from paraphrast.references.metrics import Chrf

TEXT = st.text(alphabet="ab c😀中", max_size=14)


def plain_rows(output: str, references: list[str]) -> list[list[int]]:
    def grams(text: str, order: int) -> Counter[str]:
        line = "".join(text.split())
        return Counter(line[at : at + order] for at in range(len(line) - order + 1))

    rows = []
    for reference in references:
        row: list[int] = []
        for order in range(1, ORDER + 1):
            made, wanted = grams(output, order), grams(reference, order)
            row += [made.total() if wanted else 0, wanted.total(), (made & wanted).total()]
        rows.append(row)
    return rows


@settings(max_examples=150, deadline=None)
@given(TEXT, st.lists(TEXT, min_size=1, max_size=4))
def test_counts_are_those_of_plain_counting(output: str, references: list[str]) -> None:
    found = CharacterReferences.of(references).statistics(output)
    assert found.tolist() == plain_rows(output, references)


def test_ngrams_that_share_their_middle_differ() -> None:
    row = CharacterReferences.of(["abcdef"]).statistics("abcxef")[0]
    assert row[2::3].tolist() == [5, 3, 1, 0, 0, 0]


def test_the_first_of_two_equal_references_is_taken() -> None:
    metric = Chrf()
    prepared = metric.prepare(["ab cd", "cd ab"])
    assert metric.statistics("", prepared) == CharacterReferences.of(["ab cd"]).statistics("")[0].tolist()
    assert metric.segment_score(metric.statistics("ab cd", prepared)) == pytest.approx(100)

"""Two annotations: agreement is symmetric, merging loses nothing, differences are all told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.evaluate import BootstrapOptions, Disagreement, agreement, disagreements, merge
from paraphrast.evaluate.annotation import review_lines
from paraphrast.formats.pharaoh import GoldLinks
from paraphrast.types import Links

NONE = BootstrapOptions(samples=0)
Link = tuple[int, int]


def annotation(rows: list[tuple[set[Link], set[Link]]]) -> GoldLinks:
    return GoldLinks(
        Links.from_lists(row[0] for row in rows), Links.from_lists(row[0] | row[1] for row in rows)
    )


links = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6)
pairs = st.lists(st.tuples(st.tuples(links, links), st.tuples(links, links)), min_size=1, max_size=4)
Rows = list[tuple[tuple[set[Link], set[Link]], tuple[set[Link], set[Link]]]]


def directional(
    found: set[tuple[int, ...]], sure: set[tuple[int, ...]], every: set[tuple[int, ...]]
) -> float:
    if not found and not sure:
        return 0.0
    return 1 - (len(found & sure) + len(found & every)) / (len(found) + len(sure))


def flat(rows: list[set[Link]]) -> set[tuple[int, ...]]:
    return {(n, *link) for n, row in enumerate(rows) for link in row}


@settings(max_examples=100)
@given(pairs)
def test_agreement_is_the_mean_of_two_directions_and_symmetric(rows: Rows) -> None:
    one, two = annotation([row[0] for row in rows]), annotation([row[1] for row in rows])
    sure_one, sure_two = (flat([row[side][0] for row in rows]) for side in (0, 1))
    all_one, all_two = (flat([row[side][0] | row[side][1] for row in rows]) for side in (0, 1))
    expected = 1 - (directional(all_one, sure_two, all_two) + directional(all_two, sure_one, all_one)) / 2
    found = agreement(one, two, NONE)
    assert found.agreement == pytest.approx(expected)
    assert agreement(two, one, NONE).agreement == pytest.approx(expected)
    assert found.counts["differences"] == len(list(disagreements(one, two)))


@settings(max_examples=50)
@given(pairs)
def test_an_annotation_agrees_with_itself(rows: Rows) -> None:
    one = annotation([row[0] for row in rows])
    assert agreement(one, one, NONE).agreement == 1
    assert list(disagreements(one, one)) == []
    merged = merge(one, one)
    assert [merged.sure.pair(n) for n in range(len(rows))] == [one.sure.pair(n) for n in range(len(rows))]


@settings(max_examples=100)
@given(pairs)
def test_merging_equals_plain_sets(rows: Rows) -> None:
    merged = merge(annotation([row[0] for row in rows]), annotation([row[1] for row in rows]))
    for number, ((sure_one, possible_one), (sure_two, possible_two)) in enumerate(rows):
        every = sure_one | possible_one | sure_two | possible_two
        assert merged.sure.pair(number) == sorted(sure_one & sure_two)
        assert merged.possible.pair(number) == sorted(every)


def test_an_example_by_hand() -> None:
    one = annotation([({(0, 0), (1, 1)}, {(2, 2)})])
    two = annotation([({(0, 0)}, {(1, 1), (3, 2)})])
    # First as found: A = {00, 11, 22}, S = {00}, P = {00, 11, 32}: 1 − (1 + 2) / (3 + 1).
    # Second as found: A = {00, 11, 32}, S = {00, 11}, P = {00, 11, 22}: 1 − (2 + 2) / (3 + 2).
    found = agreement(one, two)
    assert found.first_aer == pytest.approx(1 / 4)
    assert found.second_aer == pytest.approx(1 / 5)
    assert found.agreement == pytest.approx(1 - (1 / 4 + 1 / 5) / 2)
    assert found.to_dict()["agreement"] == found.agreement
    assert list(disagreements(one, two)) == [
        Disagreement(0, 1, 1, "sure", "possible"),
        Disagreement(0, 2, 2, "possible", "none"),
        Disagreement(0, 3, 2, "none", "possible"),
    ]
    merged = merge(one, two)
    assert merged.sure.pair(0) == [(0, 0)]
    assert merged.possible.pair(0) == [(0, 0), (1, 1), (2, 2), (3, 2)]


def test_lines_for_review_name_the_words() -> None:
    rows = [Disagreement(1, 0, 2, "sure", "none")]
    source, target = [["x"], ["big", "cat"]], [["y"], ["a", "large", "cat"]]
    header, line = review_lines(iter(rows), source, target, first=1)
    assert dict(zip(header.split("\t"), line.split("\t"), strict=True)) == {
        "sentence": "2", "link": "1-3", "source": "big", "target": "cat", "first": "sure", "second": "none",
    }  # fmt: skip
    assert list(review_lines(iter(rows)))[1] == "2\t0-2\t\t\tsure\tnone"


def test_annotations_of_other_sentences_are_refused() -> None:
    one, two = annotation([(set(), set())]), annotation([(set(), set())] * 2)
    with pytest.raises(InputError, match="same sentence pairs, got 1, 1, 2, 2"):
        agreement(one, two)
    with pytest.raises(InputError, match="at least one"):
        agreement(annotation([]), annotation([]))


def test_sure_links_that_the_possible_ones_lack_count_all_the_same() -> None:
    forgetful = GoldLinks(Links.from_lists([[(0, 0)]]), Links.from_lists([[]]))
    whole = annotation([({(0, 0)}, set())])
    assert agreement(forgetful, whole).agreement == 1
    assert merge(forgetful, whole).possible.pair(0) == [(0, 0)]

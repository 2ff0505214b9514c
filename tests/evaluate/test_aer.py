"""Precision, recall, AER and F1 against an example by hand and against plain sets."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.evaluate import BootstrapOptions, WordPairs, compare_alignments, score_alignment
from paraphrast.formats.pharaoh import GoldLinks
from paraphrast.types import Links

NONE = BootstrapOptions(samples=0)
Link = tuple[int, int]
Sets = list[tuple[set[Link], set[Link], set[Link]]]


def gold(sure: list[set[Link]], possible: list[set[Link]]) -> GoldLinks:
    return GoldLinks(Links.from_lists(sure), Links.from_lists(possible))


def by_sets(sets: Sets) -> tuple[float, float, float, float]:
    """The plain twin: (found, sure, only possible) of every sentence → precision, recall, AER, F1."""
    found = {(n, *link) for n, row in enumerate(sets) for link in row[0]}
    sure = {(n, *link) for n, row in enumerate(sets) for link in row[1]}
    every = sure | {(n, *link) for n, row in enumerate(sets) for link in row[2]}
    precision = len(found & every) / len(found) if found else 1.0
    recall = len(found & sure) / len(sure) if sure else 1.0
    aer = 1 - (len(found & sure) + len(found & every)) / (len(found) + len(sure)) if found or sure else 0.0
    recall_all = len(found & every) / len(every) if every else 1.0
    if not found and not every:
        f1 = 1.0
    elif not found & every:
        f1 = 0.0
    else:
        f1 = 2 * precision * recall_all / (precision + recall_all)
    return precision, recall, aer, f1


links = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)
sentences = st.lists(st.tuples(links, links, links), min_size=1, max_size=5)


@settings(max_examples=150)
@given(sentences)
def test_figures_equal_those_of_plain_sets(sets: Sets) -> None:
    found = Links.from_lists(row[0] for row in sets)
    part = score_alignment(found, gold([row[1] for row in sets], [row[2] for row in sets]), None, NONE).total
    assert (part.precision, part.recall, part.aer, part.f1) == pytest.approx(by_sets(sets))


@settings(max_examples=100)
@given(sentences)
def test_without_possible_links_f1_is_one_less_aer(sets: Sets) -> None:
    found = Links.from_lists(row[0] for row in sets)
    sure = [row[1] for row in sets]
    part = score_alignment(found, gold(sure, sure), None, NONE).total
    assert part.f1 == pytest.approx(1 - part.aer)


@settings(max_examples=60)
@given(sentences, st.lists(st.sampled_from(["a", "A", "b", "c"]), min_size=10, max_size=10))
def test_identical_words_and_others_equal_plain_sets_of_each(sets: Sets, words: list[str]) -> None:
    source, target = words[:5], words[5:]
    pairs = WordPairs.from_tokens([source] * len(sets), [target] * len(sets))
    found = Links.from_lists(row[0] for row in sets)
    result = score_alignment(found, gold([row[1] for row in sets], [row[2] for row in sets]), pairs, NONE)
    for part, same in ((result.identical, True), (result.non_identical, False)):
        kept: Sets = [
            tuple(  # type: ignore[misc]
                {(i, j) for i, j in one if (source[i].lower() == target[j].lower()) is same} for one in row
            )
            for row in sets
        ]
        assert part is not None
        assert (part.precision, part.recall, part.aer, part.f1) == pytest.approx(by_sets(kept))


def test_an_example_by_hand() -> None:
    # Four sure and two possible links; found: three of the sure, one of the possible, one wrong.
    sure, possible = {(0, 0), (1, 1), (2, 2), (3, 3)}, {(1, 2), (2, 1)}
    found = {(0, 0), (1, 1), (2, 2), (1, 2), (4, 0)}
    words = WordPairs.from_tokens([["The", "big", "cat", "sat", "."]], [["the", "large", "cat", "slept"]])
    result = score_alignment(Links.from_lists([found]), gold([sure], [possible]), words, NONE)
    total = result.total
    assert total.precision == pytest.approx(4 / 5)
    assert total.recall == pytest.approx(3 / 4)
    assert total.aer == pytest.approx(1 - (3 + 4) / (5 + 4))
    assert total.f1 == pytest.approx(2 * 4 / (5 + 6))
    assert total.counts == {"found": 5, "sure": 4, "possible": 6, "found_sure": 3, "found_possible": 4}
    assert result.identical is not None
    assert result.non_identical is not None
    # the–The and cat–cat are the same words; both are sure and found.
    assert result.identical.to_dict() == {"precision": 1, "recall": 1, "aer": 0, "f1": 1}
    assert result.non_identical.counts == {
        "found": 3, "sure": 2, "possible": 4, "found_sure": 1, "found_possible": 2,
    }  # fmt: skip
    assert result.non_identical.aer == pytest.approx(1 - 3 / 5)


@pytest.mark.parametrize(
    ("found", "sure", "expected"),
    [
        (set(), set(), (1, 1, 0, 1)),
        (set(), {(0, 0)}, (1, 0, 1, 0)),
        ({(0, 0)}, set(), (0, 1, 1, 0)),
        ({(0, 0)}, {(0, 0)}, (1, 1, 0, 1)),
    ],
)
def test_a_share_of_nothing_is_defined(
    found: set[Link], sure: set[Link], expected: tuple[float, ...]
) -> None:
    part = score_alignment(Links.from_lists([found]), gold([sure], [sure])).total
    assert (part.precision, part.recall, part.aer, part.f1) == expected
    for interval in part.intervals.values():
        assert interval is not None
        assert np.isfinite([interval.low, interval.high]).all()


def test_links_out_of_order_and_twice_count_once() -> None:
    starts = np.array([0, 3], dtype=np.int64)
    found = Links(starts, np.array([1, 0, 1], dtype=np.int32), np.array([1, 0, 1], dtype=np.int32))
    part = score_alignment(found, gold([{(0, 0), (1, 1)}], [set()]), None, NONE).total
    assert part.counts["found"] == 2
    assert part.f1 == 1


def test_the_record_has_its_keys_and_is_json() -> None:
    words = WordPairs.from_tokens([["a"]], [["a"]])
    result = score_alignment(Links.from_lists([[(0, 0)]]), gold([{(0, 0)}], [set()]), words)
    record = json.loads(json.dumps(result.to_dict()))
    assert set(record) == {
        "precision", "recall", "aer", "f1", "identical", "non_identical", "intervals", "counts", "signature",
    }  # fmt: skip
    assert set(record["identical"]) == set(record["non_identical"]) == {"precision", "recall", "aer", "f1"}
    assert record["intervals"]["aer"] == [0, 0]
    assert record["counts"]["sentences"] == 1
    without = score_alignment(Links.from_lists([[(0, 0)]]), gold([{(0, 0)}], [set()])).to_dict()
    assert without["identical"] is None


def test_signatures_tell_gold_and_options_apart() -> None:
    found = Links.from_lists([[(0, 0)]])
    one = score_alignment(found, gold([{(0, 0)}], [set()])).signature
    assert one.startswith("aer|sentences:1|gold:")
    assert "|samples:1000|seed:12345|" in one
    assert score_alignment(found, gold([{(0, 0)}], [set()])).signature == one
    assert score_alignment(found, gold([{(0, 1)}], [set()])).signature != one
    assert "bootstrap:none" in score_alignment(found, gold([{(0, 0)}], [set()]), None, NONE).signature


def test_intervals_come_from_sentences_not_links() -> None:
    # One sentence: every resample is the same, and the interval a point.
    part = score_alignment(Links.from_lists([[(0, 0), (1, 1)]]), gold([{(0, 0)}], [set()])).total
    interval = part.intervals["precision"]
    assert interval is not None
    assert (interval.low, interval.high) == (0.5, 0.5)


def test_two_aligners_are_compared_on_the_same_sentences() -> None:
    standard = gold([{(0, 0)}] * 20, [set()] * 20)
    worse = Links.from_lists([[(0, 0)] if n % 2 else [(0, 1)] for n in range(20)])
    better = Links.from_lists([[(0, 0)]] * 20)
    found = compare_alignments(worse, better, standard)["total"]["aer"]
    assert found.value == -0.5
    assert found.p_value is not None
    assert found.p_value < 0.01


def test_other_sentences_are_refused() -> None:
    one, two = Links.from_lists([[(0, 0)]]), Links.from_lists([[(0, 0)], []])
    with pytest.raises(InputError, match="1 lines of links, 2 of gold"):
        score_alignment(one, GoldLinks(two, two))
    with pytest.raises(InputError, match="2 sentence pairs of text"):
        score_alignment(one, GoldLinks(one, one), WordPairs.from_tokens([["a"]] * 2, [["a"]] * 2))
    with pytest.raises(InputError, match="as many sentences"):
        WordPairs.from_tokens([["a"]], [])
    empty = Links.from_lists([])
    with pytest.raises(InputError, match="at least one sentence pair"):
        score_alignment(empty, GoldLinks(empty, empty))


def test_a_link_beyond_its_sentence_is_named() -> None:
    found = Links.from_lists([[(0, 0)], [(0, 0), (1, 0)]])
    words = WordPairs.from_tokens([["a"], ["a"]], [["a"], ["a"]])
    with pytest.raises(InputError, match=r":2: .*source sentence of 1 words, got the link 1-0"):
        score_alignment(found, GoldLinks(found, found), words)


def test_positions_of_no_sentence_are_refused() -> None:
    found = Links.from_lists([[(999_999_999, 999_999_998)]] * 12)
    with pytest.raises(InputError, match="got 999999999"):
        score_alignment(found, GoldLinks(found, found))

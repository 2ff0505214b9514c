"""The last word of each pass counts; the key opens what was hidden; a second pass mends agreement."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.formats.ratings import Item, Rating, Sealed
from paraphrast.judge.report import (
    agreements,
    check_ratings,
    disagreements,
    labelled,
    pending,
    progress,
    settle,
    template_of,
)

ITEMS = [Item(f"i{number}", "paraphrase", f"before {number}", f"after {number}") for number in range(4)]


def rating(item: int, rater: str, value: int, round: int = 1) -> Rating:
    return Rating(f"i{item}", "", rater, "paraphrase", value, round)


FIRST = [rating(n, "x", value) for n, value in enumerate([1, 1, 0, 0])] + [
    rating(n, "y", value) for n, value in enumerate([1, 0, 0, 1])
]
SECOND = [rating(1, "y", 1, 2), rating(3, "x", 0, 2), rating(3, "y", 1, 2)]


def test_the_last_word_of_a_pass_counts() -> None:
    votes = settle([*FIRST, rating(0, "x", 0)], "paraphrase")
    assert votes["i0"] == {"x": 0, "y": 1}
    assert settle([*FIRST, *SECOND], "paraphrase", up_to=1)["i1"] == {"x": 1, "y": 0}
    assert settle([*SECOND, *FIRST], "paraphrase")["i1"] == {"x": 1, "y": 1}


def test_a_second_pass_reports_again() -> None:
    first, second = agreements(ITEMS, [*FIRST, *SECOND])
    assert first.agreement is not None
    assert second.agreement is not None
    assert (first.round, first.agreement.percent) == (1, 0.5)
    assert (second.round, second.agreement.percent) == (2, 0.75)


def test_disagreements_are_listed_in_order() -> None:
    assert [(item.item, said) for item, _, said in disagreements(ITEMS, FIRST)] == [
        ("i1", {"x": 1, "y": 0}),
        ("i3", {"x": 0, "y": 1}),
    ]
    assert [item.item for item, _, _ in disagreements(ITEMS, [*FIRST, *SECOND])] == ["i3"]


def test_the_key_opens_what_was_hidden() -> None:
    key = [Sealed(f"i{number}", "ours" if number < 2 else "theirs", 1, "news") for number in range(4)]
    key.append(Sealed("i0", "third", 2))
    outputs = labelled(ITEMS, key, FIRST)
    assert [(one.system, one.rank, one.text) for one in outputs][-1] == ("third", 2, "after 0")
    assert outputs[0].labels == {"paraphrase": {"x": 1, "y": 1}}
    with pytest.raises(InputError, match="another campaign"):
        labelled(ITEMS, key[:2], FIRST)


def test_what_is_left_to_do() -> None:
    assert [item.item for item in pending(ITEMS, FIRST[:2], "x")] == ["i2", "i3"]
    assert pending(ITEMS, FIRST, "x") == []
    assert [item.item for item in pending(ITEMS, FIRST, "x", round=2, only=frozenset({"i1"}))] == ["i1"]
    assert [(one.rater, one.done) for one in progress(ITEMS, FIRST[:6])] == [("x", 4), ("y", 2)]


def test_a_question_that_depends_is_not_missed() -> None:
    items = [Item("i0", "acceptable", "a", "b")]
    good = [Rating("i0", "", "x", "acceptable", 1)]
    bad = [Rating("i0", "", "x", "acceptable", 0)]
    assert pending(items, good, "x") == []
    assert pending(items, bad, "x") == items


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (Rating("zz", "", "x", "paraphrase", 1), "not in this campaign"),
        (Rating("i0", "", "x", "taste", 1), "unknown question"),
        (Rating("i0", "", "x", "paraphrase", 2), "one of 0, 1"),
        (Rating("i0", "", "x", "paraphrase", 1, 0), "pass from 1"),
    ],
)
def test_strange_ratings_are_refused(bad: Rating, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_ratings(ITEMS, [bad])


def test_a_campaign_has_one_template() -> None:
    with pytest.raises(InputError, match="one campaign"):
        template_of([*ITEMS, Item("p", "phrase", "a", "b")])
    with pytest.raises(InputError, match="one campaign"):
        template_of([])

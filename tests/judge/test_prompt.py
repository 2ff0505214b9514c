"""The prompt asks what is missing, keeps every answer at once, and goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paraphrast.formats.ratings import Item, Rating
from paraphrast.judge.prompt import Session, rate

ITEMS = [Item(f"i{number}", "grammar-fidelity", "before", f"after {number}") for number in range(3)]


def answers(*lines: str) -> Callable[[str], str]:
    left = iter(lines)

    def ask(_prompt: str) -> str:
        for line in left:
            if line == "^C":
                raise KeyboardInterrupt
            return line
        raise EOFError

    return ask


def run(
    lines: list[str], ratings: list[Rating], items: list[Item] = ITEMS, **more: object
) -> tuple[list[Rating], list[str]]:
    kept: list[Rating] = []
    told: list[str] = []
    rate(items, ratings, Session("x"), ask=answers(*lines), tell=told.append, keep=kept.append, **more)  # type: ignore[arg-type]
    return kept, told


def said(ratings: list[Rating]) -> list[tuple[str, str, int]]:
    return [(one.item, one.question, one.value) for one in ratings]


def test_all_questions_of_all_items_are_asked() -> None:
    kept, told = run(["4", "3", "2", "1", "1", "1"], [])
    assert said(kept)[:3] == [("i0", "grammaticality", 4), ("i0", "fidelity", 3), ("i1", "grammaticality", 2)]
    assert len(kept) == 6
    assert any("after 2" in line for line in told)
    assert not any("system" in line for line in told)


def test_an_answer_off_the_scale_is_asked_again() -> None:
    kept, told = run(["9", "good", "4", "4", "q"], [])
    assert said(kept) == [("i0", "grammaticality", 4), ("i0", "fidelity", 4)]
    assert sum("expected one of 1, 2, 3, 4" in line for line in told) == 2


def test_an_interruption_loses_nothing_and_resuming_asks_the_rest() -> None:
    kept: list[Rating] = []
    with pytest.raises(KeyboardInterrupt):
        rate(ITEMS, [], Session("x"), ask=answers("4", "3", "2", "^C"), tell=lambda _: None, keep=kept.append)
    assert len(kept) == 3
    more, _ = run(["1", "2", "3"], kept)
    assert said(more) == [("i1", "fidelity", 1), ("i2", "grammaticality", 2), ("i2", "fidelity", 3)]
    assert run([], [*kept, *more])[0] == []


def test_back_asks_the_item_before_anew_and_skip_leaves_one() -> None:
    kept, _ = run(["4", "4", "b", "1", "1", "s", "2", "2"], [])
    assert said(kept) == [
        ("i0", "grammaticality", 4),
        ("i0", "fidelity", 4),
        ("i0", "grammaticality", 1),
        ("i0", "fidelity", 1),
        ("i2", "grammaticality", 2),
        ("i2", "fidelity", 2),
    ]


def test_a_dependent_question_is_asked_when_it_applies() -> None:
    items = [Item(f"i{number}", "acceptable", "a", "b") for number in range(2)]
    kept, _ = run(["y", "n", "2"], [], items)
    assert said(kept) == [("i0", "acceptable", 1), ("i1", "acceptable", 0), ("i1", "error", 2)]


def test_a_second_pass_asks_the_given_items_only() -> None:
    kept: list[Rating] = []
    rate(
        ITEMS,
        [],
        Session("x", 2),
        ask=answers("1", "1"),
        tell=lambda _: None,
        keep=kept.append,
        only=frozenset({"i1"}),
    )
    assert {(one.item, one.round) for one in kept} == {("i1", 2)}
    assert len(kept) == 2

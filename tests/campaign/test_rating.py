"""Items are handed out once, answers are checked, changes add revisions, rounds close."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from campaign_examples import make, rate, rater
from paraphrast.campaign import rating, schema
from paraphrast.campaign.create import Gold
from paraphrast.campaign.database import Database
from paraphrast.campaign.owner import open_second_round
from paraphrast.campaign.rating import (
    Closed,
    Incomplete,
    NotFound,
    checked,
    count_places,
    get_place,
    next_place,
    save,
)
from paraphrast.campaign.state import load_state
from paraphrast.errors import InputError
from paraphrast.formats.outputs import SystemOutput
from paraphrast.judge.templates import get_template


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database(str(tmp_path / "a.db")) as opened:
        yield opened


def yes(_: str) -> dict[str, int]:
    return {"paraphrase": 1}


def test_every_rater_gets_every_item_once(database: Database) -> None:
    campaign, _ = make(database)
    shown = [rate(database, number, yes) for number in (1, 2)]
    assert [sorted(items) for items in shown] == [sorted(item.item for item in campaign.items)] * 2
    assert shown[0] != shown[1]
    with database.read() as connection:
        assert count_places(connection, rater(database, 1)) == (12, 12)


def test_an_open_item_is_shown_again_after_a_break(database: Database) -> None:
    make(database)
    rate(database, 1, yes, most=3)
    for _ in range(3):
        with database.write() as connection:
            assert next_place(connection, rater(database, 1)) == (1, 4)


def test_changes_add_revisions_and_repeats_do_not(database: Database) -> None:
    make(database)
    rate(database, 1, yes, most=1)
    person = rater(database, 1)
    with database.write() as connection:
        assert not save(connection, person, 1, 1, {"paraphrase": 1})
    with database.write() as connection:
        assert save(connection, person, 1, 1, {"paraphrase": 0})
    with database.read() as connection:
        assert get_place(connection, person, 1, 1).answers == {"paraphrase": 0}
        stored = connection.execute(select(schema.answers.c.revision, schema.answers.c.value)).all()
        assert [tuple(row) for row in stored] == [(1, 1), (2, 0)]
        state = load_state(connection, 1)
    assert [one.value for one in state.ratings] == [0]


def test_answers_are_checked() -> None:
    template = get_template("acceptable")
    assert checked(template, {"acceptable": 1, "error": 2}) == {"acceptable": 1}
    assert checked(template, {"acceptable": 0, "error": 2}) == {"acceptable": 0, "error": 2}
    with pytest.raises(Incomplete, match="error: expected one of 1, 2, 3, got nothing"):
        checked(template, {"acceptable": 0})
    with pytest.raises(Incomplete, match="got 7"):
        checked(template, {"acceptable": 7})


def test_places_not_reached_do_not_exist(database: Database) -> None:
    make(database)
    person = rater(database, 1)
    with database.read() as connection, pytest.raises(NotFound):
        get_place(connection, person, 1, 1)
    with database.write() as connection, pytest.raises(NotFound):
        save(connection, person, 1, 1, {"paraphrase": 1})


def test_raters_per_item(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    make(database, inputs=10, raters=("a", "b", "c"), per_item=2)
    shown: Counter[str] = Counter()
    for _ in range(20):
        for number in (1, 2, 3):
            shown.update(rate(database, number, yes, most=1))
    assert len(shown) == 20
    assert set(shown.values()) == {2}
    # An item that a rater got and never answered goes to another rater after a while.
    make(database, name="second", inputs=1, systems=("ours",), raters=("d", "e"), per_item=1)
    with database.write() as connection:
        assert next_place(connection, rater(database, 4)) == (1, 1)
        assert next_place(connection, rater(database, 5)) is None
    monkeypatch.setattr(rating, "PATIENCE_SECONDS", -1.0)
    with database.write() as connection:
        assert next_place(connection, rater(database, 5)) == (1, 1)


def test_gold_items_come_between_and_are_counted_apart(database: Database) -> None:
    gold = [Gold(SystemOutput("A cat.", f"Pills {number}."), {"paraphrase": 0}) for number in range(3)]
    make(database, gold=gold, gold_every=4)
    shown = rate(database, 1, lambda text: {"paraphrase": int("Pills 1" in text)})
    assert len(shown) == 15
    assert all(any(item.startswith("gold") for item in shown[at : at + 4]) for at in (0, 4, 8))
    with database.read() as connection:
        state = load_state(connection, 1)
    assert len(state.items) == len(state.ratings) == 12
    assert (state.raters[0].gold_right, state.raters[0].gold) == (2, 3)
    assert state.raters[0].done == 12


def test_the_second_round_shows_disagreements_to_those_who_rated_them(database: Database) -> None:
    make(database, raters=("anna", "ben", "late"))
    rate(database, 1, yes)
    rate(database, 2, lambda text: {"paraphrase": int("of 0" in text)})
    with database.write() as connection:
        assert open_second_round(connection, 1) == 6
    with database.write() as connection, pytest.raises(InputError, match="already open"):
        open_second_round(connection, 1)
    with database.write() as connection, pytest.raises(Closed):
        save(connection, rater(database, 1), 1, 1, {"paraphrase": 0})
    assert len(rate(database, 2, yes)) == 6
    assert len(rate(database, 1, yes, most=2)) == 2
    # Somebody who has not begun rates everything once, and has nothing to look at again before that.
    assert len(rate(database, 3, yes, most=12)) == 12
    with database.read() as connection:
        state = load_state(connection, 1)
    assert [(one.name, one.done, one.reviewed, one.reviews) for one in state.raters] == [
        ("anna", 12, 2, 6),
        ("ben", 12, 6, 6),
        ("late", 12, 0, 6),
    ]

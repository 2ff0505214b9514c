"""Items for a rater, and the rater's answers.

:func:`next_place` hands out items one at a time. What a rater got is a row of ``assignments`` with a place in the
rater's own order, so that going back, a break, or another service process on the same database show the same. The
campaign's row is locked meanwhile, so that two requests never hand out one item twice, nor exceed the raters per item.

:func:`save` stores the answers of one item together. Answers are never overwritten: a change adds a revision.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, and_, func, or_, select

from paraphrast.campaign import schema
from paraphrast.campaign.order import is_gold_place, rater_order
from paraphrast.errors import InputError, ParaphrastError
from paraphrast.formats.ratings import Item
from paraphrast.judge.own_templates import template_from
from paraphrast.judge.questions import Template

#: With a number of raters per item: an item that a rater got but has not answered for so long goes to another.
PATIENCE_SECONDS = 3600.0


class NotFound(ParaphrastError):
    """A campaign, a rater or a place that does not exist."""


class Closed(ParaphrastError):
    """An answer that may not be changed any more."""


class Incomplete(InputError):
    """Answers that are missing or not on the scale. ``question``: the first such question."""

    def __init__(self, message: str, question: str) -> None:
        super().__init__(message, remedy="answer every question")
        self.question = question


@dataclass(frozen=True)
class Rater:
    """A rater with the campaign."""

    id: int
    name: str
    number: int
    campaign_id: int
    campaign: str
    seed: int
    per_item: int
    gold_every: int
    round: int
    instructions: str
    created_at: float
    template: Template


@dataclass(frozen=True)
class Place:
    """An item at a place of a rater's order, and what the rater answered (empty if nothing yet)."""

    round: int
    place: int
    item: Item
    answers: Mapping[str, int]


def load_template(text: str) -> Template:
    """The template that a campaign stores."""
    record = json.loads(text)
    return template_from(record.pop("name"), record)


def get_rater(connection: Connection, rater_id: int) -> tuple[Rater, str]:
    """A rater, and the hash of the rater's secret."""
    raters, campaigns = schema.raters, schema.campaigns
    row = connection.execute(
        select(
            raters.c.name.label("rater"), raters.c.number, raters.c.secret_hash, raters.c.active, campaigns
        )
        .join(campaigns, campaigns.c.id == raters.c.campaign_id)
        .where(raters.c.id == rater_id)
    ).one_or_none()
    if row is None or not row.active:
        raise NotFound("there is no such rater", remedy="ask for a new link")
    rater = Rater(
        rater_id,
        row.rater,
        row.number,
        row.id,
        row.name,
        row.seed,
        row.per_item,
        row.gold_every,
        row.round,
        row.instructions,
        row.created_at,
        load_template(row.template),
    )
    return rater, row.secret_hash


def next_place(connection: Connection, rater: Rater) -> tuple[int, int] | None:
    """Round and place of the item to answer next: one that was handed out before, or a new one; None at the end.

    The caller's transaction is one that writes.
    """
    assignments = schema.assignments
    _lock(connection, rater)
    waiting = connection.execute(
        select(assignments.c.round, assignments.c.place)
        .where(assignments.c.rater_id == rater.id, assignments.c.revision == 0)
        .order_by(assignments.c.round, assignments.c.place)
        .limit(1)
    ).one_or_none()
    if waiting is not None:
        return waiting.round, waiting.place
    had = _had(connection, rater)
    for number in range(1, rater.round + 1):
        place = 1 + sum(round == number for _, round in had)
        item_id = (
            _draw_first(connection, rater, had, place)
            if number == 1
            else _draw_review(connection, rater, had, number)
        )
        if item_id is not None:
            connection.execute(
                assignments.insert().values(
                    rater_id=rater.id,
                    item_id=item_id,
                    round=number,
                    place=place,
                    revision=0,
                    drawn_at=time.time(),
                )
            )
            return number, place
    return None


def get_place(connection: Connection, rater: Rater, round: int, place: int) -> Place:
    """What the rater got at a place."""
    assignments, items = schema.assignments, schema.items
    row = connection.execute(
        select(
            assignments.c.id,
            assignments.c.revision,
            items.c.item,
            items.c.before,
            items.c.after,
            items.c.context,
        )
        .join(items, items.c.id == assignments.c.item_id)
        .where(assignments.c.rater_id == rater.id, assignments.c.round == round, assignments.c.place == place)
    ).one_or_none()
    if row is None:
        raise NotFound(
            f"expected a place that you have reached, got round {round}, place {place}",
            remedy="go on from the start",
        )
    item = Item(row.item, rater.template.name, row.before, row.after, row.context)
    return Place(round, place, item, _answers(connection, row.id, row.revision))


def save(connection: Connection, rater: Rater, round: int, place: int, given: Mapping[str, int]) -> bool:
    """Store the answers to one item. Returns whether anything changed.

    The answers are acknowledged only after the caller's transaction was committed.
    """
    assignments = schema.assignments
    answers = checked(rater.template, given)
    _lock(connection, rater)
    row = connection.execute(
        select(assignments.c.id, assignments.c.revision).where(
            assignments.c.rater_id == rater.id, assignments.c.round == round, assignments.c.place == place
        )
    ).one_or_none()
    if row is None:
        raise NotFound(f"expected a place that you have reached, got round {round}, place {place}")
    if row.revision and _answers(connection, row.id, row.revision) == answers:
        return False
    current = connection.scalar(
        select(schema.campaigns.c.round).where(schema.campaigns.c.id == rater.campaign_id)
    )
    if row.revision and round < (current or 0):
        raise Closed(
            f"answers of round {round} can no longer be changed, because round {current} has begun",
            remedy="go on with the items of the new round",
        )
    now = time.time()
    connection.execute(
        schema.answers.insert(),
        [
            {
                "assignment_id": row.id,
                "revision": row.revision + 1,
                "question": question,
                "value": value,
                "answered_at": now,
            }
            for question, value in answers.items()
        ],
    )
    connection.execute(
        assignments.update().where(assignments.c.id == row.id).values(revision=row.revision + 1)
    )
    return True


def checked(template: Template, given: Mapping[str, int]) -> dict[str, int]:
    """The answers to the questions that are asked, given the others; an error if one is missing or off the scale."""
    answers: dict[str, int] = {}
    for question in template.questions:
        if not question.asked(answers):
            continue
        value = given.get(question.name)
        if value not in question.values:
            expected = ", ".join(map(str, question.values))
            came = "nothing" if value is None else str(value)
            raise Incomplete(f"{question.name}: expected one of {expected}, got {came}", question.name)
        answers[question.name] = value
    return answers


def count_places(connection: Connection, rater: Rater) -> tuple[int, int]:
    """How many items the rater has answered, and how many there are for the rater, without gold items."""
    assignments, items = schema.assignments, schema.items
    done = (
        connection.scalar(
            select(func.count())
            .select_from(assignments.join(items, items.c.id == assignments.c.item_id))
            .where(assignments.c.rater_id == rater.id, assignments.c.revision > 0, items.c.gold.is_(None))
        )
        or 0
    )
    had = _had(connection, rater)
    left = len(_open_items(connection, rater, had))
    waiting = (
        connection.scalar(
            select(func.count())
            .select_from(assignments.join(items, items.c.id == assignments.c.item_id))
            .where(assignments.c.rater_id == rater.id, assignments.c.revision == 0, items.c.gold.is_(None))
        )
        or 0
    )
    reviews = sum(len(_reviews(connection, rater, had, number)) for number in range(2, rater.round + 1))
    return done, done + waiting + left + reviews


def _lock(connection: Connection, rater: Rater) -> None:
    """Let nobody else hand out items of the campaign until the transaction ends. SQLite has locked already."""
    campaigns = schema.campaigns
    connection.execute(select(campaigns.c.id).where(campaigns.c.id == rater.campaign_id).with_for_update())


def _had(connection: Connection, rater: Rater) -> set[tuple[int, int]]:
    assignments = schema.assignments
    return {
        (row.item_id, row.round)
        for row in connection.execute(
            select(assignments.c.item_id, assignments.c.round).where(assignments.c.rater_id == rater.id)
        )
    }


def _draw_first(connection: Connection, rater: Rater, had: set[tuple[int, int]], place: int) -> int | None:
    left = _open_items(connection, rater, had)
    if left and is_gold_place(place, rater.gold_every, rater.seed, rater.number):
        gold = [item for item in _order(connection, rater)[1] if (item, 1) not in had]
        if gold:
            return gold[0]
    return left[0] if left else None


def _draw_review(connection: Connection, rater: Rater, had: set[tuple[int, int]], number: int) -> int | None:
    left = _reviews(connection, rater, had, number)
    return left[0] if left else None


def _reviews(connection: Connection, rater: Rater, had: set[tuple[int, int]], number: int) -> list[int]:
    """Items to look at again that the rater rated before and has not got in this round, in the rater's order."""
    reviews = schema.reviews
    wanted = {
        row.item_id
        for row in connection.execute(
            select(reviews.c.item_id)
            .join(schema.items, schema.items.c.id == reviews.c.item_id)
            .where(schema.items.c.campaign_id == rater.campaign_id, reviews.c.round == number)
        )
    }
    if not wanted:
        return []
    return [
        item
        for item in _order(connection, rater)[0]
        if item in wanted and (item, number) not in had and (item, number - 1) in had
    ]


def _open_items(connection: Connection, rater: Rater, had: set[tuple[int, int]]) -> list[int]:
    """The items of round 1 that the rater may still get, in the rater's order."""
    left = [item for item in _order(connection, rater)[0] if (item, 1) not in had]
    if not rater.per_item or not left:
        return left
    assignments, items = schema.assignments, schema.items
    counted = (
        select(assignments.c.item_id)
        .join(items, items.c.id == assignments.c.item_id)
        .where(
            items.c.campaign_id == rater.campaign_id,
            assignments.c.round == 1,
            or_(assignments.c.revision > 0, assignments.c.drawn_at > time.time() - PATIENCE_SECONDS),
        )
        .group_by(assignments.c.item_id)
        .having(func.count() >= rater.per_item)
    )
    full = {row.item_id for row in connection.execute(counted)}
    return [item for item in left if item not in full]


def _answers(connection: Connection, assignment_id: int, revision: int) -> dict[str, int]:
    answers = schema.answers
    rows = connection.execute(
        select(answers.c.question, answers.c.value).where(
            and_(answers.c.assignment_id == assignment_id, answers.c.revision == revision)
        )
    )
    return {row.question: row.value for row in rows}


def _order(connection: Connection, rater: Rater) -> tuple[Sequence[int], Sequence[int]]:
    """Ids of the ordinary and of the gold items in the rater's order. The items of a campaign never change."""
    key = (str(connection.engine.url), rater.campaign_id, rater.id, rater.created_at)
    if key not in _ORDERS:
        if len(_ORDERS) >= MOST_ORDERS:
            _ORDERS.clear()
        _ORDERS[key] = _read_order(connection, rater)
    return _ORDERS[key]


#: Orders that were computed, so that a request need not read all items.
_ORDERS: dict[tuple[str, int, int, float], tuple[Sequence[int], Sequence[int]]] = {}
MOST_ORDERS = 256


def _read_order(connection: Connection, rater: Rater) -> tuple[Sequence[int], Sequence[int]]:
    items, seals = schema.items, schema.seals
    rows = connection.execute(
        select(items.c.id, items.c.gold.is_not(None).label("is_gold"))
        .where(items.c.campaign_id == rater.campaign_id)
        .order_by(items.c.position)
    ).all()
    systems: dict[int, set[str]] = {row.id: set() for row in rows}
    for row in connection.execute(
        select(seals.c.item_id, seals.c.system)
        .join(items, items.c.id == seals.c.item_id)
        .where(items.c.campaign_id == rater.campaign_id)
    ):
        systems[row.item_id].add(row.system)
    ids = [row.id for row in rows if not row.is_gold]
    gold = [row.id for row in rows if row.is_gold]
    strata = [json.dumps(sorted(systems[item])) for item in ids]
    order = rater_order(strata, rater.seed, rater.number)
    return (
        tuple(ids[position] for position in order),
        tuple(gold[position] for position in rater_order([""] * len(gold), rater.seed, rater.number)),
    )

"""A campaign as a whole, read from the database: items, key, ratings, progress. All orders are fixed.

The order of rows depends on neither the database nor the moments at which answers came: ratings are sorted by pass,
rater, item and question. So the same campaign gives the same files from SQLite and from PostgreSQL.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, select

from paraphrast.campaign import schema
from paraphrast.campaign.rating import NotFound, load_template
from paraphrast.formats.ratings import Item, Rating, Sealed
from paraphrast.judge.questions import Template


@dataclass(frozen=True)
class RaterState:
    """How far a rater is. done, items: ordinary items of round 1. gold_right, gold: answers to gold items."""

    id: int
    name: str
    done: int
    items: int
    reviewed: int
    reviews: int
    gold_right: int
    gold: int


@dataclass(frozen=True)
class State:
    """A campaign. ratings: without gold items and without settlements. settled: (item, question) → value."""

    id: int
    name: str
    round: int
    per_item: int
    template: Template
    items: tuple[Item, ...]
    key: tuple[Sealed, ...]
    more: tuple[Mapping[str, Any], ...]
    ratings: tuple[Rating, ...]
    settled: Mapping[tuple[str, str], int]
    raters: tuple[RaterState, ...]
    ids: Mapping[str, int] = field(repr=False)

    @property
    def all_ratings(self) -> tuple[Rating, ...]:
        """The ratings, and after them one more pass with the settlements: every rater has the settled value there.

        This is how ``judge report`` understands reconciliation: a later pass counts, earlier passes stay visible.
        """
        voters: dict[tuple[str, str], dict[str, None]] = {}
        for rating in self.ratings:
            voters.setdefault((rating.item, rating.question), {})[rating.rater] = None
        last = [
            Rating(item, "", rater, question, value, self.round + 1)
            for (item, question), value in self.settled.items()
            for rater in voters.get((item, question), ())
        ]
        numbers = {rater.name: number for number, rater in enumerate(self.raters)}
        positions = {item.item: number for number, item in enumerate(self.items)}
        last.sort(key=lambda rating: (numbers[rating.rater], positions[rating.item]))
        return (*self.ratings, *last)


def find_campaign(connection: Connection, name: str) -> int:
    """The id of a campaign."""
    campaigns = schema.campaigns
    found = connection.scalar(select(campaigns.c.id).where(campaigns.c.name == name))
    if found is None:
        names = connection.scalars(select(campaigns.c.name).order_by(campaigns.c.name)).all()
        raise NotFound(
            f"the database has no campaign {name!r}", remedy=f"it has: {', '.join(names) or 'no campaign'}"
        )
    return int(found)


def load_state(connection: Connection, campaign_id: int) -> State:
    """Read a campaign. The connection's transaction should see one moment: several statements are run."""
    campaigns, items, seals = schema.campaigns, schema.items, schema.seals
    campaign = connection.execute(select(campaigns).where(campaigns.c.id == campaign_id)).one_or_none()
    if campaign is None:
        raise NotFound("there is no such campaign")
    template = load_template(campaign.template)
    rows = connection.execute(
        select(items).where(items.c.campaign_id == campaign_id).order_by(items.c.position)
    ).all()
    shown = {
        row.id: Item(row.item, template.name, row.before, row.after, row.context)
        for row in rows
        if row.gold is None
    }
    gold = {row.id: json.loads(row.gold) for row in rows if row.gold is not None}
    key, more = [], []
    for row in connection.execute(
        select(seals)
        .join(items, items.c.id == seals.c.item_id)
        .where(items.c.campaign_id == campaign_id)
        .order_by(seals.c.position)
    ):
        key.append(Sealed(shown[row.item_id].item, row.system, row.rank, row.genre))
        more.append(json.loads(row.more))
    settlements = schema.settlements
    settled = {
        (shown[row.item_id].item, row.question): row.value
        for row in connection.execute(
            select(settlements)
            .join(items, items.c.id == settlements.c.item_id)
            .where(items.c.campaign_id == campaign_id)
            .order_by(items.c.position, settlements.c.question)
        )
    }
    votes = _votes(connection, campaign_id, template)
    ratings = tuple(
        Rating(shown[item_id].item, "", name, question, value, round)
        for (round, name, item_id), given in votes.items()
        if item_id in shown
        for question, value in given.items()
    )
    return State(
        campaign_id,
        campaign.name,
        campaign.round,
        campaign.per_item,
        template,
        tuple(shown.values()),
        tuple(key),
        tuple(more),
        ratings,
        settled,
        _raters(connection, campaign_id, len(shown), campaign.per_item, votes, gold),
        {item.item: item_id for item_id, item in shown.items()},
    )


#: (round, rater, item id) → question → value.
_Votes = dict[tuple[int, str, int], dict[str, int]]


def _votes(connection: Connection, campaign_id: int, template: Template) -> _Votes:
    """The answers that are valid, sorted by round, rater and position; questions in the template's order."""
    assignments, answers, items, raters = schema.assignments, schema.answers, schema.items, schema.raters
    rows = connection.execute(
        select(assignments.c.round, raters.c.name, assignments.c.item_id, answers.c.question, answers.c.value)
        .join(assignments, assignments.c.id == answers.c.assignment_id)
        .join(items, items.c.id == assignments.c.item_id)
        .join(raters, raters.c.id == assignments.c.rater_id)
        .where(items.c.campaign_id == campaign_id, answers.c.revision == assignments.c.revision)
        .order_by(assignments.c.round, raters.c.number, items.c.position)
    )
    votes: _Votes = {}
    for row in rows:
        votes.setdefault((row.round, row.name, row.item_id), {})[row.question] = row.value
    names = [question.name for question in template.questions]
    return {place: {name: given[name] for name in names if name in given} for place, given in votes.items()}


def _raters(
    connection: Connection,
    campaign_id: int,
    items: int,
    per_item: int,
    votes: _Votes,
    gold: Mapping[int, Mapping[str, int]],
) -> tuple[RaterState, ...]:
    raters, assignments, reviews = schema.raters, schema.assignments, schema.reviews
    rows = connection.execute(
        select(raters.c.id, raters.c.name)
        .where(raters.c.campaign_id == campaign_id)
        .order_by(raters.c.number)
    ).all()
    wanted = {
        row.rater_id: row.reviews
        for row in connection.execute(
            select(assignments.c.rater_id, func.count().label("reviews"))
            .join(reviews, reviews.c.item_id == assignments.c.item_id)
            .where(
                assignments.c.rater_id.in_([row.id for row in rows]),
                assignments.c.round == reviews.c.round - 1,
            )
            .group_by(assignments.c.rater_id)
        )
    }
    states = []
    for row in rows:
        own = [(round, item_id, given) for (round, name, item_id), given in votes.items() if name == row.name]
        checks = [
            all(given.get(question) == value for question, value in gold[item_id].items())
            for _, item_id, given in own
            if item_id in gold
        ]
        states.append(
            RaterState(
                row.id,
                row.name,
                sum(round == 1 and item_id not in gold for round, item_id, _ in own),
                items if not per_item else min(items, -(-items * per_item // max(len(rows), 1))),
                sum(round > 1 for round, _, _ in own),
                wanted.get(row.id, 0),
                sum(checks),
                len(checks),
            )
        )
    return tuple(states)

"""What the owner does: follow agreement, open the second round, settle disagreements.

Quirk et al. (2004, §4): raters look a second time at what they disagreed on. :func:`open_second_round` fixes the list
of these items. What is still disputed after it, the owner settles.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, select

from paraphrast.campaign import schema
from paraphrast.campaign.agreement import Measured, measure
from paraphrast.campaign.rating import NotFound
from paraphrast.campaign.state import State, load_state
from paraphrast.errors import InputError
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.formats.ratings import Item
from paraphrast.judge.questions import Question
from paraphrast.judge.report import disagreements, settle

#: Campaigns have two rounds.
ROUNDS = 2


@dataclass(frozen=True)
class Dispute:
    """An item whose ratings differ: rater → value, and what the owner settled (or None)."""

    item: Item
    question: Question
    votes: Mapping[str, int]
    settled: int | None


def agreements(state: State, options: BootstrapOptions | None = None) -> list[Measured]:
    """Agreement on every question after every round, with intervals; settlements are not counted."""
    measured = []
    for question in state.template.questions:
        rounds = sorted({rating.round for rating in state.ratings if rating.question == question.name})
        for number in rounds:
            votes = settle(state.ratings, question.name, up_to=number)
            result = measure(votes, question, number, options)
            if result is not None:
                measured.append(result)
    return measured


def disputes(state: State) -> list[Dispute]:
    """Items whose ratings differ, those that are settled included, in the order of the items."""
    return [
        Dispute(item, state.template.question(name), votes, state.settled.get((item.item, name)))
        for item, name, votes in disagreements(state.items, state.ratings, state.template)
    ]


def settle_disputes(
    connection: Connection, campaign_id: int, decisions: Mapping[tuple[str, str], int]
) -> None:
    """Store decisions of the owner, (item, question) → value; later ones replace earlier ones."""
    _lock(connection, campaign_id)
    state = load_state(connection, campaign_id)
    settlements = schema.settlements
    for (item, question), value in decisions.items():
        if item not in state.ids:
            raise NotFound(f"the campaign has no item {item!r}")
        values = state.template.question(question).values
        if value not in values:
            raise InputError(f"{question}: expected one of {', '.join(map(str, values))}, got {value}")
        place = (settlements.c.item_id == state.ids[item], settlements.c.question == question)
        connection.execute(settlements.delete().where(*place))
        connection.execute(
            settlements.insert().values(
                item_id=state.ids[item], question=question, value=value, settled_at=time.time()
            )
        )


def open_second_round(connection: Connection, campaign_id: int) -> int:
    """Let raters look again at the items they disagree on. Returns how many there are."""
    _lock(connection, campaign_id)
    state = load_state(connection, campaign_id)
    if state.round >= ROUNDS:
        raise InputError("the second round is already open")
    wanted = dict.fromkeys(dispute.item.item for dispute in disputes(state) if dispute.settled is None)
    if not wanted:
        raise InputError("there is nothing to look at again: no ratings differ")
    connection.execute(
        schema.reviews.insert(), [{"item_id": state.ids[item], "round": ROUNDS} for item in wanted]
    )
    campaigns = schema.campaigns
    connection.execute(campaigns.update().where(campaigns.c.id == campaign_id).values(round=ROUNDS))
    return len(wanted)


def owner_hash(connection: Connection, campaign_id: int) -> str:
    """The hash of the owner's secret."""
    campaigns = schema.campaigns
    stored = connection.scalar(select(campaigns.c.owner_hash).where(campaigns.c.id == campaign_id))
    if stored is None:
        raise NotFound("there is no such campaign")
    return str(stored)


def _lock(connection: Connection, campaign_id: int) -> None:
    campaigns = schema.campaigns
    connection.execute(select(campaigns.c.id).where(campaigns.c.id == campaign_id).with_for_update())

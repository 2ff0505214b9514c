"""Small campaigns for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paraphrast.campaign.create import Gold, Opened, open_campaign
from paraphrast.campaign.database import Database
from paraphrast.campaign.options import OpenOptions
from paraphrast.campaign.rating import Rater, get_place, get_rater, next_place, save
from paraphrast.formats.outputs import SystemOutput
from paraphrast.judge.campaign import Campaign, new_campaign
from paraphrast.judge.options import CampaignOptions
from paraphrast.judge.templates import get_template


def outputs(inputs: int = 6, systems: Sequence[str] = ("ours", "theirs")) -> list[SystemOutput]:
    """Outputs of systems: every system has its own for each input."""
    return [
        SystemOutput(
            f"Input number {number}.", f"Output {number} of {place}.", system, genre=f"g{number % 2}"
        )
        for number in range(inputs)
        for place, system in enumerate(systems)
    ]


def make(
    database: Database,
    *,
    template: str = "paraphrase",
    inputs: int = 6,
    systems: Sequence[str] = ("ours", "theirs"),
    gold: Sequence[Gold] = (),
    **options: Any,
) -> tuple[Campaign, Opened]:
    """A campaign with raters anna and ben."""
    campaign = new_campaign(outputs(inputs, systems), CampaignOptions(template=template, seed=1))
    options = {"raters": ("anna", "ben"), **options}
    opened = open_campaign(
        database,
        campaign.items,
        campaign.key,
        get_template(template),
        OpenOptions(**options),
        gold=gold,
        seed=7,
    )
    return campaign, opened


def rater(database: Database, rater_id: int) -> Rater:
    """A rater, as a request sees it."""
    with database.read() as connection:
        return get_rater(connection, rater_id)[0]


def rate(database: Database, rater_id: int, answer: Any, most: int = 10**9) -> list[str]:
    """Answer items; ``answer``: output → answers. Returns the ids of the items, in order."""
    shown: list[str] = []
    while len(shown) < most:
        person = rater(database, rater_id)
        with database.write() as connection:
            place = next_place(connection, person)
        if place is None:
            break
        with database.write() as connection:
            item = get_place(connection, person, *place).item
            save(connection, person, *place, answer(item.after))
        shown.append(item.item)
    return shown

"""A new campaign in a database: items, key, gold items, raters, and the links of owner and raters."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from paraphrast.campaign import schema
from paraphrast.campaign.access import hash_of, new_secret
from paraphrast.campaign.database import Database
from paraphrast.campaign.options import OpenOptions
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.jsonl import read_records
from paraphrast.formats.outputs import SystemOutput, read_outputs
from paraphrast.formats.ratings import Item, Sealed
from paraphrast.judge.own_templates import plain
from paraphrast.judge.questions import Template

#: Longest name of a campaign or a rater.
LONGEST_NAME = 100


@dataclass(frozen=True)
class Opened:
    """A new campaign: its secrets, which are known now and never again."""

    campaign_id: int
    owner: str
    raters: Mapping[str, str]


@dataclass(frozen=True)
class Gold:
    """An item whose right answer is known: question → value."""

    output: SystemOutput
    answers: Mapping[str, int]


def read_gold(path: str | Path, template: Template) -> list[Gold]:
    """Gold items: outputs whose ``labels`` give the right answer, by question: ``{"paraphrase": {"gold": 0}}``."""
    gold = []
    for number, output in enumerate(read_outputs(path, "gold"), 1):
        answers: dict[str, int] = {}
        for name, votes in output.labels.items():
            values = set(votes.values())
            if len(values) != 1 or not values <= set(template.question(name).values):
                raise FormatError(
                    f"gold item {number}: expected one value of {template.question(name).values} for {name!r}, "
                    f"got {sorted(values)}",
                    where=path,
                )
            answers[name] = values.pop()
        if not answers:
            raise FormatError(
                f"gold item {number} has no right answer",
                where=path,
                remedy='add "labels": {"QUESTION": {"gold": VALUE}}',
            )
        gold.append(Gold(output, answers))
    return gold


def read_more(path: str | Path) -> list[dict[str, Any]]:
    """What the lines of a key have besides system, rank and genre, line by line: automatic figures of an item."""
    known = {"item", "system", "rank", "genre"}
    return [
        {name: value for name, value in record.items() if name not in known}
        for _, record in read_records(path)
    ]


def open_campaign(
    database: Database,
    items: Sequence[Item],
    key: Sequence[Sealed],
    template: Template,
    options: OpenOptions | None = None,
    *,
    gold: Sequence[Gold] = (),
    more: Sequence[Mapping[str, Any]] | None = None,
    seed: int = 12345,
) -> Opened:
    """Store a campaign in one transaction. more: further fields of each line of the key, kept for the export."""
    options = options or OpenOptions()
    name = checked_name(options.name, "campaign")
    rater_names = [checked_name(rater, "rater") for rater in options.raters]
    if len(set(rater_names)) < len(rater_names):
        raise InputError("expected a different name for every rater")
    if options.per_item and rater_names and options.per_item > len(rater_names):
        raise InputError(
            f"--per-item: expected at most the {len(rater_names)} raters, got {options.per_item}"
        )
    _check_key(items, key)
    instructions = template.instructions
    if options.instructions:
        instructions = Path(options.instructions).read_text(encoding="utf-8")
    owner = new_secret()
    with database.write() as connection:
        if (
            connection.scalar(select(schema.campaigns.c.id).where(schema.campaigns.c.name == name))
            is not None
        ):
            raise InputError(
                f"the database already has a campaign {name!r}", remedy="choose another name with --name"
            )
        campaign_id = _inserted(
            connection,
            schema.campaigns,
            name=name,
            template=json.dumps({"name": template.name, **plain(template)}, ensure_ascii=False),
            instructions=clean(instructions),
            seed=seed,
            per_item=options.per_item,
            gold_every=options.gold_every if gold else 0,
            round=1,
            owner_hash=hash_of(owner),
            created_at=time.time(),
        )
        _insert_items(connection, campaign_id, items, gold, seed)
        _insert_key(connection, campaign_id, key, more)
        links = {rater: add_rater(connection, campaign_id, rater)[1] for rater in rater_names}
    return Opened(campaign_id, owner, links)


def add_rater(connection: Connection, campaign_id: int, name: str) -> tuple[int, str]:
    """A new rater: id and secret. The caller's transaction is one that writes."""
    name = checked_name(name, "rater")
    raters = schema.raters
    connection.execute(
        select(schema.campaigns.c.id).where(schema.campaigns.c.id == campaign_id).with_for_update()
    )
    own = raters.c.campaign_id == campaign_id
    if connection.scalar(select(raters.c.id).where(own, raters.c.name == name)) is not None:
        raise InputError(f"the campaign already has a rater {name!r}", remedy="choose another name")
    number = (connection.scalar(select(func.max(raters.c.number)).where(own)) or 0) + 1
    secret = new_secret()
    rater_id = _inserted(
        connection,
        raters,
        campaign_id=campaign_id,
        number=number,
        name=name,
        secret_hash=hash_of(secret),
        active=True,
        created_at=time.time(),
    )
    return rater_id, secret


def renew_link(connection: Connection, campaign_id: int, rater_id: int) -> str:
    """A new secret for a rater; the old link stops working."""
    raters = schema.raters
    secret = new_secret()
    changed = connection.execute(
        raters.update()
        .where(raters.c.id == rater_id, raters.c.campaign_id == campaign_id)
        .values(secret_hash=hash_of(secret))
    )
    if changed.rowcount != 1:
        raise InputError("the campaign has no such rater")
    return secret


def checked_name(name: str, what: str) -> str:
    """A name without white space at its ends, and without control characters."""
    name = clean(name).strip()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise InputError(
            f"expected the name of a {what} of 1 to {LONGEST_NAME} printable characters, got {name[:120]!r}"
        )
    return name


def clean(text: str) -> str:
    """Text that both databases can store: PostgreSQL stores no NUL, and no database halves of surrogate pairs."""
    return text.replace("\x00", "\ufffd").encode("utf-8", errors="replace").decode("utf-8")


def _check_key(items: Sequence[Item], key: Sequence[Sealed]) -> None:
    if not items:
        raise InputError("expected items to rate, got none")
    names = {item.item for item in items}
    sealed = {seal.item for seal in key}
    if names != sealed:
        strange = min(names ^ sealed)
        raise InputError(f"the key belongs to other items: item {strange!r} is in one file only")


def _insert_items(
    connection: Connection, campaign_id: int, items: Sequence[Item], gold: Sequence[Gold], seed: int
) -> None:
    rows = [
        {
            "campaign_id": campaign_id,
            "position": position,
            "item": item.item,
            "before": clean(item.before),
            "after": clean(item.after),
            "context": clean(item.context),
            "gold": None,
        }
        for position, item in enumerate(items)
    ]
    rows += [
        {
            "campaign_id": campaign_id,
            "position": len(items) + number,
            "item": f"gold-{number + 1}",
            "before": clean(entry.output.source),
            "after": clean(entry.output.text),
            "context": clean(entry.output.context),
            "gold": json.dumps(dict(entry.answers)),
        }
        for number, entry in enumerate(gold)
    ]
    connection.execute(schema.items.insert(), rows)


def _insert_key(
    connection: Connection, campaign_id: int, key: Sequence[Sealed], more: Sequence[Mapping[str, Any]] | None
) -> None:
    names = select(schema.items.c.item, schema.items.c.id).where(schema.items.c.campaign_id == campaign_id)
    ids = {row.item: row.id for row in connection.execute(names)}
    rows = [
        {
            "item_id": ids[seal.item],
            "position": position,
            "system": clean(seal.system),
            "rank": seal.rank,
            "genre": clean(seal.genre),
            "more": json.dumps(more[position] if more is not None else {}),
        }
        for position, seal in enumerate(key)
    ]
    connection.execute(schema.seals.insert(), rows)


def _inserted(connection: Connection, table: Any, **values: Any) -> int:
    key = connection.execute(table.insert().values(**values)).inserted_primary_key
    assert key is not None
    return int(key[0])

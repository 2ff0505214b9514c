"""The tables of the database, as the newest version has them (:mod:`paraphrast.campaign.migrations` makes them).

- **campaigns**: the questions (a copy, as JSON), the round that is open, the hash of the owner's secret.
- **raters**: name, and the hash of the rater's secret. The secrets themselves are stored nowhere.
- **items**, **seals**: what raters see, and which system made it. An item with ``gold`` checks attention.
- **assignments**: an item that a rater got in a round, at a place of the rater's own order. ``revision`` is 0 until it
  is answered, then the number of times that the answer was changed, from 1.
- **answers**: only ever added to. Those of the assignment's ``revision`` are valid.
- **reviews**: the items of the second round. **settlements**: the owner's decisions.

Times are seconds since 1970, UTC.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("template", Text, nullable=False),
    Column("instructions", Text, nullable=False),
    Column("seed", Integer, nullable=False),
    Column("per_item", Integer, nullable=False),
    Column("gold_every", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("owner_hash", String(64), nullable=False, unique=True),
    Column("created_at", Double, nullable=False),
)
raters = Table(
    "raters",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("campaign_id", ForeignKey("campaigns.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("name", String(100), nullable=False),
    Column("secret_hash", String(64), nullable=False, unique=True),
    Column("active", Boolean, nullable=False),
    Column("created_at", Double, nullable=False),
    UniqueConstraint("campaign_id", "name", name="one_rater_of_a_name"),
    UniqueConstraint("campaign_id", "number", name="one_rater_of_a_number"),
)
items = Table(
    "items",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("campaign_id", ForeignKey("campaigns.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("item", String(100), nullable=False),
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    Column("context", Text, nullable=False),
    Column("gold", Text),
    UniqueConstraint("campaign_id", "item", name="one_item_of_a_name"),
    UniqueConstraint("campaign_id", "position", name="one_item_of_a_position"),
)
seals = Table(
    "seals",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("item_id", ForeignKey("items.id"), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("system", Text, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("genre", Text, nullable=False),
    Column("more", Text, nullable=False),
)
assignments = Table(
    "assignments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("rater_id", ForeignKey("raters.id"), nullable=False),
    Column("item_id", ForeignKey("items.id"), nullable=False, index=True),
    Column("round", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("drawn_at", Double, nullable=False),
    UniqueConstraint("rater_id", "item_id", "round", name="an_item_once_a_round"),
    UniqueConstraint("rater_id", "round", "place", name="one_item_of_a_place"),
)
answers = Table(
    "answers",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("assignment_id", ForeignKey("assignments.id"), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("question", String(100), nullable=False),
    Column("value", Integer, nullable=False),
    Column("answered_at", Double, nullable=False),
    UniqueConstraint("assignment_id", "revision", "question", name="one_answer_a_revision"),
)
reviews = Table(
    "reviews",
    metadata,
    Column("item_id", ForeignKey("items.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
)
settlements = Table(
    "settlements",
    metadata,
    Column("item_id", ForeignKey("items.id"), primary_key=True),
    Column("question", String(100), primary_key=True),
    Column("value", Integer, nullable=False),
    Column("settled_at", Double, nullable=False),
)

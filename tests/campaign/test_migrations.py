"""Migrations give the schema of the code, keep what a database holds, and refuse newer databases."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, inspect, text

from paraphrast.campaign import schema
from paraphrast.campaign.database import Database
from paraphrast.campaign.migrations import VERSION, migrate, version_of, versions
from paraphrast.errors import InputError


def columns(connection: Connection) -> dict[str, set[str]]:
    """Table → its columns, of a database."""
    inspector = inspect(connection)
    return {
        name: {column["name"] for column in inspector.get_columns(name)}
        for name in inspector.get_table_names()
        if name != versions.name
    }


def test_the_migrated_schema_is_that_of_the_code(tmp_path: Path) -> None:
    with Database(str(tmp_path / "a.db")) as database, database.read() as connection:
        assert columns(connection) == {
            table.name: {column.name for column in table.columns} for table in schema.metadata.sorted_tables
        }
        assert version_of(connection) == VERSION


def test_an_older_database_is_updated_and_keeps_its_rows(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'a.db'}")
    with engine.begin() as connection:
        assert migrate(connection, target=1) == 0
        assert "settlements" not in columns(connection)
        connection.execute(
            schema.campaigns.insert().values(
                name="old", template="{}", instructions="", seed=1, per_item=0, gold_every=0, round=1,
                owner_hash="x", created_at=0.0,
            )
        )  # fmt: skip
    engine.dispose()
    with Database(str(tmp_path / "a.db")) as database, database.read() as connection:
        assert version_of(connection) == VERSION
        assert "settlements" in columns(connection)
        assert connection.scalar(text("SELECT name FROM campaigns")) == "old"
        assert connection.scalar(text("SELECT count(*) FROM paraphrast_schema")) == VERSION


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    with Database(str(tmp_path / "a.db")) as database, database.write() as connection:
        connection.execute(versions.insert().values(version=VERSION + 1, applied_at=0.0))
    with (
        Database(str(tmp_path / "a.db")) as database,
        pytest.raises(InputError, match="newer paraphrast"),
        database.read(),
    ):
        pass

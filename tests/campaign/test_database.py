"""URLs of databases, transactions, and what is reported when a database is away."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import select, text

from paraphrast.campaign import database as module
from paraphrast.campaign import schema
from paraphrast.campaign.database import Database, Unavailable, parse_url
from paraphrast.errors import InputError
from postgres_server import free_port


def test_urls() -> None:
    assert parse_url("a.db").drivername == "sqlite"
    assert parse_url("a.db").database == str(Path("a.db").absolute())
    assert parse_url("postgresql://me@host/x").drivername == "postgresql+psycopg"
    assert parse_url("postgres://me@host/x").drivername == "postgresql+psycopg"


@pytest.mark.parametrize("url", ["", "mysql://host/x", "sqlite://", "postgresql://me@host:port/x", "://"])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(InputError, match="--database: expected"):
        parse_url(url)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        Database(str(tmp_path / "none" / "a.db"))


def test_commits_wait_for_the_disk(tmp_path: Path) -> None:
    with Database(str(tmp_path / "a.db")) as database, database.read() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA synchronous")) == 2
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1


def insert_and_fail(database: Database) -> None:
    with database.write() as connection:
        connection.execute(
            schema.campaigns.insert().values(
                name="x", template="{}", instructions="", seed=1, per_item=0, gold_every=0, round=1,
                owner_hash="x", created_at=0.0,
            )
        )  # fmt: skip
        raise RuntimeError


def test_a_failed_transaction_does_nothing(tmp_path: Path) -> None:
    with Database(str(tmp_path / "a.db")) as database:
        with pytest.raises(RuntimeError):
            insert_and_fail(database)
        with database.read() as connection:
            assert connection.execute(select(schema.campaigns)).all() == []


def test_a_locked_database_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.1)
    path = tmp_path / "a.db"
    with Database(str(path)) as database:
        with database.read():
            pass
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="locked"), database.write():
            pass
        other.execute("ROLLBACK")
        other.close()
        with database.write():
            pass


def test_an_absent_server_is_unavailable_and_its_password_is_not_shown() -> None:
    url = f"postgresql://me:hunter2@127.0.0.1:{free_port()}/x"
    with Database(url) as database, pytest.raises(Unavailable) as caught, database.read():
        pass
    assert "hunter2" not in str(caught.value)

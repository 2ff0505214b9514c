"""The connection to SQLite or PostgreSQL: URL → transactions that either are committed when they end, or did nothing.

SQLite writes ahead (WAL) and waits for the disk at every commit (``synchronous=FULL``), so that neither ``kill -9`` nor
a power cut takes back what was committed. A transaction that writes takes its lock at the beginning. PostgreSQL commits
synchronously unless its administrator says otherwise.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from paraphrast._extras import is_installed
from paraphrast.campaign.migrations import VERSION, migrate, version_of
from paraphrast.errors import InputError, MissingExtra, ParaphrastError

#: Seconds to wait for a connection, and for somebody else's transaction.
CONNECT_SECONDS = 5
LOCK_SECONDS = 10
_WRITES = "paraphrast_writes"


class Unavailable(ParaphrastError):
    """The database cannot be reached, or cannot write, at the moment."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the database of the campaign is not available: {reason}",
            remedy="what was saved before is safe; try again when the database is back",
        )


class Database:
    """A database of campaigns. It is opened, and its schema made or updated, when it is first used."""

    def __init__(self, url: str) -> None:
        self.url = parse_url(url)
        self._engine = _engine(self.url)
        self._lock = threading.Lock()
        self._is_current = False

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads, and sees one moment."""
        with self._transaction(writes=False) as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes. When the block has ended without an error, it is committed."""
        with self._transaction(writes=True) as connection:
            yield connection

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        try:
            self._update_schema()
            with self._engine.connect() as connection:
                connection.execution_options(**{_WRITES: writes})
                if not writes and connection.dialect.name == "postgresql":
                    connection.execution_options(isolation_level="REPEATABLE READ")
                with connection.begin():
                    yield connection
        except (DBAPIError, PoolTimeout) as error:
            raise _translated(error) from error

    def _update_schema(self) -> None:
        if self._is_current:
            return
        with self._lock:
            if self._is_current:
                return
            with self._engine.connect() as connection:
                connection.execution_options(**{_WRITES: True})
                with connection.begin():
                    if version_of(connection) != VERSION:
                        migrate(connection)
            self._is_current = True

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def parse_url(url: str) -> URL:
    """The address of a database: ``postgresql://…``, ``sqlite:///FILE``, or the name of a file for SQLite."""
    remedy = "give the name of a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE"
    if not url.strip():
        raise InputError("--database: expected a file or a URL, got nothing", remedy=remedy)
    if "://" not in url:
        return URL.create("sqlite", database=str(Path(url).absolute()))
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise InputError(
            "--database: expected a file or a URL, got a URL that cannot be read", remedy=remedy
        ) from error
    if parsed.drivername in ("postgres", "postgresql"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername not in ("sqlite", "postgresql+psycopg"):
        raise InputError(
            f"--database: expected sqlite or postgresql, got {parsed.drivername!r}", remedy=remedy
        )
    if parsed.drivername == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise InputError("--database: expected a file, got a database in memory", remedy=remedy)
    return parsed


def _engine(url: URL) -> Engine:
    try:
        if url.drivername == "sqlite":
            folder = Path(str(url.database)).parent
            if not folder.is_dir():
                raise InputError(
                    f"--database: the folder {folder} does not exist", remedy="make it, or name another file"
                )
            engine = create_engine(url, connect_args={"timeout": LOCK_SECONDS})
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        if not is_installed("psycopg"):
            raise MissingExtra("a PostgreSQL database", "web", ["psycopg"])
        return create_engine(
            url,
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=20,
            pool_timeout=LOCK_SECONDS,
            connect_args={
                "connect_timeout": CONNECT_SECONDS,
                "options": f"-c lock_timeout={LOCK_SECONDS}s -c statement_timeout=30s",
            },
        )
    except NoSuchModuleError as error:
        raise InputError(f"--database: no driver for {url.drivername!r}") from error


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # The driver shall not begin transactions by itself.
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _translated(error: DBAPIError | PoolTimeout) -> Exception:
    """The error that a caller gets: temporary trouble becomes :class:`Unavailable`, faults of ours stay as they are."""
    if isinstance(error, PoolTimeout):
        return Unavailable("all connections are in use")
    kind = type(error.orig).__name__ if error.orig is not None else ""
    is_broken = kind in (
        "IntegrityError",
        "ProgrammingError",
        "DataError",
        "InterfaceError",
        "NotSupportedError",
    )
    if is_broken and not error.connection_invalidated:
        return error
    # The text of a driver's error may hold values of a statement or a password; only its first line is plain.
    return Unavailable(str(error.orig).strip().split("\n")[0][:200] or kind)

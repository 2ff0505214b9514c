"""DuckDB in process: columns in as numpy arrays, columns out as numpy arrays or Parquet files."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from paraphrast._extras import require
from paraphrast.errors import FormatError, InputError, ParaphrastError

Columns = dict[str, NDArray[Any]]
#: Most rows for each byte of a Parquet file. Those of a table have some bytes each; one value repeated, far less.
MOST_ROWS = 50
Item = TypeVar("Item")
Result = TypeVar("Result")


def _duckdb() -> Any:
    require("the engine duckdb", "train")
    import duckdb

    return duckdb


class Engine:
    """One DuckDB connection with a memory limit, spilling to ``spill`` when it is reached.

    Queries use integers only: sums of doubles depend on threads, so logs and ratios are computed in numpy.
    """

    #: Whether :meth:`map` uses other processes, so that dividing work into shards helps.
    distributed = False

    def __init__(
        self, *, threads: int | None = None, memory: str | None = None, spill: Path | None = None
    ) -> None:
        config: dict[str, Any] = {"threads": threads or os.cpu_count() or 1}
        if memory:
            config["memory_limit"] = memory
        if spill:
            config["temp_directory"] = str(spill)
        try:
            self._connection = _duckdb().connect(":memory:", config=config)
        except _duckdb().Error as error:
            raise InputError(
                f"the engine refused its options {config}: {error}",
                remedy="--memory takes a size such as 4GB",
            ) from error
        self._kept: dict[str, Columns] = {}
        self._views: set[str] = set()
        self._memory = memory

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection and delete spilled files."""
        self._connection.close()
        self._kept.clear()

    def table(self, name: str, columns: Mapping[str, NDArray[Any]]) -> None:
        """Make numpy columns available to queries under ``name``, without copying."""
        contiguous = {key: np.ascontiguousarray(column) for key, column in columns.items()}
        self._connection.register(name, contiguous)
        self._kept[name] = contiguous

    def files(self, name: str, paths: Sequence[Path]) -> None:
        """Make the rows of Parquet files with the same columns available to queries under ``name``. Nothing is read
        until a query needs it. The files stay where they are when the table is dropped."""
        if not paths:
            raise ParaphrastError(f"table {name!r}: expected at least one Parquet file, got none")
        listed = ", ".join(_quoted(str(path)) for path in paths)
        self._here(f'CREATE OR REPLACE VIEW "{name}" AS SELECT * FROM read_parquet([{listed}])')
        self._views.add(name)

    def drop(self, name: str) -> None:
        """Remove a table created by :meth:`table`, :meth:`files` or :meth:`run`."""
        if name in self._kept:
            self._connection.unregister(name)
            del self._kept[name]
        elif name in self._views:
            self._here(f'DROP VIEW "{name}"')
            self._views.discard(name)
        else:
            self._here(f'DROP TABLE IF EXISTS "{name}"')

    def run(self, query: str) -> None:
        """Run a statement for its effect."""
        self._here(query)

    def _here(self, query: str) -> None:
        """Run a statement in DuckDB, also on engines with another back end."""
        with _told(query):
            self._connection.execute(query)

    def fetch(self, query: str) -> Columns:
        """Run a query and return its columns (int columns without NULLs are plain arrays)."""
        with _told(query):
            columns = self._connection.execute(query).fetchnumpy()
        return _plain(columns)

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """``function`` of every item, results in order."""
        return [function(item) for item in items]

    def write_parquet(self, query: str, path: Path, metadata: Mapping[str, Any] | None = None) -> None:
        """Write the rows of a query, in its order, to ``path`` under a temporary name, then rename.

        One thread writes, so that row groups, and with them the bytes, do not depend on ``--threads``.
        """
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        pairs = ", ".join(
            f"{key}: {_quoted(json.dumps(value, sort_keys=True, ensure_ascii=False))}"
            for key, value in sorted((metadata or {}).items())
        )
        options = "FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880"
        if pairs:
            options += f", KV_METADATA {{{pairs}}}"
        threads = self._threads()
        self._here("SET threads = 1")
        try:
            self._here(f"COPY ({query}) TO {_quoted(str(temporary))} ({options})")
            os.replace(temporary, path)
        finally:
            self._here(f"SET threads = {threads}")
            temporary.unlink(missing_ok=True)

    def _threads(self) -> int:
        return int(self._connection.execute("SELECT current_setting('threads')").fetchall()[0][0])

    def read_parquet(self, path: Path, columns: str = "*") -> Columns:
        """The columns of a Parquet file: not of one with far more rows than its size warrants."""
        try:
            (total,) = self._connection.execute(f"SELECT count(*) FROM {self.parquet(path)}").fetchall()[0]
            if total > 100_000 + MOST_ROWS * path.stat().st_size:
                raise FormatError(f"{total} rows in a file of {path.stat().st_size} bytes", where=path)
            rows = self._connection.execute(f"SELECT {columns} FROM {self.parquet(path)}").fetchnumpy()
        except (_duckdb().Error, UnicodeError) as error:
            raise FormatError(f"expected a Parquet file: {error}", where=path) from error
        return _plain(rows)

    def read_pieces(self, path: Path, columns: str, size: int = 1 << 16) -> Iterator[Columns]:
        """The rows of a Parquet file in their order, at most ``size`` in memory at a time."""
        rows = int(self.read_parquet(path, "count(*) AS n")["n"][0])
        numbered = f"read_parquet({_quoted(str(path))}, file_row_number = true)"
        for begin in range(0, rows, size):
            yield Engine.fetch(
                self,
                f"SELECT {columns} FROM {numbered} WHERE file_row_number >= {begin}"
                f" AND file_row_number < {begin + size} ORDER BY file_row_number",
            )

    @staticmethod
    def parquet(path: Path) -> str:
        """A Parquet file as a table expression of a query, with its name quoted."""
        return f"read_parquet({_quoted(str(path))})"

    def parquet_metadata(self, path: Path) -> dict[str, Any]:
        """The key–value metadata that :meth:`write_parquet` stored."""
        try:
            rows = self._connection.execute(
                f"SELECT key, value FROM parquet_kv_metadata({_quoted(str(path))})"
            ).fetchall()
        except (_duckdb().Error, UnicodeError) as error:
            raise FormatError(f"expected a Parquet file: {error}", where=path) from error
        metadata: dict[str, Any] = {}
        for key, value in rows:
            # The metadata of other programs need not be JSON.
            with contextlib.suppress(ValueError, RecursionError):
                metadata[key.decode()] = json.loads(value.decode())
        return metadata


def _plain(columns: Columns) -> Columns:
    """Columns without masks: a NULL would otherwise become an arbitrary value."""
    for key, column in columns.items():
        if np.ma.is_masked(column):
            raise ParaphrastError(
                f"column {key!r} has NULLs, which arrays cannot hold", remedy="use coalesce"
            )
    return {key: np.asarray(column) for key, column in columns.items()}


@contextlib.contextmanager
def _told(query: str = "") -> Iterator[None]:
    """Report lack of memory or disk space, and damaged Parquet files, with a remedy."""
    try:
        yield
    except _duckdb().OutOfMemoryException as error:
        raise ParaphrastError(
            f"the engine ran out of memory, or of disk to spill to: {error}",
            remedy="raise --memory or free disk space; finished stages are kept",
        ) from error
    except _duckdb().IOException as error:
        raise ParaphrastError(
            f"the engine cannot read or write a file: {error}",
            remedy="check that the disk is not full and the file exists; finished stages are kept",
        ) from error
    except (_duckdb().Error, UnicodeError) as error:
        if "read_parquet(" not in query:
            raise
        path = (
            query.replace("read_parquet([", "read_parquet(").partition("read_parquet('")[2].partition("'")[0]
        )
        raise FormatError(
            f"expected a Parquet file that this version wrote: {error}",
            where=path or None,
            remedy="the file is damaged: copy it again, or build it again",
        ) from error


def column_name(name: str) -> str:
    """A name as an identifier of a query: names come from files, and must not become a part of the query."""
    return '"' + name.replace('"', '""') + '"'


def typed_column(name: str, kind: str) -> str:
    """A column under its name, as values of one type of SQL: a file may have any type."""
    return f"CAST({column_name(name)} AS {kind}) AS {column_name(name)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"

"""Spark as the engine: the same queries, the same rows, on many machines.

Columns go to Spark as Parquet files in a folder that the workers can read. Every table that a query creates is there
too, and results come back the same way. So the loss of a worker costs only its current work. DuckDB writes and reads
the files here, so every column has the same type as without Spark.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from paraphrast.engine.duck import Columns, Engine, _plain, _quoted, _told
from paraphrast.engine.portable import SPARK_TYPES, Statement, portable, tables_of
from paraphrast.engine.session import Session, check_master, log
from paraphrast.errors import ParaphrastError

Item = TypeVar("Item")
Result = TypeVar("Result")
#: Called while Spark works: tasks done, total tasks, "tasks".
Progress = Callable[[float, float, str], None]
#: Number of seconds without a worker before a warning.
_NO_WORKERS = 30.0


class SparkEngine(Engine):
    """The engine's methods on a Spark master: ``spark://host:port``, ``local-cluster[n,cores,MB]`` or ``local[n]``.

    ``spill`` must be a folder that the workers can read and write under the same name (one machine, or a shared file
    system). Spark starts with the first query that needs it; reading or writing files alone does not.
    """

    distributed = True

    def __init__(
        self,
        master: str,
        *,
        threads: int | None = None,
        memory: str | None = None,
        spill: Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        check_master(master)
        super().__init__(threads=threads, memory=memory, spill=spill)
        self.master = master
        self._progress = progress
        self._made = None if spill is None or spill.exists() else spill
        if spill is not None:
            spill.mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(prefix="spark-", dir=spill)).resolve()
        # Workers may run as another user of the same group, but a temporary folder is private to its owner.
        self._folder.chmod(0o770)
        self._session: Session | None = None
        self._numbers = count()
        #: Tables that Spark has, with their folder or file; None for files of others.
        self._there: dict[str, Path | None] = {}

    @property
    def session(self) -> Session:
        """The session, started at first use."""
        if self._session is None:
            self._session = Session(self.master, self._folder, self._memory_bytes(), self._threads())
        return self._session

    def close(self) -> None:
        """End the session, close the connection, delete exchanged files."""
        try:
            if self._session is not None:
                self._session.close()
                self._session = None
        finally:
            super().close()
            shutil.rmtree(self._folder, ignore_errors=True)
            if self._made is not None:
                with suppress(OSError):  # others may have files there
                    self._made.rmdir()

    def table(self, name: str, columns: Mapping[str, NDArray[Any]]) -> None:
        """Make numpy columns available under ``name``. They are sent with the first query that uses them."""
        self._forget(name)
        super().table(name, columns)

    def files(self, name: str, paths: Sequence[Path]) -> None:
        """Make Parquet files available under ``name``; the workers read them where they are."""
        self._forget(name)
        super().files(name, paths)
        self._show(name, paths, self._described(name))
        self._there[name] = None

    def drop(self, name: str) -> None:
        """Remove a table and delete the files that the engine made for it."""
        self._forget(name)
        super().drop(name)

    def run(self, query: str) -> None:
        """Run a statement for its effect: ``CREATE TABLE … AS SELECT``, ``DROP TABLE``."""
        statement = portable(query)
        if statement.kind == "drop":
            self.drop(statement.makes)
            return
        if statement.kind != "create":
            raise ParaphrastError("a SELECT has no effect: use fetch")
        types = self._types(statement)
        wrapped = ", ".join(
            f"CAST(`{name}` AS {SPARK_TYPES[kind]}) AS `{name}`" for name, kind in types.items()
        )
        place = self._execute(statement, f"SELECT {wrapped} FROM ({statement.spark}) AS made")
        self.drop(statement.makes)
        shadow = ", ".join(f'"{name}" {kind}' for name, kind in types.items())
        self._here(f'CREATE OR REPLACE TABLE "{statement.makes}" ({shadow})')
        self._show(statement.makes, [place], types)
        self._there[statement.makes] = place

    def fetch(self, query: str) -> Columns:
        """The columns of a query, with the types that DuckDB gives them."""
        if self._is_here(query):
            return super().fetch(query)
        statement = portable(query)
        types = self._types(statement)
        place = self._execute(statement, statement.spark)
        try:
            with _told():
                rows = self._connection.execute(_reading(place, types)).fetchnumpy()
            return _plain(rows)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def write_parquet(self, query: str, path: Path, metadata: Mapping[str, Any] | None = None) -> None:
        """Write the rows of a query with DuckDB. Rows of tables that Spark made are fetched first."""
        if not any(name in self._there and name not in self._kept for name in tables_of(query)):
            return super().write_parquet(query, path, metadata)
        statement = portable(query)
        types = self._types(statement)
        place = self._execute(statement, statement.spark)
        try:
            return super().write_parquet(_reading(place, types), path, metadata)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """``function`` of every item by Python workers, results in order. It must be a function of a module.

        An item may be processed twice (if a worker died), so files that ``function`` writes must be put in place by a
        rename.
        """
        if not items:
            return []
        with self._working():
            context = self.session.context
            results: list[Result] = context.parallelize(items, len(items)).map(function).collect()
            return results

    def _memory_bytes(self) -> int | None:
        """The given memory, as parsed by DuckDB."""
        if not self._memory:
            return None
        limit = str(self._connection.execute("SELECT current_setting('memory_limit')").fetchall()[0][0])
        number, unit = limit.split()
        return int(float(number) * 1024 ** ("bytes", "KiB", "MiB", "GiB", "TiB").index(unit))

    def _is_here(self, query: str) -> bool:
        """Whether a query reads only files, or columns with non-integers, which DuckDB handles instead of Spark."""
        names = tables_of(query)
        if any(name not in self._kept for name in names):
            return False
        return not names or any(not _integers(self._kept[name]) for name in names)

    def _types(self, statement: Statement) -> dict[str, str]:
        """The columns of a statement's rows with their DuckDB types. Nothing is computed."""
        with _told():
            described = self._connection.execute(f"DESCRIBE {statement.query}").fetchall()
        types = {str(row[0]): str(row[1]) for row in described}
        for name, kind in types.items():
            if kind not in SPARK_TYPES:
                raise ParaphrastError(
                    f"column {name!r} is {kind}; the engine computes with integers of at most 64 bits\n"
                    f"  in: {statement.query}",
                    remedy="CAST(… AS BIGINT)",
                )
        return types

    def _execute(self, statement: Statement, query: str) -> Path:
        """Run a query on Spark. Returns the folder with its rows, in files sorted by name in the order of the rows."""
        for name in statement.reads:
            self._send(name)
        place = self._folder / f"rows-{next(self._numbers)}"
        with self._working():
            self.session.spark.sql(query).write.parquet(place.as_uri())
        return place

    def _send(self, name: str) -> None:
        """Send local columns to Spark, once."""
        if name in self._there:
            return
        columns = self._kept.get(name)
        if columns is None:
            raise ParaphrastError(f"no table {name!r} in the engine")
        if not _integers(columns):
            raise ParaphrastError(
                f"table {name!r} has columns that are not integers, which Spark does not get"
            )
        types = self._described(name)
        signed = ", ".join(
            f'CAST("{column}" AS {SPARK_TYPES.get(kind, "BIGINT")}) AS "{column}"'
            for column, kind in types.items()
        )
        place = self._folder / f"{name}-{next(self._numbers)}.parquet"
        self._here(
            f'COPY (SELECT {signed} FROM "{name}") TO {_quoted(str(place))} (FORMAT parquet, COMPRESSION zstd)'
        )
        self._show(name, [place], types)
        self._there[name] = place

    def _described(self, name: str) -> dict[str, str]:
        """The columns of a table with their DuckDB types."""
        rows = self._connection.execute(f'DESCRIBE SELECT * FROM "{name}"').fetchall()
        return {str(row[0]): str(row[1]) for row in rows}

    def _show(self, name: str, places: Sequence[Path], types: Mapping[str, str]) -> None:
        """Make files available to Spark's queries under a name."""
        schema = ", ".join(f"`{column}` {SPARK_TYPES.get(kind, 'BIGINT')}" for column, kind in types.items())
        with self._working():
            uris = [place.resolve().as_uri() for place in places]
            self.session.spark.read.schema(schema).parquet(*uris).createOrReplaceTempView(name)

    def _forget(self, name: str) -> None:
        if name not in self._there:
            return
        place = self._there.pop(name)
        with self._working():
            self.session.spark.catalog.dropTempView(name)
        if place is None:
            return
        if place.is_dir():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink(missing_ok=True)

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Watch Spark while it works and report errors readably. Ctrl-C cancels the job."""
        session = self.session
        ended = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(session, ended), name="paraphrast-spark")
        watcher.start()
        try:
            yield
        except KeyboardInterrupt:
            session.cancel()
            raise
        except ParaphrastError:
            raise
        except Exception as error:
            if _was_interrupted(error):
                session.cancel()
                raise KeyboardInterrupt from error
            raise ParaphrastError(
                f"Spark failed: {_reason(error)}",
                where=self.master,
                remedy="check for full disks, an unshared folder or missing workers; finished stages are kept",
            ) from error
        finally:
            ended.set()
            watcher.join()

    def _watch(self, session: Session, ended: threading.Event) -> None:
        """Report progress, and once if no worker is available."""
        began, warned = time.monotonic(), False
        while not ended.wait(0.5):
            tasks = session.tasks()
            if tasks is None:
                continue
            done, running, total = tasks
            if self._progress is not None and total:
                self._progress(done, total, "tasks")
            if running or done:
                began = time.monotonic()
            elif total and not warned and time.monotonic() - began > _NO_WORKERS:
                warned = True
                log.warning(
                    "%s: no worker has taken the job yet; check that workers are running and free",
                    self.master,
                )


def _reading(place: Path, types: Mapping[str, str]) -> str:
    """A query for the rows that Spark wrote, in their order."""
    columns = ", ".join(f'CAST("{name}" AS {kind}) AS "{name}"' for name, kind in types.items())
    files = sorted(str(path) for path in place.glob("part-*.parquet"))
    if not files:
        return (
            f"SELECT {columns} FROM (SELECT "
            + ", ".join(f'0 AS "{name}"' for name in types)
            + ") WHERE false"
        )
    return f"SELECT {columns} FROM read_parquet([{', '.join(map(_quoted, files))}])"


def _integers(columns: Columns) -> bool:
    return all(column.dtype.kind in "iub" for column in columns.values())


def _reason(error: Exception) -> str:
    """The line of a traceback from Java or a worker that describes the error."""
    text = str(error)
    for mark in ("paraphrast.errors.", "Caused by: ", "SparkException: ", "Error: "):
        place = text.rfind(mark)
        if place >= 0:
            start = place + (len(mark) if mark != "Error: " else 0)
            line = text[start if mark != "Error: " else text.rfind("\n", 0, place) + 1 :]
            return line.strip().splitlines()[0][:500]
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[0][:500] if lines else type(error).__name__


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether an error occurred while an interrupt was handled, because the gateway may fail in its clean-up."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__context__
    return False

"""Open an engine by its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from paraphrast.engine.duck import Engine
from paraphrast.errors import InputError

DUCKDB = "duckdb"


def check_engine(name: str) -> None:
    """Raise an error if there is no such engine, or if something it needs is missing. Starts nothing."""
    from paraphrast.engine.session import check_master, is_spark

    if name == DUCKDB:
        return
    if not is_spark(name):
        raise InputError(
            f"expected an engine, got {name!r}",
            remedy="duckdb, spark://HOST:PORT, local-cluster[WORKERS,CORES,MEGABYTES] or local[THREADS]",
        )
    check_master(name)


def open_engine(
    name: str = DUCKDB,
    *,
    threads: int | None = None,
    memory: str | None = None,
    spill: Path | None = None,
    progress: Callable[[float, float, str], None] | None = None,
) -> Engine:
    """DuckDB in this process, or Spark at the master ``name``, with the same queries and the same rows."""
    if name == DUCKDB:
        return Engine(threads=threads, memory=memory, spill=spill)
    check_engine(name)
    from paraphrast.engine.spark import SparkEngine

    return SparkEngine(name, threads=threads, memory=memory, spill=spill, progress=progress)

"""Relational operations: count, join, top-k, sort. Integers only (see docs/engine.md)."""

from paraphrast.engine.choose import DUCKDB, check_engine, open_engine
from paraphrast.engine.duck import Engine, column_name, typed_column
from paraphrast.engine.portable import portable
from paraphrast.engine.session import application

__all__ = [
    "DUCKDB",
    "Engine",
    "application",
    "check_engine",
    "column_name",
    "open_engine",
    "portable",
    "typed_column",
]

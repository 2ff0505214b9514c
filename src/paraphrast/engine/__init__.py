"""Relational work: count, join, top-k, sort. Integers only (see docs/engine.md)."""

from paraphrast.engine.duck import Engine

__all__ = ["Engine"]

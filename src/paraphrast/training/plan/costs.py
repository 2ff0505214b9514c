"""Measured constants of every stage (``costs.json``, written by ``bench/plan.py fit``), and the curves through them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("costs.json")


@dataclass(frozen=True)
class Line:
    """``fixed + each · n``: seconds and memory."""

    fixed: float
    each: float

    def __call__(self, n: float) -> float:
        return self.fixed + self.each * n


@dataclass(frozen=True)
class Power:
    """``factor · n ** exponent``: distinct phrases, and bytes that depend on them, grow more slowly than the text."""

    factor: float
    exponent: float

    def __call__(self, n: float) -> float:
        return float(self.factor * n**self.exponent) if n > 0 else 0.0


@dataclass(frozen=True)
class StageCost:
    """The cost of one stage by the number of sentences it reads.

    driver_seconds, worker_seconds: CPU seconds of this process, and of workers. driver_bytes: peak memory of this
    process. worker_bytes: peak memory of one worker, which shards bound. shuffle_bytes: sent between workers.
    disk_bytes: what the stage leaves. rows: the rows that its note counts.
    """

    driver_seconds: Line
    worker_seconds: Line
    driver_bytes: Line
    worker_bytes: float
    shuffle_bytes: Power
    disk_bytes: Power
    rows: Power


@dataclass(frozen=True)
class Costs:
    """The constants of one engine. sizes: sentence pairs that they were measured with. words: words per line there.

    stages: by kind of stage, on average over the pivot languages. amounts: bytes and rows by the name of a stage of one
    pivot language, such as ``extract-de``.
    """

    sizes: tuple[int, ...]
    words: float
    stages: dict[str, StageCost]
    amounts: dict[str, dict[str, Power]]

    def of(self, stage: str) -> StageCost | None:
        """The constants of a stage, with the bytes and rows of its language if that was measured. None if unknown."""
        cost = self.stages.get(stage.partition("-")[0])
        return None if cost is None else replace(cost, **self.amounts.get(stage, {}))  # type: ignore[arg-type]


@cache
def load_costs(engine: str, path: Path = FILE) -> Costs:
    """The constants of ``duckdb`` or ``spark``."""
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))[engine]
    return Costs(
        tuple(stored["sizes"]),
        stored["words_per_line"],
        {
            name: StageCost(
                Line(*stage["driver_seconds"]),
                Line(*stage["worker_seconds"]),
                Line(*stage["driver_bytes"]),
                stage["worker_bytes"],
                Power(*stage["shuffle_bytes"]),
                Power(*stage["disk_bytes"]),
                Power(*stage["rows"]),
            )
            for name, stage in stored["stages"].items()
        },
        {
            name: {key: Power(*values) for key, values in amounts.items()}
            for name, amounts in stored.get("languages", {}).items()
        },
    )

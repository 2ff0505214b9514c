"""A configuration with every room's options filled in, and what a run may use of the machine."""

from __future__ import annotations

import os
from dataclasses import dataclass

from paraphrast.align import AlignOptions
from paraphrast.decode import Weights
from paraphrast.engine import DUCKDB
from paraphrast.errors import InputError
from paraphrast.extract import ExtractOptions
from paraphrast.lm import LmOptions
from paraphrast.lm.space import parse_memory
from paraphrast.tables.checks.filters import FilterOptions
from paraphrast.tables.pivot.join import PivotOptions
from paraphrast.training.config import Config, options_record

#: Phrase pairs seen less often are dropped before pivoting: most are accidents of the alignment.
DEFAULT_MIN_COUNT = 2
#: What tells whether neighbouring phrases change places: an extracted pair, a link, or nothing.
ORIENTATIONS = ("phrase", "word", "none")


@dataclass(frozen=True)
class Resources:
    """What a run may use of the machine, and of others; never changes the model.

    engine: ``duckdb``, or a Spark master (``paraphrast.engine.open_engine``).
    """

    threads: int = 0
    memory: str | None = None
    engine: str = DUCKDB

    @property
    def memory_bytes(self) -> int | None:
        """The memory as a number; None for no limit."""
        return parse_memory(self.memory) if self.memory else None

    @property
    def thread_count(self) -> int:
        """Threads to use: as given, or all cores."""
        return self.threads or os.cpu_count() or 1


@dataclass(frozen=True)
class Recipe:
    """A configuration with every room's options filled in."""

    config: Config
    align: AlignOptions
    extract: ExtractOptions
    pivot: PivotOptions
    filters: FilterOptions
    lm: LmOptions
    weights: Weights
    min_count: int
    orientation: str
    skip_bad: bool


def make_recipe(config: Config, *, skip_bad: bool = False) -> Recipe:
    """Fill in defaults and check every option's name."""
    given = {room: dict(options) for room, options in config.options.items()}
    min_count = given.get("extract", {}).pop("min_count", DEFAULT_MIN_COUNT)
    if not isinstance(min_count, int) or min_count < 1:
        raise InputError(f"[extract]: min_count: expected a whole number from 1, got {min_count!r}")
    orientation = given.get("extract", {}).pop("orientation", ORIENTATIONS[0])
    if orientation not in ORIENTATIONS:
        raise InputError(
            f"[extract]: orientation: expected {' or '.join(ORIENTATIONS)}, got {orientation!r}",
            remedy="none learns nothing of how phrases change places",
        )
    return Recipe(
        config,
        options_record(AlignOptions, given.get("align", {}), "align"),
        options_record(ExtractOptions, given.get("extract", {}), "extract"),
        options_record(PivotOptions, given.get("pivot", {}), "pivot"),
        options_record(FilterOptions, given.get("filters", {}), "filters"),
        options_record(LmOptions, given.get("lm", {}), "lm"),
        options_record(Weights, given.get("weights", {}), "weights"),
        min_count,
        orientation,
        skip_bad,
    )

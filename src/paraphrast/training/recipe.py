"""A configuration with the options of every room filled in, and the resources that a run may use."""

from __future__ import annotations

import os
from dataclasses import dataclass

from paraphrast.align import AlignOptions
from paraphrast.decode import Weights
from paraphrast.engine import DUCKDB
from paraphrast.extract import ExtractOptions
from paraphrast.lm import LmOptions
from paraphrast.lm.space import parse_memory
from paraphrast.tables.options import FilterOptions, PivotOptions
from paraphrast.training.config import Config
from paraphrast.training.model_options import ModelOptions


@dataclass(frozen=True)
class Resources:
    """The resources that a run may use. They never change the model.

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
        """Number of threads: as given, or all cores."""
        return self.threads or os.cpu_count() or 1


@dataclass(frozen=True)
class Recipe:
    """A configuration with the options of every room filled in."""

    config: Config
    align: AlignOptions
    extract: ExtractOptions
    pivot: PivotOptions
    filters: FilterOptions
    lm: LmOptions
    weights: Weights
    model: ModelOptions
    min_count: int
    orientation: str
    skip_bad: bool


def make_recipe(config: Config, *, skip_bad: bool = False) -> Recipe:
    """Fill in defaults and check every option."""
    extraction = config.section("extract")
    return Recipe(
        config,
        config.section("align"),
        extraction.extract,
        config.section("pivot"),
        config.section("filters"),
        config.section("lm"),
        config.section("weights"),
        config.section("model"),
        extraction.min_count,
        extraction.orientation,
        skip_bad,
    )

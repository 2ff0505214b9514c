"""The stages of a configuration with their estimated cost. Nothing is trained, fetched or written."""

from __future__ import annotations

import math
from dataclasses import dataclass

from paraphrast.build import em
from paraphrast.build.lm_shards import TOKENS
from paraphrast.build.shards import SHARD
from paraphrast.engine import DUCKDB
from paraphrast.errors import InputError
from paraphrast.training.config import Config
from paraphrast.training.corpora import languages_of, pivot_languages
from paraphrast.training.plan.costs import Costs, load_costs
from paraphrast.training.plan.sources import Size, sizes_of
from paraphrast.training.recipe import make_recipe
from paraphrast.training.runner import stages_for
from paraphrast.training.source_shards import LINES
from paraphrast.training.stages import stage_list

#: Cores that a stage uses on one machine with DuckDB. Other stages use one; text uses all.
_PARALLEL = {"align": 2}
#: Parts into which Spark shuffles, unless the site sets ``spark.sql.shuffle.partitions``.
_PARTITIONS = 200


@dataclass(frozen=True)
class StagePlan:
    """One stage. None: not estimated, because the constants of the stage were not measured."""

    name: str
    title: str
    sentences: float = 0.0
    shards: int = 1
    rows: float | None = None
    shuffle_bytes: float | None = None
    disk_bytes: float | None = None
    driver_bytes: float | None = None
    worker_bytes: float | None = None
    core_seconds: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Plan:
    """All stages, and what the estimate rests on."""

    engine: str
    cores: int
    pairs: float
    words: float
    counted: bool
    measured_pairs: tuple[int, ...]
    stages: tuple[StagePlan, ...]

    @property
    def hours(self) -> float:
        """Estimated duration."""
        return sum(stage.seconds or 0.0 for stage in self.stages) / 3600

    @property
    def core_hours(self) -> float:
        """Estimated CPU time."""
        return sum(stage.core_seconds or 0.0 for stage in self.stages) / 3600

    @property
    def unknown(self) -> tuple[str, ...]:
        """Stages without an estimate."""
        return tuple(stage.name for stage in self.stages if stage.seconds is None)


def plan_training(
    config: Config,
    *,
    engine: str = DUCKDB,
    cores: int = 1,
    pairs: int | None = None,
    words: float | None = None,
    costs: Costs | None = None,
) -> Plan:
    """Estimate every stage of a training run.

    pairs: sentence pairs of all bitexts together, by default counted or estimated from the files. words: words per line
    and language, by default from a sample of the files. costs: by default those of the package.
    """
    recipe = make_recipe(config)
    costs = costs or load_costs("duckdb" if engine == DUCKDB else "spark")
    bitext, texts = sizes_of(config)
    known = [size for size in bitext.values() if size is not None]
    if pairs is None and len(known) < len(bitext):
        unread = next(name for name, size in bitext.items() if size is None)
        raise InputError(
            f"the sentences of {unread!r} cannot be counted, because the file is not here",
            remedy="give their number with --pairs, or fetch the data with `paraphrast data get`",
        )
    words = words or _mean_words(known) or costs.words
    counts = _counts(config, bitext, pairs)
    total_text = sum(size.lines for size in texts.values() if size)
    stages = tuple(
        _stage_plan(stage.name, stage.title, counts, total_text, words, costs, engine, cores)
        for stage in stages_for("model", stage_list(recipe, described=lambda source: source.name))
    )
    exact = pairs is not None or all(size.exact for size in known)
    return Plan(engine, cores, max(counts.values(), default=0.0), words, exact, costs.sizes, stages)


def _mean_words(sizes: list[Size]) -> float:
    lines = sum(size.lines for size in sizes if size.words)
    return sum(size.words * size.lines for size in sizes) / lines if lines else 0.0


def _counts(config: Config, sizes: dict[str, Size | None], pairs: int | None) -> dict[str, float]:
    """Sentences of every language. A given number of pairs is divided like the lines of the bitexts."""
    lines = {name: size.lines if size else 0.0 for name, size in sizes.items()}
    if pairs is not None:
        total = sum(lines.values())
        lines = {name: pairs * (count / total if total else 1 / len(lines)) for name, count in lines.items()}
    counts = dict.fromkeys([config.language, *pivot_languages(config)], 0.0)
    for source in config.bitext:
        for language in languages_of(source):
            counts[language] += lines[source.name]
    return counts


def _stage_plan(
    name: str,
    title: str,
    counts: dict[str, float],
    text: float,
    words: float,
    costs: Costs,
    engine: str,
    cores: int,
) -> StagePlan:
    kind, _, language = name.partition("-")
    sentences = stage_sentences(kind, language, counts, text)
    cost = costs.of(name)
    if cost is None:
        return StagePlan(name, title, sentences)
    longer = words / costs.words
    size = sentences * longer
    square = longer if kind == "align" else 1.0
    driver, workers = cost.driver_seconds(size * square), cost.worker_seconds(size * square)
    shards = 1 if engine == DUCKDB else _shards(kind, sentences, words)
    if engine == DUCKDB:
        parallel = cores if kind == "text" else min(_PARALLEL.get(kind, 1), cores)
        seconds = (driver + workers) / parallel
    else:
        seconds = driver + workers / min(cores, shards)
    return StagePlan(
        name,
        title,
        sentences,
        shards,
        cost.rows(size),
        cost.shuffle_bytes(size),
        cost.disk_bytes(size),
        cost.driver_bytes(size),
        cost.worker_bytes,
        driver + workers,
        seconds,
    )


def _shards(kind: str, sentences: float, words: float) -> int:
    """The number of tasks that can run at the same time on Spark."""
    sizes = {"text": LINES, "align": em.SHARD, "extract": SHARD, "lm": TOKENS / max(words, 1.0)}
    if kind == "pivot":
        return _PARTITIONS
    return max(math.ceil(sentences / sizes[kind]), 1) if kind in sizes else 1


def stage_sentences(kind: str, language: str, counts: dict[str, float], text: float = 0.0) -> float:
    """The number of sentences that a stage reads, which its constants refer to. The first language is the model's."""
    own, *others = counts.values()
    if kind in ("align", "extract"):
        return counts[language]
    if kind == "text":
        return own + sum(others) + text
    return own + text if kind == "lm" else sum(others)

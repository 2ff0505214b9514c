"""The one module that knows the order: sources in, a model folder out."""

from __future__ import annotations

import logging
import shutil
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from paraphrast import data
from paraphrast._version import __version__
from paraphrast.engine import DUCKDB, check_engine
from paraphrast.errors import InputError
from paraphrast.formats.files import check_folder_output, put_folder, write_errors
from paraphrast.formats.lock import locked
from paraphrast.formats.table_file import table_file_info
from paraphrast.pipeline import (
    assemble,
    graphing,
    joining,
    news_stages,
    pair_judgement,
    pivoting,
    table_making,
    work,
)
from paraphrast.pipeline.config import Config, read_config
from paraphrast.pipeline.corpora import pivot_languages, provenance, read_pairs
from paraphrast.pipeline.folder import MANIFEST
from paraphrast.pipeline.recipe import Recipe, Resources, make_recipe
from paraphrast.pipeline.stages import STAGE_FILE, Progress, Silent, Stage, Step, run_stages
from paraphrast.tables.pivot import feature_names

log = logging.getLogger(__name__)


def train(
    config: Config | str | Path,
    output: str | Path,
    *,
    force: bool = False,
    threads: int = 0,
    memory: str | None = None,
    engine: str = DUCKDB,
    skip_bad: bool = False,
    keep_work: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Train a model folder at ``output``; the next run after an interruption resumes where this one stopped.

    engine: ``duckdb``, or a Spark master such as ``spark://host:port``; never changes the model.
    Work in progress lies in ``OUTPUT.work`` and is deleted at the end (unless ``keep_work``).
    """
    model = Path(output)
    if not isinstance(config, Config):
        config = read_config(config)
    check_folder_output(model, force, mark=MANIFEST)
    recipe = make_recipe(config, skip_bad=skip_bad)
    resources = Resources(threads, memory, engine)
    check_engine(engine)
    _ = resources.memory_bytes  # so that a malformed size is told now
    folder = model.with_name(f"{model.name}.work")
    with write_errors(folder), locked(folder / "lock", wait=False) as alone:
        if not alone:
            raise InputError(
                "another process is training this model",
                where=folder,
                remedy="wait for it, or choose another -o",
            )
        fetch_sources(config)
        stages = make_stages(recipe, resources, folder)
        run_stages(stages, folder, progress or Silent())
        (folder / "model" / STAGE_FILE).unlink()
        put_folder(folder / "model", model)
    if not keep_work:
        shutil.rmtree(folder, ignore_errors=True)
    return model


def fetch_sources(config: Config) -> None:
    """Fetch the named corpora that are not here yet, saying their licence first."""
    for source in config.sources:
        if source.data and not data.is_cached(source.data):
            resource = data.show(source.data)
            log.warning(
                "fetching %s: %g MB, licence: %s", source.data, resource["size_mb"], resource["licence"]
            )
            data.get(source.data)
    news_stages.fetch_lexicons(config)


def make_stages(recipe: Recipe, resources: Resources, folder: Path) -> list[Stage]:
    """Every stage in order."""
    config = recipe.config
    languages = pivot_languages(config)
    columns = recipe.pivot if config.tagger else replace(recipe.pivot, syntax="none")
    names = [f"pivot.{name}" for name in feature_names(languages, columns)]
    for source in config.tables:
        columns_of = () if source.kind or source.path is None else table_file_info(source.path).features
        names += [f"{source.name}.{name}" for name in ("score", *columns_of)]
    if config.news_for("pairs"):
        names.append("comparable.score")
    section = graphing.graph_section(recipe) if config.has_graph else None
    if section is not None:
        names += [f"graph.{name}" for name in ("score", *graphing.feature_names(section))]
    recipe.weights.vector(names)  # so that a weight nothing has is told now
    if config.antonyms:
        read_pairs(config.antonyms)  # so that a malformed file is told now, not after the alignment
    bitext = [provenance(source) for source in config.bitext]
    text = [provenance(source) for source in config.text]
    lexicons = [provenance(source) for source in (config.tagger, config.antonyms) if source]
    tables = [provenance(source) for source in config.tables]
    news_sources = [provenance(source) for source in config.news]
    base: dict[str, Any] = {"version": __version__, "language": config.language, "skip_bad": recipe.skip_bad}

    def stage(name: str, title: str, body: Any, after: tuple[str, ...], options: Any) -> Stage:
        def run(target: Path, step: Step) -> str:
            return str(body(recipe, resources, folder, target, step))

        return Stage(name, title, run, after, {**base, "options": options})

    news = {plan.name: plan for plan in news_stages.news_plan(recipe)}
    read_first = [plan for plan in news.values() if "text" not in plan.after]
    stages = [
        *(stage(*plan) for plan in read_first),
        stage(
            "text",
            "tokenise, mask, truecase",
            work.encode_text,
            ("news",) if config.news_for("text") else (),
            [bitext, text],
        ),
        *(stage(*plan) for plan in news.values() if plan not in read_first),
        stage("tags", "train the tagger, tag the text", work.tag_text, ("text",), lexicons),
    ]
    for language in languages:
        stages += [
            stage(
                f"align-{language}",
                f"align words with {language}",
                _for_language(work.align_words, language),
                ("text",),
                asdict(recipe.align),
            ),
            stage(
                f"extract-{language}",
                f"extract and count phrase pairs with {language}",
                _for_language(work.extract_phrases, language),
                ("text", "tags", f"align-{language}"),
                [asdict(recipe.extract), recipe.min_count, recipe.orientation],
            ),
        ]
    extracts = tuple(f"extract-{language}" for language in languages)
    reordering = ("reorder",) if recipe.orientation != "none" else ()
    if reordering:
        stages.append(
            stage("reorder", "how often phrases change places", work.pool_reordering, extracts, None)
        )
    stages += [
        stage(
            "pivot",
            f"paraphrases through {', '.join(languages)}",
            pivoting.pivot_table,
            ("text", "tags", *extracts),
            [asdict(recipe.pivot), asdict(recipe.filters), config.evidence, lexicons],
        ),
        *(
            [
                stage(
                    "graph",
                    f"walk the phrase table of {', '.join(section.languages or languages)}",
                    graphing.graph_table,
                    ("text", "tags", *extracts, *(f"align-{language}" for language in languages)),
                    [asdict(section), asdict(recipe.filters), lexicons],
                )
            ]
            if section is not None
            else []
        ),
        *(
            stage(
                table_making.stage_name(source),
                f"make the table {source.name}",
                partial(table_making.make_table, source=source),
                ("text", "tags"),
                provenance(source),
            )
            for source in config.tables
            if source.kind
        ),
        *(
            [
                stage(
                    "tables",
                    f"take in {', '.join(config.joined)}",
                    joining.join_tables,
                    (
                        "text",
                        "tags",
                        "pivot",
                        *(name for name in ("comparable", "graph") if name in config.joined),
                        *(table_making.stage_name(source) for source in config.tables if source.kind),
                    ),
                    [tables, config.joined, lexicons],
                )
            ]
            if config.joined
            else []
        ),
        stage(
            "substitution",
            "how likely each substitution is right",
            pair_judgement.judge_stage,
            ("tables",) if config.joined else ("pivot",),
            [config.substitution, pair_judgement.judgement_sources(config.language)],
        ),
        stage("lm", "language model", work.language_model, ("text",), asdict(recipe.lm)),
        stage(
            "model",
            "decoder arrays and model folder",
            assemble.assemble,
            (
                *("text", "tags", *extracts, *reordering, "pivot", "substitution"),
                *(["tables"] if config.joined else []),
                "lm",
            ),
            [asdict(recipe.weights), bitext, text, lexicons, tables, config.evidence, *news_sources],
        ),
    ]
    return stages


def _for_language(body: Any, language: str) -> Any:
    def run(recipe: Recipe, resources: Resources, folder: Path, target: Path, step: Step) -> str:
        return str(body(recipe, resources, folder, target, step, language))

    return run

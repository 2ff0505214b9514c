"""The list of stages in order, and running it: from sources to a model folder or a pivot table."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from paraphrast import data
from paraphrast._extras import require
from paraphrast._options import values_of
from paraphrast.engine import DUCKDB, application, check_engine
from paraphrast.errors import InputError
from paraphrast.formats.files import atomic_write, put_folder, write_errors
from paraphrast.formats.folders import check_folder_output
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.leftovers import remove_leftovers
from paraphrast.formats.lock import locked
from paraphrast.formats.signature import file_hash
from paraphrast.formats.table_file import table_file_info
from paraphrast.model.folder import MANIFEST, foreign
from paraphrast.tables.pivot.join import feature_names
from paraphrast.training import (
    align,
    assemble,
    extract,
    graph,
    join,
    lm,
    news,
    pivot,
    reorder,
    substitution,
    tables,
    tags,
    text,
)
from paraphrast.training.config import Config, Source, as_config
from paraphrast.training.corpora import pivot_languages, provenance, read_pairs
from paraphrast.training.recipe import Recipe, Resources, make_recipe
from paraphrast.training.runner import (
    STAGE_FILE,
    Progress,
    Silent,
    Stage,
    run_stages,
    signatures_of,
    stages_for,
)

log = logging.getLogger(__name__)

#: In the work folder: which model was put in place, by the signature of its stage and the hash of its manifest.
PLACED_FILE = "placed.json"


def stage_list(recipe: Recipe, *, described: Callable[[Source], Any] = provenance) -> list[Stage]:
    """Every stage in order: name, title, function, the stages it reads, the options that determine its bytes.

    described: what signatures have of a source. By default its hash, for which the whole source is read.
    """
    config = recipe.config
    languages = pivot_languages(config)
    pivots = ", ".join(languages)
    aligns, extracts = ([f"{step}-{language}" for language in languages] for step in ("align", "extract"))
    bitext, texts, table_sources, news_sources = (
        [described(source) for source in sources]
        for sources in (config.bitext, config.text, config.tables, config.news)
    )
    lexicons = [described(source) for source in (config.tagger, config.antonyms) if source]
    walk = graph.graph_section(recipe)
    page_options, pair_options = news.stage_options(config)
    extract_options = [asdict(recipe.extract), recipe.min_count, recipe.orientation]
    pivot_options = [asdict(recipe.pivot), asdict(recipe.filters), config.evidence, lexicons]
    judged_by = [config.substitution, substitution.judgement_sources(config.language)]
    model_options = [
        *(asdict(recipe.weights), bitext, texts, lexicons, table_sources, config.evidence),
        *news_sources,
    ]
    return [
        Stage(
            "articles", "extract articles from pages", news.read_news,
            (), [news_sources, page_options], wanted=bool(config.news),
        ),
        Stage(
            "news", "cluster articles, pair sentences", news.pair_news,
            ("articles",), pair_options, wanted=bool(config.news),
        ),
        Stage(
            "text", "tokenise, mask, truecase", text.encode_text,
            ("news",) if config.news_for("text") else (), [bitext, texts],
        ),
        Stage(
            "comparable", "align sentence pairs, extract phrases", news.tabulate,
            ("text", "news"), news.comparable_options(config), wanted=bool(config.news_for("pairs")),
        ),
        Stage("tags", "train the tagger, tag the text", tags.tag_text, ("text",), lexicons),
        *(
            stage
            for language in languages
            for stage in (
                Stage(
                    f"align-{language}", f"align words with {language}",
                    partial(align.align_words, language=language),
                    ("text",), asdict(recipe.align),
                ),
                Stage(
                    f"extract-{language}", f"extract and count phrase pairs with {language}",
                    partial(extract.extract_phrases, language=language),
                    ("text", "tags", f"align-{language}"), extract_options,
                ),
            )
        ),
        Stage(
            "reorder", "count how often phrases swap", reorder.pool_reordering,
            (*extracts,), wanted=recipe.orientation != "none",
        ),
        Stage(
            "pivot", f"find paraphrases through {pivots}", pivot.pivot_table,
            ("text", "tags", *extracts), pivot_options,
        ),
        Stage(
            "graph", f"walk the phrase graph of {', '.join(walk.languages) or pivots}", graph.graph_table,
            ("text", "tags", *extracts, *aligns), [values_of(walk), lexicons],
            wanted=config.has_graph,
        ),
        *(
            Stage(
                tables.stage_name(source), f"make the table {source.name}",
                partial(tables.make_table, source=source),
                ("text", "tags"), described(source), wanted=bool(source.kind),
            )
            for source in config.tables
        ),
        Stage(
            "tables", f"join {', '.join(config.joined)}", join.join_tables,
            ("text", "tags", "pivot", "comparable", "graph", *map(tables.stage_name, config.tables)),
            [table_sources, config.joined, lexicons, [(one.filtered, one.trusted) for one in config.tables]],
            wanted=bool(config.joined),
        ),
        Stage(
            "substitution", "judge every substitution", substitution.judge_stage,
            ("text", "pivot", "tables"), judged_by,
        ),
        Stage("lm", "language model", lm.language_model, ("text",), asdict(recipe.lm)),
        Stage(
            "model", "decoder arrays and model folder", assemble.assemble,
            ("text", "tags", *extracts, "reorder", "pivot", "tables", "substitution", "lm"), model_options,
        ),
    ]  # fmt: skip


def train(
    config: Config | Mapping[str, Any] | str | Path,
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
    """Train a model folder at ``output``. After an interruption, the next run resumes where this one stopped.

    config: a TOML file, or a mapping with the same keys (paths are then relative to the working folder).
    engine: ``duckdb``, or a Spark master such as ``spark://host:port``. Does not change the model.
    Work in progress is in ``OUTPUT.work``, which is deleted at the end (unless ``keep_work``).
    """
    require("training", "train")
    model = Path(output)
    config = as_config(config)
    if force or not _is_placed(model, config, skip_bad):
        check_folder_output(model, force, foreign=foreign)
        recipe = make_recipe(config, skip_bad=skip_bad)
        resources = Resources(threads, memory, engine)
        with finished_stages("model", recipe, resources, model, keep_work=True, progress=progress) as work:
            _place(work, model, force)
    remove_leftovers(model)
    if keep_work:
        (_work_folder(model) / PLACED_FILE).unlink(missing_ok=True)
    else:
        shutil.rmtree(_work_folder(model), ignore_errors=True)
    return model


def _place(work: Path, model: Path, force: bool) -> None:
    """Rename the finished model to ``model``, after writing down which one it is: see :func:`_is_placed`."""
    built = work / "model"
    check_folder_output(model, force, foreign=foreign)  # it may be new since the training began
    signature = parse_json((built / STAGE_FILE).read_text())["signature"]
    with atomic_write(work / PLACED_FILE) as stream:
        stream.write(json.dumps({"signature": signature, "manifest": file_hash(built / MANIFEST)}) + "\n")
    (built / STAGE_FILE).unlink()
    put_folder(built, model, checked=True)


def _is_placed(model: Path, config: Config, skip_bad: bool) -> bool:
    """Whether an earlier run of this configuration was killed after it put the model in place, before it cleaned up."""
    try:
        placed = parse_json((_work_folder(model) / PLACED_FILE).read_text())
        if placed["manifest"] != file_hash(model / MANIFEST):
            return False
    except (OSError, ValueError, KeyError, TypeError):
        return False
    recipe = make_recipe(config, skip_bad=skip_bad)
    stages = stages_for("model", stage_list(recipe))
    return bool(placed["signature"] == signatures_of(stages, recipe)["model"])


def _work_folder(output: Path) -> Path:
    return output.with_name(f"{output.name}.work")


@contextmanager
def finished_stages(
    goal: str,
    recipe: Recipe,
    resources: Resources,
    output: Path,
    *,
    keep_work: bool = False,
    progress: Progress | None = None,
) -> Iterator[Path]:
    """Run all stages that ``goal`` needs in ``OUTPUT.work``, and yield that folder while it is locked.

    At the end the folder is deleted (unless ``keep_work``). After an error it is kept, and the next run resumes there.
    """
    check_engine(resources.engine)
    _ = resources.memory_bytes  # a malformed size is reported before any work
    work = _work_folder(output)
    with write_errors(work), locked(work / "lock", wait=False) as alone:
        if not alone:
            raise InputError(
                "another process is building this output",
                where=work,
                remedy="wait for it, or choose another -o",
            )
        fetch_sources(recipe.config)
        check_sources(recipe)
        stages = stages_for(goal, stage_list(recipe))
        with application(work / ".spark"):
            run_stages(stages, recipe, resources, work, progress or Silent())
        yield work
    if not keep_work:
        shutil.rmtree(work, ignore_errors=True)


def fetch_sources(config: Config) -> None:
    """Fetch missing named corpora, after reporting size and licence."""
    for source in config.sources:
        if source.data and not data.is_cached(source.data):
            resource = data.show(source.data)
            log.warning(
                "fetching %s: %g MB, licence: %s", source.data, resource["size_mb"], resource["licence"]
            )
            data.get(source.data)
    news.fetch_lexicons(config)


def check_sources(recipe: Recipe) -> None:
    """Report malformed antonyms, and weights of features that the model will not have, before any work."""
    config = recipe.config
    if config.antonyms:
        read_pairs(config.antonyms)
    columns = recipe.pivot if config.tagger else replace(recipe.pivot, syntax="none")
    names = [f"pivot.{name}" for name in feature_names(pivot_languages(config), columns)]
    for source in config.tables:
        is_table = not source.kind and source.path is not None
        features = table_file_info(str(source.path)).features if is_table else ()
        names += [f"{source.name}.{name}" for name in ("score", *features)]
    if config.news_for("pairs"):
        model1 = config.section("comparable").table.model1
        names += ["comparable.score", *(["comparable.model1", "comparable.model1_inverse"] if model1 else [])]
    if config.has_graph:
        names += [f"graph.{name}" for name in ("score", *graph.feature_names(graph.graph_section(recipe)))]
    recipe.weights.vector(names)

"""Bitext in, one pivot table out, without a model around it: what ``paraphrast table pivot`` does."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from paraphrast.engine import DUCKDB, Engine, check_engine
from paraphrast.errors import InputError
from paraphrast.formats.files import write_errors
from paraphrast.formats.lock import locked
from paraphrast.formats.phrases import load_phrases
from paraphrast.formats.table_file import write_table_file
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.tables.store import load_table
from paraphrast.training.config import Config, parse_config
from paraphrast.training.recipe import Resources, make_recipe
from paraphrast.training.runner import Progress, Silent, run_stages
from paraphrast.training.stages import fetch_sources, make_stages
from paraphrast.types import SPECIALS, LooseTable, Phrases

#: What a model needs and a table does not.
_MODEL_STAGES = ("reorder", "comparable", "tables", "substitution", "lm", "model")


def bitext_config(
    files: Sequence[str | Path],
    columns: Sequence[str],
    *,
    language: str = "en",
    options: dict[str, dict[str, Any]] | None = None,
) -> Config:
    """The configuration of some files of columns; ``options`` are sections, as in a configuration file."""
    content: dict[str, Any] = {
        "language": language,
        "bitext": [{"path": str(Path(file).absolute()), "columns": list(columns)} for file in files],
        **(options or {}),
    }
    return parse_config(content, None)


def write_pivot_table(
    config: Config,
    output: str | Path,
    *,
    force: bool = False,
    threads: int = 0,
    memory: str | None = None,
    engine: str = DUCKDB,
    skip_bad: bool = False,
    keep_work: bool = False,
    progress: Progress | None = None,
) -> LooseTable:
    """Align, extract and pivot the bitext of a configuration and write the table; interrupted, it resumes.

    Work in progress lies in ``OUTPUT.work`` and is deleted at the end (unless ``keep_work``). No evidence is kept.
    engine: as for :func:`~paraphrast.training.stages.train`.
    """
    target = Path(output)
    if target.exists() and not force:
        raise InputError(
            "this file exists already", where=target, remedy="choose another name, or give --force"
        )
    if not target.parent.is_dir():
        raise InputError("there is no such folder", where=target.parent, remedy="make it first")
    options = {**config.options, "extract": {**config.options.get("extract", {}), "orientation": "none"}}
    recipe = make_recipe(replace(config, evidence="none", options=options), skip_bad=skip_bad)
    resources = Resources(threads, memory, engine)
    check_engine(engine)
    _ = resources.memory_bytes  # so that a malformed size is told now
    folder = target.with_name(f"{target.name}.work")
    with write_errors(folder), locked(folder / "lock", wait=False) as alone:
        if not alone:
            raise InputError(
                "another process is making this table",
                where=folder,
                remedy="wait for it, or choose another -o",
            )
        fetch_sources(config)
        stages = [
            stage for stage in make_stages(recipe, resources, folder) if stage.name not in _MODEL_STAGES
        ]
        run_stages(stages, folder, progress or Silent())
        table = loose_pivot(folder, config.language)
        write_table_file(target, table)
    if not keep_work:
        shutil.rmtree(folder, ignore_errors=True)
    return table


def loose_pivot(work: Path, language: str) -> LooseTable:
    """The table of a work folder's pivot stage with words of its own: specials, then the words in use, sorted."""
    with Engine(threads=1) as engine:
        vocabulary = load_vocabulary(engine, work / "text" / language / "vocab.parquet")
        table = load_table(engine, work / "pivot" / "pivot.parquet")
        phrases, categories = load_phrases(engine, work / "pivot" / "phrases.parquet")
    used = np.unique(phrases.words[phrases.words >= len(SPECIALS)])
    by_text = sorted(used.tolist(), key=lambda word: vocabulary.words[word])
    number = np.full(len(vocabulary) + 1, -1, dtype=np.int32)  # the last for −1, the end of a phrase
    number[: len(SPECIALS)] = np.arange(len(SPECIALS))
    number[by_text] = np.arange(len(SPECIALS), len(SPECIALS) + len(by_text))
    words = (*SPECIALS, *(vocabulary.words[word] for word in by_text))
    return LooseTable(table, Phrases(number[phrases.words], phrases.glue), words, categories)

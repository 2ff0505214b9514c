"""``paraphrast table pivot``: from bitext to one standalone pivot table, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from paraphrast.engine import DUCKDB, Engine
from paraphrast.errors import InputError
from paraphrast.formats.phrases import load_phrases
from paraphrast.formats.table_file import load_table, write_table_file
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.training.config import Config, parse_config
from paraphrast.training.recipe import Resources, make_recipe
from paraphrast.training.runner import Progress
from paraphrast.training.stages import finished_stages
from paraphrast.types import SPECIALS, LooseTable, Phrases


def bitext_config(
    files: Sequence[str | Path],
    columns: Sequence[str],
    *,
    language: str = "en",
    options: dict[str, dict[str, Any]] | None = None,
) -> Config:
    """A configuration for files with one column per language; options: sections, as in a configuration file."""
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
    """Align, extract and pivot the bitext of a configuration and write the table, with the stages of training.

    An interrupted run resumes. No evidence is stored. engine: as in :func:`~paraphrast.training.stages.train`.
    """
    target = Path(output)
    if target.exists() and not force:
        raise InputError(
            "this file exists already", where=target, remedy="choose another name, or use --force"
        )
    if not target.parent.is_dir():
        raise InputError("this folder does not exist", where=target.parent, remedy="create it first")
    options = {**config.options, "extract": {**config.options.get("extract", {}), "orientation": "none"}}
    recipe = make_recipe(replace(config, evidence="none", options=options), skip_bad=skip_bad)
    resources = Resources(threads, memory, engine)
    with finished_stages("pivot", recipe, resources, target, keep_work=keep_work, progress=progress) as work:
        table = loose_pivot(work, config.language)
        write_table_file(target, table)
    return table


def loose_pivot(work: Path, language: str) -> LooseTable:
    """The pivot table of a work folder as a standalone table. Its words: special words, then words in use, sorted."""
    with Engine(threads=1) as engine:
        vocabulary = load_vocabulary(engine, work / "text" / language / "vocab.parquet")
        table = load_table(engine, work / "pivot" / "pivot.parquet")
        phrases, categories = load_phrases(engine, work / "pivot" / "phrases.parquet")
    used = np.unique(phrases.words[phrases.words >= len(SPECIALS)])
    by_text = sorted(used.tolist(), key=lambda word: vocabulary.words[word])
    number = np.full(len(vocabulary) + 1, -1, dtype=np.int32)  # the last entry is for −1, the end of a phrase
    number[: len(SPECIALS)] = np.arange(len(SPECIALS))
    number[by_text] = np.arange(len(SPECIALS), len(SPECIALS) + len(by_text))
    words = (*SPECIALS, *(vocabulary.words[word] for word in by_text))
    return LooseTable(table, Phrases(number[phrases.words], phrases.glue), words, categories)

"""The stage ``extract-XX``: counted phrase pairs with one pivot language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.build.shards import extract_shards
from paraphrast.extract import (
    count_pairs,
    extract_pairs,
    orient_pairs,
    orientation_counts,
    prune_by_significance,
    source_glue,
)
from paraphrast.formats.arrays import save_array
from paraphrast.text.syntax.category import categories_of_occurrences
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import (
    bitext_names,
    load_links,
    load_side,
    load_tags,
    open_engine,
)
from paraphrast.types import Sentences


def extract_phrases(
    recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step, language: str
) -> str:
    """Extract and count phrase pairs; spelling and categories of the model language's phrases."""
    model_language = recipe.config.language
    names = bitext_names(recipe, language)
    source = load_side(work, model_language, names)
    target = load_side(work, language, names)
    links = load_links(work / f"align-{language}")
    with open_engine(resources, folder, step) as workers:
        if workers.distributed:
            extraction = extract_shards(workers, source, target, links, recipe.extract, folder / ".spill")
        else:
            extraction = extract_pairs(source, target, links, recipe.extract)
        counted = count_pairs(workers, extraction, min_count=recipe.min_count)
    seen = len(counted)
    counted = prune_by_significance(source, target, extraction, counted, recipe.extract.significance)
    save_array(folder / "glue.npy", source_glue(source, extraction))
    save_array(folder / "categories.npy", _categories(recipe, work, names, source, extraction))
    if recipe.orientation != "none":
        outcomes = orient_pairs(source, target, links, recipe.extract, by=recipe.orientation).following
        oriented = orientation_counts(extraction.pairs.source, outcomes, len(extraction.source_words))
        save_array(folder / "orientation.npy", oriented.astype(np.int32))
    columns: dict[str, NDArray[Any]] = {
        "source_words": extraction.source_words,
        "target_words": extraction.target_words,
        "source": counted.source,
        "target": counted.target,
        "count": counted.count,
        "source_total": counted.source_total[counted.source],
        "target_total": counted.target_total[counted.target],
        "sentence": extraction.pairs.sentence[counted.first],
        "source_start": extraction.pairs.source_start[counted.first],
    }
    for name, values in columns.items():
        save_array(folder / f"{name}.npy", values)
    pruned = f", {len(counted):,} of them significant" if len(counted) < seen else ""
    return (
        f"{len(extraction.pairs):,} occurrences, {seen:,} pairs seen {recipe.min_count} times or more{pruned}"
    )


def _categories(
    recipe: Recipe, work: Path, names: list[str], source: Sentences, extraction: Any
) -> NDArray[np.uint32]:
    """The categories of each phrase in the corpus, as a bit mask; 0 without a tagger."""
    number = len(extraction.source_words)
    if recipe.config.tagger is None:
        return np.zeros(number, dtype=np.uint32)
    tags = np.concatenate([load_tags(work, name) for name in names])
    lengths = (extraction.source_words >= 0).sum(axis=1).astype(np.int32)
    positions = source.starts[extraction.pairs.sentence] + extraction.pairs.source_start
    _, mask = categories_of_occurrences(
        tags, extraction.pairs.source, positions, lengths[extraction.pairs.source], number
    )
    return mask

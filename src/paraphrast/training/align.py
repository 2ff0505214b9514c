"""The stage ``align-XX``: word links with one pivot language."""

from __future__ import annotations

from pathlib import Path

from paraphrast.align import train
from paraphrast.build.shards import align_ids
from paraphrast.formats.arrays import save_array
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import (
    bitext_names,
    load_side,
    open_engine,
    vocabulary_size,
)


def align_words(
    recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step, language: str
) -> str:
    """Align the model's language (source) with ``language`` (target)."""
    model_language = recipe.config.language
    names = bitext_names(recipe, language)
    source, target = load_side(work, model_language, names), load_side(work, language, names)
    trained = train(
        source,
        target,
        vocabulary_size(resources, work, model_language),
        vocabulary_size(resources, work, language),
        recipe.align,
        threads=resources.thread_count,
        progress=lambda stage, done, total: step(done, total, stage),
    )
    with open_engine(resources, folder, step) as workers:
        if workers.distributed:
            links = align_ids(workers, trained, source, target, folder / ".spill")
        else:
            links = trained.align(source, target, threads=resources.thread_count)
    save_array(folder / "starts.npy", links.starts)
    save_array(folder / "source.npy", links.source)
    save_array(folder / "target.npy", links.target)
    return f"{len(links.source):,} links in {len(links):,} sentence pairs"

"""The stage ``align-XX``: word links with one pivot language."""

from __future__ import annotations

from pathlib import Path

from paraphrast.align import align
from paraphrast.build.em import align_on_workers
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
    sizes = vocabulary_size(resources, work, model_language), vocabulary_size(resources, work, language)

    def progress(stage: str, done: int, total: int) -> None:
        step(done, total, stage)

    with open_engine(resources, folder, step) as workers:
        if workers.distributed:
            text = work / "text"
            corpora = [(text / model_language / name, text / language / name) for name in names]
            spill = folder / ".spill"
            links_count, pairs = align_on_workers(
                workers, corpora, sizes, recipe.align, spill, folder, progress=progress
            )
            return _note(links_count, pairs)
    source, target = load_side(work, model_language, names), load_side(work, language, names)
    links = align(source, target, *sizes, recipe.align, threads=resources.thread_count, progress=progress)
    save_array(folder / "starts.npy", links.starts)
    save_array(folder / "source.npy", links.source)
    save_array(folder / "target.npy", links.target)
    return _note(len(links.source), len(links))


def _note(links: int, pairs: int) -> str:
    return f"{links:,} links in {pairs:,} sentence pairs"

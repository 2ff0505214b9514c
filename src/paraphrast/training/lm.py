"""The stage ``lm``: the language model of all text of the language."""

from __future__ import annotations

from pathlib import Path

from paraphrast import lm
from paraphrast.build.lm_shards import build_on_workers
from paraphrast.formats.sentences import load_sentences
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import (
    corpus_names,
    open_engine,
    vocabulary_size,
)


def language_model(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Estimate the language model on all text of the language."""
    model_language = recipe.config.language
    names = corpus_names(recipe, model_language)
    corpora = [work / "text" / model_language / name for name in names]
    size = vocabulary_size(resources, work, model_language)
    with open_engine(resources, folder, step) as engine:
        if engine.distributed:
            ngrams = build_on_workers(engine, corpora, size, recipe.lm, folder / ".spill")
        else:
            sentences = [load_sentences(corpus) for corpus in corpora]
            ngrams = lm.build(sentences, size, recipe.lm, memory=resources.memory_bytes, folder=folder)
    lm.save(ngrams, folder / "lm")
    return f"{ngrams.order}-grams, {ngrams.nodes:,} in all"

"""The stage ``tags``: the tagger, and a tag for every token of the language."""

from __future__ import annotations

from pathlib import Path

from paraphrast.formats.arrays import save_array
from paraphrast.formats.sentences import load_sentences
from paraphrast.formats.tagged import read_tagged
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.text.syntax.tag import Tagger, tagged_sentences
from paraphrast.training.corpora import tagged_file
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import (
    corpus_names,
    open_engine,
)


def tag_text(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Train the tagger and tag every corpus of the language. Does nothing without tagged text."""
    config = recipe.config
    if config.tagger is None:
        return "no tagged text given: vetoes that need tags are off"
    sentences = list(tagged_sentences(list(read_tagged(tagged_file(config.tagger)))))
    tagger = Tagger.train(sentences)
    tagger.save(folder / "tagger")
    with open_engine(resources, folder) as engine:
        vocabulary = load_vocabulary(engine, work / "text" / config.language / "vocab.parquet")
    features = tagger.features(vocabulary.words)
    names = corpus_names(recipe, config.language)
    for done, name in enumerate(names):
        step(done, len(names), "corpora")
        tags = tagger.tag_sentences(features, load_sentences(work / "text" / config.language / name))
        save_array(folder / f"{name}.npy", tags)
    return f"tagger from {len(sentences):,} sentences"

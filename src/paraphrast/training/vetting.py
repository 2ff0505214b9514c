"""The filters and vetoes of a training run: the same for every table of the model."""

from __future__ import annotations

from pathlib import Path

from paraphrast.engine import Engine
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.tables.checks.vetting import Vetting
from paraphrast.text import get_language
from paraphrast.training.corpora import pivot_languages, read_pairs
from paraphrast.training.recipe import Recipe
from paraphrast.types import Vocabulary


def make_vetting(engine: Engine, recipe: Recipe, work: Path, vocabulary: Vocabulary) -> Vetting:
    """Filters and vetoes from the configuration, its antonyms and the names in the text of the run."""
    config = recipe.config
    return Vetting.of(
        vocabulary,
        get_language(config.language),
        recipe.filters,
        read_pairs(config.antonyms) if config.antonyms else [],
        foreign_names(engine, recipe, work),
    )


def foreign_names(engine: Engine, recipe: Recipe, work: Path) -> frozenset[str]:
    """Words with a capital in the other languages, if this language capitalises every noun: Paris, not Haus."""
    if not get_language(recipe.config.language).capital_nouns:
        return frozenset()
    names: set[str] = set()
    for other in pivot_languages(recipe.config):
        if not get_language(other).capital_nouns:
            words = load_vocabulary(engine, work / "text" / other / "vocab.parquet").words
            names.update(word for word in words if word[:1].isupper())
    return frozenset(names)

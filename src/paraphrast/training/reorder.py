"""The stage ``reorder``: how often phrases change places, pooled over all pivot languages."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from paraphrast.extract import pool_orientations
from paraphrast.extract.add_shards import ORIENTATION
from paraphrast.formats.orientation import save_orientation
from paraphrast.training.corpora import pivot_languages
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import open_engine, phrase_keys
from paraphrast.types.phrase_keys import listed


def pool_reordering(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """How often each phrase of the language keeps its place before the next, over all its pivots together.

    A phrase seen once with a language gives no separate estimate there; it counts for the average.
    """
    keys = phrase_keys(work, recipe.config.language, recipe.extract.max_length)
    names = keys.names("s")
    with open_engine(resources, folder, step) as engine:
        paths = [work / f"extract-{language}" / ORIENTATION for language in pivot_languages(recipe.config)]
        engine.files("oriented", paths)
        # The empty phrase stands for all phrases that were seen once.
        sums = ", ".join(f"CAST(sum({name}) AS BIGINT) AS {name}" for name in ("mono", "swap", "other"))
        rows = engine.fetch(
            f"SELECT {listed(names)}, {sums} FROM oriented GROUP BY {listed(names)} ORDER BY {listed(names)}"
        )
        engine.drop("oriented")
    counts = np.column_stack([rows[name] for name in ("mono", "swap", "other")])
    pooled = pool_orientations([keys.unpack(rows, "s")], [counts])
    save_orientation(pooled, folder)
    share = np.exp(pooled.overall_swap) / (np.exp(pooled.overall_swap) + np.exp(pooled.overall_mono))
    return f"{len(pooled):,} phrases; of those that stay or swap, {share:.1%} swap"

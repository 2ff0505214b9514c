"""The stage ``reorder``: how often phrases change places, pooled over all pivot languages."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from paraphrast.extract import (
    pool_orientations,
)
from paraphrast.formats.orientation import save_orientation
from paraphrast.training.corpora import pivot_languages
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step


def pool_reordering(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """How often each phrase of the language keeps its place before the next, over all its pivots together.

    A phrase seen once with a language gives no separate estimate there; it counts for the average.
    """
    stores, counts = [], []
    for language in pivot_languages(recipe.config):
        extracted = work / f"extract-{language}"
        oriented = np.load(extracted / "orientation.npy", allow_pickle=False).astype(np.int64)
        often = oriented.sum(axis=1) > 1
        words = np.load(extracted / "source_words.npy", mmap_mode="r", allow_pickle=False)[often]
        nothing = np.full((1, words.shape[1]), -1, dtype=np.int32)  # the empty phrase represents all others
        stores.append(np.concatenate([nothing, words]))
        counts.append(np.concatenate([oriented[~often].sum(axis=0, keepdims=True), oriented[often]]))
    pooled = pool_orientations(stores, counts)
    save_orientation(pooled, folder)
    share = np.exp(pooled.overall_swap) / (np.exp(pooled.overall_swap) + np.exp(pooled.overall_mono))
    return f"{len(pooled):,} phrases; of those that stay or swap, {share:.1%} swap"

"""The stage ``reorder``: how often phrases change places, pooled over all pivot languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.extract import overall_orientation, smoothed_orientation
from paraphrast.extract.add_shards import ORIENTATION
from paraphrast.extract.orientation import MIN_COUNT
from paraphrast.formats.orientation import Piece, save_orientation
from paraphrast.training.corpora import pivot_languages
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import open_engine, phrase_keys
from paraphrast.types.phrase_keys import PhraseKeys, listed

OUTCOMES = ("mono", "swap", "other")


def pool_reordering(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """How often each phrase of the language keeps its place before the next, over all its pivots together.

    A phrase seen once with a language gives no separate estimate there; it counts for the average. The engine adds the
    counts and sorts the phrases; they are in this process one piece at a time.
    """
    keys = phrase_keys(work, recipe.config.language, recipe.extract.max_length)
    names = keys.names("s")
    counts = folder / ".counts.parquet"
    with open_engine(resources, folder, step) as engine:
        paths = [work / f"extract-{language}" / ORIENTATION for language in pivot_languages(recipe.config)]
        engine.files("oriented", paths)
        # The empty phrase stands for all phrases that were seen once.
        sums = ", ".join(f"CAST(sum({name}) AS BIGINT) AS {name}" for name in OUTCOMES)
        totals = _matrix(engine.fetch(f"SELECT {sums} FROM oriented"))[0]
        engine.write_parquet(
            f"SELECT {listed(names)}, {sums} FROM oriented GROUP BY {listed(names)}"
            f" HAVING CAST(sum({' + '.join(OUTCOMES)}) AS BIGINT) >= {MIN_COUNT} ORDER BY {listed(names)}",
            counts,
        )
        engine.drop("oriented")
        mono, swap = overall_orientation(totals)
        number = save_orientation(_pieces(engine, counts, keys, totals), (mono, swap), folder)
    counts.unlink()
    share = np.exp(swap) / (np.exp(swap) + np.exp(mono))
    return f"{number:,} phrases; of those that stay or swap, {share:.1%} swap"


def _matrix(rows: dict[str, NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.column_stack([rows[name] for name in OUTCOMES])


def _pieces(engine: Engine, path: Path, keys: PhraseKeys, totals: NDArray[np.int64]) -> Iterator[Piece]:
    """The phrases of the file with their estimates, sorted by their words."""
    for rows in engine.read_pieces(path, listed([*keys.names("s"), *OUTCOMES])):
        yield keys.unpack(rows, "s"), *smoothed_orientation(_matrix(rows), totals)

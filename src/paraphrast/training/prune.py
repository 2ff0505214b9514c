"""Drop counted pairs that chance explains, after counting.

Significance counts sentences over the whole text, one piece after the other. This step holds the counted pairs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from paraphrast.engine import Engine
from paraphrast.extract import CountedPairs, Extraction, prune_by_significance
from paraphrast.extract.add_shards import PAIRS
from paraphrast.training.extracted import load_extracted
from paraphrast.training.recipe import Recipe
from paraphrast.training.work_folder import bitext_names, load_side
from paraphrast.types import PhrasePairs


def prune_pairs(engine: Engine, recipe: Recipe, work: Path, folder: Path, language: str) -> int:
    """Write the pairs in ``folder`` again without those below the threshold; returns how many remain."""
    extracted = load_extracted(folder)
    names = bitext_names(recipe, language)
    pairs = extracted.pairs
    nothing = np.zeros(0, np.int32)
    counted = CountedPairs(
        source=pairs["source"],
        target=pairs["target"],
        count=pairs["count"],
        first=np.arange(len(pairs["source"])),
        source_total=np.zeros(0, np.int64),
        target_total=np.zeros(0, np.int64),
        dropped_pairs=0,
        dropped_count=0,
    )
    kept = prune_by_significance(
        load_side(work, recipe.config.language, names),
        load_side(work, language, names),
        Extraction(
            PhrasePairs(nothing, nothing, nothing, nothing),
            extracted.source_words,
            extracted.target_words,
            nothing,
        ),
        counted,
        recipe.extract.significance,
    )
    engine.table("kept_pairs", {name: values[kept.first] for name, values in pairs.items()})
    engine.write_parquet("SELECT * FROM kept_pairs ORDER BY source, target", folder / PAIRS)
    engine.drop("kept_pairs")
    return len(kept)

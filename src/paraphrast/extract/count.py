"""Occurrences to counts: one row a distinct phrase pair, by the engine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.extract.spans import Extraction


@dataclass(frozen=True)
class CountedPairs:
    """Distinct phrase pairs, sorted by source, then target.

    source, target: int32[n], phrase ids of the extraction.
    count: int64[n]. first: int64[n], index of the pair's first occurrence, where evidence can be cited.
    source_total, target_total: int64[phrases of that side], occurrences *before* rare pairs are dropped.
    dropped_pairs, dropped_count: distinct pairs below the minimum, and their occurrences.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.int64]
    first: NDArray[np.int64]
    source_total: NDArray[np.int64]
    target_total: NDArray[np.int64]
    dropped_pairs: int
    dropped_count: int

    def __len__(self) -> int:
        return len(self.source)


def count_pairs(engine: Engine, extraction: Extraction, *, min_count: int = 1) -> CountedPairs:
    """Count each (source, target); pairs seen fewer than ``min_count`` times are dropped and reported."""
    if min_count < 1:
        raise InputError(f"expected min_count of at least 1, got {min_count}")
    pairs = extraction.pairs
    engine.table(
        "occurrences",
        {
            "source": pairs.source,
            "target": pairs.target,
            "place": np.arange(len(pairs), dtype=np.int32 if len(pairs) < 2**31 else np.int64),
        },
    )
    try:
        engine.run(
            "CREATE OR REPLACE TEMP TABLE pair_counts AS"
            " SELECT source, target, count(*) AS occurrences, min(place) AS first_place"
            " FROM occurrences GROUP BY source, target"
        )
        rows = engine.fetch(
            "SELECT source, target, occurrences, first_place FROM pair_counts"
            f" WHERE occurrences >= {int(min_count)} ORDER BY source, target"
        )
        distinct = int(engine.fetch("SELECT count(*) AS n FROM pair_counts")["n"][0])
    finally:
        engine.drop("pair_counts")
        engine.drop("occurrences")
    count = rows["occurrences"].astype(np.int64)
    return CountedPairs(
        source=rows["source"].astype(np.int32),
        target=rows["target"].astype(np.int32),
        count=count,
        first=rows["first_place"].astype(np.int64),
        source_total=np.bincount(pairs.source, minlength=len(extraction.source_words)).astype(np.int64),
        target_total=np.bincount(pairs.target, minlength=len(extraction.target_words)).astype(np.int64),
        dropped_pairs=distinct - len(count),
        dropped_count=len(pairs) - int(count.sum()),
    )

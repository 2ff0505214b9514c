"""Count occurrences: one row per distinct phrase pair, computed by the engine with integers only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.extract.spans import Extraction
from paraphrast.types import pair_keys


@dataclass(frozen=True)
class PairKinds:
    """Counts of counts over *all* distinct pairs, including those below the minimum. Discounts are computed from them.

    occurrences, pairs: int64[m]; ``pairs[k]`` distinct pairs were seen ``occurrences[k]`` times, ascending.
    source, target: int64[phrases of that side, 3], distinct pairs of a phrase seen once, twice, more often.
    """

    occurrences: NDArray[np.int64]
    pairs: NDArray[np.int64]
    source: NDArray[np.int64]
    target: NDArray[np.int64]

    def seen(self, times: int) -> int:
        """Distinct pairs seen exactly ``times`` times."""
        place = int(np.searchsorted(self.occurrences, times))
        hit = place < len(self.occurrences) and self.occurrences[place] == times
        return int(self.pairs[place]) if hit else 0


@dataclass(frozen=True)
class CountedPairs:
    """Distinct phrase pairs, sorted by source, then target.
    source, target: int32[n], phrase ids of the extraction.
    count: int64[n]. first: int64[n], index of the pair's first occurrence, for evidence.
    source_total, target_total: int64[phrases of that side], occurrences *before* rare pairs are dropped.
    dropped_pairs, dropped_count: distinct pairs below the minimum, and their occurrences.
    kinds: counts of counts, if requested.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.int64]
    first: NDArray[np.int64]
    source_total: NDArray[np.int64]
    target_total: NDArray[np.int64]
    dropped_pairs: int
    dropped_count: int
    kinds: PairKinds | None = None

    def __len__(self) -> int:
        return len(self.source)

    def select(self, keep: NDArray[np.bool_]) -> CountedPairs:
        """The rows where ``keep`` is true. Totals and counts of counts remain those of all pairs."""
        return CountedPairs(
            self.source[keep],
            self.target[keep],
            self.count[keep],
            self.first[keep],
            self.source_total,
            self.target_total,
            self.dropped_pairs + int((~keep).sum()),
            self.dropped_count + int(self.count[~keep].sum()),
            self.kinds,
        )


@contextmanager
def _occurrences(
    engine: Engine, extraction: Extraction, **more: NDArray[np.int32] | NDArray[np.int64]
) -> Iterator[None]:
    """Context in which the engine has the table ``occurrences(source, target, place, …)``."""
    pairs = extraction.pairs
    kind = np.int32 if len(pairs) < 2**31 else np.int64
    engine.table(
        "occurrences",
        {"source": pairs.source, "target": pairs.target, "place": np.arange(len(pairs), dtype=kind), **more},
    )
    try:
        yield
    finally:
        engine.drop("occurrences")


def count_pairs(
    engine: Engine, extraction: Extraction, *, min_count: int = 1, kinds: bool = False
) -> CountedPairs:
    """Count each (source, target). Pairs that occur fewer than ``min_count`` times are dropped and counted.

    kinds: also compute :class:`PairKinds`.
    """
    if min_count < 1:
        raise InputError(f"expected min_count of at least 1, got {min_count}")
    pairs = extraction.pairs
    with _occurrences(engine, extraction):
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
            pair_kinds = _kinds(engine, extraction) if kinds else None
        finally:
            engine.drop("pair_counts")
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
        kinds=pair_kinds,
    )


def _kinds(engine: Engine, extraction: Extraction) -> PairKinds:
    tally = engine.fetch(
        "SELECT occurrences, count(*) AS pairs FROM pair_counts GROUP BY occurrences ORDER BY occurrences"
    )
    sides = []
    for side, size in (
        ("source", len(extraction.source_words)),
        ("target", len(extraction.target_words)),
    ):
        rows = engine.fetch(
            f"SELECT {side} AS phrase, least(occurrences, 3) AS times, count(*) AS pairs"
            " FROM pair_counts GROUP BY 1, 2"
        )
        matrix = np.zeros((size, 3), dtype=np.int64)
        matrix[rows["phrase"], rows["times"].astype(np.int64) - 1] = rows["pairs"]
        sides.append(matrix)
    return PairKinds(tally["occurrences"].astype(np.int64), tally["pairs"].astype(np.int64), *sides)


def commonest_alignments(
    engine: Engine, extraction: Extraction, counted: CountedPairs, codes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The most frequent of ``codes`` (one per occurrence) for every counted pair. Ties go to the first seen."""
    if len(codes) != len(extraction):
        raise InputError(f"expected {len(extraction)} alignments, one per occurrence, got {len(codes)}")
    with _occurrences(engine, extraction, code=codes):
        rows = engine.fetch(
            "SELECT source, target, code FROM (SELECT source, target, code, row_number() OVER ("
            "PARTITION BY source, target ORDER BY times DESC, place) AS number FROM ("
            "SELECT source, target, code, count(*) AS times, min(place) AS place FROM occurrences"
            " GROUP BY source, target, code) tallied) numbered WHERE number = 1 ORDER BY source, target"
        )
    # All distinct pairs are there in the same order, so the counted ones are found by their position.
    place = np.searchsorted(
        pair_keys(rows["source"], rows["target"]), pair_keys(counted.source, counted.target)
    )
    return np.asarray(rows["code"][place], dtype=np.int64)

"""Scores against graded judgements: Spearman, MRR and average precision, with coverage and intervals.

Spearman's rho is over pairs: once over the pairs with a score, and once over all, with every pair without a score tied
below the others. MRR and average precision are over phrases: the candidates of a phrase are ranked by score, those
without a score last, and candidates with a mean judgement of at least ``good`` are relevant. Phrases without a relevant
candidate are left out. Ties count against us: among equal scores, the worse candidate comes first. Intervals resample
phrases with all their pairs, because pairs of one phrase are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.evaluate.bootstrap import Interval
from paraphrast.evaluate.options import BootstrapOptions

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RankingScore:
    """``covered``: Spearman over pairs with a score; ``all``: over all; NaN if undefined. phrases: number of phrases
    with a relevant candidate. MRR and average precision are over those."""

    pairs: int
    covered_pairs: int
    phrases: int
    spearman_covered: float
    spearman_all: float
    mrr: float
    average_precision: float
    intervals: dict[str, Interval | None]

    @property
    def coverage(self) -> float:
        """The share of pairs that have a score."""
        return self.covered_pairs / self.pairs

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON; undefined values are null."""
        names = ("spearman_covered", "spearman_all", "mrr", "average_precision")
        values = {name: getattr(self, name) for name in names}
        return {
            "pairs": self.pairs,
            "covered_pairs": self.covered_pairs,
            "coverage": self.coverage,
            "phrases": self.phrases,
            **{name: None if np.isnan(value) else value for name, value in values.items()},
            "intervals": {
                name: interval.to_list() if interval else None for name, interval in self.intervals.items()
            },
        }


def spearman(first: Floats, second: Floats) -> float:
    """Spearman's rho with average ranks for ties; NaN if one side does not vary."""
    from scipy.stats import rankdata

    if len(first) < 2:
        return float("nan")
    first_ranks, second_ranks = (np.asarray(rankdata(side), dtype=np.float64) for side in (first, second))
    first_ranks, second_ranks = first_ranks - first_ranks.mean(), second_ranks - second_ranks.mean()
    spread = float(np.sqrt((first_ranks * first_ranks).sum() * (second_ranks * second_ranks).sum()))
    return float((first_ranks * second_ranks).sum() / spread) if spread > 0 else float("nan")


def rank_correlation(
    phrases: Sequence[str],
    scores: Sequence[float | None],
    judgements: Sequence[float],
    options: BootstrapOptions | None = None,
    *,
    good: float = 3.0,
) -> RankingScore:
    """Compare scores of phrase pairs (None if there is none) with their mean human judgements."""
    if not len(phrases) == len(scores) == len(judgements) or not len(phrases):
        raise InputError(
            f"expected a phrase, a score and a judgement per pair, got {len(phrases)}, {len(scores)}, {len(judgements)}"
        )
    options = options or BootstrapOptions()
    has = np.array([score is not None for score in scores])
    values = np.array([np.nan if score is None else score for score in scores], dtype=np.float64)
    if np.isnan(values[has]).any():
        raise InputError("expected numbers as scores, got NaN", remedy="use None where there is no score")
    floor = (values[has].min() if has.any() else 0.0) - 1.0
    filled = np.where(has, values, floor)
    human = np.asarray(judgements, dtype=np.float64)
    names = {phrase: number for number, phrase in enumerate(dict.fromkeys(phrases))}
    group = np.array([names[phrase] for phrase in phrases], dtype=np.int64)
    order = np.argsort(group, kind="stable")
    bounds = np.searchsorted(group[order], np.arange(len(names) + 1))
    members = [order[bounds[at] : bounds[at + 1]] for at in range(len(names))]
    by_phrase = np.array(
        [
            _reciprocal_and_precision(filled[pairs_of_phrase], human[pairs_of_phrase] >= good)
            for pairs_of_phrase in members
        ]
    )
    relevant = ~np.isnan(by_phrase[:, 0])

    def figures(chosen: NDArray[np.int64]) -> list[float]:
        rows = np.concatenate([members[at] for at in chosen.tolist()])
        inside = rows[has[rows]]
        relevant_values = by_phrase[chosen][relevant[chosen]]
        means = relevant_values.mean(axis=0).tolist() if len(relevant_values) else [np.nan, np.nan]
        return [spearman(values[inside], human[inside]), spearman(filled[rows], human[rows]), *means]

    actual = figures(np.arange(len(members)))
    keys = ("spearman_covered", "spearman_all", "mrr", "average_precision")
    intervals = dict(zip(keys, resample(len(members), figures, options), strict=True))
    return RankingScore(
        len(phrases),
        int(has.sum()),
        int(relevant.sum()),
        spearman_covered=actual[0],
        spearman_all=actual[1],
        mrr=actual[2],
        average_precision=actual[3],
        intervals=intervals,
    )


def resample(
    size: int, figures: Callable[[NDArray[np.int64]], Sequence[float]], options: BootstrapOptions
) -> list[Interval | None]:
    """Percentile intervals of figures that are not functions of sums. ``figures`` gets the drawn units' numbers."""
    generator = np.random.Generator(np.random.PCG64(options.seed))
    width = len(figures(np.arange(size)))
    if not options.samples:
        return [None] * width
    drawn = np.array([figures(generator.integers(0, size, size)) for _ in range(options.samples)])
    intervals: list[Interval | None] = []
    for column in drawn.T:
        known = column[~np.isnan(column)]
        if not len(known):
            intervals.append(None)
            continue
        low, high = np.quantile(known, [(1 - options.level) / 2, (1 + options.level) / 2])
        intervals.append(Interval(float(low), float(high)))
    return intervals


def _reciprocal_and_precision(scores: Floats, good: NDArray[np.bool_]) -> tuple[float, float]:
    """Reciprocal rank of the first relevant candidate, and average precision; NaN without a relevant one."""
    if not good.any():
        return float("nan"), float("nan")
    ranked = good[np.lexsort((good, -scores))]
    places = np.flatnonzero(ranked) + 1
    precision = np.arange(1, len(places) + 1) / places
    return float(1 / places[0]), float(precision.mean())

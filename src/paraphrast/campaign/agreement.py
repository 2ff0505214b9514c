"""Agreement with confidence intervals, while a campaign grows: percent, κ and α, resampled over items.

All three are functions of sums over items (:mod:`paraphrast.evaluate.bootstrap`): pairs of ratings that are equal, the
table of two raters' values (Cohen) or the shares of values (Fleiss), and the coincidence matrix (Krippendorff).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paraphrast.evaluate.bootstrap import Floats, Interval, bootstrap
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.judge.agreement import Agreement, Votes, measure_agreement
from paraphrast.judge.questions import Question
from paraphrast.judge.reliability import alpha_of_sums, coincidences


@dataclass(frozen=True)
class Measured:
    """Agreement on one question after one pass, and the intervals of percent, kappa and alpha."""

    question: str
    round: int
    agreement: Agreement
    percent: Interval | None
    kappa: Interval | None
    alpha: Interval | None


def measure(
    votes: Votes, question: Question, round: int, options: BootstrapOptions | None = None
) -> Measured | None:
    """Agreement with intervals; ``None`` if no item has two ratings."""
    agreement = measure_agreement(votes, graded=question.graded)
    if agreement is None:
        return None
    shared = {item: item_votes for item, item_votes in votes.items() if len(item_votes) > 1}
    values = question.values
    pairs = _pairs(shared)
    chance = (
        _cohen_rows(shared, agreement.raters, values)
        if agreement.kind == "cohen"
        else _fleiss_rows(shared, values)
    )
    alike = coincidences(shared, values)
    first, second = pairs.shape[1], pairs.shape[1] + chance.shape[1]
    kappa = _cohen if agreement.kind == "cohen" else _fleiss

    def figures(sums: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            percent = np.where(sums[:, 1] > 0, sums[:, 0] / sums[:, 1], np.nan)
        return np.stack(
            [
                percent,
                kappa(sums[:, first:second], len(values)),
                alpha_of_sums(sums[:, second:], values, graded=question.graded),
            ],
            axis=1,
        )

    intervals = bootstrap(np.concatenate([pairs, chance, alike], axis=1), figures, options)
    return Measured(question.name, round, agreement, *intervals)


def _pairs(votes: Votes) -> Floats:
    """Equal pairs and all pairs of each item."""
    rows = []
    for item_votes in votes.values():
        size = len(item_votes)
        equal = sum(count * (count - 1) for count in Counter(item_votes.values()).values())
        rows.append((equal, size * (size - 1)))
    return np.array(rows, dtype=np.float64)


def _cohen_rows(votes: Votes, raters: Sequence[str], values: Sequence[int]) -> Floats:
    index = {value: place for place, value in enumerate(values)}
    rows = np.zeros((len(votes), len(values) ** 2))
    for row, item_votes in enumerate(votes.values()):
        first, second = (index[item_votes[rater]] for rater in raters)
        rows[row, first * len(values) + second] = 1
    return rows


def _cohen(sums: Floats, values: int) -> Floats:
    table = sums.reshape(-1, values, values)
    total = table.sum(axis=(1, 2))
    observed = np.einsum("sii->s", table) / total
    expected = (table.sum(axis=1) * table.sum(axis=2)).sum(axis=1) / total**2
    return _kappa(observed, expected)


def _fleiss_rows(votes: Votes, values: Sequence[int]) -> Floats:
    rows = np.zeros((len(votes), 2 + len(values)))
    for row, item_votes in enumerate(votes.values()):
        counts = Counter(item_votes.values())
        size = len(item_votes)
        rows[row, 0] = 1
        rows[row, 1] = sum(count * (count - 1) for count in counts.values()) / (size * (size - 1))
        rows[row, 2:] = [counts[value] for value in values]
    return rows


def _fleiss(sums: Floats, _values: int) -> Floats:
    shares = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
    return _kappa(sums[:, 1] / sums[:, 0], (shares**2).sum(axis=1))


def _kappa(observed: Floats, expected: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)

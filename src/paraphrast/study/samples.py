"""Labelled samples of paraphrases by several raters: shares with intervals (Owczarzak et al. 2006, tables 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paraphrast.errors import InputError
from paraphrast.evaluate.bootstrap import Interval, bootstrap
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.references.samples import SampleRow

QUESTIONS = ("same_category", "same_meaning")


@dataclass(frozen=True)
class SampleShare:
    """The share of yes of one sample: over its rows, each worth the mean of its raters. rows: how many were labelled.

    The interval resamples phrases, because the paraphrases of one phrase are alike.
    """

    share: float
    rows: int
    interval: Interval | None


def rater_shares(
    raters: Sequence[Sequence[SampleRow]], options: BootstrapOptions | None = None
) -> dict[str, dict[tuple[str, str], SampleShare]]:
    """Tables 5 and 6 by several raters of the same rows: question → (corpus, sample) → share.

    Rows that nobody labelled are left out.
    """
    _check_same_rows(raters)
    table: dict[str, dict[tuple[str, str], SampleShare]] = {}
    for question in QUESTIONS:
        by_sample: dict[tuple[str, str], dict[str, list[float]]] = {}
        for rows in zip(*raters, strict=True):
            answers = [answer for row in rows if (answer := getattr(row, question)) is not None]
            if answers:
                units = by_sample.setdefault((rows[0].corpus, rows[0].sample), {})
                unit = units.setdefault(rows[0].phrase, [0.0, 0.0])
                unit[0] += sum(answers) / len(answers)
                unit[1] += 1
        table[question] = {}
        for key, units in by_sample.items():
            values = np.array(list(units.values()))
            yes, total = values.sum(axis=0)
            interval = bootstrap(values, lambda sums: sums[:, 0] / sums[:, 1], options)[0]
            table[question][key] = SampleShare(float(yes / total), int(total), interval)
    return table


def rater_votes(raters: Sequence[Sequence[SampleRow]], question: str) -> dict[str, dict[str, int]]:
    """Row → rater → answer, to measure their agreement."""
    _check_same_rows(raters)
    return {
        str(number): {
            str(place): answer
            for place, row in enumerate(rows)
            if (answer := getattr(row, question)) is not None
        }
        for number, rows in enumerate(zip(*raters, strict=True))
    }


def _check_same_rows(raters: Sequence[Sequence[SampleRow]]) -> None:
    kinds = {tuple((row.corpus, row.sample, row.phrase, row.paraphrase) for row in rows) for rows in raters}
    if len(kinds) > 1:
        raise InputError("expected the same paraphrases in the same order from every rater")

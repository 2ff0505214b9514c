"""Sentences that raters accepted, in the tables of the papers.

Quirk et al. (2004): table 2, accepted n / N per system and single rank; table 3, four qualities with the mean edit
distance. Zhao et al. (2008): table 3, top-n accuracy per genre (eq. 15: Σ nᵢ / (N · n), so if an input has fewer than n
outputs, the missing ones count as unacceptable), and the shares of three kinds of error among unacceptable outputs.

Labels come as ``question → rater → value`` (:class:`~paraphrast.formats.outputs.SystemOutput`). If raters differ, an
output counts as the share that accept it (``mean``, the default), or as accepted if more than half accept it
(``majority``), or if all do (``all``). Outputs without an answer to the question are left out. Intervals resample
inputs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from paraphrast.errors import InputError
from paraphrast.evaluate.automatic import edit_distance
from paraphrast.evaluate.bootstrap import Floats, Interval, bootstrap
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.formats.outputs import SystemOutput

RULES = ("mean", "majority", "all")
#: Quirk et al.'s table 3: question → its name in the table.
QUALITIES = {
    "rearrangement": "Rearrangement",
    "alternation": "Phrasal alternation",
    "added": "Info added",
    "lost": "Info lost",
}
#: Zhao et al.'s kinds of error (§6.2), by the value of the question ``error``.
ERRORS = {1: "syntactic", 2: "semantic", 3: "non-paraphrase"}


@dataclass(frozen=True)
class Share:
    """n of N, with the interval of n / N."""

    accepted: float
    total: int
    interval: Interval | None

    @property
    def value(self) -> float | None:
        """n / N; None if N is 0."""
        return self.accepted / self.total if self.total else None

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "accepted": self.accepted,
            "total": self.total,
            "share": self.value,
            "interval": self.interval.to_list() if self.interval else None,
        }

    def text(self) -> str:
        """As the paper prints it: ``177 / 200 = 88.5%``."""
        return f"{self.accepted:g} / {self.total} = {100 * (self.value or 0.0):.1f}%"


@dataclass(frozen=True)
class Mean:
    """The mean of graded values, with its interval."""

    value: float
    count: int
    interval: Interval | None

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "mean": self.value,
            "count": self.count,
            "interval": self.interval.to_list() if self.interval else None,
        }


@dataclass(frozen=True)
class SystemRow:
    """One line of table 2: a system at one rank."""

    system: str
    rank: int
    share: Share


@dataclass(frozen=True)
class QualityColumn:
    """One column of table 3: a system's qualities and the mean edit distance of the same outputs."""

    system: str
    qualities: Mapping[str, Share]
    edit_distance: float
    extra: Mapping[str, float] = field(default_factory=dict)


def accepted(output: SystemOutput, question: str, *, least: int = 1, rule: str = "mean") -> float | None:
    """How far an output is accepted, 0 to 1; None if nobody answered the question."""
    if rule not in RULES:
        raise InputError(f"unknown rule {rule!r}", remedy=f"known: {', '.join(RULES)}")
    votes = output.labels.get(question)
    if not votes:
        return None
    share = sum(value >= least for value in votes.values()) / len(votes)
    if rule == "mean":
        return share
    return float(share > 0.5 if rule == "majority" else share == 1.0)


def _ratio(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        quotient: Floats = sums[:, 0] / sums[:, 1]
    return quotient


def _units(pairs: Sequence[tuple[tuple[str, str], float]]) -> Floats:
    """Values by input → float64[inputs, 2], sum and number."""
    rows: dict[tuple[str, str], list[float]] = {}
    for place, value in pairs:
        row = rows.setdefault(place, [0.0, 0.0])
        row[0] += value
        row[1] += 1
    return np.array(list(rows.values()), dtype=np.float64).reshape(-1, 2)


def share_accepted(
    outputs: Sequence[SystemOutput],
    question: str,
    options: BootstrapOptions | None = None,
    *,
    least: int = 1,
    rule: str = "mean",
) -> Share:
    """The share of accepted outputs."""
    values = [
        ((output.context, output.source), value)
        for output in outputs
        if (value := accepted(output, question, least=least, rule=rule)) is not None
    ]
    if not values:
        return Share(0.0, 0, None)
    units = _units(values)
    total = math.fsum(value for _, value in values)
    return Share(total, len(values), bootstrap(units, _ratio, options)[0])


def mean_value(
    outputs: Sequence[SystemOutput], question: str, options: BootstrapOptions | None = None
) -> Mean | None:
    """The mean of a graded question, averaged over the raters of each output first; None without answers."""
    values = [
        ((output.context, output.source), sum(votes.values()) / len(votes))
        for output in outputs
        if (votes := output.labels.get(question))
    ]
    if not values:
        return None
    units = _units(values)
    mean = math.fsum(value for _, value in values) / len(values)
    return Mean(mean, len(values), bootstrap(units, _ratio, options)[0])


def systems_of(outputs: Sequence[SystemOutput]) -> list[str]:
    """The names of systems, in order of first appearance."""
    return list(dict.fromkeys(output.system for output in outputs))


def acceptability(
    outputs: Sequence[SystemOutput],
    question: str,
    options: BootstrapOptions | None = None,
    *,
    ranks: int = 5,
    least: int = 1,
    rule: str = "mean",
) -> list[SystemRow]:
    """Quirk et al.'s table 2: accepted n / N of each system at each single rank, the best share first."""
    rows = []
    for system in systems_of(outputs):
        for rank in range(1, ranks + 1):
            chosen = [output for output in outputs if output.system == system and output.rank == rank]
            share = share_accepted(chosen, question, options, least=least, rule=rule)
            if share.total:
                rows.append(SystemRow(system, rank, share))
    return sorted(rows, key=lambda row: -(row.share.value or 0.0))


def qualities(
    outputs: Sequence[SystemOutput], options: BootstrapOptions | None = None, *, rule: str = "mean"
) -> list[QualityColumn]:
    """Quirk et al.'s table 3: each system's best outputs by four labels, with their mean edit distance."""
    columns = []
    for system in systems_of(outputs):
        chosen = [
            output
            for output in outputs
            if output.system == system
            and output.rank == 1
            and any(name in output.labels for name in QUALITIES)
        ]
        if chosen:
            shares = {name: share_accepted(chosen, name, options, rule=rule) for name in QUALITIES}
            distance = sum(edit_distance(output.source, output.text) for output in chosen) / len(chosen)
            columns.append(QualityColumn(system, shares, distance))
    return columns


def top_accuracy(
    outputs: Sequence[SystemOutput],
    question: str,
    options: BootstrapOptions | None = None,
    *,
    tops: Sequence[int] = (1, 5, 10),
    least: int = 1,
    rule: str = "mean",
) -> dict[str, dict[int, Share]]:
    """Zhao et al.'s table 3 for one system's outputs: genre (``""`` for all) → n → Σ nᵢ of N · n (eq. 15)."""
    genres = dict.fromkeys(output.genre for output in outputs if output.genre)
    table: dict[str, dict[int, Share]] = {}
    for genre in ("", *genres):
        inputs: dict[tuple[str, str], list[SystemOutput]] = {}
        for output in outputs:
            if not genre or output.genre == genre:
                inputs.setdefault((output.context, output.source), []).append(output)
        table[genre] = {}
        for top in tops:
            units = np.array(
                [
                    [
                        sum(
                            accepted(input_output, question, least=least, rule=rule) or 0.0
                            for input_output in input_outputs
                            if input_output.rank <= top
                        ),
                        top,
                    ]
                    for input_outputs in inputs.values()
                ],
                dtype=np.float64,
            ).reshape(-1, 2)
            if len(units):
                interval = bootstrap(units, _ratio, options)[0]
                table[genre][top] = Share(float(units[:, 0].sum()), int(units[:, 1].sum()), interval)
    return table


def error_types(outputs: Sequence[SystemOutput], options: BootstrapOptions | None = None) -> dict[str, Share]:
    """The share of each kind of error among the answers to ``error``. The raters of an output count as one together."""
    shares: dict[str, Share] = {}
    judged = [output for output in outputs if output.labels.get("error")]
    for value, name in ERRORS.items():
        pairs = []
        for output in judged:
            votes = list(output.labels["error"].values())
            pairs.append(((output.context, output.source), votes.count(value) / len(votes)))
        total = math.fsum(share for _, share in pairs)
        interval = bootstrap(_units(pairs), _ratio, options)[0] if pairs else None
        shares[name] = Share(total, len(pairs), interval)
    return shares

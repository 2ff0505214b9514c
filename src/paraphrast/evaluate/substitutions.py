"""Substitutes in context against gold: #DCS, accuracy, curves (Zhao et al. 2008, §6.1, eq. 14, tables 1 and 2).

A substitute is right if at least half of its judges accept it. A gold standard that lists what was judged (SWORDS)
leaves the rest unjudged, so accuracy is computed twice: among all substitutes, and among the judged ones, with their
share. #DCS counts distinct correct substitutes: the same substitute at the same place counts once, even if several of
the n best rewrites have it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paraphrast.errors import InputError
from paraphrast.evaluate.bootstrap import Floats, Interval, bootstrap
from paraphrast.evaluate.curves import (
    Calibration,
    CurvePoint,
    accuracy_coverage,
    area_under_curve,
    calibration,
)
from paraphrast.evaluate.forms import Matcher, one_spelling
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.evaluate.pser import Pser, SentenceOutcome, pser
from paraphrast.formats.substitutions import Target


@dataclass(frozen=True, slots=True)
class Offer:
    """A substitute that a system offers for a target, with its rank from 1 and its confidence."""

    after: str
    rank: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """An offer with its verdict; None if it was not judged."""

    target: int
    offer: Offer
    correct: bool | None


@dataclass(frozen=True)
class SubstitutionScore:
    """Shares, not percent; ``None`` if there is nothing to divide by.

    targets: all; covered: with at least one substitute; with_gold: with a known right one. offered: number of distinct
    substitutes; judged, dcs (correct): of these. accuracy: correct / offered; accuracy_judged: correct / judged;
    share_judged: judged / offered; first: accuracy among judged ones of rank 1 (judged_first: how many).
    """

    targets: int
    with_gold: int
    covered: int
    offered: int
    judged: int
    dcs: int
    accuracy: float | None
    accuracy_judged: float | None
    share_judged: float | None
    first: float | None
    judged_first: int
    intervals: Mapping[str, Interval | None]
    pser: Pser

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        names = (
            "targets", "with_gold", "covered", "offered", "judged", "dcs",
            "accuracy", "accuracy_judged", "share_judged", "first", "judged_first",
        )  # fmt: skip
        intervals = {
            name: interval.to_list() if interval else None for name, interval in self.intervals.items()
        }
        return {
            **{name: getattr(self, name) for name in names},
            "intervals": intervals,
            "pser": self.pser.to_dict(),
        }


@dataclass(frozen=True)
class Confidence:
    """How well confidences of judged substitutes separate right from wrong. Calibration needs probabilities."""

    curve: tuple[CurvePoint, ...]
    auc: float | None
    calibration: Calibration | None

    def to_dict(self, *, points: int = 50) -> dict[str, object]:
        """Plain values, for JSON, with about ``points`` points of the curve."""
        step = max(len(self.curve) // points, 1)
        thinned = [*self.curve[::step], *(self.curve[-1:] if (len(self.curve) - 1) % step else ())]
        return {
            "curve": [point.to_list() for point in thinned],
            "auc": self.auc,
            "calibration": self.calibration.to_dict() if self.calibration else None,
        }


def judge_offers(
    targets: Sequence[Target],
    offers: Sequence[Sequence[Offer]],
    matcher: Matcher | None = None,
    *,
    least: float = 0.5,
) -> list[Outcome]:
    """Give every distinct offer its verdict. The target itself, in any spelling, is not a substitute."""
    if len(targets) != len(offers):
        raise InputError(f"expected offers for each of {len(targets)} targets, got {len(offers)}")
    matcher = matcher or Matcher()
    judged = []
    for number, (target, listed) in enumerate(zip(targets, offers, strict=True)):
        seen = {one_spelling(target.word)}
        for offer in sorted(listed, key=lambda offer: offer.rank):
            if one_spelling(offer.after) not in seen:
                seen.add(one_spelling(offer.after))
                judged.append(Outcome(number, offer, matcher.verdict(target, offer.after, least=least)))
    return judged


def sentence_outcomes(
    targets: Sequence[Target], outcomes: Sequence[Outcome], *, least: float = 0.5
) -> list[SentenceOutcome]:
    """Input of :func:`paraphrast.evaluate.pser.pser`: outcomes grouped by context."""
    order = list(dict.fromkeys(target.context for target in targets))
    counts = {context: [0, 0, 0] for context in order}
    possible = dict.fromkeys(order, False)
    for target in targets:
        possible[target.context] |= any(share >= least for share in target.accepted.values())
    for outcome in outcomes:
        kind = 2 if outcome.correct is None else 0 if outcome.correct else 1
        counts[targets[outcome.target].context][kind] += 1
    by_sentence = []
    for context in order:
        right, wrong, unjudged = counts[context]
        by_sentence.append(SentenceOutcome(right, wrong, unjudged, possible[context]))
    return by_sentence


def score_substitutions(
    targets: Sequence[Target],
    outcomes: Sequence[Outcome],
    options: BootstrapOptions | None = None,
    *,
    least: float = 0.5,
    silence: float = 1.0,
) -> SubstitutionScore:
    """All figures. Intervals resample targets."""
    if not targets:
        raise InputError("expected at least one target with gold, got none")
    # Columns: offered, judged, right; judged and right of rank 1; covered.
    units = np.zeros((len(targets), 6))
    for outcome in outcomes:
        row = units[outcome.target]
        row[0] += 1
        row[5] = 1
        if outcome.correct is not None:
            row[1] += 1
            row[2] += outcome.correct
            if outcome.offer.rank == 1:
                row[3] += 1
                row[4] += outcome.correct
    total = units.sum(axis=0)
    names = ("accuracy", "accuracy_judged", "share_judged", "first")
    intervals = dict(zip(names, bootstrap(units, _shares, options), strict=True))
    values = _shares(total[None, :])[0]
    known = [None if np.isnan(value) else float(value) for value in values]
    return SubstitutionScore(
        targets=len(targets),
        with_gold=sum(any(share >= least for share in target.accepted.values()) for target in targets),
        covered=int(total[5]),
        offered=int(total[0]),
        judged=int(total[1]),
        dcs=int(total[2]),
        accuracy=known[0],
        accuracy_judged=known[1],
        share_judged=known[2],
        first=known[3],
        judged_first=int(total[3]),
        intervals=intervals,
        pser=pser(sentence_outcomes(targets, outcomes, least=least), silence=silence, options=options),
    )


def _shares(sums: Floats) -> Floats:
    offered, judged, right, judged_first, right_first, _ = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack(
            [right / offered, right / judged, judged / offered, right_first / judged_first], axis=1
        )


def measure_confidence(outcomes: Sequence[Outcome], *, bins: int = 10) -> Confidence:
    """Curve, AUC and calibration over the judged substitutes."""
    judged = [outcome for outcome in outcomes if outcome.correct is not None]
    values = [outcome.offer.confidence for outcome in judged]
    right = [bool(outcome.correct) for outcome in judged]
    probabilities = bool(values) and min(values) >= 0 and max(values) <= 1
    return Confidence(
        tuple(accuracy_coverage(values, right)),
        area_under_curve(values, right),
        calibration(values, right, bins) if probabilities else None,
    )


def add_greedily(
    tables: Sequence[str],
    evaluate: Callable[[tuple[str, ...]], SubstitutionScore],
    *,
    by: str = "accuracy_judged",
) -> list[tuple[tuple[str, ...], SubstitutionScore]]:
    """Tables added one by one, each time "the most useful PT from the left ones" (Zhao et al. 2008, table 2).

    by: the figure that measures usefulness, ``accuracy_judged``, ``accuracy`` or ``dcs``. Ties go by the other of
    accuracy and #DCS, then by the given order. (The order in the paper follows accuracy: its second table adds 28
    substitutes, its third 57.)
    """
    if by not in ("accuracy", "accuracy_judged", "dcs"):
        raise InputError(f"expected accuracy, accuracy_judged or dcs, got {by!r}")
    chosen: tuple[str, ...] = ()
    left = list(dict.fromkeys(tables))
    rows = []
    while left:
        scored = [(name, evaluate((*chosen, name))) for name in left]

        def useful(pair: tuple[str, SubstitutionScore]) -> tuple[float, float]:
            accuracy = pair[1].accuracy if by == "accuracy" else pair[1].accuracy_judged
            figures = (accuracy or 0.0, float(pair[1].dcs))
            return figures[::-1] if by == "dcs" else figures

        name, score = max(scored, key=useful)  # the first of equals
        chosen = (*chosen, name)
        left.remove(name)
        rows.append((chosen, score))
    return rows

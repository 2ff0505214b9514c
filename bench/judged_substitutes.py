"""Substitutes in context that people judged, as rows that the substitution model can be fitted to and measured on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.evaluate.curves import accuracy_at, accuracy_coverage, area_under_curve, calibration
from paraphrast.evaluate.forms import Forms, Matcher, one_spelling
from paraphrast.formats.substitutions import Target
from paraphrast.model import render
from paraphrast.model.control import Control
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.substitution import FEATURES, SubstitutionModel
from paraphrast.study.substitutions import BATCH, EVERYTHING, edit_of, only_span

COVERAGE = (50, 100, 200, 300, 500, 1000)


@dataclass(frozen=True)
class JudgedSubstitutes:
    """features: float32[rows, features] by ``FEATURES``; right: 0 or 1; word: the target's, whose rows
    stay in one fold; target: number of the target; judged: whether its substitutes were all judged one by one (SWORDS),
    not merely not given."""

    features: NDArray[np.float32]
    right: NDArray[np.float64]
    word: tuple[str, ...]
    target: NDArray[np.int64]
    judged: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.right)


def judged_substitutes(
    model: Paraphraser,
    substitution: SubstitutionModel,
    targets: Sequence[Target],
    control: Control = EVERYTHING,
    *,
    least: float = 0.5,
) -> JudgedSubstitutes:
    """Everything that the model offers for the targets and somebody judged, the target itself left out."""
    matcher = Matcher(Forms(model.language.code))
    decoder, options = model.decoder_of(control), model.decode_options(control)
    features: list[NDArray[np.float32]] = []
    right: list[float] = []
    words: list[str] = []
    numbers: list[int] = []
    judged: list[bool] = []
    for begin in range(0, len(targets), BATCH):
        part = targets[begin : begin + BATCH]
        prepared = [only_span(model, one.context, one.start, one.end, control) for one in part]
        batch = model.batch_of(prepared)
        edges = decoder.edges(batch, options)
        values = substitution.features(decoder, batch, edges)
        for item, (target, ready) in enumerate(zip(part, prepared, strict=True)):
            seen = {one_spelling(target.word)}
            for row in range(int(edges.begin[item]), int(edges.begin[item + 1])):
                place = int(edges.start[row]), int(edges.end[row])
                if (ready.analysis.starts[place[0]], ready.analysis.ends[place[1] - 1]) != (
                    target.start,
                    target.end,
                ):
                    continue
                edit = edit_of(decoder.arrays, place, int(edges.option[row]))
                after = render.inserted_text(model, ready, edit)
                if one_spelling(after) in seen:
                    continue
                seen.add(one_spelling(after))
                share = matcher.share(target, after)
                if share is not None:
                    features.append(values[row])
                    right.append(float(share >= least))
                    words.append((target.lemma or target.word).lower())
                    numbers.append(begin + item)
                    judged.append(not target.closed)
    table = np.array(features, dtype=np.float32).reshape(-1, len(FEATURES))
    return JudgedSubstitutes(
        table, np.array(right), tuple(words), np.array(numbers, np.int64), np.array(judged, np.bool_)
    )


def measured(
    probability: NDArray[np.float64], right: NDArray[np.float64], *, full: bool = True
) -> Mapping[str, object]:
    """Area under the curve, accuracy of the surest, calibration."""
    points = accuracy_coverage(probability, right)
    surest = {kept: point.accuracy for kept in COVERAGE if (point := accuracy_at(points, kept)) is not None}
    found: dict[str, object] = {"auc": area_under_curve(probability, right), "accuracy_of_surest": surest}
    if full:
        found |= {
            "judged": len(right),
            "right": int(right.sum()),
            "calibration": calibration(probability, right).to_dict(),
        }
    return found

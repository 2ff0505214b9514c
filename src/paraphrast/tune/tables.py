"""Fit a table's constants (α, β, γ, thresholds) to a development set: build and judge every choice.

Zhao et al. (2008, §4) set their constants on a development set, but publish neither the values nor the method. Here a
choice is rated by the F-measure of two shares: right ones among its judged substitutes, and targets with a right
substitute among all targets. The first counts double (β = 1/2), because a wrong substitute costs more than a missing
one. Choices are compared by cross-validation over target words, so the reported figures come from words that were not
used to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.evaluate.folds import folds_of
from paraphrast.evaluate.forms import Forms, Matcher, one_spelling
from paraphrast.formats.substitutions import Target
from paraphrast.types import LooseTable

#: Number of best substitutes of a target that count.
BEST = 10
#: Maximum number of choices. Each needs a table to be built.
MOST_CHOICES = 200


@dataclass(frozen=True)
class Tried:
    """One choice of constants: rows of its table, and for each target the numbers of judged and right substitutes."""

    options: Mapping[str, Any]
    rows: int
    judged: NDArray[np.int64]
    right: NDArray[np.int64]

    def worth(self, targets: NDArray[np.bool_] | slice = slice(None)) -> float:
        """The F-measure over some targets; 0 if no substitute is right."""
        judged, right = self.judged[targets], self.right[targets]
        if not right.any():
            return 0.0
        accuracy, coverage = right.sum() / judged.sum(), np.mean(right > 0)
        return float(1.25 * accuracy * coverage / (0.25 * accuracy + coverage))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        judged = int(self.judged.sum())
        return {
            "options": dict(self.options),
            "rows": self.rows,
            "judged": judged,
            "right": int(self.right.sum()),
            "accuracy": float(self.right.sum() / judged) if judged else None,
            "targets_with_right": int((self.right > 0).sum()),
            "worth": self.worth(),
        }


@dataclass(frozen=True)
class TableFit:
    """Every choice, the best one, and the figures of choosing on target words that were not used to choose."""

    tried: tuple[Tried, ...]
    best: Tried
    held_out: float
    held_out_default: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "tried": [choice.to_dict() for choice in self.tried],
            "best": self.best.to_dict(),
            "held_out": self.held_out,
            "held_out_default": self.held_out_default,
        }


def fit_table(
    build: Callable[[Mapping[str, Any]], LooseTable],
    choices: Mapping[str, Sequence[Any]],
    targets: Sequence[Target],
    *,
    language: str = "en",
    least: float = 0.5,
    folds: int = 5,
    done: Callable[[int, int], None] | None = None,
) -> TableFit:
    """Build the table with its defaults and with every combination of ``choices``, and choose by the targets.

    build: options → table. least: share of judges that must accept. done: called with the number of tables built, and
    the total.
    """
    if not targets:
        raise InputError("expected targets with gold, got none")
    combinations = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    if not choices or not all(choices.values()) or len(combinations) > MOST_CHOICES:
        raise InputError(
            f"expected 1 to {MOST_CHOICES} combinations to try, got {len(combinations) if choices else 0}",
            remedy="name values: th1=0.3,0.45,0.6",
        )
    matcher = Matcher(Forms(language))
    tried = []
    for number, options in enumerate([{}, *combinations]):
        tried.append(_try(build(options), options, targets, matcher, least))
        if done is not None:
            done(number + 1, len(combinations) + 1)
    fold = folds_of([(target.lemma or target.word).lower() for target in targets], folds)
    chosen = [_best(tried, fold != number) for number in range(folds)]
    parts = [number for number in range(folds) if (fold == number).any()]
    return TableFit(
        tuple(tried),
        _best(tried, slice(None)),
        float(np.mean([chosen[number].worth(fold == number) for number in parts])),
        float(np.mean([tried[0].worth(fold == number) for number in parts])),
    )


def _best(tried: Sequence[Tried], targets: NDArray[np.bool_] | slice) -> Tried:
    """The choice with the highest F-measure; the earliest of equals, with the defaults first."""
    return max(tried, key=lambda choice: choice.worth(targets))


def _try(
    table: LooseTable, options: Mapping[str, Any], targets: Sequence[Target], matcher: Matcher, least: float
) -> Tried:
    rows = table.table
    target_words = {target.word.lower() for target in targets}
    offered: dict[str, list[tuple[float, str]]] = {}
    texts = [" ".join(table.phrase(index)) for index in range(len(table.phrases))]
    for source, target, score in zip(
        rows.source.tolist(), rows.target.tolist(), rows.score.tolist(), strict=True
    ):
        if texts[source].lower() in target_words:
            offered.setdefault(texts[source].lower(), []).append((-score, texts[target]))
    judged, right = np.zeros(len(targets), np.int64), np.zeros(len(targets), np.int64)
    for number, target in enumerate(targets):
        seen = {one_spelling(target.word)}
        for _, text in sorted(offered.get(target.word.lower(), [])):
            if one_spelling(text) in seen:
                continue
            seen.add(one_spelling(text))
            share = matcher.share(target, text)
            if share is not None:
                judged[number] += 1
                right[number] += share >= least
            if len(seen) > BEST:
                break
    return Tried(dict(options), len(rows), judged, right)

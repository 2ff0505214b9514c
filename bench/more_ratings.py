"""Go on from fitted trees of the fast road with more ratings: effects of phrases and pairs, then more trees.

    python bench/more_ratings.py --model MODEL --ratings FILE.jsonl … [--write FILE.json | --effects]

A file of ratings has objects with ``source``, ``rewrite`` and ``accepted`` (0 to 1), of sentences that the trees have
not seen. The trees and effects that ship are kept: they were fitted by ``bench/fast_acceptability.py`` and by this
command to earlier ratings and to judged substitutes. Their log-odds are where new effects (``tables/quality/rated.py``)
and new trees begin. Prints the area under the curve and the log-loss in five folds over sentences, step by step, and
calibration. ``--write`` fits to all ratings, writes the trees, and adds the effects to those that ship; ``--effects``
adds the effects alone, which is better if there are few ratings.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold

from fast_acceptability import (
    FOLDS,
    Rows,
    area,
    calibration,
    log_probability_of_rewrites,
    rows_of,
    sentence_of,
)
from fitting import TreeOptions, fit_more_trees
from paraphrast._trees import Trees
from paraphrast.formats.files import atomic_write
from paraphrast.model import load
from paraphrast.model.substitution import FEATURES, GROUPS, STATIC, Acceptance, default_acceptance
from paraphrast.tables.quality.rated import RATED_FILE, RatedPhrases, rated_phrases
from rated_effects import out_of_fold_effects

MORE = TreeOptions(trees=120, depth=4, rate=0.06, penalty=10.0, least=60, features=0.4)
MORE_PRIOR = TreeOptions(trees=40, depth=4, rate=0.08, penalty=10.0, least=30, features=0.4)
#: Ridges of the new effects: of a pair, of a substitute, of a source phrase.
PENALTY = (4.0, 8.0, 8.0)
#: How often blame for rejected rewrites is shared anew.
ROUNDS = 2


def added_effects(shipped: RatedPhrases, new: RatedPhrases) -> RatedPhrases:
    """The sum of both."""
    keys = {*shipped.effects, *new.effects}
    total = {key: round(shipped.effects.get(key, 0.0) + new.effects.get(key, 0.0), 2) for key in keys}
    return RatedPhrases({key: value for key, value in total.items() if value != 0})


def shared_blame(rows: Rows, odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each substitution counts as accepted: in a rejected rewrite, its probability of not being what is wrong.

    One step of EM: of a rejected rewrite with the probabilities p, substitution i is wrong with (1 − p_i) / (1 − Π p).
    """
    log_p = -np.logaddexp(0.0, -odds)
    whole = np.bincount(rows.rewrite, weights=log_p, minlength=len(rows.whole))[rows.rewrite]
    wrong = np.minimum(1.0, np.expm1(log_p) / np.minimum(np.expm1(whole), -1e-9))
    shared: NDArray[np.float64] = rows.accepted + (1.0 - rows.accepted) * (1.0 - wrong)
    return shared


def cross_validated(
    rows: Rows,
    start: Trees,
    columns: Sequence[int],
    labels: NDArray[np.float64],
    options: TreeOptions = MORE,
) -> NDArray[np.float64]:
    """Log-odds of every row by trees that go on from ``start`` without its sentence; other columns are hidden."""
    hidden = np.ones(len(FEATURES), np.bool_)
    hidden[list(columns)] = False
    seen = np.where(hidden, np.float32(np.nan), rows.features)
    first = start.predict(rows.features)
    result = np.zeros(len(first))
    folds = GroupKFold(FOLDS, shuffle=True, random_state=0).split(first, None, sentence_of(rows))
    for train, test in folds:
        more = fit_more_trees(start, seen[train], labels[train], options, first=first[train])
        result[test] = first[test] + added(more, start, seen[test])
    return result


def added(more: Trees, start: Trees, values: NDArray[np.float32]) -> NDArray[np.float64]:
    """What the trees after those of ``start`` add."""
    count = len(start.feature)
    new = Trees(0.0, more.feature[count:], more.threshold[count:], more.value[count:])
    return new.predict(values)


def log_loss(accepted: NDArray[np.float64], log_p: NDArray[np.float64]) -> float:
    """Mean negative log-likelihood of whole rewrites."""
    log_p = np.minimum(log_p, -1e-6)
    return float(-(accepted * log_p + (1.0 - accepted) * np.log(-np.expm1(log_p))).mean())


def main() -> None:
    """Gather the rows, measure, fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--ratings", type=Path, nargs="+", required=True)
    parser.add_argument(
        "--ablate", action="store_true", help="also hide each group of features from the new trees"
    )
    parser.add_argument(
        "--ridges", type=float, nargs=3, default=PENALTY, metavar=("PAIR", "SUBSTITUTE", "SOURCE")
    )
    parser.add_argument("--write", type=Path)
    parser.add_argument("--effects", action="store_true")
    options = parser.parse_args()
    model = load(options.model)
    if model.substitution is None:
        parser.error("expected a model with a substitution model")
    objects = [json.loads(line) for path in options.ratings for line in path.read_text("utf-8").splitlines()]
    items = [(one["source"], one["rewrite"], float(one["accepted"])) for one in objects]
    rows = rows_of(model, model.substitution, items)
    shipped = default_acceptance()
    start, prior = shipped.trees, shipped.prior
    rows = replace(rows, features=rows.features.copy())
    sources, targets = zip(*rows.pair, strict=True)
    earlier = rated_phrases().of(sources, targets)
    rows.features[:, FEATURES.index("rated")] = earlier
    base = start.predict(rows.features)
    every_row = np.ones(len(base), np.bool_)
    labels = shared_blame(rows, base)
    for _ in range(ROUNDS):
        value, effects = out_of_fold_effects(
            rows.pair, base, labels, sentence_of(rows), every_row, options.ridges
        )
        labels = shared_blame(rows, base + value)
    rows.features[:, FEATURES.index("rated")] = earlier + value

    def measured(odds: NDArray[np.float64]) -> dict[str, float]:
        score = log_probability_of_rewrites(rows, odds)
        return {"area": area(rows.whole, score), "log_loss": log_loss(rows.whole, score)}

    every = range(len(FEATURES))
    odds = cross_validated(rows, start, every, labels)
    report: dict[str, Any] = {
        "rewrites": [len(items), len(rows.whole)],
        "pairs": len(set(rows.pair)),
        "trees that ship": measured(base),
        "with effects": measured(base + value),
        "with effects and more trees": measured(odds),
        "pairs alone": measured(cross_validated(rows, prior, range(len(STATIC)), labels, MORE_PRIOR)),
        "calibration": calibration(rows.whole, np.exp(log_probability_of_rewrites(rows, odds))),
    }
    if options.ablate:
        report["without"] = {
            group: measured(
                cross_validated(rows, start, [c for c in every if FEATURES[c] not in names], labels)
            )
            for group, names in GROUPS.items()
        }
    print(json.dumps(report, indent=1))
    if options.write or options.effects:
        added_effects(rated_phrases(), effects).save(RATED_FILE)
    if options.write:
        few = np.where(np.arange(len(FEATURES)) < len(STATIC), rows.features, np.float32(np.nan))
        note = f"{shipped.note}; then to {len(rows.whole)} more rated rewrites"
        acceptance = Acceptance(
            fit_more_trees(prior, few, labels, MORE_PRIOR),
            fit_more_trees(start, rows.features, labels, MORE),
            note,
        )
        with atomic_write(options.write) as writer:
            writer.write(json.dumps(acceptance.to_dict(), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

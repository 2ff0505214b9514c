"""Go on from the fitted trees of the precise road with more ratings, and with what the fast road says.

    python bench/more_reading.py --model MODEL --ratings FILE.jsonl … --features FILE.npz [--without SEEN.jsonl …]
        [--keep 0 0] [--write FILE.json]

A file of ratings has objects with ``source``, ``rewrite`` and ``accepted`` (0 to 1), of sentences that the trees that
ship have not seen. --without: files whose sentences MODEL's fast road was fitted to; they are left out. --features:
what was read is kept there (``bench/acceptability.py``). --keep: of the trees that ship, so many of ``first`` and
``full`` are kept (0: all); they were fitted by ``bench/acceptability.py``. New trees begin with their log-odds and know
the columns ``fast_…`` too. Prints the area under the curve and the log-loss in five folds over sentences, and
calibration.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from acceptability import FOLDS, Rated, calibration, load, read
from fitting import TreeOptions, fit_more_trees
from more_ratings import added, first_trees, log_loss
from paraphrast._trees import Trees
from paraphrast.formats.files import atomic_write
from paraphrast.model import load as load_model
from paraphrast.model.control import Control
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.read import Acceptability
from paraphrast.read.acceptability import FAST_COLUMNS, FORMAT_VERSION, shipped
from paraphrast.study.rewrites import explaining_edges

MORE = TreeOptions(trees=60, depth=4, rate=0.06, penalty=10.0, least=25, features=0.3)


def fast_columns(model: Paraphraser, rows: list[Rated]) -> NDArray[np.float64]:
    """float64[rows, 2], by ``FAST_COLUMNS``: of rewrites that the tables of the model explain."""
    if model.substitution is None:
        raise SystemExit("expected a model with a substitution model")
    control = Control(strength=1.0, vetoes=())
    values = []
    for row in rows:
        explained = explaining_edges(model, row.source, row.rewrite, control)
        if explained is None:
            values.append((np.nan, 0.0))
            continue
        batch, edges, path = explained
        features = model.substitution.features(model.decoder, batch, edges)[path]
        values.append((float(model.substitution.log_odds(features).min()), float(len(path))))
    return np.array(values)


def in_log_odds(kind: str, count: int) -> tuple[Trees, tuple[str, ...]]:
    """The trees that ship with their slope and offset in them, so that their sum is the log-odds; their columns."""
    model = shipped(kind)
    trees = first_trees(model.trees, count or len(model.trees.feature))
    scaled = Trees(
        model.slope * trees.base + model.offset,
        trees.feature,
        trees.threshold,
        (model.slope * trees.value).astype(np.float32),
    )
    return scaled, tuple(name for name in model.columns if name not in FAST_COLUMNS)


def main() -> None:
    """Read or load the features, report, fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--ratings", type=Path, nargs="+", required=True)
    parser.add_argument("--without", type=Path, nargs="*", default=[])
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--keep", type=int, nargs=2, default=(0, 0))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    seen = {
        json.loads(line)["source"]
        for path in options.without
        for line in path.read_text("utf-8").splitlines()
    }
    rows = [row for path in options.ratings for row in load(path) if row.source not in seen]
    features, early, names = read(rows, options.features, options.threads)
    fast = fast_columns(load_model(options.model), rows)
    accepted = np.array([row.accepted for row in rows])
    yes, sentences = accepted >= 0.5, np.array([row.source for row in rows])
    content: dict[str, object] = {"format_version": FORMAT_VERSION}
    for kind, keep, values in (("first", options.keep[0], early), ("full", options.keep[1], features)):
        start, columns = in_log_odds(kind, keep)
        table = np.column_stack([values[:, [names.index(name) for name in columns]], fast]).astype(np.float32)
        first = start.predict(table)
        out = np.zeros(len(rows))
        for train, test in GroupKFold(FOLDS, shuffle=True, random_state=0).split(table, None, sentences):
            more = fit_more_trees(start, table[train], accepted[train], MORE, first=first[train])
            out[test] = first[test] + added(more, start, table[test])
        print(f"{kind}: {len(rows)} rewrites of {len(set(sentences))} sentences")
        for label, odds in (("trees that ship", first), ("more trees", out)):
            print(
                f"  {label:16s} area {roc_auc_score(yes, odds):.3f}  log-loss {log_loss(accepted, odds):.3f}"
            )
        calibration(yes, 1 / (1 + np.exp(-out)))
        fitted = fit_more_trees(start, table, accepted, MORE)
        note = f"{shipped(kind).note.partition('; then')[0]}; then {len(rows)} more, with the fast road"
        content[kind] = Acceptability((*columns, *FAST_COLUMNS), fitted, 1.0, 0.0, note).to_dict()
    if options.write:
        with atomic_write(options.write) as stream:
            json.dump(content, stream)
            stream.write("\n")


if __name__ == "__main__":
    main()

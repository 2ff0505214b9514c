"""How well the reader's features tell accepted rewrites from rejected ones.

    python bench/acceptability.py [--data FOLDER] [--features FILE.npz] [--threads 2] [--translations 3] [--beam 4]

FOLDER, or the variable PARAPHRAST_BENCH_DATA, holds ``rated-rewrites/rated.jsonl.xz``. Needs the extra ``precise``,
scikit-learn, and the data opus-mt-en-fr, opus-mt-fr-en, smollm2-135m, minilm-en (``paraphrast data get``). Features are
read once and kept in FILE. Models are fitted in five folds over sentences and print: area under the curve with each
group of features alone and removed, by kind of system, and calibration of the whole.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer

from paraphrast import data
from paraphrast.read import GROUPS, Reader

RATED = Path("rated-rewrites") / "rated.jsonl.xz"
FOLDS, BAGS = 5, 5
SUBSETS = (
    ("back", "shape"),
    ("back", "forth", "shape"),
    ("back", "restated", "shape"),
    ("back", "forth", "restated", "shape"),
)
DATA = ("opus-mt-en-fr", "opus-mt-fr-en", "smollm2-135m", "minilm-en")


def trees(seed: int) -> Any:
    """Small boosted trees (Friedman 2002), each on half of the rows and a tenth of the columns."""
    return GradientBoostingClassifier(
        n_estimators=200,
        max_depth=4,
        learning_rate=0.04,
        subsample=0.5,
        max_features=0.1,
        min_samples_leaf=12,
        random_state=seed,
    )


def logistic(seed: int) -> Any:
    """Logistic regression on ranks turned normal."""
    ranks = QuantileTransformer(n_quantiles=100, output_distribution="normal", random_state=seed)
    return make_pipeline(ranks, LogisticRegression(C=0.02, max_iter=2000))


def load(path: Path) -> list[dict[str, Any]]:
    """The rated rewrites, those of one sentence side by side."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return sorted((json.loads(line) for line in lines), key=lambda row: (row["source"], row["id"]))


def read(
    rows: list[dict[str, Any]], threads: int, translations: int, beam: int
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The features of every row."""
    forth, back, causal, encoder = (data.require(name) for name in DATA)
    reader = Reader.open(
        {"fr": (forth, back)}, causal, encoder, threads=threads, translations=translations, beam=beam
    )
    by_source: dict[str, list[str]] = {}
    for row in rows:
        by_source.setdefault(row["source"], []).append(row["rewrite"])
    began, used = time.perf_counter(), time.process_time()
    features = []
    for count, (source, rewrites) in enumerate(by_source.items(), 1):
        features.append(reader.features(source, rewrites))
        if count % 20 == 0:
            print(f"{count} sentences, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    seconds, cpu = time.perf_counter() - began, time.process_time() - used
    print(f"read {len(rows)} rewrites of {len(by_source)} sentences: {seconds:.0f} s, {cpu:.0f} CPU seconds")
    return np.concatenate(features), reader.columns


def out_of_fold(
    features: np.ndarray,
    accepted: np.ndarray,
    sentences: np.ndarray,
    make: Callable[[int], Any],
    bags: int = 1,
) -> np.ndarray:
    """The probability of each row by models that have not seen its sentence."""
    probability = np.zeros(len(accepted))
    for train, test in GroupKFold(FOLDS, shuffle=True, random_state=0).split(features, accepted, sentences):
        for bag in range(bags):
            model = make(bag).fit(features[train], accepted[train])
            probability[test] += model.predict_proba(features[test])[:, 1] / bags
    return probability


def by_kind(accepted: np.ndarray, probability: np.ndarray, trips: np.ndarray) -> str:
    """Area under the curve: all, substitutions, round trips."""
    parts = (np.ones(len(trips), bool), ~trips, trips)
    return "  ".join(f"{roc_auc_score(accepted[part], probability[part]):.3f}" for part in parts)


def calibration(accepted: np.ndarray, probability: np.ndarray) -> None:
    """Mean probability against the share accepted, in tenths of the rows; Brier score."""
    for rows in np.array_split(np.argsort(probability, kind="stable"), 10):
        print(f"  said {probability[rows].mean():.2f}  accepted {accepted[rows].mean():.2f}  of {len(rows)}")
    error = float(np.mean([abs(probability[rows].mean() - accepted[rows].mean())
                           for rows in np.array_split(np.argsort(probability, kind="stable"), 10)]))  # fmt: skip
    print(f"  mean gap {error:.3f}, Brier score {np.mean((probability - accepted) ** 2):.3f}")


def first_accepted(
    accepted: np.ndarray, sentences: np.ndarray, probability: np.ndarray, rank: np.ndarray, best: int
) -> float:
    """The share of sentences whose likeliest rewrite is accepted, among the ``best`` by ``rank``."""
    firsts = []
    for sentence in np.unique(sentences):
        rows = np.flatnonzero(sentences == sentence)
        rows = rows[np.argsort(-rank[rows], kind="stable")[:best]]
        firsts.append(accepted[rows[np.argmax(probability[rows])]])
    return float(np.mean(firsts))


def main() -> None:
    """Read or load the features, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--features", type=Path, default=Path("acceptability-features.npz"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--translations", type=int, default=3)
    parser.add_argument("--beam", type=int, default=4)
    options = parser.parse_args()
    if not options.data:
        parser.error("give --data or set PARAPHRAST_BENCH_DATA")
    rows = load(Path(options.data) / RATED)
    if not options.features.exists():
        features, columns = read(rows, options.threads, options.translations, options.beam)
        with options.features.open("wb") as stream:
            np.savez(stream, features=features, columns=np.array(columns), ids=[row["id"] for row in rows])
    kept = np.load(options.features)
    features, names = kept["features"], [str(name) for name in kept["columns"]]
    if kept["ids"].tolist() != [row["id"] for row in rows]:
        parser.error(f"{options.features} has the features of other rewrites; delete it")
    report(rows, features, names)


def report(rows: list[dict[str, Any]], features: np.ndarray, names: list[str]) -> None:
    """Print the table and the calibration."""
    accepted = np.array(
        [np.mean([rating["meaning"] * rating["fluent"] for rating in row["ratings"]]) >= 0.5 for row in rows]
    )
    sentences = np.array([row["source"] for row in rows])
    trips = np.array([any("roundtrip" in system for system in row["systems"]) for row in rows])
    group = np.array([name.partition("_")[0] for name in names])

    def line(
        label: str, chosen: np.ndarray, make: Callable[[int], Any] = trees, bags: int = BAGS
    ) -> np.ndarray:
        probability = out_of_fold(features[:, chosen], accepted, sentences, make, bags)
        print(f"{label:24s} {by_kind(accepted, probability, trips)}", flush=True)
        return probability

    print(
        f"{'area under the curve':24s} all    subst. trips   ({len(rows)}, {(~trips).sum()}, {trips.sum()} rewrites)"
    )
    whole = line("all, trees", np.ones(len(names), bool))
    line("all, logistic", np.ones(len(names), bool), logistic, 1)
    for name in GROUPS:
        line(f"without {name}", group != name)
    for name in GROUPS:
        line(f"{name} alone", group == name)
    chosen = {names: line(", ".join(names), np.isin(group, names)) for names in SUBSETS}
    print(
        "share of sentences whose first rewrite is accepted: all read, best 4, best 3 chosen by back and shape"
    )
    for label, probability in (("all", whole), *((", ".join(names), of) for names, of in chosen.items())):
        shares = [
            first_accepted(accepted, sentences, probability, chosen[SUBSETS[0]], best) for best in (99, 4, 3)
        ]
        print(f"{label:32s} {'  '.join(f'{share:.3f}' for share in shares)}")
    print("calibration of all, trees")
    calibration(accepted, whole)


if __name__ == "__main__":
    main()

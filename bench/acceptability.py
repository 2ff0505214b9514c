"""How well the reader's features tell accepted rewrites from rejected ones, and the fit that ships.

    python bench/acceptability.py --data FOLDER --extra FILE.jsonl … --features FILE.npz --model MODEL --fit FILE.json

FOLDER, or the variable PARAPHRAST_BENCH_DATA, holds ``rated-rewrites/rated.jsonl.xz``. --extra: more rated rewrites, an
object a line with source, rewrite, accepted (0 to 1). Needs the extra ``precise``, scikit-learn, and the data
opus-mt-en-fr, opus-mt-fr-en, smollm2-135m, minilm-en (``paraphrast data get``). Features are read once and kept in
FILE.npz; more rewrites are added to it. Models are fitted in five folds over sentences and print: area under the curve
with each group of features alone and removed, by kind of rewrite, and calibration. With --model, what its fast road
says of each rewrite (``FAST_COLUMNS``) is a feature too; a rewrite that this road was fitted to is then not new to it.
--fit writes the trees of all rows: ``--fit src/paraphrast/read/acceptability_weights.json`` is what ships. The older
systems of rated-rewrites count less there. --brief: of the table only the whole.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer

from fitting import UNKNOWN_VALUE, BagOptions, bag_of, fit_yes_no
from paraphrast.formats.files import atomic_write, atomic_write_bytes
from paraphrast.model import load as load_model
from paraphrast.model.control import Control
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.precise import FIRST_TRANSLATIONS, open_reader
from paraphrast.read import Acceptability
from paraphrast.read.acceptability import FAST_COLUMNS, FORMAT_VERSION
from paraphrast.read.reader import FIRST
from paraphrast.study.rewrites import explaining_edges
from paraphrast.text import get_language

RATED = Path("rated-rewrites") / "rated.jsonl.xz"
FOLDS, BAGS = 5, 3
#: How much a rewrite of the older systems counts in the fit.
RATED_WEIGHT = 0.4
SUBSETS = (
    ("back", "shape"),
    ("back", "forth", "shape"),
    ("back", "restated", "shape"),
    ("back", "forth", "restated", "shape"),
)


@dataclass(frozen=True)
class Rated:
    """A rewrite and the mean of its ratings; trip: it is a round trip, as far as is known."""

    source: str
    rewrite: str
    accepted: float
    trip: bool


def logistic(seed: int) -> Any:
    """Logistic regression on ranks turned normal."""
    ranks = QuantileTransformer(n_quantiles=100, output_distribution="normal", random_state=seed)
    return make_pipeline(ranks, LogisticRegression(C=0.02, max_iter=2000))


def trees(seed: int) -> Any:
    """Small boosted trees, each on half of the rows and a tenth of the columns."""
    return bag_of(BagOptions(), seed)


def load(path: Path) -> list[Rated]:
    """Rated rewrites of a file: with ``ratings`` of meaning and fluency, or with ``accepted``."""
    rows = []
    with (
        lzma.open(path, "rt", encoding="utf-8")
        if path.suffix == ".xz"
        else path.open(encoding="utf-8") as lines
    ):
        for line in lines:
            row = json.loads(line)
            marks = [one["meaning"] * one["fluent"] for one in row.get("ratings", ())]
            accepted = float(np.mean(marks)) if marks else float(row["accepted"])
            trip = any("roundtrip" in system for system in row.get("systems", ()))
            if row["source"] != row["rewrite"]:
                rows.append(Rated(row["source"], row["rewrite"], accepted, trip))
    return rows


def read(rows: list[Rated], kept: Path, threads: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The features of every row, and those of the first reading; those that ``kept`` lacks are read and added to it."""
    known: dict[tuple[str, str], np.ndarray] = {}
    names: list[str] = []
    if kept.exists():
        stored = np.load(kept)
        names = [str(name) for name in stored["columns"]]
        pairs = zip(stored["sources"].tolist(), stored["rewrites"].tolist(), strict=True)
        both = np.stack([stored["features"], stored["first"]], axis=1)
        known = dict(zip(pairs, both, strict=True))
    missing: dict[str, list[str]] = {}
    for row in rows:
        if (row.source, row.rewrite) not in known:
            missing.setdefault(row.source, []).append(row.rewrite)
    if missing:
        reader = open_reader(get_language("en"), threads=threads)
        if names and names != list(reader.columns):
            raise SystemExit(f"{kept} has features of another reader; delete it")
        names = list(reader.columns)
        began, used = time.perf_counter(), time.process_time()
        for count, (source, rewrites) in enumerate(missing.items(), 1):
            rewrites = [text for text in dict.fromkeys(rewrites) if reader.readable(text)]
            first = reader.read(source, rewrites, FIRST, translations=FIRST_TRANSLATIONS)
            both = np.stack([reader.features(source, rewrites), first], axis=1)
            known |= {(source, text): row for text, row in zip(rewrites, both, strict=True)}
            if count % 10 == 0 or count == len(missing):
                seconds = time.perf_counter() - began
                print(f"{count} of {len(missing)} sentences, {seconds:.0f} s", file=sys.stderr, flush=True)
                save(kept, known, names)
        print(f"read {len(missing)} sentences: {time.process_time() - used:.0f} CPU seconds")
    rows[:] = [row for row in rows if (row.source, row.rewrite) in known]
    found = np.array([known[row.source, row.rewrite] for row in rows])
    return found[:, 0], found[:, 1], names


def save(path: Path, known: dict[tuple[str, str], np.ndarray], names: list[str]) -> None:
    """Keep features, complete or not at all."""
    both = np.array(list(known.values()))
    with atomic_write_bytes(path) as stream:
        np.savez(
            stream,
            features=both[:, 0],
            first=both[:, 1],
            columns=np.array(names),
            sources=np.array([source for source, _ in known]),
            rewrites=np.array([rewrite for _, rewrite in known]),
        )


def fast_columns(model: Paraphraser, rows: list[Rated]) -> np.ndarray:
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


def out_of_fold(
    features: np.ndarray,
    accepted: np.ndarray,
    sentences: np.ndarray,
    make: Callable[[int], Any],
    bags: int = 1,
    weight: np.ndarray | None = None,
) -> np.ndarray:
    """The probability of each row by models that have not seen its sentence; bags are averaged as log-odds."""
    odds = np.zeros(len(accepted))
    for train, test in GroupKFold(FOLDS, shuffle=True, random_state=0).split(features, accepted, sentences):
        for bag in range(bags):
            weighted = {} if weight is None else {"sample_weight": weight[train]}
            model = make(bag).fit(features[train], accepted[train], **weighted)
            probability = model.predict_proba(features[test])[:, 1].clip(1e-4, 1 - 1e-4)
            odds[test] += np.log(probability / (1 - probability)) / bags
    probabilities: np.ndarray = 1 / (1 + np.exp(-odds))
    return probabilities


def fit(
    features: np.ndarray,
    names: list[str],
    accepted: np.ndarray,
    out: np.ndarray,
    weight: np.ndarray,
    note: str,
) -> Acceptability:
    """Trees of all rows, with the slope and offset that calibrate out-of-fold probabilities ``out``."""
    odds = np.log(out / (1 - out))
    platt = LogisticRegression(C=1e6).fit(odds[:, None], accepted, sample_weight=weight)
    fitted = fit_yes_no(features.astype(np.float32), accepted, weight=weight)
    return Acceptability(tuple(names), fitted, float(platt.coef_[0, 0]), float(platt.intercept_[0]), note)


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
    """Read or load the features, report, fit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--extra", type=Path, nargs="*", default=[])
    parser.add_argument("--features", type=Path, default=Path("acceptability-features.npz"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--model")
    parser.add_argument("--fit", type=Path)
    parser.add_argument(
        "--without", nargs="*", default=[], metavar="GROUP", help="groups of features to leave out"
    )
    parser.add_argument("--brief", action="store_true")
    options = parser.parse_args()
    if not options.data:
        parser.error("give --data or set PARAPHRAST_BENCH_DATA")
    rows = load(Path(options.data) / RATED)
    asked = {(row.source, row.rewrite) for row in rows}
    for path in options.extra:
        rows += load(path)
    rows.sort(key=lambda row: (row.source, row.rewrite))
    features, early, names = read(rows, options.features, options.threads)
    if options.model:
        fast = fast_columns(load_model(options.model), rows)
        features, early = (np.column_stack([values, fast]) for values in (features, early))
        names = [*names, *FAST_COLUMNS]
    kept = [place for place, name in enumerate(names) if name.partition("_")[0] not in options.without]
    features, early, names = features[:, kept], early[:, kept], [names[place] for place in kept]
    features, early = (np.nan_to_num(values, nan=UNKNOWN_VALUE) for values in (features, early))
    report(rows, features, names, brief=options.brief)
    if options.fit:
        accepted = np.array([row.accepted >= 0.5 for row in rows])
        sentences = np.array([row.source for row in rows])
        weight = np.where([(row.source, row.rewrite) in asked for row in rows], RATED_WEIGHT, 1.0)
        cheap = [place for place, name in enumerate(names) if name.partition("_")[0] in (*FIRST, "fast")]
        note = (
            f"{len(asked)} rated rewrites and {len(rows) - len(asked)} more, {len(set(sentences))} sentences"
        )
        content: dict[str, object] = {"format_version": FORMAT_VERSION}
        for kind, values, used in (("first", early, cheap), ("full", features, list(range(len(names))))):
            chosen = values[:, used]
            out = out_of_fold(chosen, accepted, sentences, trees, BagOptions().bags, weight)
            print(f"{kind}: area under the curve {roc_auc_score(accepted, out):.3f}")
            columns = [names[place] for place in used]
            content[kind] = fit(chosen, columns, accepted, out, weight, note).to_dict()
        with atomic_write(options.fit) as stream:
            json.dump(content, stream)
            stream.write("\n")


def report(rows: list[Rated], features: np.ndarray, names: list[str], *, brief: bool = False) -> None:
    """Print the table and the calibration."""
    accepted = np.array([row.accepted >= 0.5 for row in rows])
    sentences = np.array([row.source for row in rows])
    trips = np.array([row.trip for row in rows])
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
    if brief:
        calibration(accepted, whole)
        return
    line("all, logistic", np.ones(len(names), bool), logistic, 1)
    for name in dict.fromkeys(group):
        line(f"without {name}", group != name)
    for name in dict.fromkeys(group):
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

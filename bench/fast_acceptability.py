"""Fit and measure the trees of the fast road: how likely a substitution is accepted in its sentence.

    python bench/fast_acceptability.py --data FOLDER --model MODEL [--extra FILE.jsonl …] [--write FILE.json]

FOLDER holds ``rated-rewrites/`` and ``substitution-gold/``. An extra file has objects with ``source``, ``rewrite`` and
``accepted`` (0 to 1). Rewrites are explained by the substitutions of MODEL: a rewrite of one substitution is a row, and
so is every substitution of an accepted rewrite of several. Prints the area under the curve in five folds over
sentences, with each group of features removed, calibration, and the figures on SWORDS; ``--write`` fits to everything.

The feature ``rated`` (``tables/quality/rated.py``) is fitted first: effects of phrases and pairs on what trees without
it leave unexplained. Trees and areas use effects from other folds, so that no rating explains itself.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from fitting import TreeOptions, fit_trees
from judged_substitutes import JudgedSubstitutes, judged_substitutes, measured
from paraphrast.decode.features import phrases_of
from paraphrast.evaluate.folds import folds_of
from paraphrast.formats.substitutions import read_targets
from paraphrast.model import load
from paraphrast.model.control import Control
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.substitution import FEATURES, GROUPS, STATIC, Acceptance, SubstitutionModel
from paraphrast.study.rewrites import explaining_edges
from paraphrast.tables.quality.rated import RATED_FILE, RatedPhrases
from rated_effects import out_of_fold_effects

TREES = TreeOptions(trees=150, depth=4, rate=0.06, penalty=10.0, least=20, features=0.3)
PRIOR = TreeOptions(trees=80, depth=4, rate=0.08, penalty=10.0, least=30, features=0.3)
#: How much a judgement of a single word counts, and one of a set where not all substitutes were judged.
SWORDS_WEIGHT, LISTED_WEIGHT = 0.3, 0.05
FOLDS = 5


@dataclass(frozen=True)
class Rows:
    """features: float32[rows, len(FEATURES)]. accepted: 0 to 1. rewrite: number of the rewrite of each row. sentence:
    of each rewrite. whole: the value of each rewrite. pair: source phrase and substitute of each row."""

    features: NDArray[np.float32]
    accepted: NDArray[np.float64]
    rewrite: NDArray[np.int64]
    sentence: list[str]
    whole: NDArray[np.float64]
    pair: list[tuple[str, str]]

    @property
    def usable(self) -> NDArray[np.bool_]:
        """Rows whose rating is theirs: of a rejected rewrite of several substitutions it is unknown which was wrong."""
        count = np.bincount(self.rewrite, minlength=len(self.whole))
        usable: NDArray[np.bool_] = (count[self.rewrite] == 1) | (self.accepted >= 0.5)
        return usable


def read_ratings(data: Path, extra: Sequence[Path]) -> list[tuple[str, str, float]]:
    """Source, rewrite and mean acceptance of every rated rewrite."""
    items: list[tuple[str, str, float]] = []
    with lzma.open(data / "rated-rewrites" / "rated.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            votes = [float(rating["meaning"] and rating["fluent"]) for rating in row["ratings"]]
            items.append((row["source"], row["rewrite"], sum(votes) / len(votes)))
    for path in extra:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            items.append((row["source"], row["rewrite"], float(row["accepted"])))
    return items


def rows_of(
    model: Paraphraser, substitution: SubstitutionModel, items: Iterable[tuple[str, str, float]]
) -> Rows:
    """The substitutions that explain the rewrites, with their features."""
    control = Control(strength=1.0, vetoes=())
    features, accepted, rewrite = [], [], []
    pairs: list[tuple[str, str]] = []
    words, arrays = model.vocabulary.words, model.decoder.arrays
    sources, targets = phrases_of(arrays)
    sentences: list[str] = []
    whole: list[float] = []
    for source, text, value in items:
        explained = explaining_edges(model, source, text, control)
        if explained is None:
            continue
        batch, edges, path = explained
        values = substitution.features(model.decoder, batch, edges)
        features.append(values[path])
        accepted += [value] * len(path)
        for option in edges.option[path]:
            one, two = (
                " ".join(words[word] for word in side[option] if word >= 0).lower()
                for side in (sources, targets)
            )
            pairs.append((one, two))
        rewrite += [len(sentences)] * len(path)
        sentences.append(source)
        whole.append(value)
    return Rows(
        np.concatenate(features), np.array(accepted), np.array(rewrite), sentences, np.array(whole), pairs
    )


def substitutes_of(
    data: Path, model: Paraphraser, substitution: SubstitutionModel, limit: int
) -> JudgedSubstitutes:
    """Single words in context: SWORDS, SemEval-2007, CoInCo."""
    gold = data / "substitution-gold"
    targets = read_targets(gold / "swords-v1.1_dev.json.gz")
    targets += read_targets(gold / "semeval2007_trial.gold", gold / "semeval2007_trial.preprocessed")
    coinco = read_targets(gold / "coinco_all.gold", gold / "coinco_dev.preprocessed")
    chosen = np.random.default_rng(12345).permutation(len(coinco))[:limit]
    targets += [coinco[place] for place in sorted(chosen.tolist())]
    return judged_substitutes(model, substitution, targets)


def training_set(
    rows: Rows, kept: NDArray[np.bool_], words: JudgedSubstitutes | None, kept_words: NDArray[np.bool_] | None
) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.float64]]:
    """Features (and the set as a last column), labels and weights; ``kept`` says which rewrites may be used."""
    usable = kept[rows.rewrite] & rows.usable
    features, value = rows.features[usable], rows.accepted[usable]
    # A value between 0 and 1 is a row of both labels, each with its share.
    parts = [
        (features, np.ones(len(value)), value, np.zeros(len(value))),
        (features, np.zeros(len(value)), 1.0 - value, np.zeros(len(value))),
    ]
    if words is not None and kept_words is not None:
        importance = np.where(words.judged, SWORDS_WEIGHT, LISTED_WEIGHT)[kept_words]
        origin = np.where(words.judged, 1.0, 2.0)[kept_words]
        parts.append((words.features[kept_words], words.right[kept_words], importance, origin))
    table = np.concatenate([np.column_stack([part[0], part[3]]) for part in parts]).astype(np.float32)
    label, weight = (np.concatenate([part[place] for part in parts]) for place in (1, 2))
    used = weight > 0
    return table[used], label[used], weight[used]


def fitted(
    table: NDArray[np.float32],
    label: NDArray[np.float64],
    weight: NDArray[np.float64],
    options: TreeOptions,
    columns: Sequence[int],
) -> Any:
    """Trees over some of the columns; the others are hidden as NaN, so that the trees fit all features."""
    hidden = np.ones(table.shape[1], np.bool_)
    hidden[[*columns, table.shape[1] - 1]] = False
    return fit_trees(
        np.where(hidden, np.float32(np.nan), table), label, options, weight=weight, classify=True
    )


def log_odds(trees: Any, features: NDArray[np.float32]) -> NDArray[np.float64]:
    """Predictions for the set of ratings."""
    origin = np.zeros((len(features), 1), np.float32)
    odds: NDArray[np.float64] = trees.predict(np.column_stack([features, origin]).astype(np.float32))
    return odds


def log_probability_of_rewrites(rows: Rows, odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum over the substitutions of each rewrite."""
    log_prob = -np.logaddexp(0.0, -odds)
    total = np.bincount(rows.rewrite, weights=log_prob, minlength=len(rows.whole))
    return total.astype(np.float64)


def cross_validated(
    rows: Rows, words: JudgedSubstitutes | None, columns: Sequence[int], options: TreeOptions = TREES
) -> NDArray[np.float64]:
    """Log-odds of every row by trees that have not seen its sentence."""
    sentences = np.unique(np.array(rows.sentence), return_inverse=True)[1]
    result = np.zeros(len(rows.features))
    everything = None if words is None else np.ones(len(words), np.bool_)
    folds = GroupKFold(FOLDS, shuffle=True, random_state=0).split(rows.whole, None, sentences)
    for train, test in folds:
        kept = np.zeros(len(rows.whole), np.bool_)
        kept[train] = True
        trees = fitted(*training_set(rows, kept, words, everything), options, columns)
        chosen = np.isin(rows.rewrite, test)
        result[chosen] = log_odds(trees, rows.features[chosen])
    return result


def with_ratings(rows: Rows, words: JudgedSubstitutes | None) -> tuple[Rows, RatedPhrases]:
    """The rows with the feature ``rated`` from ratings of other sentences, and the effects of all ratings."""
    place = FEATURES.index("rated")
    rows = replace(rows, features=rows.features.copy())
    rows.features[:, place] = 0.0
    base = cross_validated(rows, words, [column for column in range(len(FEATURES)) if column != place])
    value, effects = out_of_fold_effects(rows.pair, base, rows.accepted, sentence_of(rows), rows.usable)
    rows.features[:, place] = value
    return rows, effects


def sentence_of(rows: Rows) -> NDArray[np.int64]:
    """The number of the sentence of each row."""
    numbers: NDArray[np.int64] = np.unique(np.array(rows.sentence), return_inverse=True)[1][rows.rewrite]
    return numbers


def calibration(accepted: NDArray[np.float64], probability: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Mean probability and share accepted, by tenths."""
    parts = np.array_split(np.argsort(probability, kind="stable"), 10)
    return [(float(probability[part].mean()), float(accepted[part].mean())) for part in parts]


def area(accepted: NDArray[np.float64], score: NDArray[np.float64]) -> float:
    """Area under the curve; a value of one half counts as rejected."""
    return float(roc_auc_score(accepted > 0.5, score))


def swords_figures(words: JudgedSubstitutes, rows: Rows) -> dict[str, Any]:
    """Accuracy by coverage on SWORDS dev, in folds over target words."""
    fold = folds_of(words.word, FOLDS)
    odds = np.zeros(len(words))
    every = np.ones(len(rows.whole), np.bool_)
    for number in range(FOLDS):
        held = fold == number
        trees = fitted(*training_set(rows, every, words, ~held), TREES, range(len(FEATURES)))
        origin = np.ones((int(held.sum()), 1), np.float32)
        odds[held] = trees.predict(np.column_stack([words.features[held], origin]).astype(np.float32))
    probability = 1.0 / (1.0 + np.exp(-odds))
    return dict(measured(probability[words.judged], words.right[words.judged]))


def main() -> None:
    """Gather the rows, measure, fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--extra", type=Path, nargs="*", default=[])
    parser.add_argument("--coinco", type=int, default=1500)
    parser.add_argument("--no-words", action="store_true", help="fit to ratings only")
    parser.add_argument("--ablate", action="store_true", help="also remove each group of features")
    parser.add_argument(
        "--write",
        type=Path,
        help="fit to all ratings and judgements; write the trees, and the effects of phrases",
    )
    options = parser.parse_args()
    model = load(options.model)
    if model.substitution is None:
        parser.error("expected a model with a substitution model")
    items = read_ratings(options.data, options.extra)
    rows = rows_of(model, model.substitution, items)
    words = (
        None if options.no_words else substitutes_of(options.data, model, model.substitution, options.coinco)
    )
    print(
        f"{len(rows.whole)} of {len(items)} rewrites explained, {len(rows.features)} substitutions",
        file=sys.stderr,
    )
    every = range(len(FEATURES))
    rows, effects = with_ratings(rows, words)

    def area_of(
        judged: JudgedSubstitutes | None, columns: Sequence[int], trees: TreeOptions = TREES
    ) -> float:
        return area(
            rows.whole, log_probability_of_rewrites(rows, cross_validated(rows, judged, columns, trees))
        )

    score = log_probability_of_rewrites(rows, cross_validated(rows, words, every))
    report: dict[str, Any] = {
        "rewrites": len(rows.whole),
        "area": area(rows.whole, score),
        "area_without_words": area_of(None, every),
        "area_static": area_of(words, range(len(STATIC)), PRIOR),
        "calibration": calibration(rows.whole, np.exp(score)),
    }
    if options.ablate:
        report["without"] = {
            group: area_of(words, [place for place in every if FEATURES[place] not in names])
            for group, names in GROUPS.items()
        }
    if words is not None:
        report["swords"] = swords_figures(words, rows)
    print(json.dumps(report, indent=1))
    if options.write:
        effects.save(RATED_FILE)
        kept = np.ones(len(rows.whole), np.bool_)
        table = training_set(rows, kept, words, None if words is None else np.ones(len(words), np.bool_))
        note = f"fitted to {len(rows.whole)} rated rewrites" + (
            "" if words is None else f" and {len(words)} judged substitutes (SWORDS, SemEval-2007, CoInCo)"
        )
        prior, trees = fitted(*table, PRIOR, range(len(STATIC))), fitted(*table, TREES, every)
        acceptance = Acceptance(without_origin(prior), without_origin(trees), note)
        options.write.write_text(
            json.dumps(acceptance.to_dict(), ensure_ascii=False) + "\n", encoding="utf-8"
        )


def without_origin(trees: Any) -> Any:
    """The trees for the set of ratings: splits on the set send everything left."""
    feature = np.where(trees.feature == len(FEATURES), -1, trees.feature)
    return type(trees)(trees.base, feature.astype(np.int32), trees.threshold, trees.value)


if __name__ == "__main__":
    main()

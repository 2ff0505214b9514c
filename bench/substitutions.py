"""Substitutes in context, phrase scores and rewrite scores of a model against human judgements.

    python bench/substitutions.py --data FOLDER --model MODEL [--skip coinco,rewrites] [--limit 2000]

Prints JSON: Zhao et al.'s (2008) tables 1 and 2 on SWORDS dev, with accuracy by coverage, AUC and calibration; the same
figures on CoInCo and SemEval-2007 trial; Spearman, MRR and average precision of the tables' scores with graded phrase
judgements; Spearman of the model's score of rewrites with human scores.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import BenchError, machine, rounded

GOLD = Path("substitution-gold")
COVERAGE = (50, 100, 200, 300, 500, 1000, 2000, 5000)


def substitutes(model: Any, gold: Path, contexts: Path | None, n: int) -> dict[str, Any]:
    """One gold file: tables alone, added one by one, and how sure the model is, by both confidences."""
    from paraphrast.evaluate.curves import accuracy_at, kept_at
    from paraphrast.evaluate.substitutions import measure_confidence
    from paraphrast.formats.substitutions import read_targets
    from paraphrast.study.options import StudyOptions
    from paraphrast.study.substitutions import study_tables

    targets = read_targets(gold, contexts)
    found: dict[str, Any] = {}
    for confidence in ("table", "context"):
        study = study_tables(model, targets, options=StudyOptions(n=n, confidence=confidence))
        told = measure_confidence(study.outcomes)
        points = list(told.curve)
        if not found:
            found = {
                "alone": [{"tables": list(names), **score.to_dict()} for names, score in study.alone],
                "added": [{"tables": list(names), **score.to_dict()} for names, score in study.added],
            }
        wanted = kept_at(points, 0.6016)
        found[f"by_{confidence}"] = {
            "auc": told.auc,
            "accuracy_of_surest": {
                kept: point.accuracy for kept in COVERAGE if (point := accuracy_at(points, kept)) is not None
            },
            "kept_at_60.16": wanted.kept if wanted else 0,
            "calibration": told.calibration.to_dict() if told.calibration else None,
        }
    return found


def phrases(model: str, data: Path) -> dict[str, Any]:
    """The tables' scores against graded judgements of phrase pairs."""
    from paraphrast.evaluate.ranking import rank_correlation
    from paraphrast.formats.phrase_labels import read_judgements
    from paraphrast.study.ratings import phrase_scores

    pairs = read_judgements(data / "phrase-judgements" / "ppdb-sample.tsv.xz")
    scores: dict[tuple[str, str], float] = {}
    for source, own in phrase_scores(model).items():
        for target, value in own.items():
            key = (source.lower(), target.lower())
            scores[key] = max(value, scores.get(key, value))
    return rank_correlation(
        [pair.phrase for pair in pairs],
        [scores.get((pair.phrase.lower(), pair.paraphrase.lower())) for pair in pairs],
        [pair.mean for pair in pairs],
    ).to_dict()


def rewrites(model: Any, data: Path, limit: int) -> dict[str, Any]:
    """The model's score of rewrites against people's."""
    from paraphrast.study.rewrites import correlate_rewrites, read_rewrites

    folder = data / "sentence-judgements"
    files = [folder / f"parabank-{name}.tsv.xz" for name in ("candidates", "ref")]
    return dict(correlate_rewrites(model, read_rewrites(*files, limit=limit)).to_dict())


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("-n", type=int, default=10, help="best rewrites whose substitutes count; 10")
    parser.add_argument("--limit", type=int, default=0, help="rewrites to score; 0 for all")
    parser.add_argument("--skip", default="", help="parts to leave out, by comma")
    asked = parser.parse_args()

    from paraphrast.model import load

    model = load(asked.model)
    gold = asked.data / GOLD
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "swords": lambda: substitutes(model, gold / "swords-v1.1_dev.json.gz", None, asked.n),
        "semeval": lambda: substitutes(
            model, gold / "semeval2007_trial.gold", gold / "semeval2007_trial.preprocessed", asked.n
        ),
        "coinco": lambda: substitutes(
            model, gold / "coinco_all.gold", gold / "coinco_dev.preprocessed", asked.n
        ),
        "phrases": lambda: phrases(asked.model, asked.data),
        "rewrites": lambda: rewrites(model, asked.data, asked.limit),
    }
    skipped = set(asked.skip.split(",")) - {""}
    if skipped - set(parts):
        raise BenchError(f"unknown part {sorted(skipped - set(parts))[0]!r}; known: {', '.join(parts)}")
    report: dict[str, Any] = {"machine": machine(), "model": model.signature}
    for name, run in parts.items():
        if name in skipped:
            continue
        print(f"{name} …", file=sys.stderr, flush=True)
        began = time.process_time()
        report[name] = {**run(), "cpu_seconds": time.process_time() - began}
    print(json.dumps(rounded(report), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()

"""The context-free score of phrase pairs, and tuned weights, against human judgements.

    python bench/substitution_model.py --data FOLDER --model MODEL [--work MODEL.work] [--skip quality,tuning]
        [--write-quality FILE]

Prints JSON: Spearman of the context-free score with graded phrase pairs, five folds over phrases, with each group of
features hidden in turn; PSER on SWORDS dev before and after tuning, five folds over target words. ``--write-quality``
fits on all judgements and writes the numbers that ship with the package.
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

QUALITY_NOTE = (
    "boosted trees fitted to mean grades (1 to 5) of phrase pairs that people judged for PPDB 2.0 (Pavlick et al. "
    "2015: ppdb-sample and wiki-sample), with the tables of a model of 318,000 Europarl sentences through de, es, fr, "
    "WordNet 3.1, Moby, GloVe 6B 50d and all-MiniLM-L6-v2"
)


def quality(data: Path, model: str, work: str | None, output: str | None) -> dict[str, Any]:
    """Must show: rank correlation over all pairs and over covered ones, cross-validated over phrases."""
    from fitting import fit_quality
    from judged_pairs import correlations, cross_validated, judged_pairs
    from paraphrast.evaluate.ranking import spearman
    from paraphrast.formats.phrase_labels import read_judgements
    from paraphrast.tables.quality.score import GROUPS

    folder = data / "phrase-judgements"
    sample, wiki = (read_judgements(folder / name) for name in ("ppdb-sample.tsv.xz", "wiki-sample.tsv.xz"))
    both = judged_pairs(model, [*sample, *wiki], work, threads=2)
    first = [both.take(slice(0, len(sample))), both.take(slice(len(sample), None))]
    found: dict[str, Any] = {"cross_validated": correlations(first[0], cross_validated(first[0]))}
    found["without"] = {
        group: correlations(first[0], cross_validated(first[0], without=(group,)))["all"] for group in GROUPS
    }
    tables = ("pivot", "lexicons", "word pairs", "wordnet")
    found["no_table"] = correlations(first[0], cross_validated(first[0], without=tables))["all"]
    other = fit_quality(first[0].features, first[0].grades)
    found["wiki_by_ppdb"] = spearman(other.grade(first[1].features), first[1].grades)
    if output:
        fitted = fit_quality(both.features, both.grades, note=QUALITY_NOTE)
        Path(output).write_text(json.dumps(fitted.to_dict(), separators=(",", ":")) + "\n", encoding="utf-8")
    return found


def tuning(data: Path, model: str) -> dict[str, Any]:
    """Must show: PSER before and after on held-out targets of SWORDS dev, five folds, nested: what a fold is measured
    on decides nothing in it."""
    from paraphrast.evaluate.folds import folds_of
    from paraphrast.formats.substitutions import read_targets
    from paraphrast.model import load
    from paraphrast.study.substitutions import EVERYTHING
    from paraphrast.tune.weights import TuningOptions, candidates, error_rate, start_vector, tune_weights

    loaded = load(model)
    pool = candidates(loaded, read_targets(data / "substitution-gold" / "swords-v1.1_dev.json.gz"))
    start, identity = loaded.decoder.weights, EVERYTHING.log_identity
    found: dict[str, Any] = {}
    for method, rounds in (("ranking", 2), ("powell", 1)):
        options = TuningOptions(method=method, rounds=rounds, folds=3)
        fold = folds_of(pool.word, 5)
        before, after, size = 0.0, 0.0, 0
        for number in range(5):
            held = pool.of(fold == number)
            tuned = tune_weights(pool.of(fold != number), start, options, identity=identity)
            own = len(held.word)
            before += own * error_rate(held, start_vector(start, pool.names), identity, options)
            after += own * error_rate(held, start_vector(tuned.weights, pool.names), identity, options)
            size += own
        found[method] = {"held_out_before": before / size, "held_out_after": after / size, "targets": size}
    return found


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--work", help="the kept work folder of the model's training")
    parser.add_argument("--skip", default="", help="parts to leave out, by comma")
    parser.add_argument("--write-quality", help="fit the context-free score on all judgements, write it here")
    asked = parser.parse_args()
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "quality": lambda: quality(asked.data, asked.model, asked.work, asked.write_quality),
        "tuning": lambda: tuning(asked.data, asked.model),
    }
    skipped = set(asked.skip.split(",")) - {""}
    if skipped - set(parts):
        raise BenchError(f"unknown part {sorted(skipped - set(parts))[0]!r}; known: {', '.join(parts)}")
    report: dict[str, Any] = {"machine": machine()}
    for name, run in parts.items():
        if name in skipped:
            continue
        print(f"{name} …", file=sys.stderr, flush=True)
        began = time.process_time()
        report[name] = {**run(), "cpu_seconds": time.process_time() - began}
    print(json.dumps(rounded(report), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()

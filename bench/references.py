"""Paraphrased references against human scores: correlations, the paper's tables, an ablation, time.

``python bench/references.py --data DATA [--model MODEL] [--part PART]`` prints JSON. DATA has
``mt-judgements/*.jsonl.xz``: source, references, outputs of systems and what people gave them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

SETS = ("wmt21.zh-en", "wmt23.zh-en")
PARTS = ("correlations", "ablation", "time", "credit")
CREDITS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3)
#: Credits whose figures have intervals.
MEASURED = ("0.05", "0.1")
METRICS = ("bleu", "bleu-add-one", "nist", "chrf", "ter", "cder")


ORIGINS = ("bitext", "tables", "both", "both+inflections")


def correlations(
    segments: Sequence[Any],
    model: str | None,
    metrics: Sequence[str],
    samples: int,
    chosen: Sequence[str] = ORIGINS,
    wanted: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Metric → where paraphrases come from → kind → figures."""
    from paraphrast.references.options import Resampling
    from paraphrast.references.scoring import KINDS
    from paraphrast.study.mt import evaluate_mt, prepare
    from paraphrast.study.options import Origins

    sources = {"bitext": Origins()}
    if model:
        sources |= {
            "tables": Origins(bitext=False, model=model),
            "both": Origins(model=model),
            "both+inflections": Origins(model=model, inflections=True),
        }
    found: dict[str, Any] = {}
    for name, origins in sources.items():
        if name not in chosen:
            continue
        # The rougher kinds are shown where paraphrases are fewest and where they are most.
        kinds = wanted or (KINDS if name in ("bitext", "both") else ("single", "lattice"))
        setup = prepare(segments, origins)
        for counted in dict.fromkeys(metric.partition("-")[0] for metric in metrics):
            own = [metric for metric in metrics if metric.partition("-")[0] == counted]
            results = evaluate_mt(setup, own, kinds, None, Resampling(samples=samples))
            for metric in own:
                figures = {kind: _short(one) for kind, one in results[metric].items()}
                found.setdefault(metric, {})[name] = figures
                print(name, metric, json.dumps(figures), file=sys.stderr, flush=True)
    return found


def _short(result: Any) -> dict[str, Any]:
    record = result.to_dict()
    gain = record["gain"]
    return {
        "segment": {
            key: _rounded(record["segment"][key]) for key in ("pearson", "spearman", "kendall", "low", "high")
        },
        "kendall_within": _rounded(record["segment"].get("kendall_within")),
        "system": {
            key: _rounded(record["system"][key]) for key in ("pearson", "spearman", "kendall", "low", "high")
        },
        "gain": None if gain is None else {key: _rounded(value) for key, value in gain.items()},
        "fixed_length": {
            kind: {key: _rounded(value) for key, value in values.items()}
            for kind, values in record["fixed_length"].items()
        },
        "pairwise": None
        if record["pairwise"] is None
        else {key: _rounded(value) for key, value in record["pairwise"].items()},
        "references": round(record["references"], 2),
    }


def _rounded(value: Any) -> Any:
    return round(value, 5) if isinstance(value, float) else value


def ablation(segments: Sequence[Any], model: str | None, only: Sequence[str] = ()) -> list[dict[str, Any]]:
    """What each choice does to Pearson's of BLEU and NIST with lattice references, length held fixed as well."""
    from paraphrast.references.options import ScoreOptions, SetOptions
    from paraphrast.study.mt import prepare
    from paraphrast.study.options import Origins
    from paraphrast.tables.checks.vetoes import ALL_VETOES

    base = Origins()
    trials: list[tuple[str, Origins, str, ScoreOptions]] = [("bitext", base, "lattice", ScoreOptions())]
    for threshold in (0.05, 0.1, 0.2):
        sets = SetOptions(threshold=threshold)
        trials.append((f"bitext, threshold {threshold}", replace(base, sets=sets), "lattice", ScoreOptions()))
    for closed in ("none", "function"):
        sets = SetOptions(closed=closed)
        trials.append((f"bitext, closed {closed}", replace(base, sets=sets), "lattice", ScoreOptions()))
    for credit in (0.0, 0.02, 0.1, 0.2, 1.0):
        trials.append((f"bitext, credit {credit}", base, "lattice", ScoreOptions(credit=credit)))
    trials.append(("bitext, one at a time", base, "one", ScoreOptions()))
    trials.append(("bitext, ten best", base, "best", ScoreOptions()))
    trials.append(("bitext, inflections", replace(base, inflections=True), "lattice", ScoreOptions()))
    if model:
        both = replace(base, model=model)
        trials += [
            ("tables", replace(both, bitext=False), "lattice", ScoreOptions()),
            ("both", both, "lattice", ScoreOptions()),
            ("both, full credit", both, "lattice", ScoreOptions(credit=0.0)),
            ("both, one at a time", both, "one", ScoreOptions()),
            ("both, veto on inflection", replace(both, vetoes=ALL_VETOES), "lattice", ScoreOptions()),
            ("both, inflections", replace(both, inflections=True), "lattice", ScoreOptions()),
        ]
    rows = []
    kept: tuple[Origins, Any] | None = None
    for name, origins, kind, options in trials:
        if only and not any(part in name for part in only):
            continue
        if kept is None or kept[0] != origins:
            kept = (origins, prepare(segments, origins))
        row = {"trial": name, **_trial(kept[1], kind, options)}
        rows.append(row)
        print(json.dumps(row), file=sys.stderr, flush=True)
    return rows


def _trial(setup: Any, kind: str, options: Any) -> dict[str, Any]:
    import numpy as np

    from paraphrast.references.correlation import correlate, kendall_within
    from paraphrast.references.scoring import score_cells
    from paraphrast.study.mt import Judged

    judged = Judged.of(setup)
    length = np.log([len(setup.segments[cell.segment].references[0]) for cell in judged.cells])
    row: dict[str, Any] = {}
    for name in ("bleu", "nist"):
        metric = setup.metric(name)
        scored = score_cells(metric, kind, setup.lattices, judged.cells, options)
        row[name] = round(correlate(judged.human, scored.scores)[0], 4)
        row[f"{name}_at_fixed_length"] = round(_partial(judged.human, scored.scores, length), 4)
        row[f"{name}_within"] = round(kendall_within(judged.human, scored.scores, judged.segment), 4)
    return row


def _partial(first: Any, second: Any, third: Any) -> float:
    """Pearson's of two with a third held fixed."""
    from paraphrast.references.correlation import correlate

    one, two, three = (correlate(*pair)[0] for pair in ((first, second), (first, third), (second, third)))
    return (one - two * three) / math.sqrt((1 - two**2) * (1 - three**2))


def ways_of(model: str | None) -> dict[str, tuple[Any, float]]:
    """Way of making paraphrases → where they come from, and the probability of moved phrases."""
    from paraphrast.references.options import ScoreOptions, SetOptions
    from paraphrast.study.options import Origins

    moved = ScoreOptions().moved
    after = Origins(model=model)
    clean = replace(after, similar=False, function_words=False)
    raw = replace(clean, sets=SetOptions(clean=False))
    return {
        "before": (replace(raw, variants=False), 0.0),
        "clean": (replace(clean, variants=False), 0.0),
        "clean, variants": (clean, 0.0),
        "clean, variants, moved": (clean, moved),
        "variants, moved": (raw, moved),
        "without function words": (replace(after, function_words=False), moved),
        "after": (after, moved),
        "consensus": (replace(after, consensus=True), moved),
        "read": (replace(after, precise=True, round_trips=0), moved),
        "read, round trips": (replace(after, precise=True), moved),
    }


def credits(
    segments: Sequence[Any],
    model: str | None,
    ways: Sequence[str],
    metrics: Sequence[str],
    samples: int,
    folder: Path | None,
    scored: int = 1,
) -> dict[str, Any]:
    """Way of making paraphrases → metric → credit → figures; ``crossed`` chooses the credit on the other set."""
    from paraphrast.study.mt import prepare

    known = ways_of(model)
    found: dict[str, Any] = {}
    kept: tuple[Any, Any] | None = None
    for name in ways:
        origins, moved = known[name]
        processor = time.process_time()
        if kept is None or kept[0] != origins:
            setup = prepare(segments, origins, check=False)
            judged = sorted({cell.segment for cell in setup.cells if cell.human is not None})[::scored]
            cells = tuple(cell for cell in setup.cells if cell.segment in set(judged))
            kept = (origins, replace(setup, cells=cells))
        found[name] = {"prepare_cpu_seconds": round(time.process_time() - processor, 1)}
        for metric in metrics:
            kept_scores = folder / f"{name}.{metric}.npz".replace(" ", "-") if folder else None
            found[name][metric] = _by_credit(kept[1], moved, metric, samples, kept_scores)
            print(name, metric, json.dumps(found[name][metric]), file=sys.stderr, flush=True)
    return found


def _by_credit(setup: Any, moved: float, name: str, samples: int, kept: Path | None) -> dict[str, Any]:
    import numpy as np

    from paraphrast.references.options import ScoreOptions
    from paraphrast.references.scoring import score_cells
    from paraphrast.study.mt import Judged

    judged = Judged.of(setup)
    metric = setup.metric(name)
    sign = 1.0 if metric.higher else -1.0
    processor = time.process_time()
    single = score_cells(metric, "single", setup.lattices, judged.cells)
    between = time.process_time()
    full = score_cells(metric, "lattice", setup.lattices, judged.cells, ScoreOptions(credit=0.0, moved=moved))
    found: dict[str, Any] = {
        "cells": len(judged.cells),
        "cpu_seconds": [round(between - processor, 1), round(time.process_time() - between, 1)],
        "exact": round(full.exact, 4),
    }
    base = sign * single.scores
    scores: dict[str, Any] = {"single": base}
    for credit in CREDITS:
        rows = []
        for original, row, paths in zip(single.rows, full.rows, full.used or [], strict=True):
            share = max((path.probability for path in paths if path.edits), default=1.0) ** credit
            rows.append(original + share * (row - original))
        scores[str(credit)] = sign * np.array([metric.segment_score(row.tolist()) for row in rows])
    for credit_name, values in scores.items():
        drawn = samples if credit_name in MEASURED else 0
        found[credit_name] = _figures(judged, values, None if credit_name == "single" else base, drawn)
    if kept:
        arrays: dict[str, Any] = {"human": judged.human, "segment": judged.segment, "system": judged.system}
        np.savez(kept, **arrays, **scores)
    return found


def _figures(judged: Any, values: Any, base: Any, samples: int) -> dict[str, Any]:
    """Correlations plain and at fixed length, pairwise accuracy; with samples also gains over ``base``, intervals."""
    import numpy as np

    from paraphrast.references.correlation import correlate, gain_of, kendall_within
    from paraphrast.references.options import Resampling
    from paraphrast.references.partial import CONTROLS, partial_correlation
    from paraphrast.references.ranking import pairwise_accuracy

    human, segment, resampling = judged.human, judged.segment, Resampling(samples=samples)
    lengths = np.array([len(judged.setup.segments[at].references[0]) for at in segment], dtype=float)
    row: dict[str, Any] = {"plain": correlate(human, values)[0]}
    if base is not None:
        gain = gain_of(human, base, values, segment, resampling).to_dict()
        row["plain_gain"] = [gain[key] for key in ("pearson", "low", "high")]
    for kind in CONTROLS:
        partial = partial_correlation(
            human, values, lengths, segment, kind=kind, base=base, resampling=resampling
        )
        row[kind] = partial.pearson
        if base is not None:
            row[f"{kind}_gain"] = [partial.gain, partial.gain_low, partial.gain_high]
    pairs = pairwise_accuracy(human, values, segment, resampling)
    row["pairwise"] = pairs.accuracy
    row["pairwise_interval"] = [pairs.low, pairs.high]
    row["kendall_within"] = kendall_within(human, values, segment)
    return {
        key: [None if one is None else round(one, 4) for one in value]
        if isinstance(value, list)
        else round(value, 4)
        for key, value in row.items()
    }


def crossed(result: dict[str, Any]) -> dict[str, Any]:
    """For each set the figures with the credit whose plain and fixed-length BLEU are highest on the other set."""
    found: dict[str, Any] = {}
    for name, other in (SETS, SETS[::-1]):
        for way, metrics in result[name]["credit"].items():
            table = result[other]["credit"][way]["bleu"]
            sums = {credit: table[credit]["plain"] + table[credit]["both"] for credit in map(str, CREDITS)}
            best = max(sums, key=lambda credit: sums[credit])
            found.setdefault(name, {})[way] = {
                "credit": float(best),
                **{metric: rows[best] for metric, rows in metrics.items() if metric in METRICS},
            }
    return found


def times(segments: Sequence[Any], model: str | None, ways: Sequence[str]) -> dict[str, Any]:
    """CPU seconds to find paraphrases and to score all outputs, with one reference and with lattices."""
    from paraphrast.references.options import ScoreOptions
    from paraphrast.references.scoring import score_cells
    from paraphrast.study.mt import prepare

    known, rows = ways_of(model), {}
    for name in ways:
        origins, moved = known[name]
        steps = [time.process_time()]
        setup = prepare(segments, origins, check=False)
        steps.append(time.process_time())
        for kind in ("single", "lattice"):
            score_cells(setup.metric("bleu"), kind, setup.lattices, setup.cells, ScoreOptions(moved=moved))
            steps.append(time.process_time())
        edits = sum(len(lattice.edits()) for own in setup.lattices for lattice in own)
        seconds = [round(later - sooner, 1) for sooner, later in itertools.pairwise(steps)]
        rows[name] = {
            "outputs": len(setup.cells),
            "substitutions_per_segment": round(edits / len(segments), 1),
            "cpu_seconds": dict(zip(("prepare", "single", "lattice"), seconds, strict=True)),
        }
        print(name, json.dumps(rows[name]), file=sys.stderr, flush=True)
    return rows


def _fewer(segment: Any, number: int, count: int) -> Any:
    """A segment with some of its judged outputs, others for each segment, so that all systems occur."""
    from paraphrast.study.mt import is_human

    judged = [name for name, one in segment.outputs.items() if one.score is not None and not is_human(name)]
    chosen = {judged[(number * count + place) % len(judged)] for place in range(count)} if judged else set()
    return replace(segment, outputs={name: one for name, one in segment.outputs.items() if name in chosen})


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--model", default=None)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--metric", action="append", choices=METRICS)
    parser.add_argument("--origin", action="append", choices=ORIGINS)
    parser.add_argument("--kind", action="append", choices=("single", "one", "best", "lattice"))
    parser.add_argument("--trial", action="append", help="only what is called so, of the ablation")
    parser.add_argument("--set", dest="sets", action="append", choices=SETS)
    parser.add_argument("--limit", type=int, default=0, help="segments; 0 is all")
    parser.add_argument("--every", type=int, default=1, help="only every so many segments")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first segment")
    parser.add_argument("--outputs", type=int, default=0, help="judged outputs per segment; 0 is all outputs")
    parser.add_argument("--way", action="append", help="ways of making paraphrases, of the part credit")
    parser.add_argument("--scores", type=Path, help="a folder for the scores of the part credit")
    parser.add_argument(
        "--scored", type=int, default=1, help="score only every so many judged segments, of the part credit"
    )
    parser.add_argument("--samples", type=int, default=1000)
    arguments = parser.parse_args()
    if not arguments.data:
        parser.error("--data, or PARAPHRAST_BENCH_DATA, says where the data are")
    from paraphrast.formats.mt import read_judgements

    result: dict[str, Any] = {}
    for name in arguments.sets or SETS:
        segments = read_judgements(Path(arguments.data) / "mt-judgements" / f"{name}.jsonl.xz")
        if arguments.outputs:
            segments = [one for one in segments if any(out.score is not None for out in one.outputs.values())]
        segments = segments[arguments.first :: arguments.every][: arguments.limit or None]
        if arguments.outputs:
            segments = [_fewer(one, number, arguments.outputs) for number, one in enumerate(segments)]
        own = result.setdefault(name, {})
        for part in arguments.part or ("correlations", "ablation", "time"):
            if part == "correlations":
                metrics = arguments.metric or METRICS
                own[part] = correlations(
                    segments,
                    arguments.model,
                    metrics,
                    arguments.samples,
                    arguments.origin or ORIGINS,
                    arguments.kind,
                )
            elif part == "ablation":
                own[part] = ablation(segments, arguments.model, arguments.trial or ())
            elif part == "time":
                own[part] = times(segments, arguments.model, arguments.way or ("before", "after"))
            elif part == "credit":
                folder = arguments.scores / name if arguments.scores else None
                if folder:
                    folder.mkdir(parents=True, exist_ok=True)
                own[part] = credits(
                    segments,
                    arguments.model,
                    arguments.way or ("before", "without function words", "after"),
                    arguments.metric or ("bleu", "nist", "chrf", "ter"),
                    arguments.samples,
                    folder,
                    arguments.scored,
                )
    if all("credit" in result.get(name, {}) for name in SETS):
        result["crossed"] = crossed(result)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()

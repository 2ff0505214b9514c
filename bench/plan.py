"""Constants of ``paraphrast train --plan``: fitted to two measured runs, and compared with others.

    python bench/cluster.py --data FOLDER --runs duckdb --lines 10000 > small.json     # and 40000 > large.json
    python bench/plan.py fit duckdb small.json large.json
    python bench/plan.py check duckdb other.json …
    python bench/plan.py spark-from-duckdb

``fit`` replaces the constants of one engine in ``costs.json`` of the package: lines through both runs for seconds and
memory, powers for bytes and rows, those of align and extract also by pivot language. ``check`` prints estimated and
measured CPU seconds and bytes of other runs, and with ``--cores`` seconds of the clock, for runs on a machine without
other work. ``spark-from-duckdb`` writes constants of Spark until there are two runs on a cluster to fit: see
:func:`spark_from_duckdb`.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from pathlib import Path
from typing import Any

from common import COLUMNS, CORPUS, MEGA, read_rows, rounded

#: How the note of a stage counts its rows. All numbers are added.
ROWS = {
    "text": r"([\d,]+) tokens",
    "align": r"([\d,]+) links",
    "extract": r"([\d,]+) occurrences",
    "reorder": r"([\d,]+) phrases",
    "pivot": r"([\d,]+) rows joined",
    "lm": r"([\d,]+) in all",
    "model": r"([\d,]+) substitutions",
}


#: Seconds of a short stage.
SHORT = 1.0
#: What depends on the pivot language. Seconds differ more between two runs than between languages.
AMOUNTS = ("shuffle_bytes", "disk_bytes", "rows")


def main() -> int:
    """Fit or check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=("fit", "check", "spark-from-duckdb"))
    parser.add_argument("engine", nargs="?", choices=("duckdb", "spark"), default="duckdb")
    parser.add_argument("runs", nargs="*", type=Path, help="what bench/cluster.py printed")
    parser.add_argument("--data", type=Path, help="folder of the corpora, to count words")
    parser.add_argument(
        "--cores", type=int, help="also compare seconds of the clock, of runs on so many free cores"
    )
    parser.add_argument("--costs", type=Path, help="the file of constants, by default that of the package")
    asked = parser.parse_args()
    from paraphrast.training.plan import costs

    path = asked.costs or costs.FILE
    runs = [json.loads(run.read_text(encoding="utf-8")) for run in asked.runs]
    if asked.action != "check":
        stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if asked.action == "fit":
            stored[asked.engine] = fit(asked.engine, runs, asked.data)
        else:
            stored["spark"] = spark_from_duckdb(stored["duckdb"])
        path.write_text(json.dumps(rounded(stored), indent=1) + "\n", encoding="utf-8")
        return 0
    print(json.dumps(rounded([check(asked.engine, run, asked.cores, path) for run in runs]), indent=1))
    return 0


def fit(engine: str, runs: list[dict[str, Any]], data: Path | None) -> dict[str, Any]:
    """The constants of one engine, from the smallest and the largest run."""
    runs = sorted(runs, key=lambda run: int(run["lines"]))
    sizes = [int(run["lines"]) for run in (runs[0], runs[-1])]
    measured = [observed(run[engine], size) for run, size in zip((runs[0], runs[-1]), sizes, strict=True)]
    stages: dict[str, Any] = {}
    languages: dict[str, Any] = {}
    for name in measured[0]:
        small, large = measured[0][name], measured[1][name]
        ends = small["sentences"], large["sentences"]
        amounts = {key: power(ends, (small[key], large[key])) for key in AMOUNTS}
        if "-" in name:
            languages[name] = amounts
            continue
        stages[name] = {
            **{
                key: line(ends, (small[key], large[key]))
                for key in ("driver_seconds", "worker_seconds", "driver_bytes")
            },
            "worker_bytes": max(small["worker_bytes"], large["worker_bytes"]),
            **amounts,
        }
    commands = [f"bench/cluster.py --data DATA --runs {engine} --lines {size}" for size in sizes]
    return {
        "measured_by": [*commands, f"bench/plan.py fit {engine} --data DATA RUN RUN"],
        "sizes": sizes,
        "words_per_line": words_per_line(data, sizes[0]),
        "stages": stages,
        "languages": languages,
    }


#: CPU seconds of the pivot stage on Spark for 318,000 sentences with three pivot languages (docs/scale.md): of this
#: process, of Spark's driver, of the executors; and core-seconds of a query on Spark by those on DuckDB.
PIVOT_PAIRS, PIVOT_OWN, PIVOT_DRIVER, PIVOT_EXECUTORS, QUERY_RATIO = 318_000, 54.0, 76.0, 218.0, 10.0
#: Share of the extract stage that is counting: 12 of 33 core-seconds a million pairs (bench/spark.py --costs 20000).
COUNTING = 12 / 33
#: Peak memory of this process on Spark in MB, for so many sentence pairs of one pivot language (docs/scale.md).
PEAK_PAIRS = (40_000, 160_000)
SPARK_PEAKS = {
    "text": (230, 267),
    "align": (330, 346),
    "extract": (341, 364),
    "reorder": (348, 370),
    "pivot": (415, 474),
    "lm": (371, 382),
    "model": (371, 411),
}
#: CPU seconds of Java to start an application with two executors (bench/cluster.py --lines 3000).
STARTING = 15.0


def spark_from_duckdb(duckdb: dict[str, Any]) -> dict[str, Any]:
    """Constants of Spark, composed: text, align and lm run the kernels of one machine on workers; queries take
    ``QUERY_RATIO`` times the core-seconds; pivot was measured on a cluster; starting an application takes ``STARTING``.
    """
    from paraphrast.training.plan.estimate import stage_sentences

    stages = json.loads(json.dumps(duckdb["stages"]))
    for name, stage in stages.items():
        small, large = (stage_sentences(name, "de", {"en": pairs, "de": pairs}) for pairs in PEAK_PAIRS)
        first, last = (peak * MEGA for peak in SPARK_PEAKS[name])
        stage["driver_bytes"] = line((small, large), (first, last))
        fixed, each = stage["driver_seconds"]
        if name in ("text", "align", "lm"):
            stage["driver_seconds"], stage["worker_seconds"] = [0.0, 0.0], [fixed, each]
        elif name == "extract":
            ratio = (1 - COUNTING) + COUNTING * QUERY_RATIO
            stage["driver_seconds"], stage["worker_seconds"] = [0.0, 0.0], [fixed, each * ratio]
        elif name == "pivot":
            pairs = 3 * PIVOT_PAIRS
            stage["driver_seconds"] = [0.0, (PIVOT_OWN + PIVOT_DRIVER) / pairs]
            stage["worker_seconds"] = [0.0, PIVOT_EXECUTORS / pairs]
        if name in ("text", "align", "lm", "extract", "pivot"):
            stage["worker_bytes"] = WORKER_BYTES
    stages["text"]["driver_seconds"][0] += STARTING
    return {
        "measured_by": [
            *duckdb["measured_by"],
            "bench/spark.py --work WORK --runs duckdb,spark (318,000 pairs: pivot, ratio of queries)",
            "bench/cluster.py --runs spark --config EN-DE (40,000 and 160,000 pairs: peaks of this process)",
            "bench/plan.py spark-from-duckdb",
        ],
        "sizes": duckdb["sizes"],
        "words_per_line": duckdb["words_per_line"],
        "stages": stages,
        "languages": duckdb["languages"],
    }


#: Peak memory of an executor in the pivot stage (docs/scale.md).
WORKER_BYTES = 1.9e9


def observed(figures: dict[str, Any], pairs: int) -> dict[str, dict[str, float]]:
    """What each kind of stage took on average: align and extract run once for every pivot language, and are also listed
    by language."""
    from paraphrast.training.plan.estimate import stage_sentences

    counts = dict.fromkeys(COLUMNS, float(pairs))
    found: dict[str, list[dict[str, float]]] = {}
    for name, stage in figures["stages"].items():
        kind, _, language = name.partition("-")
        if kind not in ROWS:
            continue
        cpu, peak = stage["cpu_seconds"], stage["peak_megabytes"]
        # CPU time is sampled twice a second: of a short stage the time of the clock is closer.
        is_short = stage["seconds"] < SHORT
        one_stage = {
            "sentences": stage_sentences(kind, language, counts),
            "driver_seconds": stage["seconds"] if is_short else cpu["python"] + cpu["jvm"],
            "worker_seconds": cpu["executors"] + cpu["workers"],
            "driver_bytes": stage["own_peak_megabytes"] * MEGA,
            "worker_bytes": max(peak["executors"], peak["workers"]) * MEGA,
            "shuffle_bytes": stage.get("shuffle_megabytes", 0.0) * MEGA,
            "disk_bytes": stage["disk_megabytes"] * MEGA,
            "rows": float(sum(int(n.replace(",", "")) for n in re.findall(ROWS[kind], stage["note"]))),
        }
        for key in dict.fromkeys((kind, name)):
            found.setdefault(key, []).append(one_stage)
    return {
        kind: {key: sum(one[key] for one in rows) / len(rows) for key in rows[0]}
        for kind, rows in found.items()
    }


def line(ends: tuple[float, float], values: tuple[float, float]) -> list[float]:
    """Fixed part and slope, neither negative."""
    slope = max((values[1] - values[0]) / (ends[1] - ends[0]), 0.0)
    fixed = values[0] - slope * ends[0]
    return [fixed, slope] if fixed >= 0 else [0.0, values[1] / ends[1]]


def power(ends: tuple[float, float], values: tuple[float, float]) -> list[float]:
    """Factor and exponent."""
    if min(values) <= 0:
        return [0.0, 1.0]
    exponent = math.log(values[1] / values[0]) / math.log(ends[1] / ends[0])
    return [values[1] / ends[1] ** exponent, exponent]


def words_per_line(data: Path | None, lines: int) -> float:
    """Words between spaces, per line and language."""
    if data is None:
        raise SystemExit("--data: expected the folder of the corpora")
    rows = read_rows(data / CORPUS, 1, lines)
    return sum(len(cell.split()) for row in rows for cell in row) / len(rows) / len(COLUMNS)


def check(engine: str, run: dict[str, Any], cores: int | None, path: Path) -> dict[str, Any]:
    """Estimated against measured, of one run that the constants were not fitted to."""
    from paraphrast.training.config import as_config
    from paraphrast.training.plan import plan_training
    from paraphrast.training.plan.costs import load_costs

    pairs = int(run["lines"])
    config = as_config({"bitext": [{"files": dict.fromkeys(COLUMNS, __file__)}], "substitution": "no"})
    name = "duckdb" if engine == "duckdb" else "local"
    costs = load_costs(engine, path)
    plan = plan_training(config, engine=name, pairs=pairs, words=costs.words, cores=cores or 1, costs=costs)
    stages: dict[str, Any] = {}
    total: dict[str, float] = {}
    for stage in plan.stages:
        measured = run[engine]["stages"][stage.name]
        if stage.core_seconds is None:
            continue
        figures = {
            "estimated_seconds": stage.core_seconds,
            "measured_seconds": measured["cpu_seconds"]["all"],
            "estimated_bytes": (stage.disk_bytes or 0.0) + (stage.shuffle_bytes or 0.0),
            "measured_bytes": (measured["disk_megabytes"] + measured.get("shuffle_megabytes", 0.0)) * MEGA,
        }
        if cores:
            figures |= {"estimated_clock": stage.seconds or 0.0, "measured_clock": measured["seconds"]}
        total = {key: total.get(key, 0.0) + value for key, value in figures.items()}
        stages[stage.name] = ratios(figures)
    return {"lines": pairs, "total": ratios(total), "stages": stages}


def ratios(figures: dict[str, float]) -> dict[str, float | None]:
    """The figures with estimate / measurement."""
    return {
        **figures,
        **{
            f"{kind}_ratio": figures[f"estimated_{kind}"] / figures[f"measured_{kind}"]
            if figures[f"measured_{kind}"]
            else None
            for kind in ("seconds", "bytes", "clock")
            if f"measured_{kind}" in figures
        },
    }


if __name__ == "__main__":
    sys.exit(main())

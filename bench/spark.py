"""The pivot stage on DuckDB and on Spark with two workers, tables compared; and what each stage of training costs.

    python bench/spark.py --data FOLDER --work WORK [--config TOML] [--memory 400MB] [--join] [--costs 20000,40000]

WORK is a work folder that ``paraphrast train … --keep-work`` left, TOML the configuration it was trained with (by
default English with pivots de, fr, es from FOLDER). The stage runs in a process of its own on DuckDB, on DuckDB within
less memory (``--memory``), on a standalone Spark (a master and two workers of one core, processes of
their own on loopback), and there once more while one worker is killed. Everything the stage writes is
compared, byte for byte. ``--costs`` trains on so many lines and prints core-seconds and bytes of every stage.
One JSON object goes to standard output. Linux.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from common import COLUMNS, CORPUS, MEGA, folder_megabytes, machine, rounded, usage

RUNS = ("duckdb", "duckdb_little_memory", "spark")
PAGE, TICK = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Measure as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--work", type=Path, help="a kept work folder of train")
    parser.add_argument("--config", type=Path, help="the configuration that it was trained with")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="400MB", help="the limit of the second run on DuckDB")
    parser.add_argument("--worker-memory", type=int, default=2000, help="megabytes of each Spark worker")
    parser.add_argument("--runs", default=",".join(RUNS), help="which, by comma")
    parser.add_argument("--join", action="store_true", help="the engine's part of the stage alone")
    parser.add_argument("--costs", default="", help="lines to train on for the cost of every stage, by comma")
    parser.add_argument("--stage", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if not asked.data or not (Path(asked.data) / CORPUS).is_file():
        parser.error(f"--data: expected a folder with {CORPUS}")
    if asked.stage:
        print(json.dumps(run_stage(asked, json.loads(asked.stage))))
        return 0
    result: dict[str, Any] = {"machine": machine()}
    with tempfile.TemporaryDirectory() as folder:
        if asked.work:
            result["pivot"] = compare(asked, Path(folder))
        if asked.costs:
            result["costs"] = [costs(asked, int(lines), Path(folder)) for lines in asked.costs.split(",")]
    print(json.dumps(rounded(result), indent=1))
    return 0 if all(run.get("identical", True) for run in result.get("pivot", {}).values()) else 1


def config_text(data: Path, lines: int | None) -> str:
    """A configuration of the corpus."""
    limit = f"lines = [1, {lines}]\n" if lines else ""
    path = json.dumps(str((data / CORPUS).resolve()))
    return f'language = "en"\n[[bitext]]\npath = {path}\ncolumns = {json.dumps(COLUMNS)}\n{limit}'


def compare(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Every run of the stage, each with whether it wrote what the first wrote."""
    orders: dict[str, dict[str, Any]] = {
        "duckdb": {},
        "duckdb_little_memory": {"memory": asked.memory},
        "spark": {"spark": True, "memory": f"{asked.worker_memory}MB"},
    }
    found: dict[str, Any] = {}
    for name in asked.runs.split(","):
        order = orders[name]
        print(f"{time.strftime('%H:%M:%S')} {name}", file=sys.stderr, flush=True)
        target = folder / name
        target.mkdir()
        order |= {"target": str(target), "scratch": str(folder / f"{name}.scratch")}
        command = [sys.executable, *sys.argv, "--stage", json.dumps(order)]
        ran = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
        found[name] = json.loads(ran.stdout)
        if name != "duckdb" and "duckdb" in found:
            found[name]["identical"] = same_files(folder / "duckdb", target)
        print(json.dumps(found[name]), file=sys.stderr, flush=True)
        if "killed" in found[name]:
            found["spark_worker_killed"] = found[name].pop("killed")
            found["spark_worker_killed"]["identical"] = same_files(
                folder / "duckdb", folder / f"{name}-killed"
            )
    return found


def same_files(first: Path, second: Path) -> bool:
    """Whether two folders hold the same files with the same bytes."""
    names = [
        sorted(str(path.relative_to(top)) for path in top.rglob("*") if path.is_file())
        for top in (first, second)
    ]
    return names[0] == names[1] and all(
        filecmp.cmp(first / name, second / name, shallow=False) for name in names[0]
    )


def run_stage(asked: argparse.Namespace, order: dict[str, Any]) -> dict[str, Any]:
    """The pivot stage in this process; the cluster, where there is one, beside it."""
    from paraphrast.engine import Engine
    from paraphrast.engine.spark import SparkEngine
    from paraphrast.training.config import read_config
    from paraphrast.training.pivot import pivot_table
    from paraphrast.training.recipe import Resources, make_recipe
    from standalone import Standalone

    target, scratch = Path(order["target"]), Path(order["scratch"])
    scratch.mkdir()
    config = asked.config or scratch / "config.toml"
    if not asked.config:
        config.write_text(config_text(asked.data, None), encoding="utf-8")
    recipe = make_recipe(read_config(config))
    watched = EngineTime(Engine)

    def stage(engine: str, target: Path) -> dict[str, Any]:
        watched.seconds = 0.0
        began = time.perf_counter()
        resources = Resources(asked.threads, order.get("memory"), engine)
        if asked.join:
            note = join_alone(recipe, resources, asked.work, target)
        else:
            note = pivot_table(recipe, resources, asked.work, target, lambda *_: None)
        figures = {"note": note, "minutes": (time.perf_counter() - began) / 60, **usage()}
        with Engine(threads=1) as duck:
            path = duck.parquet(target / "pivot.parquet")
            figures["rows"] = int(duck.fetch(f"SELECT count(*) AS n FROM {path}")["n"][0])
        return {**figures, "engine_seconds": watched.seconds}

    if not order.get("spark"):
        return stage("duckdb", target)
    cluster = Standalone(scratch, workers=2, cores=1, megabytes=asked.worker_memory + 600)
    first = SparkEngine("local", memory=order["memory"], spill=scratch / "first")
    with cluster, first:
        # One application for both runs: starting it is not what is measured.
        first.master = cluster.url
        began = time.perf_counter()
        first.map(abs, [1])
        started = time.perf_counter() - began
        with Watch(os.getpid(), cluster) as watch:
            figures = stage(cluster.url, target)
        figures |= {"seconds_to_start": started, **watch.figures()}
        print(json.dumps(figures), file=sys.stderr, flush=True)
        again = target.with_name(f"{target.name}-killed")
        again.mkdir()
        killer = Killer(cluster)
        with Watch(os.getpid(), cluster) as watch:
            killer.start()
            figures["killed"] = stage(cluster.url, again)
        figures["killed"] |= {**watch.figures(), **killer.figures()}
        return figures


def join_alone(recipe: Any, resources: Any, work: Path, target: Path) -> str:
    """Prune, join, mix and write: the engine's part of the stage."""
    from paraphrast.formats.table_file import save_table
    from paraphrast.tables.pivot.join import pivot
    from paraphrast.training.corpora import pivot_languages
    from paraphrast.training.work_folder import open_engine
    from pivot_rows import merged_pairs

    with open_engine(resources, target) as engine:
        _, _, pairs, _ = merged_pairs(work, pivot_languages(recipe.config))
        given = usage()["peak_megabytes"]
        table = pivot(engine, pairs, recipe.pivot)
        save_table(engine, table, target / "pivot.parquet")
    return (
        f"{len(table):,} rows of {sum(len(p.source) for p in pairs):,} pairs; {given:.0f} MB before the join"
    )


class EngineTime:
    """Seconds within the engine's own methods."""

    def __init__(self, engine: Any) -> None:
        from paraphrast.engine.spark import SparkEngine

        self.seconds = 0.0
        self._deep = 0
        for kind in (engine, SparkEngine):
            for name in ("run", "fetch"):
                if name in vars(kind):
                    setattr(kind, name, self._timed(vars(kind)[name]))

    def _timed(self, method: Any) -> Any:
        def timed(*arguments: Any) -> Any:
            began = time.perf_counter()
            self._deep += 1
            try:
                return method(*arguments)
            finally:
                self._deep -= 1
                if not self._deep:
                    self.seconds += time.perf_counter() - began

        return timed


class Killer(threading.Thread):
    """Kills a worker with all it runs when the table ``mixed`` is being made, and tasks of it are at work."""

    def __init__(self, cluster: Any) -> None:
        super().__init__(daemon=True)
        self.cluster, self.ended, self.began = cluster, 0, time.perf_counter()
        self.after = 0.0
        self.during = ""
        self._now: tuple[Any, str] | None = None
        from paraphrast.engine.spark import SparkEngine

        execute = SparkEngine._execute

        def watched(engine: Any, statement: Any, query: str) -> Path:
            self._now = engine, statement.makes
            place = execute(engine, statement, query)
            self._now = None
            return place

        SparkEngine._execute = watched  # type: ignore[method-assign, assignment]

    def run(self) -> None:
        """Wait for the moment."""
        while not self.ended:
            time.sleep(0.02)
            now = self._now
            if now and now[1] == "mixed" and (now[0].session.tasks() or (0, 0, 0))[1]:
                time.sleep(2)
                if self._now is not now:
                    raise RuntimeError("the job ended before the worker could be killed")
                self.during = now[1]
                self.ended = len(self.cluster.kill_worker(0))
                self.after = time.perf_counter() - self.began

    def figures(self) -> dict[str, Any]:
        """What was killed, and when."""
        return {
            "killed_processes": self.ended,
            "killed_after_seconds": self.after,
            "killed_during": self.during,
        }


class Watch(threading.Thread):
    """CPU time and peak memory of the driver's JVM and of each worker with its executors, looked at every second."""

    def __init__(self, own: int, cluster: Any) -> None:
        super().__init__(daemon=True)
        self._own, self._cluster, self._over = own, cluster, threading.Event()
        self._cpu: dict[int, float] = {}
        self._peak: dict[int, float] = {}
        self._kind: dict[int, str] = {}

    def __enter__(self) -> Watch:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        """Look."""
        from standalone import _descendants

        while not self._over.wait(1.0):
            daemons = {worker.pid for worker in self._cluster.workers} | {self._cluster._master.pid}
            for process in _descendants(self._own):
                try:
                    fields = Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1].split()
                    name = Path(f"/proc/{process}/cmdline").read_bytes()
                except (OSError, IndexError):
                    continue
                executor = b"CoarseGrained" in name
                self._kind[process] = "daemon" if process in daemons else "executor" if executor else "driver"
                self._cpu[process] = (int(fields[11]) + int(fields[12])) / TICK
                self._peak[process] = max(self._peak.get(process, 0.0), int(fields[21]) * PAGE / MEGA)

    def figures(self) -> dict[str, Any]:
        """By kind of process: CPU seconds of all, memory of the largest."""
        found: dict[str, Any] = {}
        for kind in ("driver", "executor", "daemon"):
            mine = [process for process, own in self._kind.items() if own == kind]
            found[f"{kind}_cpu_seconds"] = sum(self._cpu[process] for process in mine)
            found[f"{kind}_peak_megabytes"] = max((self._peak[process] for process in mine), default=0.0)
        return found


def costs(asked: argparse.Namespace, lines: int, folder: Path) -> dict[str, Any]:
    """Core-seconds and bytes of every stage of training on ``lines`` lines with one pivot language after another."""
    import paraphrast

    place = folder / f"costs-{lines}"
    place.mkdir()
    (place / "config.toml").write_text(config_text(asked.data, lines), encoding="utf-8")
    watch = StageCosts()
    paraphrast.train(
        place / "config.toml", place / "model", threads=asked.threads, keep_work=True, progress=watch
    )
    work = place / "model.work"
    stages = {
        name: {
            "core_seconds_a_million": cpu / lines * 1e6,
            "bytes_a_pair": folder_megabytes(work / name) * MEGA / lines if (work / name).is_dir() else None,
        }
        for name, cpu in watch.cpu.items()
    }
    return {
        "lines": lines,
        "stages": stages,
        "model_bytes_a_pair": folder_megabytes(place / "model") * MEGA / lines,
    }


class StageCosts:
    """A progress that keeps the CPU seconds of every stage."""

    def __init__(self) -> None:
        self.cpu: dict[str, float] = {}
        self._began = 0.0

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        """A stage begins."""
        self._began = usage()["cpu_seconds"]

    def step(self, done: float, total: float, unit: str) -> None:
        """Work within the stage."""

    def ended(self, name: str, seconds: float, note: str) -> None:
        """A stage ended."""
        self.cpu[name] = usage()["cpu_seconds"] - self._began


if __name__ == "__main__":
    sys.exit(main())

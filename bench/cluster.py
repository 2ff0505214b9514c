"""Training from raw bitext to a model folder on DuckDB and on a Spark cluster of this machine, models compared.

    python bench/cluster.py --data FOLDER --lines 20000 [--runs duckdb,spark] [--kill align-de,pivot] [--restart STAGE]

English with German, French and Spanish, without tagger, antonyms and substitution model. The cluster is a master and
two workers of one core, separate processes on loopback. ``train`` is a separate process too, so that it can be killed.
``--kill`` ends a worker with all its processes once it works in each of the named stages, and starts another one.
``--restart`` kills the driver (Python and its JVM) in the named stage, and starts the same command again.
Every file of the models is compared. One JSON object goes to standard output: for each stage, wall and CPU seconds by
kind of process, peak memory of the driver, bytes shuffled, bytes on disk. Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

from common import CORPUS, MEGA, folder_megabytes, machine, rounded
from spark import PAGE, TICK, config_text, same_files
from standalone import Standalone, _descendants

#: Kinds of processes: this package's own, Spark's driver, executors, and the Python workers of executors.
KINDS = ("python", "jvm", "executors", "workers")
#: CPU seconds that Python workers, or in stages of queries executors, have used in a stage before something is killed.
BUSY_WORKERS, BUSY_EXECUTORS = 0.1, 2.0
QUERIES = ("pivot", "reorder", "tables", "graph")
#: Options that the measured process gets too.
FLAGS = ("--keep-work", "--same-code")


def main() -> int:
    """Measure as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--config", type=Path, help="another configuration than English with de, fr, es")
    parser.add_argument("--runs", default="duckdb,spark", help="which engines, by comma")
    parser.add_argument("--threads", type=int, default=1, help="threads of the driver")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--worker-memory", type=int, default=2000, help="megabytes of each Spark worker")
    parser.add_argument("--partitions", type=int, default=4, help="parts into which Spark shuffles")
    parser.add_argument("--kill", default="", help="stages in which a worker is killed, by comma")
    parser.add_argument("--restart", default="", help="stage in which the driver is killed")
    parser.add_argument("--keep", type=Path, help="folder to work in, which is kept")
    parser.add_argument(
        "--keep-work", action="store_true", help="keep the stages of the runs, to run some again"
    )
    parser.add_argument("--same-code", action="store_true", help="reuse stages of other versions of the code")
    parser.add_argument("--drive", nargs=5, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.drive:
        drive(asked, *asked.drive)
        return 0
    if not asked.config and (not asked.data or not (Path(asked.data) / CORPUS).is_file()):
        parser.error(f"--data: expected a folder with {CORPUS}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        result = measure(asked, folder.resolve())
    print(json.dumps(rounded(result), indent=1))
    return 0 if result.get("identical", True) else 1


def measure(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Every run, and whether both models are the same."""
    config = asked.config or folder / "config.toml"
    if not asked.config:
        config.write_text(f'substitution = "no"\n{config_text(asked.data, asked.lines)}', encoding="utf-8")
    result: dict[str, Any] = {"machine": machine(), "lines": asked.lines}
    engines = asked.runs.split(",")
    if "duckdb" in engines:
        result["duckdb"] = Run(asked, config, folder / "duckdb", "duckdb", None).figures()
    if "spark" in engines:
        (folder / "conf").mkdir(exist_ok=True)
        events = folder / "events"
        events.mkdir(exist_ok=True)
        (folder / "conf" / "spark-defaults.conf").write_text(
            f"spark.eventLog.enabled true\nspark.eventLog.dir {events.as_uri()}\nspark.eventLog.compress false\n"
            f"spark.sql.shuffle.partitions {asked.partitions}\n"
        )
        os.environ["SPARK_CONF_DIR"] = str(folder / "conf")
        # Jobs of seconds: the optimising compiler and parallel collectors of Java would cost more than they save.
        os.environ["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        offers = {"workers": asked.workers, "cores": 1, "megabytes": asked.worker_memory + 600}
        with Standalone(folder / "cluster", **offers) as cluster:
            result["spark"] = Run(asked, config, folder / "spark", cluster.url, cluster).figures()
        add_shuffles(result["spark"], events)
    if "duckdb" in engines and "spark" in engines:
        result["identical"] = same_files(folder / "duckdb", folder / "spark")
    return result


class Run:
    """One training run in a separate process, watched several times a second."""

    def __init__(
        self, asked: argparse.Namespace, config: Path, model: Path, engine: str, cluster: Standalone | None
    ) -> None:
        self.cluster, self.model = cluster, model
        self.log = model.with_name(f"{model.name}.stages")
        self.log.unlink(missing_ok=True)
        memory = f"{asked.worker_memory}MB" if cluster else ""
        order = [str(config), str(model), engine, memory, str(self.log)]
        options = ["--threads", str(asked.threads)]
        options += [name for name in FLAGS if getattr(asked, name[2:].replace("-", "_"))]
        self.command = [sys.executable, sys.argv[0], *options, "--drive", *order]
        self.to_kill = [name for name in asked.kill.split(",") if name and cluster]
        self.to_restart = asked.restart if cluster else ""
        self.cpu: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(KINDS, 0.0))
        self.peak: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(KINDS, 0.0))
        self.killed: list[dict[str, Any]] = []
        self._known: dict[int, float] = {}

    def figures(self) -> dict[str, Any]:
        """Train, and say what it took."""
        began = time.monotonic()
        while True:
            process = subprocess.Popen(self.command, stdout=sys.stderr)
            code = self._watch(process)
            if code == 0:
                break
            if code != -signal.SIGKILL or self.to_restart:
                raise RuntimeError(f"{' '.join(self.command)} ended with exit code {code}")
        stages: dict[str, Any] = {}
        for event in self._events():
            if event["event"] == "ended":
                name = event["name"]
                stages[name] = {
                    **{
                        key: event[key]
                        for key in ("seconds", "time", "note", "own_peak_megabytes", "disk_megabytes")
                    },
                    "cpu_seconds": {**self.cpu[name], "all": sum(self.cpu[name].values())},
                    "peak_megabytes": self.peak[name],
                }
        return {
            "seconds": time.monotonic() - began,
            "cpu_seconds": sum(sum(kinds.values()) for kinds in self.cpu.values()),
            "model_megabytes": folder_megabytes(self.model),
            "stages": stages,
            "killed": self.killed,
            "reused": sorted({event["name"] for event in self._events() if event.get("reused")}),
        }

    def _events(self) -> list[dict[str, Any]]:
        if not self.log.exists():
            return []
        text = self.log.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]

    def _watch(self, process: subprocess.Popen[bytes]) -> int:
        """Until the process ends: CPU time goes to the current stage. Kills what was asked for."""
        while process.poll() is None:
            events = [event for event in self._events() if not event.get("reused")]
            stage = events[-1]["name"] if events else "start"
            self._sample(process.pid, stage)
            busy = self._is_busy(stage)
            if busy and stage in self.to_kill and self.cluster:
                self.to_kill.remove(stage)
                number = len(self.cluster.workers) - self.cluster._wanted  # the oldest that is alive
                ended = self.cluster.kill_worker(number)
                self.killed.append({"stage": stage, "worker": number, "processes": len(ended)})
                self.cluster.add_worker(wait=False)
            if busy and stage == self.to_restart:
                self.to_restart = ""
                ended = [process.pid, *_descendants(process.pid)]
                for one in ended:
                    with suppress(ProcessLookupError):
                        os.kill(one, signal.SIGKILL)
                self.killed.append({"stage": stage, "driver": True, "processes": len(ended)})
                return process.wait()
            time.sleep(0.5)
        return process.returncode

    def _is_busy(self, stage: str) -> bool:
        """Whether tasks of the stage are at work."""
        spent = self.cpu[stage]
        return spent["executors"] > BUSY_EXECUTORS if stage in QUERIES else spent["workers"] > BUSY_WORKERS

    def _sample(self, driver: int, stage: str) -> None:
        processes = [(driver, "python"), *((child, "jvm") for child in _descendants(driver))]
        if self.cluster:
            for number, worker in enumerate(self.cluster.workers):
                if worker.poll() is None:
                    processes += [(child, "executors") for child in self.cluster.executors(number)]
        for process, kind in processes:
            try:
                fields = Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1].split()
                name = Path(f"/proc/{process}/cmdline").read_bytes()
            except (OSError, IndexError):
                continue
            java = b"java" in name.split(b"\0")[0]
            kind = {"jvm": "jvm" if java else "python", "executors": "executors" if java else "workers"}.get(
                kind, kind
            )
            used = (int(fields[11]) + int(fields[12])) / TICK
            self.cpu[stage][kind] += max(used - self._known.get(process, 0.0), 0.0)
            self._known[process] = used
            self.peak[stage][kind] = max(self.peak[stage][kind], int(fields[21]) * PAGE / MEGA)


def add_shuffles(figures: dict[str, Any], events: Path) -> None:
    """Bytes that each stage shuffled, and its tasks, from Spark's logs. A task is in the stage in which it ended."""
    ends = sorted((stage["time"], name) for name, stage in figures["stages"].items())
    for stage in figures["stages"].values():
        stage |= {"shuffle_megabytes": 0.0, "tasks": 0, "failed_tasks": 0}
    for path in sorted(path for path in events.rglob("*") if path.is_file()):
        for line in path.read_text(encoding="utf-8").splitlines():
            if '"SparkListenerTaskEnd"' not in line:
                continue
            task = json.loads(line)
            finished = task["Task Info"]["Finish Time"] / 1000
            name = next((name for end, name in ends if finished <= end), None)
            if name is None:
                continue
            stage = figures["stages"][name]
            written = (task.get("Task Metrics") or {}).get("Shuffle Write Metrics", {})
            stage["shuffle_megabytes"] += written.get("Shuffle Bytes Written", 0) / MEGA
            stage["tasks"] += 1
            stage["failed_tasks"] += bool(task["Task Info"]["Failed"] or task["Task Info"]["Killed"])


def drive(asked: argparse.Namespace, config: str, model: str, engine: str, memory: str, log: str) -> None:
    """The measured process: ``train`` with a progress that writes down when stages begin and end."""
    import paraphrast
    from paraphrast.training.runner import Stage

    if asked.same_code:
        Stage.code = lambda stage: "same"  # type: ignore[method-assign, assignment]
    paraphrast.train(
        config,
        model,
        engine=engine,
        memory=memory or None,
        threads=asked.threads,
        keep_work=asked.keep_work,
        progress=EventLog(Path(log), Path(f"{model}.work")),
    )


class EventLog:
    """A progress that writes one JSON object per line to a file."""

    def __init__(self, path: Path, work: Path) -> None:
        self.path, self.work = path, work

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        """A stage begins. Its peak memory is counted from now on."""
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
        self._write({"event": "stage", "name": name, "reused": reused})

    def step(self, done: float, total: float, unit: str) -> None:
        """Work within the stage."""

    def ended(self, name: str, seconds: float, note: str) -> None:
        """A stage ended."""
        status = Path("/proc/self/status").read_text()
        place = self.work / name
        self._write(
            {
                "event": "ended",
                "name": name,
                "seconds": seconds,
                "note": note,
                "own_peak_megabytes": int(status.split("VmHWM:")[1].split()[0]) * 1024 / MEGA,
                "disk_megabytes": folder_megabytes(place) if place.is_dir() else 0.0,
            }
        )

    def _write(self, event: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({**event, "time": time.time()}) + "\n")


if __name__ == "__main__":
    sys.exit(main())

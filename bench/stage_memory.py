"""Peak memory of every stage of a training run: of this process, and of the process with all its children.

    python bench/stage_memory.py CONFIG MODEL [--memory 2GB] [--engine …] [--same-code]

The kernel keeps the peak of a process and forgets it when asked (Linux, ``/proc/self/clear_refs``), so the peak of a
stage is exact. The sum over children is sampled, because the kernel does not keep it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

INTERVAL = 0.2


def peak_megabytes() -> float:
    """The peak of this process since the last :func:`forget_peak`."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def forget_peak() -> None:
    """Let the kernel count the peak of this process from now on."""
    Path("/proc/self/clear_refs").write_text("5")


class Peaks:
    """A progress that prints one JSON line when a stage begins and one when it ends."""

    def __init__(self) -> None:
        self.cpu = 0.0

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        """A stage begins."""
        forget_peak()
        self.cpu = time.process_time()
        print(json.dumps({"begins": name, "reused": reused}), flush=True)

    def step(self, done: float, total: float, unit: str) -> None:
        """Work within the stage."""

    def ended(self, name: str, seconds: float, note: str) -> None:
        """A stage ended."""
        cpu = time.process_time() - self.cpu
        ended = {"ended": name, "megabytes": peak_megabytes(), "seconds": seconds, "cpu": cpu, "note": note}
        print(json.dumps(ended), flush=True)


def train(options: argparse.Namespace) -> None:
    """Train in this process."""
    import paraphrast
    from paraphrast.training.runner import Stage

    if options.same_code:  # so that two versions of the code share a work folder, and write the same manifest
        Stage.code = lambda stage: "same"  # type: ignore[method-assign, assignment]
    paraphrast.train(
        options.config,
        options.model,
        threads=options.threads,
        memory=options.memory,
        engine=options.engine,
        keep_work=True,
        progress=Peaks(),
    )


def tree_megabytes(root: int) -> float:
    """Resident memory of a process and everything below it; pages that several of them share count for each."""
    parents: dict[int, int] = {}
    pages: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        number = int(stat.parent.name)
        parents[number], pages[number] = int(fields[1]), int(fields[21])
    total = 0
    for number in pages:
        at = number
        while at != root and at in parents and at > 1:
            at = parents[at]
        if at == root:
            total += pages[number]
    return total * 4096 / 2**20


def watch(arguments: list[str]) -> list[dict[str, Any]]:
    """Train in a child process, and print a line for every stage."""
    child = subprocess.Popen(
        [sys.executable, __file__, *arguments, "--here"], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    sampled = [0.0]

    def sample() -> None:
        while child.poll() is None:
            sampled[0] = max(sampled[0], tree_megabytes(child.pid))
            time.sleep(INTERVAL)

    threading.Thread(target=sample, daemon=True).start()
    stages = []
    print(f"{'stage':14s} {'seconds':>8s} {'CPU s':>8s} {'process MB':>11s} {'tree MB':>9s}")
    for line in child.stdout:
        event = json.loads(line)
        if "begins" in event:
            sampled[0] = 0.0
            continue
        event["tree_megabytes"] = sampled[0]
        stages.append(event)
        print(
            f"{event['ended']:14s} {event['seconds']:8.1f} {event['cpu']:8.1f} {event['megabytes']:11.0f}"
            f" {event['tree_megabytes']:9.0f}  {event['note']}",
            flush=True,
        )
    if child.wait():
        raise SystemExit(child.returncode)
    return stages


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("config")
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory")
    parser.add_argument("--engine", default="duckdb")
    parser.add_argument(
        "--same-code", action="store_true", help="ignore the version of the code in signatures"
    )
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        train(options)
    else:
        watch(sys.argv[1:])


if __name__ == "__main__":
    main()

"""What the benchmarks share: their settings, processes of their own, rows of the corpus, the machine.

Only the standard library is imported here, on purpose: a process that starts another hands it its own peak
memory on Linux, so whatever starts a measured process has to stay small.
"""

from __future__ import annotations

import importlib.metadata
import json
import lzma
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

CORPUS = Path("europarl") / "en-de-fr-es.tsv.xz"
COLUMNS = ("en", "de", "fr", "es")
#: How to get the programs and libraries that we compare with.
GET_PEERS = "pip install 'paraphrast[peers]'"
MEGA = 1e6


class BenchError(Exception):
    """A benchmark cannot be run, and why."""


@dataclass(frozen=True)
class Context:
    """What to measure on.

    data: folder of the corpora. sizes: lines of training, ascending. threads: at most as many.
    held_out: lines to score, after those of training. model: a model to decode with, or None.
    work: a folder for what benchmarks write, deleted at the end. warm: compile kernels before measuring.
    """

    data: str
    sizes: tuple[int, ...]
    threads: int
    held_out: int
    model: str | None
    work: str
    warm: bool

    @property
    def rewritten(self) -> int:
        """How many of the held-out lines are rewritten: a tenth, for that takes longer than scoring."""
        return max(self.held_out // 10, 1)

    @property
    def corpus(self) -> Path:
        """The bitext."""
        return Path(self.data) / CORPUS

    @property
    def folder(self) -> Path:
        """Where to write."""
        return Path(self.work)


def apart(context: Context, module: str, function: str, **arguments: Any) -> tuple[Any, dict[str, float]]:
    """``module.function(context, **arguments)`` in a fresh process; its result and what the process used."""
    with tempfile.TemporaryDirectory(dir=context.work) as folder:
        result_path = Path(folder) / "result.json"
        order = {"context": asdict(context), "module": module, "function": function, "arguments": arguments}
        command = [sys.executable, str(Path(__file__).with_name("apart.py")), str(result_path)]
        run = subprocess.run(command, input=json.dumps(order), text=True, stdout=sys.stderr, check=False)
        try:
            answer = json.loads(result_path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            answer = {"error": f"{module}.{function} ended with exit code {run.returncode}"}
    if "error" in answer:
        raise BenchError(answer["error"])
    return answer["result"], answer["usage"]


def usage() -> dict[str, float]:
    """What this process and its children have used so far; of the children's memory, the largest child's."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "cpu_seconds": own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime,
        "peak_megabytes": _megabytes(own),
        "largest_child_megabytes": _megabytes(children),
    }


def _megabytes(record: resource.struct_rusage) -> float:
    return record.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / MEGA


def run_program(command: Sequence[str], threads: int) -> dict[str, float]:
    """Run another's program to its end; seconds, CPU seconds and peak memory of it and its children."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    with tempfile.TemporaryFile() as messages:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=messages, stderr=messages, env=environment
        )
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            messages.seek(0)
            said = messages.read().decode(errors="replace").strip().splitlines()
            raise BenchError(
                f"{Path(command[0]).name} ended with {process.returncode}: {' '.join(said[-1:])}"
            )
    return {
        "seconds": seconds,
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "peak_megabytes": _megabytes(used),
    }


def per_second(function: Callable[[], Any], units: int, least_seconds: float = 0.3) -> float:
    """How many units a second ``function`` does: the best of as many calls as take ``least_seconds``, or 3."""
    best, spent, calls = float("inf"), 0.0, 0
    while spent < least_seconds or calls < 3:
        began = time.perf_counter()
        function()
        seconds = max(time.perf_counter() - began, 1e-9)
        best, spent, calls = min(best, seconds), spent + seconds, calls + 1
    return units / best


def read_rows(path: Path, first: int, last: int) -> list[list[str]]:
    """Rows of lines ``first`` … ``last``, 1-based, inclusive, each with every column."""
    rows: list[list[str]] = []
    number = 0
    try:
        with lzma.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(islice(lines, last), 1):
                if number >= first:
                    rows.append(line.rstrip("\n").split("\t"))
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise BenchError(f"{path}: expected xz of UTF-8 text: {error}") from error
    if number < last:
        raise BenchError(f"{path}: expected {last} lines, got {number}; choose smaller --sizes or --held-out")
    wrong = next((number for number, row in enumerate(rows, first) if len(row) != len(COLUMNS)), None)
    if wrong is not None:
        raise BenchError(f"{path}:{wrong}: expected {len(COLUMNS)} columns ({', '.join(COLUMNS)}) by tab")
    return rows


def folder_megabytes(folder: Path) -> float:
    """Size of all files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / MEGA


def growth(now: dict[str, Any], before: dict[str, Any], names: Sequence[str]) -> dict[str, float | None]:
    """Ratio of each figure to that of the size before; None where that was nothing."""
    return {name: now[name] / before[name] if before[name] else None for name in names}


def rounded(value: Any) -> Any:
    """Figures with six significant digits: more would be noise."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(inner) for inner in value]
    return value


def peers_python() -> str:
    """The Python that has the peers: ``PARAPHRAST_BENCH_PEERS``, or this one."""
    return os.environ.get("PARAPHRAST_BENCH_PEERS") or sys.executable


def find_program(name: str, python: str | None = None) -> str | None:
    """A program beside the Python that has the peers, or on the path."""
    beside = shutil.which(name, path=str(Path(python or peers_python()).parent))
    return beside or shutil.which(name)


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / MEGA
    except (ValueError, OSError):
        memory = None
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_megabytes": memory,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "load_at_start": os.getloadavg()[0],
    }


def _cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def versions() -> dict[str, Any]:
    """Versions of what is measured and of what it is measured with; peers that are not there are None."""
    import paraphrast

    found: dict[str, Any] = {"python": platform.python_version(), "paraphrast": paraphrast.__version__}
    found |= {name: _version(name) for name in ("numpy", "numba", "duckdb")}
    peers = {"kenlm": _version("kenlm"), "eflomal": _version("eflomal")}
    if peers["eflomal"] is None and find_program("eflomal-align"):
        peers["eflomal"] = "unknown"
    found["peers"] = {
        name: {"version": version, "get": None if version else GET_PEERS} for name, version in peers.items()
    }
    return found


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None

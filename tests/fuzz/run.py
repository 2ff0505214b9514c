"""Fuzz the readers: mutate inputs, keep those that reach new code, and report everything that is not a ParaphrastError.

    python tests/fuzz/run.py [TARGET…] [--seconds 60] [--inputs N] [--seed 1] [--findings FOLDER] [--together]
        [--counts FILE]

With Atheris (``pip install 'paraphrast[fuzz]'``) mutation is guided by coverage; without it, or with ``--plain``,
inputs are mutated blindly, and those that end in an error at a new line are mutated further. Each target runs in a
process of its own, one after the other. A finding is an exception of another kind, more than ten seconds of CPU time,
or more than two gigabytes; the input of each is written to FOLDER. Prints one line of JSON per target. Exit code 1 if
there are findings. With ``--counts``, FILE gets such a line every 30 CPU seconds and at the end of each target, so that
a run that is stopped keeps its counts: the last line of a target and process number counts.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import logging
import os
import pickle
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback
import warnings
from bisect import bisect
from collections import Counter
from pathlib import Path
from types import FrameType

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "src")]
#: These train a model first, which would be slow with coverage. Their inputs are mutated blindly.
UNGUIDED = {"model-manifest", "model-files", "lm-folder", "sentence", "aligner"}
#: Only the inputs to begin with need a model: another process makes them.
FROM_MODEL = {"table", "packed-model", "weights", "casing"}
#: Limits of one input.
SECONDS, MEMORY = 10, 2 << 30
#: Inputs kept because they ended at a new line.
MOST_BASES = 500


def mutated(content: bytes, rng: random.Random, others: tuple[bytes, ...]) -> bytes:
    """A few changes: bytes, numbers, cuts, repetitions, pieces of other inputs."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 2, 4, 8, 16, 64)))
        kind = rng.randrange(7)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1 and at < len(data):
            data[at] = rng.randrange(256)
        elif kind == 2:
            del data[at:end]
        elif kind == 3:
            data[at:at] = data[at:end] * rng.choice((1, 2, 50))
        elif kind == 4:
            data[at:end] = rng.choice(_WORDS)
        elif kind == 5:
            other = rng.choice(others)
            begin = rng.randrange(len(other) + 1)
            data[at:end] = other[begin : begin + rng.choice((1, 8, 64, 512))]
        else:
            data[at:at] = rng.choice(_WORDS)
    return bytes(data)


_WORDS = (
    *(
        b"-1",
        b"0",
        b"99999999999999999999",
        b"1e999",
        b"nan",
        b"inf",
        b"NaN",
        b"-0.0",
        b"\x00",
        b"\xff\xff\xff\xff",
    ),
    *(
        b"\xff\xff\xff\x7f",
        b"\x00\x00\xc0\x7f",
        b"\n",
        b"\r\n",
        b"\t",
        b" ||| ",
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b"null",
    ),
    *(
        b"true",
        b"\\ud800",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        "\u0301".encode(),
        "\u202e".encode(),
        b"../",
        b"/",
        b"(",
        b")",
    ),
)


class Watch:
    """Runs inputs, counts how they end, and remembers findings once per place in the code."""

    def __init__(self, name: str, folder: Path | None, counts: Path | None = None) -> None:
        self.name = name
        self.folder = folder
        self.counts = counts
        self.counted_at = 0.0
        self.is_guided = False
        self.ends: Counter[str] = Counter()
        self.findings: dict[str, str] = {}
        self.lines: set[int] = set()
        self.current = 0
        self.timed = (0, 0)
        signal.signal(signal.SIGPROF, self._tick)
        signal.setitimer(signal.ITIMER_PROF, 1, 1)
        self.began = time.monotonic()
        self.began_cpu = time.process_time()

    def __call__(self, content: bytes) -> tuple[str, bool]:
        """Run an input: how it ended, and whether an error came by lines where none has come by before."""
        from fuzz import targets

        end, is_new = "finding", False
        self.current += 1
        try:
            end, line = targets.run_to_line(self.name, content)
            self.ends[end] += 1
            is_new = line not in self.lines
            self.lines.add(line)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            self.ends["finding"] += 1
            self._report(content, error)
        if self.current % 64 == 0 and self.counts is not None and time.process_time() - self.counted_at > 30:
            self.write_counts()
        return end, is_new

    def _tick(self, _signal: int, _frame: FrameType | None) -> None:
        """Every CPU second: has the same input been running for too long?"""
        number, ticks = self.timed
        self.timed = (self.current, ticks + 1 if number == self.current else 0)
        if self.timed[1] >= SECONDS:
            self.timed = (self.current, 0)
            raise TooLong(f"more than {SECONDS} seconds")

    def write_counts(self) -> None:
        """Append the report so far to the file of counts."""
        self.counted_at = time.process_time()
        if self.counts is not None:
            with self.counts.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({**self.report(), "process": os.getpid()}) + "\n")

    def _report(self, content: bytes, error: BaseException) -> None:
        ours = [
            frame for frame in traceback.extract_tb(error.__traceback__) if "paraphrast" in frame.filename
        ]
        last = ours[-1] if ours else traceback.extract_tb(error.__traceback__)[-1]
        key = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
        if key in self.findings:
            return
        self.findings[key] = str(error)[:200]
        digest = hashlib.sha256(content).hexdigest()[:12]
        print(f"FINDING {self.name}: {key}: {error!r:.200} ({digest})", file=sys.stderr, flush=True)
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / f"{self.name}-{digest}").write_bytes(content)

    def report(self) -> dict[str, object]:
        return {
            "target": self.name,
            "inputs": sum(self.ends.values()),
            "seconds": round(time.monotonic() - self.began),
            "cpu_seconds": round(time.process_time() - self.began_cpu, 1),
            "guided": self.is_guided,
            "ends": dict(sorted(self.ends.items())),
            "findings": self.findings,
            "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }


class TooLong(BaseException):
    """An input took longer than the limit."""


def fuzz_one(name: str, options: argparse.Namespace) -> dict[str, object]:
    """Fuzz one target in this process."""
    warnings.simplefilter("ignore")
    logging.getLogger("paraphrast").addHandler(_Formatting())
    logging.getLogger("paraphrast").propagate = False
    guided = not options.plain and name not in UNGUIDED and _has_atheris()
    given = _warm_with_coverage(name) if guided else _warm(name)
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + MEMORY, resource.RLIM_INFINITY))
    watch = Watch(name, options.findings, options.counts)
    watch.is_guided = guided
    if guided:
        _guided(watch, given, options)
    rng = random.Random(f"{options.seed} {name}")
    bases = _Bases()
    for content in given:
        bases.add(content, is_sound=watch(content)[0] == "result")
    while not _is_over(watch, options):
        content = mutated(bases.choose(rng), rng, given)
        if watch(content)[1]:
            bases.add(content, is_sound=False)
    signal.setitimer(signal.ITIMER_PROF, 0)
    watch.write_counts()
    return watch.report()


class _Formatting(logging.Handler):
    """Makes the messages of the log, and drops them."""

    def emit(self, record: logging.LogRecord) -> None:
        record.getMessage()


class _Bases:
    """Inputs to mutate: mostly sound ones, and short ones among the others, which are read sooner."""

    def __init__(self) -> None:
        self.sound: list[bytes] = []
        self.others: list[bytes] = []
        self.limits: list[float] = []

    def add(self, content: bytes, is_sound: bool) -> None:
        if is_sound and len(content) > 0:
            self.sound.append(content)
        elif len(self.others) < MOST_BASES:
            self.others.append(content)
            weight = 1 if len(content) < 2000 else 0.05
            self.limits.append((self.limits[-1] if self.limits else 0.0) + weight)

    def choose(self, rng: random.Random) -> bytes:
        if self.sound and (not self.others or rng.random() < 0.5):
            return rng.choice(self.sound)
        return self.others[bisect(self.limits, rng.random() * self.limits[-1])]


def _warm(name: str, given: tuple[bytes, ...] = ()) -> tuple[bytes, ...]:
    """The inputs to begin with, each read once: compiles kernels, which has no limit of time."""
    from fuzz import targets
    from fuzz.seeds import seeds

    given = given or seeds(name)
    for content in given:
        with contextlib.suppress(Exception):
            targets.run(name, content)
    return given


def _seeds_elsewhere(name: str) -> tuple[bytes, ...]:
    """The inputs to begin with, made by another process."""
    code = f"import sys, pickle; sys.path[:0] = {sys.path[:2]!r}; from fuzz.seeds import seeds"
    code += f"; sys.stdout.buffer.write(pickle.dumps(seeds({name!r})))"
    command = [sys.executable, "-W", "ignore", "-c", code]
    made: tuple[bytes, ...] = pickle.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return made


def _warm_with_coverage(name: str) -> tuple[bytes, ...]:
    """As :func:`_warm`; what the target imports is instrumented, except kernels, which numba could not compile."""
    import atheris

    package = TESTS.parent / "src" / "paraphrast"
    kernels = [*package.rglob("_kernels*.py"), package / "_numeric.py", *package.glob("_jit/*.py")]
    names = [".".join(path.relative_to(package.parent).with_suffix("").parts) for path in kernels]
    given = _seeds_elsewhere(name) if name in FROM_MODEL else ()
    with atheris.instrument_imports(include=["paraphrast"], exclude=["paraphrast._jit", *names]):
        return _warm(name, given)


def _address_space() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 8 << 30


def _is_over(watch: Watch, options: argparse.Namespace) -> bool:
    if options.inputs and sum(watch.ends.values()) >= options.inputs:
        return True
    return bool(options.seconds) and time.process_time() - watch.began_cpu >= options.seconds


def _has_atheris() -> bool:
    from importlib.util import find_spec

    return find_spec("atheris") is not None


def _guided(watch: Watch, given: tuple[bytes, ...], options: argparse.Namespace) -> None:
    """Atheris does not return, so the report is printed when time is over."""
    import tempfile

    import atheris

    from fuzz.register import place

    corpus = Path(tempfile.mkdtemp(prefix="corpus-"))
    for number, content in enumerate(given):
        (corpus / str(number)).write_bytes(content[: 1 << 16])

    def one(content: bytes) -> None:
        watch(content)
        if _is_over(watch, options):
            watch.write_counts()
            print(json.dumps(watch.report()), flush=True)
            shutil.rmtree(corpus, ignore_errors=True)
            shutil.rmtree(place(), ignore_errors=True)
            os._exit(1 if watch.findings else 0)

    arguments = [sys.argv[0], str(corpus), f"-seed={options.seed}", "-verbosity=0", "-print_final_stats=0"]
    arguments += ["-rss_limit_mb=4096", "-max_len=8192", "-timeout=600"]
    atheris.Setup(arguments, one)
    atheris.Fuzz()


def _fuzz_together(names: list[str], options: argparse.Namespace) -> int:
    """Saves the start of a process per target, for short runs."""
    has_findings = False
    for name in names:
        report = fuzz_one(name, options)
        print(json.dumps(report), flush=True)
        has_findings = has_findings or bool(report["findings"])
    return int(has_findings)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seconds", type=float, default=60, help="CPU seconds of each target")
    parser.add_argument("--inputs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--findings", type=Path)
    parser.add_argument("--counts", type=Path, help="append counts to this file every 30 CPU seconds")
    parser.add_argument("--together", action="store_true", help="all targets in one process, without Atheris")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        report = fuzz_one(options.targets[0], options)
        print(json.dumps(report), flush=True)
        return 1 if report["findings"] else 0
    from fuzz.targets import TARGETS

    if options.together:
        options.plain = True
        return _fuzz_together(options.targets or sorted(TARGETS), options)
    code = 0
    for name in options.targets or sorted(TARGETS):
        command = [sys.executable, __file__, name, "--one", f"--seconds={options.seconds}"]
        command += [f"--inputs={options.inputs}", f"--seed={options.seed}", *["--plain"] * options.plain]
        command += [f"--findings={options.findings}"] * (options.findings is not None)
        command += [f"--counts={options.counts}"] * (options.counts is not None)
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        print(lines[-1] if lines else json.dumps({"target": name, "crashed": done.returncode}), flush=True)
        code |= 1 if done.returncode or not lines else 0
    return code


if __name__ == "__main__":
    sys.exit(main())

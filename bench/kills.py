"""Kill commands of paraphrast, fill their disk, make their files fail: is anything lost or left behind?

    python bench/kills.py [--runs 600] [--seed 1] [--only train,lm] [--faults kill,full]

Each run gives a command a new folder, lets one fault happen at a random moment (``bench/faults.py`` lists them), then
runs the same command again without it. What must hold:

- the command with the fault succeeds, dies from the kill, or ends with a message, never with a traceback;
- its output is then absent or complete;
- the same command then succeeds (or says that the complete output exists already) with the bytes of an undisturbed run;
- no file is left in the output folder and in the cache that an undisturbed run does not leave.

`reproduce` writes its results after each item, so its files may be shorter after the fault, but must be readable; lines
with the time and memory that an item took are not compared. `lm-cold` begins with an empty cache of kernels once; its
further runs find the largest kernels in it, which take most of a minute to compile, and compile the others. `lm-empty`
compiles all of them in every run, and runs only if ``--only`` names it.

Prints one JSON object: runs by command and fault, how many ended how, and every violation. Exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parents[1] / "tests"))

import faults
import toy  # type: ignore[import-not-found]
from faults import Fault, Outcome
from paraphrast._jit import cache_root
from paraphrast.cli import run as run_command

SENTENCE = "The committee will examine the proposal tomorrow."
#: Serves the file for `data get`, a piece at a time, with ranges and an ETag.
SERVER = """
import http.server, pathlib, re, sys, time
content = pathlib.Path(sys.argv[1]).read_bytes()
class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        start = int((re.match(r"bytes=(\\d+)-", self.headers.get("Range", "")) or [0, "0"])[1])
        self.send_response(206 if start else 200)
        self.send_header("ETag", '"one"')
        self.send_header("Content-Length", str(len(content) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        try:
            for place in range(start, len(content), 20000):
                self.wfile.write(content[place:min(place + 20000, len(content))])
                time.sleep(0.01)
        except OSError:
            pass
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
print(server.server_port, flush=True)
server.serve_forever()
"""


@dataclass
class Scenario:
    """A command. share: how often it runs, relative to others. The rest is measured on an undisturbed run.

    is_cold: begins without compiled kernels, so faults hit the cache of kernels too. keeps_large: later runs begin with
    the large ones. is_warm: runs once in the process
    of the harness first, so that its children need not load compiled kernels again. is_stepwise: replaces its output
    with a longer one after each step.
    """

    name: str
    arguments: list[str]
    share: int = 4
    is_cold: bool = False
    keeps_large: bool = True
    is_warm: bool = False
    is_stepwise: bool = False
    seconds: float = 0
    cpu_seconds: float = 0
    operations: int = 0
    files: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)


def scenarios(inputs: Path) -> list[Scenario]:
    """Every command that writes, on small inputs."""
    text = str(inputs / "en.txt")
    return [
        Scenario("train", ["train", str(inputs / "config.toml"), "-o", "out/model"], 2, is_warm=True),
        Scenario(
            "table",
            ["table", "pivot", str(inputs / "pairs.tsv"), "-o", "out/t.parquet", "--columns", "en,de"],
            3,
            is_warm=True,
        ),
        Scenario("lm", ["lm", text, "-o", "out/lm", "--order", "3"], 8, is_warm=True),
        Scenario("lm-arpa", ["lm", text, "-o", "out/lm.arpa.gz", "--order", "3"], 7, is_warm=True),
        Scenario(
            "align",
            ["align", str(inputs / "pairs.tsv"), "-o", "out/links.txt", "--save", "out/aligner"],
            6,
            is_warm=True,
        ),
        Scenario(
            "acquire",
            ["acquire", str(inputs / "pages"), "-o", "out/articles.jsonl", "--threads", "1"],
            4,
            is_warm=True,
        ),
        Scenario("lm-cold", ["lm", text, "-o", "out/lm", "--order", "2"], 1, is_cold=True),
        # Compiles every kernel again and again: only if named in --only.
        Scenario(
            "lm-empty", ["lm", text, "-o", "out/lm", "--order", "2"], 0, is_cold=True, keeps_large=False
        ),
        Scenario("data-get", ["data", "get", "kills-text"], 8),
        Scenario("model-pack", ["model", "pack", str(inputs / "model"), "-o", "out/model.zip"], 8),
        Scenario(
            "open-packed", ["paraphrase", SENTENCE, "-m", str(inputs / "model.zip"), "-o", "out/x.txt"], 3
        ),
        Scenario("open-embedded", ["paraphrase", SENTENCE, "-o", "out/x.txt"], 1),
        Scenario(
            "reproduce",
            ["reproduce", "martzoukos-monz-2012", "--small", "-o", "out/reproduced"],
            4,
            is_warm=True,
            is_stepwise=True,
        ),
    ]


def write_inputs(folder: Path) -> None:
    """Small inputs of our own."""
    toy.write_config(folder, 60)
    rows = toy.rows(60)
    (folder / "pairs.tsv").write_text("".join(f"{row[0]}\t{row[1]}\n" for row in rows))
    (folder / "en.txt").write_text("".join(f"{row[0]}\n" for row in rows))
    (folder / "pages").mkdir()
    for number in range(3):
        paragraphs = "".join(f"<p>{' '.join(row[0] for row in toy.rows(6, seed))}</p>" for seed in range(4))
        page = f"<html><head><title>Report {number}</title></head><body><h1>Report {number}</h1>"
        (folder / "pages" / f"{number}.html").write_text(f"{page}{paragraphs}</body></html>")
    lines = [f"{row[0]} This is report number {number}." for number, row in enumerate(toy.rows(3000, 5))]
    (folder / "text.txt").write_text("\n".join(lines) + "\n")


def write_index(folder: Path, port: int) -> Path:
    """An index with one text, which comes from the server on loopback, pinned by its hash."""
    digest = hashlib.sha256((folder / "text.txt").read_bytes()).hexdigest()
    path = folder / "index.toml"
    path.write_text(
        '[kills-text]\nkind = "text"\nlanguages = ["en"]\nlicence = "ours"\ndescription = "test"\n'
        'version = "1"\nconvert = "text-lines"\n[[kills-text.source]]\nvia = "http"\n'
        f'url = "http://127.0.0.1:{port}/text.txt"\nsha256 = "{digest}"\n'
    )
    return path


#: Lines of `reproduce` with the time and memory an item took.
COST = re.compile(rb'^ *("cpu_seconds"|"peak_megabytes"|- \*\*Cost\*\*).*$', re.MULTILINE)
#: Kernels with more machine code than this stay in the cache of cold runs.
LARGE_KERNEL = 30_000


def digests(place: Path) -> tuple[dict[str, str], dict[str, int]]:
    """Hashes and sizes of all files of outputs and cache, without locks and compiled kernels."""
    hashes, sizes = {}, {}
    for top in ("out", "cache"):
        for parent, folders, files in os.walk(place / top):
            folders[:] = [name for name in folders if name not in ("kernels", ".locks")]
            for name in [*files, *(f"{name}/" for name in folders if not os.listdir(Path(parent) / name))]:
                path = Path(parent) / name
                key = path.relative_to(place).as_posix()
                if name.endswith("/"):
                    hashes[f"{key}/"], sizes[f"{key}/"] = "empty folder", 0
                    continue
                if name == "kernels":  # the link
                    continue
                content = path.read_bytes()
                if key.startswith("out/reproduced/"):
                    content = COST.sub(b"", content)
                hashes[key], sizes[key] = hashlib.sha256(content).hexdigest(), len(content)
    return hashes, sizes


def is_readable(path: Path) -> bool:
    """Whether a file of results, written after some of the steps, is whole."""
    text = path.read_text("utf-8")
    if path.suffix != ".json":
        return text.endswith("\n")
    try:
        return bool(json.loads(text)["items"])
    except (ValueError, KeyError):
        return False


def unsound_kernels(folder: Path) -> list[str]:
    """Temporary files, and files of machine code without the right checksum at their end."""
    if folder.is_symlink():
        return []
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if path.suffix != ".code" or hashlib.sha256(content[:-32]).digest() != content[-32:]:
            found.append(f"left or damaged in the cache of kernels: {path.name}")
    return found


class Harness:
    """Runs scenarios in folders of ``work``, and collects what went wrong."""

    def __init__(self, work: Path, kernels: Path, index: Path) -> None:
        self.work = work
        self.kernels = kernels
        self.index = index
        self.cold_kernels: Path | None = None
        self.violations: list[str] = []
        self.ends: Counter[str] = Counter()
        self.runs: Counter[str] = Counter()

    def new_place(self, scenario: Scenario | None = None) -> Path:
        place = self.work / "run"
        for top in ("out", "cache"):
            faults.unmount(place / top)
        shutil.rmtree(place, ignore_errors=True)
        (place / "out").mkdir(parents=True)
        (place / "cache").mkdir()
        if scenario is None or not scenario.is_cold:
            (place / "cache" / "kernels").symlink_to(self.kernels)
        elif scenario.keeps_large and self.cold_kernels is not None:
            shutil.copytree(self.cold_kernels, place / "cache" / "kernels")
        return place

    def keep_large_kernels(self, place: Path) -> None:
        """Later cold runs begin with the large kernels of this one."""
        self.cold_kernels = self.work / "cold-kernels"
        shutil.copytree(place / "cache" / "kernels", self.cold_kernels)
        for path in self.cold_kernels.rglob("*.code"):
            if path.stat().st_size <= LARGE_KERNEL:
                path.unlink()

    def environment(self, place: Path) -> dict[str, str]:
        return {"PARAPHRAST_CACHE": str(place / "cache"), "PARAPHRAST_INDEX": str(self.index)}

    def warm(self, scenario: Scenario) -> None:
        """Run a command in this process: the children then have its kernels."""
        place = self.new_place()
        os.environ.update(self.environment(place))
        with (
            contextlib.chdir(place),
            (place / "log").open("w") as log,
            contextlib.redirect_stdout(log),
            contextlib.redirect_stderr(log),
        ):
            run_command(scenario.arguments)

    def measure(self, scenario: Scenario) -> None:
        """Two undisturbed runs: the first may compile kernels. Both must give the same bytes."""
        if scenario.is_warm:
            self.warm(scenario)
        for _ in range(2 if scenario.keeps_large else 1):
            place = self.new_place(scenario)
            outcome = faults.run(scenario.arguments, place, self.environment(place))
            if outcome.code != 0:
                raise SystemExit(f"{scenario.name} fails undisturbed: {outcome.text}")
            hashes, sizes = digests(place)
            if scenario.files and scenario.files != hashes:
                self.violations.append(f"{scenario.name}: two undisturbed runs differ")
            scenario.files, scenario.sizes = hashes, sizes
            scenario.seconds, scenario.operations = outcome.seconds, outcome.operations
            scenario.cpu_seconds = outcome.cpu_seconds
            if scenario.is_cold and scenario.keeps_large and self.cold_kernels is None:
                self.keep_large_kernels(place)

    def draw(self, scenario: Scenario, kind: str, rng: random.Random) -> Fault:
        """A fault at a random moment."""
        code = rng.choice(faults.ERRORS)
        target = rng.choice(
            [top for top in ("out", "cache") if any(key.startswith(top) for key in scenario.files)]
        )
        if kind == "kill":
            return Fault(kind, rng.uniform(0, scenario.seconds))
        if kind in ("kill-call", "error-call"):
            return Fault(kind, rng.randint(1, max(scenario.operations, 1)), code=code)
        if kind == "file-size":
            return Fault(kind, rng.uniform(0, max(scenario.sizes.values())))
        if kind == "full":
            total = sum(size for key, size in scenario.sizes.items() if key.startswith(target))
            return Fault(kind, rng.uniform(0, 1.2 * total), target)
        if kind == "fiu":
            return Fault(kind, rng.choice((0.5, 0.1, 0.02)), code=rng.choice(faults.ERRORS[:2]))
        return Fault(kind, 0, target)

    def one(self, scenario: Scenario, fault: Fault) -> None:
        """One run with a fault, and the same command again."""
        place = self.new_place(scenario)
        environment = self.environment(place)
        label = f"{scenario.name} with {fault}"
        if fault.kind in faults.MOUNTED:
            with faults.disk(place / fault.disk, fault, None if scenario.is_cold else self.kernels):
                outcome = faults.run(scenario.arguments, place, environment, fault)
        else:
            outcome = faults.run(scenario.arguments, place, environment, fault)
        if not outcome.is_clear:
            self.violations.append(f"{label}: not a clear end: code {outcome.code}: {outcome.text[-1500:]}")
        for key, value in digests(place)[0].items():
            if "its parser was stopped" in outcome.text:  # told; libfiu hit the pipes of both its workers
                continue
            hidden = any(part.startswith(".") for part in key.split("/")) or ".work" in key or ".part" in key
            if not hidden and key in scenario.files and value != scenario.files[key]:
                if scenario.is_stepwise and is_readable(place / key):
                    continue
                self.violations.append(f"{label}: an incomplete file: {key}")
        again = faults.run(scenario.arguments, place, environment)
        complete = "already exists" in again.text or "exists already" in again.text
        if again.code != 0 and not complete:
            self.violations.append(f"{label}: the same command fails: {again.text[-1500:]}")
        hashes, _ = digests(place)
        if hashes != scenario.files:
            names = sorted(
                key for key in {*hashes, *scenario.files} if hashes.get(key) != scenario.files.get(key)
            )
            kinds = {
                name: "missing" if name not in hashes else "left" if name not in scenario.files else "differs"
                for name in names[:5]
            }
            self.violations.append(f"{label}: {outcome.text[-300:]!r} then {kinds}")
        self.violations += [f"{label}: {name}" for name in unsound_kernels(place / "cache" / "kernels")]
        for top in ("out", "cache"):
            faults.unmount(place / top)
        self.ends[self.end_of(outcome)] += 1
        self.runs[f"{scenario.name} {fault.kind}"] += 1

    @staticmethod
    def end_of(outcome: Outcome) -> str:
        if outcome.code == 0:
            return "finished"
        return "killed" if outcome.code < 0 else "refused with a message" if outcome.is_clear else "traceback"


class Stopped(BaseException):
    """SIGTERM came: report the runs that are over."""


def _stop(_signal: int, _frame: object) -> None:
    raise Stopped


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="commands, separated by commas")
    parser.add_argument("--faults", help="faults, separated by commas")
    parser.add_argument("--kernels", type=Path, help="folder of compiled kernels; default: the user's cache")
    options = parser.parse_args()
    kinds = [*faults.ANYWHERE]
    kinds += faults.MOUNTED if faults.can_mount() else ()
    kinds += ["fiu"] if faults.has_fiu() else []
    kinds = [kind for kind in kinds if not options.faults or kind in options.faults.split(",")]
    signal.signal(signal.SIGTERM, _stop)
    # Not TemporaryDirectory: the children would delete it when they exit.
    work = Path(tempfile.mkdtemp(prefix="kills-"))
    try:
        report = _prepare_and_run(work, kinds, options)
    finally:
        for top in ("out", "cache"):
            faults.unmount(work / "run" / top)
        shutil.rmtree(work, ignore_errors=True)
    print(json.dumps(report, indent=1))
    return 1 if report["violations"] else 0


def _prepare_and_run(work: Path, kinds: list[str], options: argparse.Namespace) -> dict[str, object]:
    inputs = work / "inputs"
    kernels = options.kernels or cache_root() / "kernels"
    kernels.mkdir(parents=True, exist_ok=True)
    write_inputs(inputs)
    command = [sys.executable, "-c", SERVER, str(inputs / "text.txt")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            harness = Harness(work, kernels, write_index(inputs, int(server.stdout.readline())))
            return _run_all(harness, inputs, kinds, options)
        finally:
            server.terminate()


def _make_model(harness: Harness, inputs: Path) -> None:
    """A model, as a folder and packed."""
    place = harness.new_place()
    for arguments in (
        ["train", str(inputs / "config.toml"), "-o", str(inputs / "model")],
        ["model", "pack", str(inputs / "model"), "-o", str(inputs / "model.zip")],
    ):
        made = faults.run(arguments, place, harness.environment(place))
        if made.code != 0:
            raise SystemExit(made.text)


def _print_scenario(scenario: Scenario) -> None:
    times = f"{scenario.seconds:.2f} s, {scenario.cpu_seconds:.2f} CPU s"
    print(f"{scenario.name}: {times}, {scenario.operations} operations", file=sys.stderr, flush=True)


def _run_all(
    harness: Harness, inputs: Path, kinds: list[str], options: argparse.Namespace
) -> dict[str, object]:
    faults.preload()
    chosen = [
        scenario
        for scenario in scenarios(inputs)
        if (scenario.name in options.only.split(",") if options.only else scenario.share)
    ]
    rng = random.Random(options.seed)
    shares = [max(scenario.share, 1) for scenario in chosen]
    weights = [1 if kind == "fiu" else 4 for kind in kinds]
    plan = [(rng.choices(chosen, shares)[0], rng.choices(kinds, weights)[0]) for _ in range(options.runs)]
    plan.sort(key=lambda run: not run[0].is_cold)  # before this process has kernels
    if {"model-pack", "open-packed"} & {scenario.name for scenario in chosen}:
        _make_model(harness, inputs)
    with contextlib.suppress(Stopped):
        for number, (scenario, kind) in enumerate(plan, 1):
            if not scenario.files:
                harness.measure(scenario)
                _print_scenario(scenario)
            fault = harness.draw(scenario, kind, rng)
            before = len(harness.violations)
            harness.one(scenario, fault)
            for violation in harness.violations[before:]:
                print(f"VIOLATION {violation}", file=sys.stderr, flush=True)
            if number % 5 == 0:
                print(
                    f"{number} runs, {len(harness.violations)} violations: {dict(sorted(harness.runs.items()))}",
                    file=sys.stderr,
                    flush=True,
                )
    return {
        "runs": sum(harness.runs.values()),
        "seed": options.seed,
        "faults": kinds,
        "ends": dict(sorted(harness.ends.items())),
        "by command and fault": dict(sorted(harness.runs.items())),
        "violations": harness.violations,
    }


if __name__ == "__main__":
    sys.exit(main())

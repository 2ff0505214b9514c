"""Train, rewrite, align and fuse under many settings: the bytes must not change.

    python bench/determinism.py [--only NAME,…] [--python OTHER/bin/python …] [--interpreted] [--rows 60]

Each setting runs in a process of its own: number of threads, hash seed, locale, time zone, threads of BLAS, CPU
features that numpy, OpenBLAS and numba may use, and other interpreters, which may have other versions of numpy. The
outputs are compared with those of the first. Interpreters without spaCy do not fuse. Settings that need new machine
code (``numba-…``, ``optimised-python``, other interpreters) compile kernels first, which takes minutes; with
``--interpreted``, other interpreters run kernels as plain Python instead. Prints one JSON object. Exit code 1 if an
output differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import toy  # type: ignore[import-not-found]  # noqa: E402

#: Runs four commands in one process. Arguments: input folder, output folder, threads.
STEPS = """
import importlib.util, os, platform, sys
import numpy
WITHOUT_FUSION = "without fusion"
from paraphrast.cli import run
if os.environ.get("INTERPRETED"):
    from paraphrast._jit.kernels import state
    type(state).interpreting = True  # in every thread
inputs, out, threads = sys.argv[1:]
def step(*arguments):
    code = run(list(arguments))
    if code:
        sys.exit(f"{arguments[0]} ended with {code}")
step("train", f"{inputs}/config.toml", "-o", f"{out}/model", "--threads", threads)
step("paraphrase", "--input", f"{inputs}/en.txt", "-m", f"{out}/model", "-n", "5", "--format", "json",
     "-o", f"{out}/rewrites.jsonl", "--threads", threads)
step("align", f"{inputs}/pairs.tsv", "-o", f"{out}/links.txt", "--posteriors", f"{out}/posteriors.txt",
     "--threads", threads)
has_parser = importlib.util.find_spec("spacy") is not None
if has_parser:
    step("fuse", f"{inputs}/cluster.txt", "--alignment", "V2", "--lm", f"{out}/model", "-o", f"{out}/fused.jsonl")
print("VERSIONS", platform.python_version(), numpy.__version__, "" if has_parser else WITHOUT_FUSION)
"""
BASELINE = (
    "SSSE3 SSE41 POPCNT SSE42 AVX F16C FMA3 AVX2 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
)
SETTINGS: dict[str, dict[str, str]] = {
    "plain": {},
    "threads-2": {"THREADS": "2"},
    "threads-4": {"THREADS": "4"},
    "hash-seed-0": {"PYTHONHASHSEED": "0"},
    "hash-seed-7": {"PYTHONHASHSEED": "7"},
    "locale-c": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "locale-turkish": {"LC_ALL": "tr_TR.UTF-8"},
    "utf8-off-latin1": {"PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"},
    "time-zone": {"TZ": "Pacific/Kiritimati"},
    "blas-threads": {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"},
    "numpy-baseline": {"NPY_DISABLE_CPU_FEATURES": BASELINE},
    "openblas-baseline": {"OPENBLAS_CORETYPE": "Prescott"},
    "openblas-avx2": {"OPENBLAS_CORETYPE": "Haswell"},
    "numba-generic": {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
    "optimised-python": {"PYTHONOPTIMIZE": "2"},
    "kernels-as-python": {"INTERPRETED": "1"},
}


def write_inputs(folder: Path, count: int) -> None:
    """Small inputs of our own."""
    toy.write_config(folder, count)
    rows = toy.rows(count)
    (folder / "pairs.tsv").write_text("".join(f"{row[0]}\t{row[1]}\n" for row in rows))
    (folder / "en.txt").write_text("".join(f"{row[0]}\n" for row in rows[:20]))
    cluster = [
        "The committee rejected the plan today.",
        "The committee turned down the plan.",
        "Today the plan fell.",
    ]
    (folder / "cluster.txt").write_text("\n".join(cluster) + "\n")


def outputs(folder: Path) -> dict[str, str]:
    """The hash of every file."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run(python: str, setting: dict[str, str], inputs: Path, out: Path) -> tuple[str, dict[str, str]]:
    """Versions, and the outputs; an error as the first if the run failed."""
    out.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **setting}
    threads = environment.pop("THREADS", "1")
    command = [python, "-W", "ignore", "-c", STEPS, str(inputs), str(out), threads]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        return f"failed: {done.stderr.strip()[-400:]}", {}
    return done.stdout.rsplit("VERSIONS ", 1)[-1].strip(), outputs(out)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="settings, separated by commas; the first is compared with")
    parser.add_argument(
        "--python", action="append", default=[], help="another interpreter with paraphrast's packages"
    )
    parser.add_argument(
        "--interpreted", action="store_true", help="other interpreters do not compile kernels"
    )
    parser.add_argument("--rows", type=int, default=60, help="pairs of sentences to train on")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(SETTINGS)
    runs = [(name, sys.executable, SETTINGS[name]) for name in names]
    others = SETTINGS["kernels-as-python"] if options.interpreted else {}
    runs += [(python, python, others) for python in options.python]
    report: dict[str, str] = {}
    expected: dict[str, str] = {}
    before = 0.0
    with tempfile.TemporaryDirectory(prefix="determinism-") as place:
        inputs = Path(place) / "inputs"
        write_inputs(inputs, options.rows)
        for number, (name, python, setting) in enumerate(runs):
            versions, found = run(python, setting, inputs, Path(place) / f"out-{number}")
            expected = expected or found
            skipped = {"fused.jsonl"} if "without fusion" in versions else set()
            names = {*found, *expected} - skipped
            differing = sorted(key for key in names if found.get(key) != expected.get(key))
            state = "same" if found and not differing else f"differs: {', '.join(differing[:5])}"
            report[name] = f"{state} ({versions})"
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent, before = used.ru_utime + used.ru_stime - before, used.ru_utime + used.ru_stime
            print(f"{name}: {report[name]}, {spent:.0f} CPU seconds", file=sys.stderr, flush=True)
    print(json.dumps({"files": len(expected), "settings": report}, indent=1))
    return 0 if all(state.startswith("same") for state in report.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Train on a bitext with one very long line: does it succeed, with how much memory and time?

    python bench/long_lines.py [--sizes 0,1000000,10000000]

A line of each size, in bytes, is put into the small bitext of the tests, as sentences of words of usual length on both
sides; each training runs in a process of its own, without and with ``--skip-bad``. Prints one JSON object: exit code,
CPU seconds, peak memory and messages of each. Exit code 1 if a training fails.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import toy  # type: ignore[import-not-found]  # noqa: E402

ROWS = 150


def long_side(size: int, column: int) -> str:
    """Sentences of one column, of about ``size`` bytes in all."""
    sentences = [row[column] for row in toy.rows(1000, seed=9)]
    text = " ".join(sentences)
    return (f"{text} " * (size // len(text) + 1))[:size].rsplit(" ", 1)[0]


def write_inputs(folder: Path, size: int) -> Path:
    """The small bitext; in its middle, a line of ``size`` bytes per side. 0: no such line."""
    config = toy.write_config(folder, ROWS)
    if size:
        bitext = folder / "bitext.tsv"
        lines = bitext.read_text("utf-8").splitlines()
        lines.insert(len(lines) // 2, "\t".join(long_side(size, column) for column in range(3)))
        bitext.write_text("\n".join(lines) + "\n", "utf-8")
    return Path(config)


def train(config: Path, out: Path, arguments: list[str]) -> dict[str, object]:
    """Train in a process: exit code, CPU seconds, megabytes at the peak, and messages about the long line."""
    command = [sys.executable, "-W", "ignore", "-m", "paraphrast", "train", str(config), "-o", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with tempfile.TemporaryFile() as log:
        child = subprocess.Popen([*command, *arguments], env=environment, stdout=log, stderr=log)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read().decode("utf-8", "replace")
    return {
        "exit code": child.returncode,
        "cpu seconds": round(used.ru_utime + used.ru_stime, 1),
        "peak megabytes": used.ru_maxrss // 1024,
        "messages": [line for line in text.splitlines() if not line.startswith(("===", "    "))],
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sizes", type=lambda text: [int(part) for part in text.split(",")], default=[0, 10**6, 10**7]
    )
    options = parser.parse_args()
    report = []
    for size in options.sizes:
        for arguments in ([], ["--skip-bad"]):
            with tempfile.TemporaryDirectory(prefix="long-lines-") as place:
                config = write_inputs(Path(place) / "inputs", size)
                row = {"bytes": size, "options": arguments, **train(config, Path(place) / "model", arguments)}
            report.append(row)
            print(json.dumps(row), file=sys.stderr, flush=True)
    print(json.dumps(report, indent=1))
    return 0 if all(row["exit code"] == 0 for row in report) else 1


if __name__ == "__main__":
    sys.exit(main())

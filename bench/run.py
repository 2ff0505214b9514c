"""Measure speed and memory, beside other programs where they are installed, and print one JSON object.

    python bench/run.py [road] [align] [extract] [lm] [decode] --data FOLDER [--sizes 40000,80000] [--threads 2]

FOLDER (or PARAPHRAST_BENCH_DATA) holds ``europarl/en-de-fr-es.tsv.xz``: English, German, French, Spanish by tab.
See bench/README.md for what the figures mean.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from common import CORPUS, BenchError, Context, apart, machine, read_rows, rounded, versions

BENCHMARKS = ("road", "align", "extract", "lm", "decode")


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when everything was measured, 1 when a benchmark failed, 2 when asked for what cannot be."""
    parser = make_parser()
    asked = parser.parse_args(arguments)
    unknown = [name for name in asked.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"unknown benchmark {unknown[0]!r}; known: {', '.join(BENCHMARKS)}")
    check_data(parser, asked)
    report: dict[str, Any] = {"machine": machine(), "versions": versions(), "benchmarks": {}}
    failed = False
    with tempfile.TemporaryDirectory(prefix="paraphrast-bench-") as work:
        context = Context(
            data=asked.data,
            sizes=asked.sizes,
            threads=asked.threads,
            held_out=asked.held_out,
            model=asked.model,
            work=work,
            warm=asked.warm,
        )
        for name in asked.names or BENCHMARKS:
            print(f"{name} …", end=" ", file=sys.stderr, flush=True)
            began = time.perf_counter()
            try:
                report["benchmarks"][name], _ = apart(context, name, "measure")
            except BenchError as error:
                report["benchmarks"][name] = {"error": str(error)}
                failed = True
            print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    text = json.dumps(rounded(report), indent=2, ensure_ascii=False) + "\n"
    if asked.out:
        Path(asked.out).write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return int(failed)


def make_parser() -> argparse.ArgumentParser:
    """What may be asked."""
    parser = argparse.ArgumentParser(prog="bench/run.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; default all")
    parser.add_argument(
        "--data", default=os.environ.get("PARAPHRAST_BENCH_DATA"), help=f"folder with {CORPUS}"
    )
    parser.add_argument(
        "--sizes", type=_sizes, default=(40_000, 80_000), help="lines of training, by comma; 40000,80000"
    )
    parser.add_argument("--threads", type=_positive, default=2, help="at most; 2")
    parser.add_argument(
        "--held-out",
        type=_positive,
        default=5000,
        help="lines to score, after the training; a tenth of them are rewritten; 5000",
    )
    parser.add_argument("--model", help="decode with this model; else one is trained on the first size")
    parser.add_argument("--out", help="also write the JSON here")
    parser.add_argument(
        "--no-warm",
        dest="warm",
        action="store_false",
        help="no run to compile kernels first: only for kernels known to be compiled",
    )
    return parser


def check_data(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> None:
    """End with a message and exit code 2 where the corpus is missing or too short."""
    if not asked.data:
        parser.error(f"no data: give --data FOLDER or set PARAPHRAST_BENCH_DATA to a folder with {CORPUS}")
    if not Path(asked.data).is_dir():
        parser.error(f"there is no such data folder: {asked.data}")
    if not (Path(asked.data) / CORPUS).is_file():
        parser.error(f"{asked.data}: expected {CORPUS} in it, got none")
    last = asked.sizes[-1] + asked.held_out
    try:
        read_rows(Path(asked.data) / CORPUS, last, last)
    except BenchError as error:
        parser.error(str(error))
    if asked.model and not Path(asked.model).is_dir():
        parser.error(f"there is no such model folder: {asked.model}")


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted({_positive(part) for part in text.split(",")}))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, got {text}")
    return number


if __name__ == "__main__":
    sys.exit(main())

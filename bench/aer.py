"""Alignment error rate of English–French against eflomal and thot's HMM, all in one run on the same tokens.

    python bench/aer.py --data FOLDER [--peers PYTHON] [--sizes 40000] [--skip thot]

FOLDER holds ``europarl/en-de-fr-es.tsv.xz`` and ``alignment-gold/enfr.{src-tgt,gold}``. The gold sentences are put
before the training text, lower-cased and split by one regular expression, as aligners are usually compared; no
system sees a gold link. PYTHON is an interpreter that has eflomal and sil-thot. Prints one JSON object; ratios
are ours over theirs.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from common import COLUMNS, CORPUS, BenchError, find_program, machine, read_rows, rounded, run_program

SIDES = ("en", "fr")
GOLD = Path("alignment-gold")
LONGEST = 100
TOKEN = re.compile(r"\w+['’]?|[^\w\s]")
METHODS = ("intersect", "grow-diag-final-and", "refined")
Pairs = list[set[tuple[int, int]]]


def error_rate(found: Pairs, sure: Pairs, possible: Pairs) -> dict[str, float]:
    """Och and Ney (2003), eq. 23–25: precision counts possible links, recall sure ones."""
    links = sum(map(len, found))
    in_possible = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    in_sure = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    all_sure = sum(map(len, sure))
    return {
        "aer": 1 - (in_possible + in_sure) / (links + all_sure),
        "precision": in_possible / links,
        "recall": in_sure / all_sure,
    }


def write_texts(data: Path, folder: Path, size: int) -> int:
    """Gold sentences, then ``size`` pairs of training text; how many gold sentences there are."""
    gold = [
        [side.lower().split() for side in line.split("|||")]
        for line in (data / GOLD / "enfr.src-tgt").read_text(encoding="utf-8").splitlines()
    ]
    places = [COLUMNS.index(side) for side in SIDES]
    text = ([TOKEN.findall(row[at].lower()) for at in places] for row in read_rows(data / CORPUS, 1, size))
    pairs = [*gold, *(pair for pair in text if all(0 < len(side) <= LONGEST for side in pair))]
    for at, side in enumerate(SIDES):
        (folder / side).write_text("".join(" ".join(pair[at]) + "\n" for pair in pairs), encoding="utf-8")
    return len(gold)


def read_tokens(path: Path) -> list[list[str]]:
    """Lines as tokens."""
    return [line.split() for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")]


def ours(folder: Path, count: int) -> dict[str, Any]:
    """Train on everything, align the gold sentences, combine in several ways."""
    from paraphrast.build.align import align_text

    texts = [read_tokens(folder / side) for side in SIDES]
    align_text(*(text[:50] for text in texts))  # compiles the kernels, or loads them
    began = time.process_time()
    _, model = align_text(*texts)
    cpu_seconds = time.process_time() - began
    if model is None:
        raise BenchError("no model came back")
    links = {}
    for method in METHODS:
        options = replace(model.model.options, symmetrise=method)  # type: ignore[attr-defined]
        found = model.with_options(options).align(*(text[:count] for text in texts))
        links[method] = [set(found.pair(index)) for index in range(count)]
    return {"cpu_seconds": cpu_seconds, "links": links}


def peer(folder: Path, count: int, command: Sequence[str]) -> dict[str, Any]:
    """Another's program, which writes a file a direction; combined as ours are."""
    import numpy as np

    from paraphrast.align import symmetrise

    used = run_program([*command], 1)
    lens = [[len(line) for line in read_tokens(folder / side)[:count]] for side in SIDES]
    starts = [np.cumsum([0, *side], dtype=np.int64) for side in lens]
    ways = [np.full(starts[at][-1], -1, dtype=np.int32) for at in (1, 0)]
    for way, name in enumerate(("forward", "reverse")):
        lines = (folder / name).read_text(encoding="utf-8").split("\n")[:count]
        for number, line in enumerate(lines):
            for link in line.split():
                i, j = map(int, link.split("-"))
                at, value = (starts[1][number] + j, i) if way == 0 else (starts[0][number] + i, j)
                ways[way][at] = value
    links = {}
    for method in METHODS:
        found = symmetrise(starts[0], starts[1], ways[0], ways[1], method)
        links[method] = [set(found.pair(index)) for index in range(count)]
    return {"cpu_seconds": used["cpu_seconds"], "links": links}


def systems(folder: Path, peers: str, count: int) -> dict[str, Callable[[], dict[str, Any]]]:
    """What to run, by name."""
    files = {name: str(folder / name) for name in (*SIDES, "forward", "reverse")}
    paths = [files[name] for name in (*SIDES, "forward", "reverse")]
    program = find_program("eflomal-align", peers) or "eflomal-align"
    flags = [part for pair in zip(("-s", "-t", "-f", "-r"), paths, strict=True) for part in pair]
    eflomal = [program, "--overwrite", *flags]
    thot = [peers, str(Path(__file__).with_name("thot_align.py")), *paths]
    return {
        "ours": lambda: ours(folder, count),
        "eflomal": lambda: peer(folder, count, eflomal),
        "eflomal -l 0.2": lambda: peer(folder, count, [*eflomal, "-l", "0.2"]),
        "thot": lambda: peer(folder, count, thot),
    }


def measure(data: Path, peers: str, size: int, skip: Sequence[str]) -> dict[str, Any]:
    """Every system on one amount of training text."""
    from paraphrast.formats.pharaoh import read_gold

    gold = read_gold(data / GOLD / "enfr.gold", first=1)
    sure, possible = (
        [set(links.pair(index)) for index in range(len(links))] for links in (gold.sure, gold.possible)
    )
    figures: dict[str, Any] = {"pairs": size}
    with tempfile.TemporaryDirectory(prefix="paraphrast-aer-") as name:
        folder = Path(name)
        count = write_texts(data, folder, size)
        for system, run in systems(folder, peers, count).items():
            if system in skip:
                continue
            print(f"{size} {system} …", file=sys.stderr, flush=True)
            try:
                result = run()
            except (BenchError, OSError) as error:
                figures[system] = {"error": str(error)}
                continue
            figures[system] = {"cpu_seconds": result["cpu_seconds"]} | {
                method: error_rate(links, sure, possible) for method, links in result["links"].items()
            }
            if system != "ours":
                ahead = figures["ours"]
                figures[system]["cpu_ratio"] = ahead["cpu_seconds"] / result["cpu_seconds"]
                figures[system]["aer_ratio"] = {
                    method: ahead[method]["aer"] / figures[system][method]["aer"] for method in METHODS
                }
    return figures


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--peers", default=sys.executable, help="a Python that has eflomal and sil-thot")
    parser.add_argument("--sizes", default="40000", help="pairs of training text, by comma; 40000")
    parser.add_argument("--skip", default="", help="systems to leave out, by comma")
    asked = parser.parse_args()
    sizes = [int(size) for size in asked.sizes.split(",")]
    report = {
        "machine": machine(),
        "sizes": [measure(asked.data, asked.peers, size, asked.skip.split(",")) for size in sizes],
    }
    print(json.dumps(rounded(report), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()

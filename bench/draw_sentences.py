"""Draw sentences to have rewrites of them rated, by seed.

    python bench/draw_sentences.py --data FOLDER [--seed 17] [--each 30] > SENTENCES.jsonl

FOLDER, or the variable PARAPHRAST_BENCH_DATA, holds sentence-pairs/ (mrpc-train, quora-duplicates, tatoeba-en-en),
europarl/ and rated-rewrites/. From each of news, parliament (the last 2,000 lines of europarl), questions and everyday,
--each sentences of 5 to 40 words are drawn, none of which was rated. An object a line: source, domain.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path

SHORTEST, LONGEST = 5, 40
LAST = 2000


def lines(path: Path) -> Iterator[list[str]]:
    """The fields of each line of a compressed file."""
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield line.rstrip("\n").split("\t")


def pools(folder: Path) -> dict[str, list[str]]:
    """The sentences of each domain, each once, in the order of their file."""
    pairs = folder / "sentence-pairs"
    mrpc = (field for row in lines(pairs / "mrpc-train.tsv.xz") if row[0] in "01" for field in row[3:5])
    quora = (field for row in lines(pairs / "quora-duplicates.tsv.xz") for field in row[:2])
    tatoeba = (field for row in lines(pairs / "tatoeba-en-en.tsv.xz") for field in row[:2])
    europarl = (row[0] for row in deque(lines(folder / "europarl" / "en-de-fr-es.tsv.xz"), LAST))
    found = {"news": mrpc, "europarl": europarl, "questions": quora, "everyday": tatoeba}
    return {domain: list(dict.fromkeys(map(str.strip, texts))) for domain, texts in found.items()}


def draw(folder: Path, seed: int, each: int) -> list[dict[str, str]]:
    """``each`` sentences of every domain that fit and were not rated."""
    with lzma.open(folder / "rated-rewrites" / "rated.jsonl.xz", "rt", encoding="utf-8") as stream:
        rated = {json.loads(line)["source"] for line in stream}
    rng = random.Random(seed)
    drawn = []
    for domain, texts in pools(folder).items():
        fitting = [text for text in texts if SHORTEST <= len(text.split()) <= LONGEST and text not in rated]
        drawn += [{"source": text, "domain": domain} for text in rng.sample(fitting, each)]
    return drawn


def main() -> None:
    """Draw and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--each", type=int, default=30)
    options = parser.parse_args()
    if not options.data:
        parser.error("give --data or set PARAPHRAST_BENCH_DATA")
    for row in draw(Path(options.data), options.seed, options.each):
        json.dump(row, sys.stdout, ensure_ascii=False)
        print()


if __name__ == "__main__":
    main()

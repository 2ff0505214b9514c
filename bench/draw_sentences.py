"""Draw sentences to have rewrites of them rated, by seed.

    python bench/draw_sentences.py --data FOLDER [--seed 17] [--each 30] [--part final] > SENTENCES.jsonl

FOLDER, or the variable PARAPHRAST_BENCH_DATA, holds sentence-pairs/ (mrpc-train, quora-duplicates, tatoeba-en-en),
europarl/ and rated-rewrites/. From each of news, parliament (the last 2,000 lines of europarl), questions and everyday
(the sentences that the embedded model was not trained on), --each sentences of 5 to 40 words are drawn, none of which
is in rated-rewrites. A quarter of all sentences, chosen by hash, is for final measurements only: --part final draws
from it, --part fit from the others. One object per line: source, domain.
"""

from __future__ import annotations

import argparse
import hashlib
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
#: One everyday sentence in 50 was left out of the embedded model; of all sentences one in 4 is for final figures.
HELD_OUT, FINAL = 50, 4


def lines(path: Path) -> Iterator[list[str]]:
    """The fields of each line of a compressed file."""
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield line.rstrip("\n").split("\t")


def hash_of(sentence: str) -> int:
    """The MD5 of a sentence as a number."""
    return int(hashlib.md5(sentence.strip().encode()).hexdigest(), 16)


def is_final(sentence: str) -> bool:
    """Whether a sentence is for final measurements only."""
    return hash_of(sentence) // HELD_OUT % FINAL == 0


def pools(folder: Path) -> dict[str, list[str]]:
    """The sentences of each domain, each once, in the order of their file."""
    pairs = folder / "sentence-pairs"
    mrpc = (field for row in lines(pairs / "mrpc-train.tsv.xz") if row[0] in "01" for field in row[3:5])
    quora = (field for row in lines(pairs / "quora-duplicates.tsv.xz") for field in row[:2])
    tatoeba = (
        field
        for row in lines(pairs / "tatoeba-en-en.tsv.xz")
        for field in row[:2]
        if hash_of(field) % HELD_OUT == 0
    )
    europarl = (row[0] for row in deque(lines(folder / "europarl" / "en-de-fr-es.tsv.xz"), LAST))
    found = {"news": mrpc, "europarl": europarl, "questions": quora, "everyday": tatoeba}
    return {domain: list(dict.fromkeys(map(str.strip, texts))) for domain, texts in found.items()}


def draw(folder: Path, seed: int, each: int, part: str) -> list[dict[str, str]]:
    """``each`` sentences of every domain that have the right length and were not rated."""
    with lzma.open(folder / "rated-rewrites" / "rated.jsonl.xz", "rt", encoding="utf-8") as stream:
        rated = {json.loads(line)["source"] for line in stream}
    rng = random.Random(seed)
    drawn = []
    for domain, texts in pools(folder).items():
        usable = [
            text
            for text in texts
            if SHORTEST <= len(text.split()) <= LONGEST
            and text not in rated
            and is_final(text) == (part == "final")
        ]
        drawn += [{"source": text, "domain": domain} for text in rng.sample(usable, each)]
    return drawn


def main() -> None:
    """Draw and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--each", type=int, default=30)
    parser.add_argument("--part", choices=("fit", "final"), default="fit")
    options = parser.parse_args()
    if not options.data:
        parser.error("give --data or set PARAPHRAST_BENCH_DATA")
    for row in draw(Path(options.data), options.seed, options.each, options.part):
        json.dump(row, sys.stdout, ensure_ascii=False)
        print()


if __name__ == "__main__":
    main()

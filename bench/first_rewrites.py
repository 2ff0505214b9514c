"""Write the best rewrites of drawn sentences, to have them rated.

    python bench/first_rewrites.py SENTENCES.jsonl -m MODEL [--precise] [-n 5] [--part 0/4] > REWRITES.jsonl

SENTENCES: objects with source and domain, as ``bench/draw_sentences.py`` prints them. --part K/N: every N-th sentence
from the K-th on, so that several processes can share the work. An object a line: source, rewrite, probability, domain,
edits (how many), distance (words put in, left out and replaced), rank. Prints a summary of rank 1 and the CPU seconds
to standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from rapidfuzz.distance import Levenshtein

import paraphrast


def main() -> None:
    """Rewrite and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sentences", type=Path)
    parser.add_argument("-m", "--model", default="default")
    parser.add_argument("-n", type=int, default=5)
    parser.add_argument("--strength", type=float, default=0.5)
    parser.add_argument("--precise", action="store_true")
    parser.add_argument("--part", default="0/1")
    options = parser.parse_args()
    first, step = map(int, options.part.split("/"))
    rows = [json.loads(line) for line in options.sentences.read_text(encoding="utf-8").splitlines()][
        first::step
    ]
    model = paraphrast.load(options.model)
    distances, chances, used = [], [], 0.0
    for row in rows:
        before = time.process_time()
        found = model.paraphrase(
            row["source"], n=options.n, strength=options.strength, precise=options.precise
        )
        used += time.process_time() - before
        for rank, one in enumerate(found, 1):
            distance = Levenshtein.distance(row["source"].split(), one.text.split())
            if rank == 1:
                distances.append(distance)
                chances.append(one.probability)
            record = {
                "source": row["source"],
                "rewrite": one.text,
                "probability": round(one.probability, 4),
                "domain": row.get("domain", ""),
                "edits": len(one.edits),
                "distance": distance,
                "rank": rank,
            }
            print(json.dumps(record, ensure_ascii=False), flush=True)
    answered = max(len(distances), 1)
    print(
        f"{len(rows)} sentences, {len(distances)} with a rewrite; first: probability {sum(chances) / answered:.3f}, "
        f"distance {sum(distances) / answered:.2f}; {used / max(len(rows), 1):.2f} CPU seconds a sentence",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()

"""How far a model rewrites held-out sentences: coverage and edit distance (Quirk et al. 2004, §5).

    python bench/rewrites.py MODEL --data FOLDER [--lines 100] [--show 20]

Takes every k-th of the last 2,000 lines of ``europarl/en-de-fr-es.tsv.xz``, which no model here is trained on,
rewrites each at full strength and at the default, and prints how many get at least five paraphrases (the paper:
200 of 200), the mean edit distance of the first, in words (the paper: 2.9), and some of them as they are.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import statistics
from pathlib import Path

import paraphrast

HELD_OUT = 2000


def word_edits(first: list[str], second: list[str]) -> int:
    """Least number of words inserted, deleted or replaced."""
    row = list(range(len(second) + 1))
    for i, word in enumerate(first, 1):
        previous, row[0] = row[0], i
        for j, other in enumerate(second, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (word != other))
    return row[-1]


def held_out(folder: Path, count: int) -> list[str]:
    """``count`` English lines, evenly spaced over the last 2,000."""
    with lzma.open(folder / "europarl" / "en-de-fr-es.tsv.xz", "rt", encoding="utf-8") as stream:
        lines = [line.split("\t", 1)[0] for line in stream][-HELD_OUT:]
    return lines[:: HELD_OUT // count][:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--data", default=os.environ.get("PARAPHRAST_BENCH_DATA"), required=False)
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    if not options.data:
        parser.error("expected --data FOLDER, or PARAPHRAST_BENCH_DATA")
    model = paraphrast.load(options.model)
    lines = held_out(Path(options.data), options.lines)
    figures: dict[str, object] = {"model": model.signature, "sentences": len(lines)}
    for strength in (0.5, 1.0):
        results = list(model.paraphrase_many(lines, n=5, strength=strength))
        firsts = [found[0] for found in results if found]
        figures[f"strength {strength}"] = {
            "with five": sum(len(found) >= 5 for found in results),
            "with one": len(firsts),
            "mean edit distance of the first": round(
                statistics.mean(word_edits(first.source.split(), first.text.split()) for first in firsts), 2
            ),
            "mean edits of the first": round(statistics.mean(len(first.edits) for first in firsts), 2),
        }
    print(json.dumps(figures, indent=2, ensure_ascii=False))
    for strength in (0.5, 1.0):
        print(f"\nstrength {strength}")
        for line in lines[:: max(1, len(lines) // options.show)][: options.show]:
            found = model.paraphrase(line, n=1, strength=strength)
            print("-", found[0].marked() if found else f"(none) {line}")


if __name__ == "__main__":
    main()

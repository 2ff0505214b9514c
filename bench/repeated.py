"""English and German as two folders of shards, the corpus repeated with seeded word changes, and a configuration.

    python bench/repeated.py --data FOLDER --pairs 320000 --copies 5 -o OUTPUT
    python bench/cluster.py --runs spark --config OUTPUT/config.toml --lines 1600000

The first copy is the corpus. In every other copy, each word of either language is replaced with probability
``--changes`` by a word drawn from all words of the block of lines, so that new phrases appear as they do in new text:
with .4, five times 40,000 English sentences have as many distinct phrases of two to four words as 200,000 sentences of
the corpus, within a third. EM runs one iteration of each model. Shards are plain text, with ``shards.json``.
"""

from __future__ import annotations

import argparse
import os
import sys
from itertools import islice
from pathlib import Path

import numpy as np

from common import CORPUS, read_rows

LANGUAGES = ("en", "de")
#: Lines of a shard.
SHARD = 20_000
CONFIG = """substitution = "no"
language = "en"
[align]
model1_iterations = 1
hmm_iterations = 1
[[bitext]]
files = {{ en = "{folder}/en", de = "{folder}/de" }}
"""


def main() -> int:
    """Write the shards."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("PARAPHRAST_BENCH_DATA"))
    parser.add_argument("--pairs", type=int, default=320_000, help="lines of the corpus")
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument(
        "--changes", type=float, default=0.4, help="share of words replaced in all but the first copy"
    )
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    if not asked.data:
        parser.error(f"--data: expected a folder with {CORPUS}")
    from paraphrast.formats.shards import write_manifest

    rows = read_rows(asked.data / CORPUS, 1, asked.pairs)
    for column, language in enumerate(LANGUAGES):
        folder = asked.output / language
        folder.mkdir(parents=True)
        lines = [row[column] for row in rows]
        for copy in range(asked.copies):
            for first in range(0, len(lines), SHARD):
                block = list(islice(lines, first, first + SHARD))
                if copy:
                    block = changed(block, asked.changes, np.random.default_rng([copy, column, first]))
                name = f"{copy:02d}-{first:08d}.txt"
                (folder / name).write_text("".join(f"{line}\n" for line in block), encoding="utf-8")
        write_manifest(folder.resolve())
    (asked.output / "config.toml").write_text(CONFIG.format(folder=asked.output.resolve()), encoding="utf-8")
    return 0


def changed(lines: list[str], share: float, rng: np.random.Generator) -> list[str]:
    """The lines with some of their words replaced by words of the same block."""
    split = [line.split(" ") for line in lines]
    words = np.array([word for row in split for word in row], dtype=object)
    chosen = rng.random(len(words)) < share
    words[chosen] = rng.choice(words, int(chosen.sum()))
    ends = np.cumsum([len(row) for row in split])
    return [" ".join(row) for row in np.split(words, ends[:-1])]


if __name__ == "__main__":
    sys.exit(main())

"""Compare our Kneser–Ney estimates with KenLM's, n-gram by n-gram.

    python bench/lm_reference.py DATA        # or PARAPHRAST_BENCH_DATA=DATA

DATA holds ``lm-reference/text.txt.xz`` and ``order3.arpa.xz``, ``order5.arpa.xz`` made from it by
``lmplz -o 3`` and ``lmplz -o 5``. Exits with 1 where any n-gram is missing, extra or off by more than 1e-4.
"""

from __future__ import annotations

import lzma
import math
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from paraphrast.lm import LmOptions, estimate
from paraphrast.types import NgramArrays, Sentences, Vocabulary

TOLERANCE = 1e-4


def ours(arrays: NgramArrays, vocabulary: Vocabulary, seen: set[str]) -> dict[str, tuple[float, float]]:
    """n-gram → (log10 probability, log10 back-off)."""
    found: dict[str, tuple[float, float]] = {}

    def walk(order: int) -> Iterator[tuple[int, str]]:
        if order == 1:
            yield from enumerate(vocabulary.words)
            return
        for parent, text in walk(order - 1):
            for node in range(arrays.child_begin[parent], arrays.child_begin[parent + 1]):
                yield node, f"{text} {vocabulary.words[arrays.word[node]]}"

    for order in range(1, arrays.order + 1):
        for node, text in walk(order):
            if order > 1 or text in seen:
                numbers = float(arrays.log_prob[node]), float(arrays.backoff[node])
                found[text] = (numbers[0] / math.log(10), numbers[1] / math.log(10))
    return found


def theirs(path: Path) -> dict[str, tuple[float, float]]:
    """The n-grams of an ARPA file, read without our own reader."""
    found: dict[str, tuple[float, float]] = {}
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) >= 2:
                found[fields[1]] = (float(fields[0]), float(fields[2]) if len(fields) > 2 else 0.0)
    return found


def main() -> int:
    """Print the largest differences of each order."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ["PARAPHRAST_BENCH_DATA"]) / "lm-reference"
    with lzma.open(data / "text.txt.xz", "rt", encoding="utf-8", newline="\n") as lines:
        rows = [line.rstrip("\n").split() for line in lines]
    vocabulary = Vocabulary.from_counts(Counter(word for row in rows for word in row).items())
    sentences = Sentences.from_lists([vocabulary.ids[word] for word in row] for row in rows)
    seen = {word for row in rows for word in row} | {"<s>", "</s>", "<unk>"}
    failed = False
    for order in (3, 5):
        expected = theirs(data / f"order{order}.arpa.xz")
        got = ours(estimate([sentences], len(vocabulary), LmOptions(order=order)), vocabulary, seen)
        missing, extra = len(expected.keys() - got.keys()), len(got.keys() - expected.keys())
        common = expected.keys() & got.keys()
        worst = [max((abs(expected[gram][i] - got[gram][i]) for gram in common), default=0.0) for i in (0, 1)]
        print(
            f"order {order}: {len(expected)} n-grams, {missing} missing, {extra} extra, largest difference "
            f"{worst[0]:.1e} in log10 probability, {worst[1]:.1e} in log10 back-off"
        )
        failed |= bool(missing or extra or max(worst) > TOLERANCE)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

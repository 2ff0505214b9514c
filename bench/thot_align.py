"""Align two tokenised texts with thot's HMM, both directions, as a program of its own.

    python bench/thot_align.py SOURCE TARGET FORWARD REVERSE [MODEL1_ITERATIONS HMM_ITERATIONS]

Writes Pharaoh links, source before target in both files. Needs ``sil-thot`` and nothing else.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any


def train(source: list[list[str]], target: list[list[str]], rungs: tuple[int, int]) -> Any:
    """Model 1, then the HMM that starts from it."""
    from thot.alignment import HmmAlignmentModel, Ibm1AlignmentModel

    below = None
    for kind, iterations in zip((Ibm1AlignmentModel, HmmAlignmentModel), rungs, strict=True):
        model = kind() if below is None else kind(below)
        if below is None:
            for words, others in zip(source, target, strict=True):
                model.add_sentence_pair(words, others)
        model.start_training()
        for _ in range(iterations):
            model.train()
        model.end_training()
        below = model
    return below


def main(arguments: list[str]) -> None:
    """One direction after the other."""
    paths = arguments[:4]
    rungs = (int(arguments[4]), int(arguments[5])) if len(arguments) > 5 else (5, 5)
    texts = [
        [line.split() for line in Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n")]
        for path in paths[:2]
    ]
    for sides, path, mirrored in ((texts, paths[2], False), (texts[::-1], paths[3], True)):
        model = train(sides[0], sides[1], rungs)
        with Path(path).open("w", encoding="utf-8") as out:
            for _, matrix in model.get_best_alignments(*sides):
                links = [
                    (int(j), int(i)) if mirrored else (int(i), int(j))
                    for i, j in zip(*matrix.to_numpy().nonzero(), strict=True)
                ]
                out.write(" ".join(f"{i}-{j}" for i, j in sorted(links)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])

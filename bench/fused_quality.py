"""Fits the weights of ``paraphrast.fusion.candidates.quality`` to rated sentences, and tests them in ten folds.

    python bench/fused_quality.py items.key.json RATER1.tsv RATER2.tsv

``items.key.json``: for each number of the rated file ``source`` (the sentences of the cluster joined by " ◆ "),
``rewrite`` and ``info``, a list whose first object has ``version``, ``kind`` and ``parts`` of the sentence
(``bench/fused_sentences.py default`` writes them). A rater's file: number, grammaticality, fidelity (1 to 4).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.fusion.resources import language_model
from paraphrast.fusion.sentences import lm_view, prepare

NAMES = ("lm", "content", "lexical", "shortened", "flaws")
FOLDS = 10


def read_marks(paths: Sequence[Path], count: int) -> NDArray[np.float64]:
    """The share of raters who gave 4 and 4 to each sentence."""
    perfect: list[list[bool]] = [[] for _ in range(count)]
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            number, grammar, fidelity = line.split()[:3]
            perfect[int(number)].append(grammar == fidelity == "4")
    return np.array([np.mean(marks) for marks in perfect])


def features(items: Sequence[dict[str, Any]]) -> NDArray[np.float64]:
    """The features of each sentence, in the order of ``NAMES``."""
    model = language_model(None, "en")
    rows = []
    for item in items:
        info = item["info"][0]
        parts = info["parts"]
        view = lm_view(prepare(item["source"].split(" ◆ ")).cluster, model)
        lexical, shortened = info["version"] in ("V1", "V2", "V3"), info["kind"] == "shortened"
        rows.append([parts["lm"] - view.mean, parts["content"], lexical, shortened, parts["flaws"]])
    return np.array(rows, dtype=np.float64)


def fit(rows: NDArray[np.float64], marks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of a logistic regression with unit ridge on standardised features, intercept first, for raw features."""
    mean, deviation = rows.mean(axis=0), rows.std(axis=0)
    matrix = np.c_[np.ones(len(rows)), (rows - mean) / deviation]
    ridge = np.eye(matrix.shape[1])
    ridge[0, 0] = 1e-6
    weights = np.zeros(matrix.shape[1])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-matrix @ weights))
        slope = matrix.T @ (chance - marks) + ridge @ weights
        weights -= np.linalg.solve((matrix * (chance * (1 - chance))[:, None]).T @ matrix + ridge, slope)
    raw = weights[1:] / deviation
    return np.concatenate([[weights[0] - raw @ mean], raw])


def area(scores: NDArray[np.float64], marks: NDArray[np.float64]) -> float:
    """How often a sentence that most raters find perfect is above one that they do not."""
    good, bad = scores[marks >= 0.75], scores[marks < 0.75]
    return float(np.mean((good[:, None] > bad) + 0.5 * (good[:, None] == bad)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the weights and the area in folds."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("key", type=Path)
    options.add_argument("marks", type=Path, nargs="+")
    given = options.parse_args(arguments)
    items = json.loads(given.key.read_text(encoding="utf-8"))
    marks, rows = read_marks(given.marks, len(items)), features(items)
    fold = np.random.RandomState(0).randint(0, FOLDS, len(items))
    scores = np.zeros(len(items))
    for number in range(FOLDS):
        weights = fit(rows[fold != number], marks[fold != number])
        scores[fold == number] = weights[0] + rows[fold == number] @ weights[1:]
    flawless = rows[:, -1] == 0
    print(f"{len(items)} sentences, area {area(scores, marks):.3f}")
    print(f"{flawless.sum()} without a flaw, area {area(scores[flawless], marks[flawless]):.3f}")
    print(dict(zip(("intercept", *NAMES), fit(rows, marks).round(2).tolist(), strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

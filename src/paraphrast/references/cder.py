"""CDER (Leusch, Ueffing and Ney 2006): edit distance where a block may be moved in the output.

D(0, 0) = 0; D(i, l) = min{D(i − 1, l − 1) + [eᵢ ≠ ẽₗ], D(i − 1, l) + 1, D(i, l − 1) + 1, min over i′ of D(i′, l) + 1}
for output words e and reference words ẽ: every reference word is covered once, output words any number of times, and a
jump costs 1. The rate is D(I, L) divided by the reference's length; with several references, the lowest rate. Words are
those of sacreBLEU's tokeniser, with case.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paraphrast.references._kernels import cder_distance
from paraphrast.references.metric import Metric
from paraphrast.references.words import split_words


class Cder(Metric):
    """CDER as a rate in percent."""

    name = "cder"
    higher = False

    def prepare(self, references: Sequence[str]) -> list[list[str]]:
        return [split_words(text) for text in references]

    def grow(self, prepared: list[list[str]], reference: str) -> list[list[str]]:
        return [*prepared, split_words(reference)]

    def statistics(self, output: str, prepared: list[list[str]]) -> list[float]:
        words = split_words(output)
        ids = {word: number for number, word in enumerate(dict.fromkeys(words))}
        output_ids = np.array([ids[word] for word in words], dtype=np.int32)
        rows = []
        for reference in prepared:
            reference_ids = np.array([ids.get(word, -1) for word in reference], dtype=np.int32)
            rows.append([float(cder_distance(output_ids, reference_ids)), float(len(reference))])
        return min(rows, key=lambda row: (row[0] / max(row[1], 1.0), row[1]))

    def segment_score(self, row: Sequence[float]) -> float:
        return 100 * float(row[0]) / max(float(row[1]), 1.0)

    def signature(self, references: int | str) -> str:
        return f"CDER|nrefs:{references}|case:mixed|tok:13a"

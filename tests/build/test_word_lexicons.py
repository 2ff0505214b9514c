"""Model 1 lexicons against EM over dictionaries."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from paraphrast.build.word_lexicons import model1_lexicons
from paraphrast.types import Sentences

SIZE = 6
BITEXT = [([1, 2], [3, 4]), ([1], [3]), ([2, 5], [4, 0]), ([5], [0]), ([1, 5, 2], [3, 4, 4])]


def plain_model1(pairs: list[tuple[list[int], list[int]]], iterations: int) -> dict[tuple[int, int], float]:
    """t(target | source) with SIZE as the empty word."""
    prob: dict[tuple[int, int], float] = defaultdict(lambda: 1.0 / SIZE)
    for _ in range(iterations):
        count: dict[tuple[int, int], float] = defaultdict(float)
        total: dict[int, float] = defaultdict(float)
        for source, target in pairs:
            for word in target:
                norm = sum(prob[given, word] for given in [*source, SIZE])
                for given in [*source, SIZE]:
                    count[given, word] += prob[given, word] / norm
                    total[given] += prob[given, word] / norm
        prob = defaultdict(float, {key: value / total[key[0]] for key, value in count.items()})
    return prob


def test_five_iterations_in_both_directions() -> None:
    source = Sentences.from_lists(pair[0] for pair in BITEXT)
    target = Sentences.from_lists(pair[1] for pair in BITEXT)
    found = model1_lexicons(source, target, SIZE, SIZE)
    plain = (plain_model1(BITEXT, 5), plain_model1([(t, s) for s, t in BITEXT], 5))
    given, word = (axis.ravel().astype(np.int32) for axis in np.mgrid[0 : SIZE + 1, 0:SIZE])
    for lexicon, expected in zip(found, plain, strict=True):
        values = lexicon.lookup(given, word)
        for row, column, value in zip(given.tolist(), word.tolist(), values.tolist(), strict=True):
            assert value == pytest.approx(expected[row, column], abs=1e-5)
        for row in range(SIZE + 1):
            columns = lexicon.columns[lexicon.row_start[row] : lexicon.row_start[row + 1]]
            assert (np.diff(columns) > 0).all()

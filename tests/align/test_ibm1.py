"""Model 1 against a plain twin of its equations."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.align.base import Bitext
from paraphrast.align.ibm1 import Model1
from paraphrast.types import Sentences

SOURCE_SIZE, TARGET_SIZE = 5, 6
NULL = SOURCE_SIZE

pairs_of_sentences = st.lists(
    st.tuples(
        st.lists(st.integers(0, SOURCE_SIZE - 1), max_size=5),
        st.lists(st.integers(0, TARGET_SIZE - 1), max_size=5),
    ),
    min_size=1,
    max_size=6,
)


def bitext_of(pairs: list[tuple[list[int], list[int]]]) -> Bitext:
    source, target = zip(*pairs, strict=True)
    return Bitext.of(Sentences.from_lists(source), Sentences.from_lists(target), SOURCE_SIZE, TARGET_SIZE)


def plain_model1(
    pairs: list[tuple[list[int], list[int]]], iterations: int
) -> tuple[dict[tuple[int, int], float], list[float]]:
    """Brown et al. (1993), eq. 17, with dictionaries."""
    t: dict[tuple[int, int], float] = defaultdict(lambda: 1.0 / TARGET_SIZE)
    trace = []
    for _ in range(iterations):
        counts: dict[tuple[int, int], float] = defaultdict(float)
        totals: dict[int, float] = defaultdict(float)
        log_likelihood = 0.0
        for source, target in pairs:
            if not source or not target:
                continue
            words = [*source, NULL]
            for f in target:
                norm = sum(t[e, f] for e in words)
                log_likelihood += math.log(norm / len(words))
                for e in words:
                    counts[e, f] += t[e, f] / norm
                    totals[e] += t[e, f] / norm
        for (e, f), count in counts.items():
            t[e, f] = count / totals[e]
        trace.append(log_likelihood)
    return {key: t[key] for key in counts}, trace


@given(pairs_of_sentences)
@settings(max_examples=60, deadline=None)
def test_equals_the_plain_twin(pairs: list[tuple[list[int], list[int]]]) -> None:
    bitext = bitext_of(pairs)
    model = Model1(bitext)
    model.fit(bitext, 4)
    expected, trace = plain_model1(pairs, 4)
    lexicon = model.lexicon()
    assert len(lexicon) == len(expected)
    for (e, f), probability in expected.items():
        found = lexicon.lookup(np.array([e], np.int32), np.array([f], np.int32))[0]
        assert found == pytest.approx(probability, rel=1e-4, abs=1e-7)
    assert model.log_likelihoods == pytest.approx(trace, rel=1e-5, abs=1e-5)


@given(pairs_of_sentences)
@settings(max_examples=40, deadline=None)
def test_likelihood_never_falls(pairs: list[tuple[list[int], list[int]]]) -> None:
    bitext = bitext_of(pairs)
    model = Model1(bitext)
    model.fit(bitext, 6)
    rises = np.diff(model.log_likelihoods)
    assert (rises >= -1e-4).all()


def test_rows_sum_to_one() -> None:
    bitext = bitext_of([([0, 1, 1], [2, 3]), ([1, 2], [3, 3, 4]), ([], [1]), ([4], [])])
    model = Model1(bitext)
    model.fit(bitext, 3)
    for row in range(SOURCE_SIZE + 1):
        piece = model.prob[model.row_start[row] : model.row_start[row + 1]]
        assert len(piece) == 0 or piece.sum() == pytest.approx(1.0, abs=1e-6)
    assert model.row_start[4] == model.row_start[3]
    assert model.row_start[5] == model.row_start[4]


def test_best_finds_the_only_consistent_translation() -> None:
    pairs = [([0, 1], [0, 1]), ([0], [0]), ([1, 2], [2, 1]), ([2], [2]), ([1], [1])] * 4
    bitext = bitext_of(pairs)
    model = Model1(bitext)
    model.fit(bitext, 10)
    best = model.best(bitext)
    starts = bitext.target.starts
    assert best[starts[0] : starts[1]].tolist() == [0, 1]
    assert best[starts[2] : starts[3]].tolist() == [1, 0]


def test_pruning_keeps_what_reaches_the_threshold() -> None:
    bitext = bitext_of([([0, 1], [0, 1]), ([0], [0])])
    model = Model1(bitext)
    model.fit(bitext, 3)
    threshold = float(np.sort(model.prob)[2])
    assert len(model.lexicon(threshold)) == int((model.prob >= threshold).sum()) < len(model.prob)

"""Significance against scipy, and sentence counts against sets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.extract import (
    ExtractOptions,
    SentenceCounts,
    count_pairs,
    extract_pairs,
    prune_by_significance,
    sentence_counts,
    significance,
)
from random_bitext import Pair, aligned_pairs, corpus_of


def counts_of(rows: list[tuple[int, int, int]], total: int) -> SentenceCounts:
    flat = np.array(rows, np.int64).reshape(-1, 3)
    return SentenceCounts(flat[:, 0].copy(), flat[:, 1].copy(), flat[:, 2].copy(), total)


@st.composite
def contingencies(draw: st.DrawFn) -> tuple[int, int, int, int]:
    total = draw(st.integers(1, 200))
    ours = draw(st.integers(0, total))
    theirs = draw(st.integers(0, total))
    joint = draw(st.integers(max(0, ours + theirs - total), min(ours, theirs)))
    return joint, ours, theirs, total


@given(contingencies())
@settings(max_examples=200, deadline=None)
def test_equals_the_hypergeometric_tail(case: tuple[int, int, int, int]) -> None:
    joint, ours, theirs, total = case
    found = significance(counts_of([(joint, ours, theirs)], total))[0]
    assert found == pytest.approx(-hypergeom.logsf(joint - 1, total, ours, theirs), abs=1e-7, rel=1e-7)


def test_equals_fishers_exact_test() -> None:
    table = [[8, 12], [5, 175]]
    expected = fisher_exact(table, alternative="greater").pvalue
    found = significance(counts_of([(8, 20, 13)], 200))[0]
    assert math.exp(-found) == pytest.approx(expected, rel=1e-9)


def test_large_counts_stay_finite_and_ordered() -> None:
    rows = [(joint, 50_000, 60_000) for joint in (0, 9_000, 10_000, 12_000, 30_000, 50_000)]
    found = significance(counts_of(rows, 300_000))
    assert np.isfinite(found).all()
    assert (np.diff(found) > 0).all()
    assert found[0] == 0.0


@given(st.lists(aligned_pairs(words=3), min_size=1, max_size=6), st.integers(1, 2), st.integers(1, 7))
@settings(max_examples=60, deadline=None)
def test_sentence_counts_equal_sets(pairs: list[Pair], min_count: int, piece: int) -> None:
    source, target, links = corpus_of(pairs)
    extraction = extract_pairs(source, target, links)
    with Engine(threads=1) as engine:
        counted = count_pairs(engine, extraction, min_count=min_count)
    counts = sentence_counts(source, target, extraction, counted, piece=piece)
    for n in range(len(counted)):
        ours = holding([pair[0] for pair in pairs], extraction.source_words[counted.source[n]])
        theirs = holding([pair[1] for pair in pairs], extraction.target_words[counted.target[n]])
        assert (counts.source[n], counts.target[n]) == (len(ours), len(theirs))
        assert counts.joint[n] == len(ours & theirs)
    assert counts.total == len(pairs)
    significance(counts)


def holding(sentences: list[list[int]], words: np.ndarray) -> set[int]:
    phrase = [int(word) for word in words if word >= 0]
    return {
        index
        for index, sentence in enumerate(sentences)
        for start in range(len(sentence) - len(phrase) + 1)
        if sentence[start : start + len(phrase)] == phrase
    }


def test_many_shared_sentences_are_found() -> None:
    # Long lists, so that the search through the commoner side has to leap.
    rng = np.random.default_rng(3)
    pairs: list[Pair] = [
        ([0, 1] if rng.random() < 0.1 else [0], [0, 1] if rng.random() < 0.3 else [0], {(0, 0)})
        for _ in range(500)
    ]
    pairs.append(([1], [1], {(0, 0)}))
    source, target, links = corpus_of(pairs)
    extraction = extract_pairs(source, target, links)
    with Engine(threads=1) as engine:
        counted = count_pairs(engine, extraction)
    counts = sentence_counts(source, target, extraction, counted)
    both = sum(1 in pair[0] and 1 in pair[1] for pair in pairs)
    assert counts.joint.tolist() == [500, both]


def test_the_watershed_of_pairs_seen_once() -> None:
    """Phrases that occur once each have −log p = log N: one ε above drops them, one below keeps them."""
    pairs: list[Pair] = [([k], [k], {(0, 0)}) for k in range(9)] + [([9], [9], {(0, 0)})] * 3
    source, target, links = corpus_of(pairs)
    extraction = extract_pairs(source, target, links)
    with Engine(threads=1) as engine:
        counted = count_pairs(engine, extraction)
    kept = {
        wanted: len(prune_by_significance(source, target, extraction, counted, wanted))
        for wanted in ("none", "a-e", "a+e", 100.0)
    }
    assert kept == {"none": 10, "a-e": 10, "a+e": 1, 100.0: 0}
    assert prune_by_significance(source, target, extraction, counted, "a+e").dropped_pairs == 9


def test_wrong_input_is_named() -> None:
    with pytest.raises(InputError, match="joint counts"):
        significance(counts_of([(3, 2, 5)], 10))
    for wrong in ("a", -1.0, True, float("nan")):
        with pytest.raises(InputError, match="a number from 0"):
            ExtractOptions(significance=wrong)

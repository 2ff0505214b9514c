"""Lexical weights against dictionaries of counts and a direct product."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.extract import (
    ExtractOptions,
    alignment_codes,
    alignment_points,
    count_pairs,
    extract_pairs,
    lexical_weights,
    link_lexicons,
    pair_alignments,
)
from paraphrast.types import WordLexicon
from random_bitext import Pair, aligned_pairs, corpus_of

WORDS = 4
Weights = dict[tuple[int, int], float]


def plain_weights(pairs: list[Pair]) -> tuple[Weights, Weights]:
    """w(target | source) and w(source | target) with WORDS as the empty word, keyed by (given, word)."""
    forward: Counter[tuple[int, int]] = Counter()
    backward: Counter[tuple[int, int]] = Counter()
    for source, target, links in pairs:
        for i, j in links:
            forward[source[i], target[j]] += 1
            backward[target[j], source[i]] += 1
        for j, word in enumerate(target):
            if all(link[1] != j for link in links):
                forward[WORDS, word] += 1
        for i, word in enumerate(source):
            if all(link[0] != i for link in links):
                backward[WORDS, word] += 1
    result = []
    for counts in (forward, backward):
        total: Counter[int] = Counter()
        for (row, _), count in counts.items():
            total[row] += count
        result.append({key: count / total[key[0]] for key, count in counts.items()})
    return result[0], result[1]


def entries(lexicon: WordLexicon) -> Weights:
    return {
        (row, int(lexicon.columns[k])): float(lexicon.prob[k])
        for row in range(lexicon.null + 1)
        for k in range(int(lexicon.row_start[row]), int(lexicon.row_start[row + 1]))
    }


@given(st.lists(aligned_pairs(), max_size=4))
@settings(max_examples=60, deadline=None)
def test_link_frequencies_equal_a_counter(pairs: list[Pair]) -> None:
    for lexicon, plain in zip(
        link_lexicons(*corpus_of(pairs), WORDS, WORDS), plain_weights(pairs), strict=True
    ):
        found = entries(lexicon)
        assert found.keys() == plain.keys()
        for key, value in plain.items():
            assert found[key] == pytest.approx(value)
        for row in range(WORDS + 1):
            columns = lexicon.columns[lexicon.row_start[row] : lexicon.row_start[row + 1]]
            assert (np.diff(columns) > 0).all()


@given(st.lists(aligned_pairs(), min_size=1, max_size=4), st.sampled_from(["none", "both"]))
@settings(max_examples=60, deadline=None)
def test_codes_and_weights_equal_the_plain_twins(pairs: list[Pair], attach: str) -> None:
    source, target, links = corpus_of(pairs)
    extraction = extract_pairs(source, target, links, ExtractOptions(attach_unaligned=attach))
    lexicons = link_lexicons(source, target, links, WORDS, WORDS)
    codes = alignment_codes(extraction, links)
    for n, code in enumerate(codes.tolist()):
        a, c = int(extraction.pairs.source_start[n]), int(extraction.target_start[n])
        ours = words(extraction.source_words, extraction.pairs.source[n])
        theirs = words(extraction.target_words, extraction.pairs.target[n])
        here = pairs[extraction.pairs.sentence[n]][2]
        inside = {(i - a, j - c) for i, j in here if a <= i < a + len(ours) and c <= j < c + len(theirs)}
        assert set(alignment_points(code)) == inside
    with Engine(threads=1) as engine:
        counted = count_pairs(engine, extraction)
        alignment = pair_alignments(engine, extraction, counted, links)
    forward, backward = lexical_weights(extraction, counted, alignment, lexicons)
    plain_forward, plain_backward = plain_weights(pairs)
    for n, code in enumerate(alignment.tolist()):
        ours = words(extraction.source_words, counted.source[n])
        theirs = words(extraction.target_words, counted.target[n])
        points = alignment_points(code)
        assert forward[n] == pytest.approx(plain_log_lex(theirs, ours, points, plain_forward), abs=1e-5)
        flipped = tuple((j, i) for i, j in points)
        assert backward[n] == pytest.approx(plain_log_lex(ours, theirs, flipped, plain_backward), abs=1e-5)


def plain_log_lex(
    out: tuple[int, ...], given_words: tuple[int, ...], points: tuple[tuple[int, int], ...], weights: Weights
) -> float:
    total = 0.0
    for j, word in enumerate(out):
        linked = [given_words[i] for i, k in points if k == j] or [WORDS]
        total += math.log(sum(weights.get((row, word), 0.0) for row in linked) / len(linked))
    return total


def words(matrix: np.ndarray, index: int) -> tuple[int, ...]:
    return tuple(int(word) for word in matrix[index] if word >= 0)


def test_a_word_outside_the_vocabulary_is_named() -> None:
    source, target, links = corpus_of([([3], [1], {(0, 0)})])
    with pytest.raises(InputError, match="below 3, got 3"):
        link_lexicons(source, target, links, 3, 3)

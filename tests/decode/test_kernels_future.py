"""Estimates of edges and of what unused tables may gain, against twins that compute them from the definition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.decode._kernels_cube import sort_edges
from paraphrast.decode._kernels_future import estimate_edges, fill_future, future_of
from paraphrast.decode._kernels_lattice import (
    E_BITS,
    E_COLUMNS,
    E_END,
    E_LENGTH,
    E_START,
    E_WORDS,
    fill_edges,
)
from paraphrast.decode._kernels_swap import add_swaps


def lattice(world, lab, tokens, breaks, window):
    """What the kernels hold of one item before the search."""
    decoder = world.decoder.with_weights(replace(world.weights, minimum={"news": -2.0, "pivot": -1.0}))
    batch = lab.batch([tokens], breaks)
    before, (scoring, limits, extra) = decoder._arguments(batch, lab.exact(window=window), None)
    options, ngrams, words, _, flags, protected, categories = before
    begin = np.zeros(len(tokens) + 1, dtype=np.int64)
    scratch = (
        np.empty((4, E_COLUMNS), dtype=np.int32),
        np.empty(4),
        np.empty((4, 2), dtype=np.uint64),
        np.empty(4, dtype=np.int32),
    )
    edges, score, hashes, labels = fill_edges(
        options, words, flags, protected, categories, scoring, limits, extra, 0, begin, *scratch
    )
    if window > 1:
        begin, edges, score, hashes, labels = add_swaps(
            options, words, flags, protected, scoring, limits, begin, edges, score, hashes, labels
        )
    return ngrams, words, flags, begin, edges, score, labels, scoring, limits


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), length=st.integers(1, 7), window=st.sampled_from([0, 3]))
def test_estimates_are_scores_in_a_sentence_that_is_kept(lab, seed, length, window):
    world = lab.world(seed)
    tokens = lab.sentence(seed, world, length)
    breaks = {p for p in range(1, length) if (seed >> p) % 4 == 0}
    ngrams, words, flags, begin, edges, score, labels, scoring, limits = lattice(
        world, lab, tokens, breaks, window
    )
    count = int(begin[-1])
    estimate, kept = np.zeros(count), np.zeros(length)
    estimate_edges(ngrams, words, flags, begin, edges, score, labels, scoring, estimate, kept)

    def sentence_start(position):
        return max([0, *(p for p in breaks if p <= position)])

    def label(edge):
        return tuple(labels[edges[edge, E_WORDS] : edges[edge, E_WORDS] + edges[edge, E_LENGTH]].tolist())

    def chance(history, target):
        total = 0.0
        for word in target:
            total += world.model.word(history, word)
            history = (*history, word)
        return total

    for edge in range(count):
        start, end = int(edges[edge, E_START]), int(edges[edge, E_END])
        history = (1, *tokens[sentence_start(start) : start])
        after = 2 if end == length or end in breaks else tokens[end]
        expected = score[edge] + scoring.lm * chance(history, (*label(edge), after))
        assert estimate[edge] == pytest.approx(expected, abs=1e-4)
    for position in range(length):
        history = (1, *tokens[sentence_start(position) : position])
        expected = score[begin[position]] + scoring.lm * chance(history, (tokens[position],))
        assert kept[position] == pytest.approx(expected, abs=1e-4)

    future = np.empty((length + 1, 2))
    fill_future(flags, begin, edges, estimate, kept, scoring, limits, future)
    borders = sorted({0, length, *breaks})
    for position in range(length + 1):
        last = min((b for b in borders if b > position), default=length)
        for table in range(2):
            gains = [0.0]
            for edge in range(count):
                start, end = int(edges[edge, E_START]), int(edges[edge, E_END])
                if position <= start < last and edges[edge, E_BITS] >> table & 1:
                    plain = sum(kept[start : end - 1]) + estimate[begin[end - 1]]
                    gains.append(estimate[edge] - plain + scoring.first_use[table])
            assert future[position, table] == pytest.approx(max(gains), abs=1e-6)
        for bits in range(4):
            expected = sum(future[position, table] for table in range(2) if not bits >> table & 1)
            assert future_of(bits, limits, position, future) == pytest.approx(expected)

    order = np.zeros(count, dtype=np.int32)
    sort_edges(begin, edges, estimate, order)
    for start in range(length):
        mine = range(int(begin[start]), int(begin[start + 1]))
        expected = sorted(mine, key=lambda edge: (edges[edge, E_END], -estimate[edge], edge))
        assert order[begin[start] : begin[start + 1]].tolist() == expected

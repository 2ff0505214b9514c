"""Estimates of edges and of what unused tables may gain, against twins that compute them from the definition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast._jit import kernel
from paraphrast.decode._kernels_cube import sort_edges
from paraphrast.decode._kernels_future import Estimates, Problem, estimate_edges, fill_future, future_of
from paraphrast.decode._kernels_lattice import (
    E_BITS,
    E_END,
    E_LENGTH,
    E_START,
    E_WORDS,
    empty_lattice,
    fill_lattice,
)
from paraphrast.decode._kernels_swap import add_swaps


@kernel
def lattice_of(options, items, rows, scoring, limits):
    """Inner kernels can be called from kernels only."""
    lattice = fill_lattice(options, items.tokens, rows, 0, scoring, limits, empty_lattice(4))
    if limits.window > 1:
        lattice = add_swaps(options, items.tokens, items.breaks, items.protected, scoring, limits, lattice)
    return lattice


@kernel
def fill_estimates(ngrams, problem, estimates, order, gains):
    """gains float64[positions, bits]: of hypotheses with these bits."""
    estimate_edges(ngrams, problem, estimates)
    fill_future(problem, estimates)
    sort_edges(problem.lattice, estimates.edge, order)
    for position in range(gains.shape[0]):
        for bits in range(gains.shape[1]):
            gains[position, bits] = future_of(bits, problem.limits, position, estimates.future)


def problem_of(world, lab, tokens, breaks, window):
    """What the search of one item reads."""
    decoder = world.decoder.with_weights(replace(world.weights, minimum={"news": -2.0, "pivot": -1.0}))
    batch = lab.batch([tokens], breaks)
    options = lab.exact(window=window)
    items, scoring, limits = (
        decoder._items(batch, options),
        decoder._scoring(options),
        decoder._limits(options),
    )
    rows = decoder.edges(batch, options).rows(0, 1)
    lattice = lattice_of(decoder.arrays.options, items, rows, scoring, limits)
    return Problem(items.tokens, items.breaks, lattice, scoring, limits)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), length=st.integers(1, 7), window=st.sampled_from([0, 3]))
def test_estimates_are_scores_in_a_sentence_that_is_kept(lab, seed, length, window):
    world = lab.world(seed)
    tokens = lab.sentence(seed, world, length)
    breaks = {p for p in range(1, length) if (seed >> p) % 4 == 0}
    problem = problem_of(world, lab, tokens, breaks, window)
    scoring = problem.scoring
    begin, edges, score, _, labels = problem.lattice
    count = int(begin[-1])
    estimates = Estimates(np.zeros(count), np.zeros(length), np.empty((length + 1, 2)))
    order, gains = np.zeros(count, dtype=np.int32), np.zeros((length + 1, 4))
    fill_estimates(world.decoder._ngrams, problem, estimates, order, gains)
    estimate, kept, future = estimates

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

    borders = sorted({0, length, *breaks})
    for position in range(length + 1):
        last = min((b for b in borders if b > position), default=length)
        for table in range(2):
            candidates = [0.0]
            for edge in range(count):
                start, end = int(edges[edge, E_START]), int(edges[edge, E_END])
                if position <= start < last and edges[edge, E_BITS] >> table & 1:
                    plain = sum(kept[start : end - 1]) + estimate[begin[end - 1]]
                    candidates.append(estimate[edge] - plain + scoring.first_use[table])
            assert future[position, table] == pytest.approx(max(candidates), abs=1e-6)
        for bits in range(4):
            expected = sum(future[position, table] for table in range(2) if not bits >> table & 1)
            assert gains[position, bits] == pytest.approx(expected)

    for start in range(length):
        mine = range(int(begin[start]), int(begin[start + 1]))
        expected = sorted(mine, key=lambda edge: (edges[edge, E_END], -estimate[edge], edge))
        assert order[begin[start] : begin[start + 1]].tolist() == expected

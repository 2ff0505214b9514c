"""The HMM against enumeration of every alignment, and the laws that EM keeps."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma

from paraphrast.align import _kernels, _kernels_hmm
from paraphrast.align import hmm as hmm_module
from paraphrast.align.base import FLOOR, Bitext
from paraphrast.align.hmm import HMM, AgreeingHMMs, Expectation
from paraphrast.align.ibm1 import Model1
from paraphrast.types import Links, Sentences

SIZE = 5
MAX_LENGTH = 6
EMPTY = 0.2
Pairs = list[tuple[list[int], list[int]]]

small_pairs = st.lists(
    st.tuples(
        st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=3),
        st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=3,
)
longer_pairs = st.lists(
    st.tuples(
        st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=6),
        st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=6),
    ),
    min_size=1,
    max_size=5,
)


def bitext_of(pairs: Pairs) -> Bitext:
    source, target = zip(*pairs, strict=True)
    return Bitext.of(Sentences.from_lists(source), Sentences.from_lists(target), SIZE, SIZE)


def hmm_of(bitext: Bitext, *, window: int = 2, prune: float = 0.0, prior: float = 0.0) -> HMM:
    model1 = Model1(bitext)
    model1.fit(bitext, 2)
    return HMM(model1.lexicon(prune), max_length=MAX_LENGTH, window=window, empty=EMPTY, prior=prior)


def paths(hmm: HMM, source: list[int], target: list[int]) -> dict[tuple[int, ...], float]:
    """p(f, a | e) of every alignment a; −1 is the empty word."""
    span = len(hmm.jump) // 2

    def t(e: int, f: int) -> float:
        return float(hmm.lexicon.lookup(np.array([e], np.int32), np.array([f], np.int32))[0])

    result = {}
    for path in itertools.product(range(-1, len(source)), repeat=len(target)):
        probability = 1.0
        last = -1
        for position, f in zip(path, target, strict=True):
            if position < 0:
                probability *= EMPTY * t(hmm.lexicon.null, f)
                continue
            norm = sum(hmm.jump[i - last + span] for i in range(len(source)))
            probability *= (1 - EMPTY) * hmm.jump[position - last + span] / norm * t(source[position], f)
            last = position
        result[path] = probability
    return result


def expectation_of(hmm: HMM, bitext: Bitext) -> Expectation:
    run = Expectation(hmm, bitext)
    for first, last in run.chunks():
        run.expect(first, last)
        run.collect(first, last)
    return run


def every_link(pairs: Pairs) -> Links:
    return Links.from_lists(itertools.product(range(len(e)), range(len(f))) for e, f in pairs)


@given(small_pairs, st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_posteriors_and_best_paths_equal_enumeration(pairs: Pairs, window: int) -> None:
    bitext = bitext_of(pairs)
    hmm = hmm_of(bitext, window=window)
    hmm.fit(bitext, 1)
    links = every_link(pairs)
    found = hmm.posteriors(bitext, links)
    viterbi = hmm.best(bitext)
    by_word = hmm.best_by_word(bitext)
    for index, (source, target) in enumerate(pairs):
        scores = paths(hmm, source, target)
        total = sum(scores.values())
        values = dict(
            zip(links.pair(index), found[links.starts[index] : links.starts[index + 1]], strict=True)
        )
        piece = slice(int(bitext.target.starts[index]), int(bitext.target.starts[index + 1]))
        marginals = np.zeros((len(target), len(source) + 1))
        for path, score in scores.items():
            for j, position in enumerate(path):
                marginals[j, position] += score / total
        for (i, j), value in values.items():
            assert value == pytest.approx(marginals[j, i], abs=1e-6)
        assert scores[tuple(viterbi[piece].tolist())] == pytest.approx(max(scores.values()), rel=1e-9)
        for j, position in enumerate(by_word[piece].tolist()):
            assert marginals[j, position] == pytest.approx(marginals[j].max(), rel=1e-9)


@given(small_pairs)
@settings(max_examples=30, deadline=None)
def test_expected_counts_and_likelihood_equal_enumeration(pairs: Pairs) -> None:
    bitext = bitext_of(pairs)
    hmm = hmm_of(bitext)
    run = expectation_of(hmm, bitext)
    counts, widths, departures = run.counts, run.jumps, run.departures
    log_likelihood = run.log_likelihood
    expected_log = 0.0
    words: dict[tuple[int, int], float] = defaultdict(float)
    jumps = np.zeros(len(hmm.jump))
    leaves = np.zeros_like(departures)
    for source, target in pairs:
        scores = paths(hmm, source, target)
        total = sum(scores.values())
        expected_log += math.log(total)
        for path, score in scores.items():
            last = -1
            for position, f in zip(path, target, strict=True):
                words[hmm.lexicon.null if position < 0 else source[position], f] += score / total
                if position >= 0:
                    jumps[position - last + len(jumps) // 2] += score / total
                    leaves[len(source), last + 1] += score / total
                    last = position
    assert log_likelihood == pytest.approx(expected_log, abs=1e-6)
    np.testing.assert_allclose(widths, jumps, atol=1e-7)
    np.testing.assert_allclose(departures, leaves, atol=1e-7)
    lexicon = hmm.lexicon
    for (e, f), count in words.items():
        row = range(int(lexicon.slot_start[e]), int(lexicon.slot_start[e + 1]))
        slot = next(k for k in row if lexicon.slot_word[k] == f)
        assert counts[slot] == pytest.approx(count, abs=1e-6)
    assert counts.sum() == pytest.approx(sum(len(target) for _, target in pairs), abs=1e-6)


@given(longer_pairs, st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_likelihood_never_falls_without_smoothing(pairs: Pairs, window: int) -> None:
    bitext = bitext_of(pairs)
    hmm = hmm_of(bitext, window=window)
    hmm.fit(bitext, 6)
    assert (np.diff(hmm.log_likelihoods) >= -1e-5).all()


@given(longer_pairs)
@settings(max_examples=30, deadline=None)
def test_jump_rounds_equal_the_plain_twin(pairs: Pairs) -> None:
    bitext = bitext_of(pairs)
    hmm = hmm_of(bitext)
    run = expectation_of(hmm, bitext)
    widths, departures = run.jumps, run.departures
    found = _kernels_hmm.maximise_jumps(hmm.jump, widths, departures, 2, 3, 1e-9)
    span = len(hmm.jump) // 2
    group = {d: max(-3, min(3, d)) for d in range(-span, span + 1)}
    shared = {g: hmm.jump[g + span] for g in set(group.values())}
    for _ in range(3):
        pressure: dict[int, float] = defaultdict(float)
        for source_len, state in zip(*np.nonzero(departures), strict=True):
            window = [group[d] for d in range(1 - int(state), int(source_len) - int(state) + 1)]
            norm = sum(shared[g] for g in window)
            for g in window:
                pressure[g] += departures[source_len, state] / norm
        for g in shared:
            if pressure[g] > 0:
                shared[g] = sum(widths[d + span] for d in group if group[d] == g) / pressure[g]
        highest = max(shared.values())
        shared = {g: max(value, 1e-9 * highest) for g, value in shared.items()}
        norm = sum(shared.values())
        shared = {g: value / norm for g, value in shared.items()}
    np.testing.assert_allclose(
        found, [shared[group[d]] for d in range(-span, span + 1)], rtol=1e-6, atol=1e-9
    )


@given(longer_pairs, st.integers(1, 7))
@settings(max_examples=60, deadline=None)
def test_windowed_recursion_equals_the_dense_one(pairs: Pairs, window: int) -> None:
    bitext = bitext_of(pairs)
    hmm = hmm_of(bitext, window=window)
    hmm.fit(bitext, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hmm_module, "DENSE", MAX_LENGTH)
        dense = expectation_of(hmm, bitext)
        patch.setattr(hmm_module, "DENSE", 0)
        windowed = expectation_of(hmm, bitext)
    assert windowed.log_likelihood == pytest.approx(dense.log_likelihood, abs=1e-6)
    cells = int(dense.cell_start[-1])
    np.testing.assert_allclose(windowed.gamma[:cells], dense.gamma[:cells], rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(windowed.departures, dense.departures, atol=1e-7 * len(pairs))
    np.testing.assert_allclose(
        grouped(windowed.jumps, hmm.window),
        grouped(dense.jumps, hmm.window),
        atol=1e-5,
    )


def grouped(widths: np.ndarray, window: int) -> list[float]:
    """Counts by width within ±window, and one for each tail."""
    span = len(widths) // 2
    low, high = span - window, span + window + 1
    return [widths[:low].sum(), *widths[low:high], widths[high:].sum()]


@given(longer_pairs)
@settings(max_examples=40, deadline=None)
def test_counts_of_agreeing_models_are_products_of_posteriors(pairs: Pairs) -> None:
    bitext = bitext_of(pairs)
    flipped = bitext.flipped()
    ahead, back = (Expectation(hmm_of(text), text) for text in (bitext, flipped))
    bounds = list(ahead.chunks())
    assert bounds == list(back.chunks()) == [(0, len(pairs))]
    ahead.expect(0, len(pairs))
    back.expect(0, len(pairs))
    ahead.collect(0, len(pairs), back)
    expected: dict[int, float] = defaultdict(float)
    for n, (source, target) in enumerate(pairs):
        shape = len(target), len(source) + 1
        own = ahead.gamma[ahead.cell_start[n] : ahead.cell_start[n + 1]].reshape(shape)
        slots = ahead.slots[ahead.cell_start[n] : ahead.cell_start[n + 1]].reshape(shape)
        other = back.gamma[back.cell_start[n] : back.cell_start[n + 1]].reshape(len(source), len(target) + 1)
        products = own[:, 1:] * other[:, 1:].T
        for j in range(len(target)):
            expected[slots[j, 0]] += 1 - products[j].sum()
            for i in range(len(source)):
                expected[slots[j, i + 1]] += products[j, i]
    for slot, count in expected.items():
        assert ahead.counts[slot] == pytest.approx(count, abs=1e-6)


def test_agreement_keeps_both_traces_and_does_not_depend_on_the_size_of_runs() -> None:
    pairs: Pairs = [([0, 1, 2], [2, 1]), ([3], [3, 3]), ([4, 1], [0, 1, 2, 3])] * 5
    bitext = bitext_of(pairs)
    probabilities = []
    for cells in (1 << 17, 30):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(hmm_module, "CELLS", cells)
            both = AgreeingHMMs(hmm_of(bitext), hmm_of(bitext.flipped()))
            both.fit(bitext, 3)
        assert both.log_likelihoods == pytest.approx(
            np.add(both.forward.log_likelihoods, both.backward.log_likelihoods)
        )
        assert both.best(bitext).tolist() == both.forward.best(bitext).tolist()
        probabilities.append(both.backward.lexicon.prob)
    np.testing.assert_array_equal(probabilities[0], probabilities[1])


def test_pruned_pairs_fall_to_the_floor_and_stay_finite() -> None:
    pairs: Pairs = [([0, 1], [0, 1]), ([0], [0]), ([1], [1])]
    bitext = bitext_of(pairs)
    hmm = hmm_of(bitext, prune=0.999)
    assert len(hmm.lexicon) == 0
    hmm.fit(bitext, 3)
    assert np.isfinite(hmm.log_likelihoods).all()
    assert hmm.lexicon.lookup(np.array([0], np.int32), np.array([0], np.int32))[0] == np.float32(FLOOR)


def test_variational_step_is_that_of_the_dirichlet() -> None:
    slot_start = np.array([0, 4, 4], np.int64)
    slot_word = np.array([3, -1, 1, 2], np.int32)
    prob = np.zeros(4, np.float32)
    counts = np.array([2.0, 0.0, 0.5, 0.0])
    units = (counts * _kernels.COUNT_UNIT).astype(np.int64)
    _kernels_hmm.maximise_lexicon(slot_start, slot_word, prob, units, 0.1, 1e-30)
    expected = np.exp(digamma(counts + 0.1) - digamma(2.5 + 0.3))
    np.testing.assert_allclose(prob[[0, 2, 3]], expected[[0, 2, 3]], rtol=1e-5)
    assert prob[1] == 0.0


@given(st.floats(1e-3, 1e6), st.floats(-1e3, 1e3))
@settings(max_examples=50, deadline=None)
def test_digamma(x: float, less: float) -> None:
    assert _kernels.digamma(x) == pytest.approx(float(digamma(x)), rel=1e-8, abs=1e-8)
    exponent = min(float(digamma(x)) - less, 600.0)
    assert _kernels.exp_digamma(x, float(digamma(x)) - exponent) == pytest.approx(
        math.exp(exponent), rel=1e-6
    )


def test_variational_step_of_a_row_with_hardly_any_counts_is_finite() -> None:
    prob = np.zeros(2, np.float32)
    _kernels_hmm.maximise_lexicon(
        np.array([0, 2], np.int64), np.array([1, 2], np.int32), prob, np.array([1, 0], np.int64), 1e-4, 1e-30
    )
    assert np.isfinite(prob).all()
    assert (prob > 0).all()

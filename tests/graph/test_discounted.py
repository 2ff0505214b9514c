"""Discounted walks against dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.graph import discounted
from paraphrast.graph.agreement import make_agreement
from paraphrast.graph.discounted import (
    TranslationGraph,
    WalkRows,
    translation_graph,
    walk_paraphrases,
)
from paraphrast.graph.features import make_features, tag_features
from paraphrast.graph.options import DiscountedOptions

ALL = DiscountedOptions(least=0.0, min_similarity=0.0, candidates=1000, top=0)


def random_pairs(seed: int, phrases: int = 30, pivots: int = 20, languages: int = 2) -> tuple[Any, ...]:
    """Columns of :func:`translation_graph`; totals exceed the sums, as after dropping rare pairs."""
    generator = np.random.default_rng(seed)
    per_language = generator.integers(0, 4, (languages, phrases, pivots)) * (
        generator.random((languages, phrases, pivots)) < 0.15
    )
    language, phrase, place = np.nonzero(per_language)
    count = per_language[language, phrase, place]
    phrase_total = per_language.sum(axis=2) + generator.integers(0, 3, (languages, phrases))
    pivot_total = per_language.sum(axis=1) + generator.integers(0, 3, (languages, pivots))
    return (
        phrase,
        place + language * pivots,
        count,
        phrase_total[language, phrase],
        pivot_total[language, place],
        language,
        (phrases, pivots * languages, languages),
    )


def plain_similarities(columns: tuple[Any, ...], options: DiscountedOptions) -> tuple[Any, Any]:
    """M and Σ_l n_l W_l of all pairs by products of dense matrices."""
    phrase, pivot, count, phrase_total, pivot_total, language, (phrases, pivots, languages) = columns
    mixed, joint = np.zeros((phrases, phrases)), np.zeros((phrases, phrases))
    for number in range(languages):
        rows = language == number
        there, back, total = np.zeros((phrases, pivots)), np.zeros((pivots, phrases)), np.zeros(phrases)
        there[phrase[rows], pivot[rows]] = count[rows] / phrase_total[rows]
        back[pivot[rows], phrase[rows]] = count[rows] / pivot_total[rows]
        total[phrase[rows]] = phrase_total[rows]
        step, power = there @ back, np.eye(phrases)
        walked = np.zeros((phrases, phrases))
        for place in range(options.steps):
            power = power @ step
            walked += options.discount**place * power
        walked /= sum(options.discount**place for place in range(options.steps))
        known = total > 0
        ratio = np.zeros((phrases, phrases))
        ratio[np.ix_(known, known)] = total[known][:, None] / total[known][None, :]
        mixed += (walked * np.sqrt(ratio)) ** options.exponent
        joint += walked * total[:, None]
    return (mixed / languages) ** (1 / options.exponent), joint


def as_matrix(rows: WalkRows, values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    matrix = np.zeros((size, size))
    matrix[rows.source, rows.target] = values
    return matrix


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("steps", "discount", "exponent"), [(1, 1.0, 1.0), (2, 0.5, 1 / 3), (4, 0.7, 0.5)])
def test_walks_are_powers_of_the_double_step(seed: int, steps: int, discount: float, exponent: float) -> None:
    columns = random_pairs(seed)
    options = DiscountedOptions(
        steps, discount, exponent, least=0.0, min_similarity=0.0, candidates=1000, top=0
    )
    rows = walk_paraphrases(translation_graph(*columns), None, options)
    expected, joint = plain_similarities(columns, options)
    np.fill_diagonal(expected, 0)
    np.fill_diagonal(joint, 0)
    assert as_matrix(rows, rows.walk, 30) == pytest.approx(expected, rel=1e-9, abs=1e-15)
    assert as_matrix(rows, rows.count, 30) == pytest.approx(joint, rel=1e-9, abs=1e-15)
    known = expected.sum(axis=1) > 0
    shares = expected[known] / expected[known].sum(axis=1, keepdims=True)
    assert as_matrix(rows, rows.score, 30)[known] == pytest.approx(shares, rel=1e-9, abs=1e-15)


def test_similarity_is_symmetric_and_at_most_one() -> None:
    rows = walk_paraphrases(translation_graph(*random_pairs(9)), None, ALL)
    matrix = as_matrix(rows, rows.walk, 30)
    assert matrix == pytest.approx(matrix.T, rel=1e-9)
    assert 0 < matrix.max() <= 1


def test_rows_are_sorted_and_cut() -> None:
    graph = translation_graph(*random_pairs(3))
    every = walk_paraphrases(graph, None, ALL)
    options = DiscountedOptions(least=0.0, min_similarity=0.0, candidates=1000, top=3)
    best = walk_paraphrases(graph, None, options)
    for phrase in np.unique(every.source):
        scores = every.score[every.source == phrase]
        assert (np.diff(scores) <= 0).all()
        assert (
            best.target[best.source == phrase].tolist() == every.target[every.source == phrase][:3].tolist()
        )
    likely = walk_paraphrases(graph, None, DiscountedOptions(least=0.0, min_similarity=0.05, top=0))
    assert len(likely) == (every.walk >= 0.05).sum() < len(every)


def test_only_the_best_candidates_are_considered() -> None:
    """Of 7 candidates of equal similarity the lowest numbers are taken."""
    size = 8
    columns = (np.arange(size), np.zeros(size, int), np.ones(size), np.ones(size), np.full(size, size))
    graph = translation_graph(*columns, np.zeros(size, int), (size, 1, 1))
    rows = walk_paraphrases(graph, None, DiscountedOptions(candidates=3))
    assert rows.target[rows.source == 0].tolist() == [1, 2, 3]
    assert rows.target[rows.source == 2].tolist() == [0, 1, 3]


def test_rejected_rows_make_room() -> None:
    graph = translation_graph(*random_pairs(3))
    options = DiscountedOptions(top=2)
    even = walk_paraphrases(graph, None, options, keep=lambda source, target: target % 2 == 0)
    every = walk_paraphrases(graph, None, DiscountedOptions(top=0))
    assert 0 < len(even) < len(every)
    for phrase in np.unique(every.source):
        wanted = [t for t in every.target[every.source == phrase].tolist() if t % 2 == 0][:2]
        assert even.target[even.source == phrase].tolist() == wanted


def test_threads_and_runs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = translation_graph(*random_pairs(5))
    once = walk_paraphrases(graph, None, ALL)
    monkeypatch.setattr(discounted, "RUN", 4)
    told: list[tuple[int, int]] = []
    again = walk_paraphrases(
        graph, None, ALL, threads=3, progress=lambda done, total: told.append((done, total))
    )
    for name in ("source", "target", "count", "score", "walk", "agreement"):
        assert getattr(once, name).tolist() == getattr(again, name).tolist()
    assert told[-1][0] == told[-1][1]
    some = walk_paraphrases(graph, None, ALL, sources=np.array([4, 7], np.int32))
    assert some.score.tolist() == once.score[np.isin(once.source, [4, 7])].tolist()


def test_agreement_weighs_rows() -> None:
    graph = translation_graph(*random_pairs(5))
    generator = np.random.default_rng(0)
    tags = tag_features(np.repeat(np.arange(30, dtype=np.int32), 3), generator.integers(1, 4, 90) << 54, 30)
    agreement = make_agreement(make_features(30, tags))
    rows = walk_paraphrases(graph, agreement, ALL)
    plain = walk_paraphrases(graph, None, ALL)
    weight = (ALL.floor + agreement(plain.source, plain.target)) / (1 + ALL.floor)
    value = plain.walk * weight
    value /= np.bincount(plain.source, weights=value, minlength=30)[plain.source]
    expected = as_matrix(plain, value, 30)
    assert as_matrix(rows, rows.score, 30) == pytest.approx(expected, rel=1e-9)
    assert as_matrix(rows, rows.agreement, 30) == pytest.approx(as_matrix(plain, weight, 30), rel=1e-9)


def test_nothing_gives_nothing() -> None:
    nothing = np.zeros(0, np.int64)
    graph = translation_graph(nothing, nothing, nothing, nothing, nothing, nothing, (3, 2, 1))
    assert isinstance(graph, TranslationGraph)
    assert len(walk_paraphrases(graph)) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: [5]}, "phrases from 0"),
        ({1: [1]}, "pivots from 0"),
        ({5: [1]}, "languages from 0"),
        ({2: [3]}, "none above the total"),
        ({2: [0]}, "above 0"),
        ({2: [1, 1]}, "for each pair"),
    ],
)
def test_wrong_columns_are_told(change: dict[int, list[int]], message: str) -> None:
    columns = [[0], [0], [1], [2], [2], [0]]
    for place, values in change.items():
        columns[place] = values
    with pytest.raises(InputError, match=message):
        translation_graph(*columns[:6], (2, 1, 1))  # type: ignore[call-arg, arg-type]


@pytest.mark.parametrize(
    "wrong", [{"steps": 0}, {"top": -1}, {"discount": 0}, {"exponent": 2}, {"floor": 1}, {"candidates": 0}]
)
def test_wrong_options_are_told(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        DiscountedOptions(**wrong)  # type: ignore[arg-type]


def test_unknown_sources_are_told() -> None:
    with pytest.raises(InputError, match="from 0 to 29"):
        walk_paraphrases(translation_graph(*random_pairs(1)), sources=np.array([30], np.int32))

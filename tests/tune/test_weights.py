"""Tuning by PSER: the error rate against a plain twin, both methods, and that nothing gets worse."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import paraphrast
from paraphrast.decode import Weights
from paraphrast.errors import InputError
from paraphrast.evaluate.pser import sentence_pser
from paraphrast.formats.substitutions import Target
from paraphrast.study.substitutions import EVERYTHING
from paraphrast.tune.options import TuningOptions
from paraphrast.tune.weights import (
    Candidates,
    _path,
    candidates,
    error_rate,
    outcomes,
    start_vector,
    tune_weights,
    weights_of,
)


def made_up(seed: int = 1, targets: int = 60) -> Candidates:
    """Spans where the second table knows what is right and the first does not."""
    draw = np.random.default_rng(seed)
    values, target, verdict = [], [], []
    for number in range(targets):
        for _ in range(8):
            right = draw.random() < 0.3
            values.append([draw.normal(), 1.0, 0.0, draw.normal(), draw.normal() + (2.0 if right else -1.0)])
            target.append(number)
            verdict.append(int(right) if draw.random() < 0.8 else -1)
    found, at = np.array(verdict, np.int8), np.array(target, np.int64)
    possible = np.zeros(targets, np.bool_)
    possible[at[found == 1]] = True
    names = ("lm", "edit", "word", "a.score", "b.score")
    words = tuple(f"word{number % 20}" for number in range(targets))
    return Candidates(names, np.array(values), at, found, np.ones(len(at)), possible, words)


def plain_rate(pool: Candidates, vector: np.ndarray, identity: float, options: TuningOptions) -> float:
    values = []
    for target in range(len(pool.word)):
        rows = [row for row in range(len(pool.target)) if pool.target[row] == target]
        scored = [(-(pool.values[row] @ vector - identity * pool.keep[row]), row) for row in rows]
        best = [row for score, row in sorted(scored)[: options.n] if -score >= options.floor]
        said = [int(pool.verdict[row]) for row in best]
        if 0 in said or 1 in said:
            values.append(said.count(0) / (said.count(0) + said.count(1)))
        elif not said:
            values.append(options.silence if pool.possible[target] else 0.0)
    return sum(values) / len(values)


@pytest.mark.parametrize("seed", range(4))
def test_the_error_rate_is_that_of_the_plain_twin(seed: int) -> None:
    pool = made_up(seed, 20)
    draw = np.random.default_rng(seed)
    options = TuningOptions(n=3, floor=-0.5)
    for _ in range(5):
        vector = draw.normal(size=5)
        assert error_rate(pool, vector, -0.3, options) == pytest.approx(
            plain_rate(pool, vector, -0.3, options)
        )


@pytest.mark.parametrize("method", ["ranking", "powell"])
def test_tuning_finds_the_table_that_knows(method: str) -> None:
    pool = made_up()
    start = Weights(lm=0.5, features={"a.score": 1.0})
    options = TuningOptions(method=method, n=2, rounds=2)
    tuned = tune_weights(pool, start, options)
    assert tuned.after < tuned.before - 0.1
    assert tuned.held_out_after < tuned.held_out_before - 0.1
    assert tuned.weights.features["b.score"] > 0
    assert tune_weights(pool, start, options).to_dict() == tuned.to_dict()
    assert error_rate(pool, start_vector(tuned.weights, pool.names), 0.0, options) == pytest.approx(
        tuned.after
    )


def test_where_nothing_helps_the_start_comes_back() -> None:
    """Verdicts without rhyme or reason: some weights fit the pool better than the start, none fits held-out words."""
    pool = made_up(2)
    draw = np.random.default_rng(2)
    pool = replace(pool, verdict=draw.permutation(pool.verdict))
    start = Weights(lm=0.5, features={"a.score": 1.0})
    options = TuningOptions(n=2, rounds=1)
    vector = start_vector(start, pool.names)
    best = _path(pool, vector, start.identity, options)[-1]
    assert error_rate(pool, best, start.identity, options) < error_rate(pool, vector, start.identity, options)
    tuned = tune_weights(pool, start, options)
    assert tuned.weights == start
    assert tuned.after == tuned.before
    assert tuned.held_out_after == tuned.held_out_before


def test_weights_keep_what_tuning_does_not_know() -> None:
    start = Weights(lm=0.5, identity=-0.2, features={"longer": 0.3, "a.score": 1.0})
    names = ("lm", "edit", "word", "a.score", "b.score")
    again = weights_of(start, names, start_vector(start, names))
    assert again == start
    changed = weights_of(start, names, np.array([1.0, 2.0, 3.0, 0.0, 4.0]))
    assert (changed.lm, changed.edit, changed.word, changed.identity) == (1.0, 2.0, 3.0, -0.2)
    assert changed.features == {"longer": 0.3, "a.score": 0.0, "b.score": 4.0}


def test_candidates_score_as_the_decoder_does(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    text = "The committee will examine a big proposal tomorrow."
    targets = [
        Target(
            word,
            text,
            text.index(word),
            text.index(word) + len(word),
            {"large": 1.0, "study": 1.0},
            closed=True,
        )
        for word in ("big", "examine", "tomorrow")
    ]
    pool = candidates(model, targets)
    assert len(pool.word) == 3
    assert pool.possible[:2].all()
    vector = start_vector(model.decoder.weights, pool.names)
    from paraphrast.study.substitutions import span_substitutes

    offered = span_substitutes(model, [(text, one.start, one.end) for one in targets], n=50)
    score = pool.values @ vector - EVERYTHING.log_identity * pool.keep
    for number in range(3):
        ours = sorted(score[pool.target == number].tolist(), reverse=True)
        theirs = [one.score for one in offered[number]]
        assert ours[: len(theirs)] == pytest.approx(theirs, abs=1e-3)
    found = outcomes(pool, vector, EVERYTHING.log_identity, TuningOptions(floor=-100.0))
    assert found[0].right == 1
    assert sentence_pser(found[0]) is not None


def test_what_cannot_be_tuned_is_refused() -> None:
    pool = made_up()
    nothing = Candidates(
        pool.names,
        pool.values,
        pool.target,
        np.full(len(pool.target), -1, np.int8),
        pool.keep,
        pool.possible,
        pool.word,
    )
    with pytest.raises(InputError, match="labelled"):
        tune_weights(nothing, Weights())
    with pytest.raises(InputError, match="expected ranking or powell"):
        TuningOptions(method="guess")

"""What ships as numbers is fitted here: link weights, trees, and the judgements they are fitted to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import paraphrast
from bench_module import bench_module
from paraphrast._trees import Trees
from paraphrast.errors import InputError
from paraphrast.formats.substitutions import Target
from paraphrast.model.substitution import FEATURES, default_acceptance
from paraphrast.tables.quality.score import FEATURES as PAIR_FEATURES
from paraphrast.training.substitution import build_substitution_model

pytest.importorskip("sklearn")
fitting = bench_module("fitting")
judged = bench_module("judged_substitutes")


def test_link_weights_come_back() -> None:
    draw = np.random.default_rng(3)
    features = np.column_stack([np.ones(40_000), draw.normal(size=40_000), 5 * draw.normal(size=40_000)])
    truth = np.array([-1.0, 2.0, 0.3])
    linked = (draw.random(40_000) < 1 / (1 + np.exp(-features @ truth))).astype(float)
    np.testing.assert_allclose(
        fitting.fit_links(features, linked, np.ones(40_000), ridge=1e-7), truth, atol=0.1
    )
    with pytest.raises(InputError, match="as many cells"):
        fitting.fit_links(features, linked[1:], np.ones(40_000))


def test_trees_of_labels_give_the_odds_that_made_them() -> None:
    draw = np.random.default_rng(8)
    values = draw.standard_normal((6000, 2)).astype(np.float32)
    odds = 0.5 + 2.0 * values[:, 0]
    right = (draw.random(6000) < 1 / (1 + np.exp(-odds))).astype(float)
    options = fitting.TreeOptions(trees=60, depth=3, rate=0.1, features=1.0)
    fitted = fitting.fit_trees(values, right, options, classify=True).predict(values)
    middle = np.abs(values[:, 0]) < 1.5
    assert np.abs(fitted - odds)[middle].mean() < 0.3
    assert (1 / (1 + np.exp(-fitted))).mean() == pytest.approx(right.mean(), abs=0.01)
    weight = np.where(right > 0, 2.0, 1.0)
    heavy = fitting.fit_trees(values, right, options, weight=weight, classify=True).predict(values)
    assert (heavy - fitted)[middle].mean() == pytest.approx(np.log(2.0), abs=0.15)


def test_trees_learn_what_no_line_can_and_tell_the_unknown_apart() -> None:
    draw = np.random.default_rng(1)
    values = draw.random((2000, 3)).astype(np.float32)
    wanted = np.where((values[:, 0] > 0.5) ^ (values[:, 1] > 0.5), 1.0, 0.0)
    hidden = draw.random(2000) < 0.2
    values[hidden, 2] = np.nan
    wanted = wanted + 2.0 * hidden
    trees = fitting.fit_trees(values, wanted, fitting.TreeOptions(trees=80, depth=3, rate=0.2, features=1.0))
    assert np.abs(trees.predict(values) - wanted).mean() < 0.1
    again = Trees.from_dict(trees.to_dict())
    # Thresholds ship with five digits: a value between two of them may fall on the other side.
    assert np.abs(again.predict(values) - trees.predict(values)).mean() < 1e-3


def test_the_same_seed_gives_the_same_trees() -> None:
    draw = np.random.default_rng(2)
    values, wanted = draw.random((200, 4)).astype(np.float32), draw.random(200)
    options = fitting.TreeOptions(trees=5, depth=2)
    first, second = fitting.fit_trees(values, wanted, options), fitting.fit_trees(values, wanted, options)
    assert first.to_dict() == second.to_dict()
    other = fitting.fit_trees(values, wanted, fitting.TreeOptions(trees=5, depth=2, seed=7))
    assert other.to_dict() != first.to_dict()
    with pytest.raises(InputError):
        fitting.fit_trees(np.zeros((2, 1), np.float32), np.zeros(3))


def test_grades_are_learnt() -> None:
    features = np.random.default_rng(9).random((300, len(PAIR_FEATURES))).astype(np.float32)
    grades = 1.0 + 4.0 * features[:, 5].astype(np.float64)
    model = fitting.fit_quality(
        features, grades, fitting.TreeOptions(trees=40, depth=2, rate=0.3), note="made up"
    )
    assert np.corrcoef(model.grade(features), grades)[0, 1] > 0.9
    with pytest.raises(InputError, match="grades"):
        fitting.fit_quality(features, grades + 9)


def test_judged_substitutes_are_rows_of_features_and_measured(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    built = build_substitution_model(toy_model, default_acceptance())
    text = "The committee will examine a big proposal tomorrow."
    gold = {
        "big": {"large": 1.0, "old": 0.0},
        "examine": {"study": 1.0, "reject": 0.0},
        "proposal": {"plan": 0.6},
    }
    targets = [
        Target(word, text, text.index(word), text.index(word) + len(word), accepted, closed=True)
        for word, accepted in gold.items()
    ]
    rows = judged.judged_substitutes(model, built, targets)
    assert 0 < rows.right.sum() < len(rows)
    assert set(rows.word) == set(gold)
    assert not rows.judged.any()
    assert rows.features.shape == (len(rows), len(FEATURES))
    assert rows.target.tolist() == sorted(rows.target.tolist())
    told = judged.measured(rows.right * 0.9 + 0.05, rows.right)
    assert told["auc"] == 1.0
    assert told["right"] == int(rows.right.sum())


def test_trees_of_yes_and_no_are_those_of_the_library() -> None:
    draw = np.random.default_rng(5)
    values = draw.random((600, 4)).astype(np.float32)
    yes = (values[:, 0] > 0.5) ^ (draw.random(600) < 0.1)
    options = fitting.BagOptions(bags=2, trees=30, depth=3, rate=0.1, columns=0.5)
    trees = fitting.fit_yes_no(values, yes, options)
    expected = np.mean(
        [fitting.bag_of(options, bag).fit(values, yes).decision_function(values) for bag in range(2)], axis=0
    )
    np.testing.assert_allclose(trees.predict(values), expected, atol=1e-5)
    again = Trees.from_dict(trees.to_dict())
    assert np.mean(np.abs(again.predict(values) - expected)) < 1e-2
    with pytest.raises(InputError, match="known features"):
        fitting.fit_yes_no(np.full((2, 1), np.nan, np.float32), np.array([True, False]))


def test_more_trees_go_on_from_others() -> None:
    """What the first trees know stays; the new ones add what they do not, and unknown values go left as everywhere."""
    draw = np.random.default_rng(9)
    values = draw.standard_normal((6000, 2)).astype(np.float32)
    values[:500, 1] = np.nan
    odds = 1.5 * values[:, 0] + np.where(np.nan_to_num(values[:, 1], nan=-9.0) > 0, 2.0, -1.0)
    right = (draw.random(6000) < 1 / (1 + np.exp(-odds))).astype(float)
    first = np.where(np.arange(2) == 0, values, np.float32(np.nan))
    start = fitting.fit_trees(first, right, fitting.TreeOptions(trees=60, depth=3), classify=True)
    options = fitting.TreeOptions(trees=80, depth=3, rate=0.2, penalty=1.0)
    more = fitting.fit_more_trees(start, values, right, options)
    assert np.array_equal(more.feature[: len(start.feature)], start.feature)
    assert (
        np.corrcoef(more.predict(values), odds)[0, 1] > 0.97 > np.corrcoef(start.predict(values), odds)[0, 1]
    )
    with pytest.raises(InputError, match="trees of depth 4"):
        fitting.fit_more_trees(start, values, right, fitting.TreeOptions(trees=1, depth=4))

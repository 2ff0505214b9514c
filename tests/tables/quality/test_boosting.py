"""Boosted trees: against a plain twin, and what they must be able to learn."""

from __future__ import annotations

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.tables.quality import _kernels_boosting as k
from paraphrast.tables.quality.boosting import BoostingOptions, Trees, fit_trees


def plain_tree(binned, residual, chosen, allowed, depth, bins, penalty, least):  # type: ignore[no-untyped-def]
    """Grow by trying every split of every node with plain sums."""
    inner = 2**depth - 1
    feature, cut = [-1] * inner, [0] * inner
    members = {0: list(range(len(residual)))}
    for node in range(inner):
        rows = members[node]
        own = [row for row in rows if chosen[row]]
        best = 1e-9
        whole = sum(residual[row] for row in own) ** 2 / (len(own) + penalty)
        for column in range(binned.shape[1]):
            if not allowed[column]:
                continue
            for place in range(bins - 1):
                left = [residual[row] for row in own if binned[row, column] <= place]
                right = [residual[row] for row in own if binned[row, column] > place]
                if min(len(left), len(right)) < least:
                    continue
                gain = (
                    sum(left) ** 2 / (len(left) + penalty) + sum(right) ** 2 / (len(right) + penalty) - whole
                )
                if gain > best + 1e-12:
                    best, feature[node], cut[node] = gain, column, place
        goes = [feature[node] >= 0 and binned[row, feature[node]] > cut[node] for row in rows]
        members[2 * node + 1] = [row for row, right in zip(rows, goes, strict=True) if not right]
        members[2 * node + 2] = [row for row, right in zip(rows, goes, strict=True) if right]
    leaf = np.zeros(len(residual), np.int64)
    value = np.zeros(inner + 1)
    for number in range(inner + 1):
        rows = members[inner + number]
        leaf[rows] = number
        own = [residual[row] for row in rows if chosen[row]]
        value[number] = sum(own) / (len(own) + penalty)
    return feature, cut, value, leaf


@pytest.mark.parametrize("seed", range(5))
def test_a_tree_is_that_of_the_plain_twin(seed: int) -> None:
    draw = np.random.default_rng(seed)
    binned = draw.integers(0, 5, (60, 4)).astype(np.uint8)
    residual = draw.standard_normal(60)
    chosen, allowed = draw.random(60) < 0.7, np.array([True, True, False, True])
    feature, cut, value, leaf = k.grow_tree(binned, residual, chosen, allowed, 3, 5, 1.5, 3)
    expected = plain_tree(binned, residual, chosen, allowed, 3, 5, 1.5, 3)
    assert feature.tolist() == expected[0]
    assert [c for f, c in zip(feature, cut, strict=True) if f >= 0] == [
        c for f, c in zip(*expected[:2], strict=True) if f >= 0
    ]
    np.testing.assert_allclose(value, expected[2])
    assert leaf.tolist() == expected[3].tolist()


def test_predicting_follows_every_tree_and_sends_the_unknown_left() -> None:
    trees = Trees(
        1.0,
        np.array([[0, 1, -1]], np.int32),
        np.array([[0.5, 2.0, 0.0]], np.float32),
        np.array([[1.0, 2.0, 4.0, 8.0]], np.float32),
    )
    rows = np.array([[0.5, 2.0], [0.5, 2.5], [0.6, 9.0], [np.nan, 3.0]], np.float32)
    assert trees.predict(rows).tolist() == [2.0, 3.0, 5.0, 3.0]


def test_trees_learn_what_no_line_can_and_tell_the_unknown_apart() -> None:
    draw = np.random.default_rng(1)
    values = draw.random((2000, 3)).astype(np.float32)
    wanted = np.where((values[:, 0] > 0.5) ^ (values[:, 1] > 0.5), 1.0, 0.0)
    hidden = draw.random(2000) < 0.2
    values[hidden, 2] = np.nan
    wanted = wanted + 2.0 * hidden
    trees = fit_trees(values, wanted, BoostingOptions(trees=80, depth=3, rate=0.2, features=1.0))
    assert np.abs(trees.predict(values) - wanted).mean() < 0.1


def test_the_same_seed_gives_the_same_trees_and_they_survive_json() -> None:
    draw = np.random.default_rng(2)
    values, wanted = draw.random((200, 4)).astype(np.float32), draw.random(200)
    options = BoostingOptions(trees=5, depth=2)
    one, two = fit_trees(values, wanted, options), fit_trees(values, wanted, options)
    assert one.to_dict() == two.to_dict()
    again = Trees.from_dict(one.to_dict())
    np.testing.assert_allclose(again.predict(values), one.predict(values), atol=1e-3)
    other = fit_trees(values, wanted, BoostingOptions(trees=5, depth=2, seed=7))
    assert other.to_dict() != one.to_dict()


def test_what_is_no_tree_is_refused() -> None:
    whole = {"base": 0, "feature": [[0, 0, 0]], "threshold": [[0, 0, 0]], "value": [[0, 0, 0, 0]]}
    Trees.from_dict(whole)
    for broken in (
        {**whole, "value": [[0, 0, 0]]},
        {**whole, "feature": [[0, 0]], "threshold": [[0, 0]], "value": [[0, 0, 0]]},
        {"base": 0},
    ):
        with pytest.raises(InputError):
            Trees.from_dict(broken)
    with pytest.raises(InputError):
        Trees.from_dict(whole).predict(np.zeros((1, 0), np.float32))
    with pytest.raises(InputError):
        BoostingOptions(rate=0)
    with pytest.raises(InputError):
        fit_trees(np.zeros((2, 1), np.float32), np.zeros(3))

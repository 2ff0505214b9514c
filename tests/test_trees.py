"""Boosted trees: rows fall into the right leaves, and what is no tree is refused."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from paraphrast._jit import compiled_at_once
from paraphrast._kernels_trees import sum_trees
from paraphrast._trees import FEW_ROWS, Trees, _Seen
from paraphrast.errors import InputError


def test_predicting_follows_every_tree_and_sends_the_unknown_left() -> None:
    trees = Trees(
        1.0,
        np.array([[0, 1, -1]], np.int32),
        np.array([[0.5, 2.0, 0.0]], np.float32),
        np.array([[1.0, 2.0, 4.0, 8.0]], np.float32),
    )
    rows = np.array([[0.5, 2.0], [0.5, 2.5], [0.6, 9.0], [np.nan, 3.0]], np.float32)
    assert trees.predict(rows).tolist() == [2.0, 3.0, 5.0, 3.0]


def test_few_rows_give_what_the_kernel_gives() -> None:
    random = np.random.default_rng(3)
    for depth in (1, 2, 5):
        inner = (1 << depth) - 1
        trees = Trees(
            0.25,
            random.integers(-1, 6, (40, inner), np.int32),
            random.normal(size=(40, inner)).astype(np.float32),
            random.normal(size=(40, inner + 1)).astype(np.float32),
        )
        rows = random.normal(size=(50, 6)).astype(np.float32)
        rows[::7, ::2] = np.nan
        compiled = sum_trees(rows, trees.feature, trees.threshold, trees.value)
        assert trees._sum_of_few(rows).tolist() == compiled.tolist()


def test_many_small_calls_load_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    trees = Trees(0.0, np.zeros((1, 1), np.int32), np.zeros((1, 1), np.float32), np.ones((1, 2), np.float32))
    calls: list[int] = []

    class Unloaded:
        signatures = ()

        def __call__(self, table: NDArray[np.float32], *_: object) -> NDArray[np.float64]:
            calls.append(len(table))
            return np.ones(len(table))

    monkeypatch.setattr("paraphrast._trees.k.sum_trees", Unloaded())
    monkeypatch.setattr("paraphrast._trees._seen", _Seen())
    for _ in range(6):
        assert trees.predict(np.zeros((FEW_ROWS // 4, 1), np.float32)).tolist() == [1.0] * (FEW_ROWS // 4)
    assert len(calls) == 2
    monkeypatch.setattr("paraphrast._trees._seen", _Seen())
    with compiled_at_once():
        trees.predict(np.zeros((1, 1), np.float32))
    assert calls[2:] == [1]


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

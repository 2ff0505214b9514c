"""Fits the numbers that ship with the package: link weights, the substitution model and the trees of pair quality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._logistic import fit_logistic
from paraphrast._trees import Trees
from paraphrast.errors import InputError
from paraphrast.tables.quality.score import BEST, WORST, QualityModel


def fit_links(
    features: NDArray[np.float64],
    linked: NDArray[np.float64],
    importance: NDArray[np.float64],
    *,
    ridge: float = 1e-4,
) -> NDArray[np.float64]:
    """Weights of one pass of the link model, with a ridge, on scaled features; the first column is the constant."""
    if not len(features) == len(linked) == len(importance):
        raise InputError("expected as many cells in features, linked and importance")
    spread = features.std(axis=0)
    spread = np.where(spread < 1e-6, 1.0, spread)
    penalty = np.full(features.shape[1], 2 * ridge)
    penalty[0] = 1e-9
    share = importance / importance.sum()
    return fit_logistic(features / spread, linked, penalty, importance=share, tolerance=1e-8) / spread


@dataclass(frozen=True)
class TreeOptions:
    """trees: how many. depth: levels of each. rate: share of each tree's values that is added. penalty: L2, of leaves.
    least: rows on either side of a split. features: share drawn for each split, by ``seed``."""

    trees: int = 150
    depth: int = 4
    rate: float = 0.08
    penalty: float = 5.0
    least: int = 20
    features: float = 0.5
    seed: int = 12345


def fit_trees(
    values: NDArray[np.float32],
    wanted: NDArray[np.float64],
    options: TreeOptions | None = None,
    *,
    weight: NDArray[np.float64] | None = None,
    classify: bool = False,
) -> Trees:
    """Boosted trees (Friedman 2001) by scikit-learn, as complete trees that ship as numbers.

    With squared loss, or with ``classify`` the logistic loss of labels 0 and 1, whose predictions are log-odds. Unknown
    values (NaN) lie below all others, so that they go left as in :meth:`Trees.predict`.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    options = options or TreeOptions()
    if values.ndim != 2 or len(values) != len(wanted) or not len(wanted):
        raise InputError(
            f"expected a row of features per value, got shapes {values.shape} and {wanted.shape}"
        )
    known = np.where(np.isnan(values), np.inf, values).min(axis=0).astype(np.float64)
    known = np.where(np.isfinite(known), known, 0.0)
    below = known - 0.01 * np.maximum(np.abs(known), 1.0)
    kind = HistGradientBoostingClassifier if classify else HistGradientBoostingRegressor
    model = kind(
        learning_rate=options.rate,
        max_iter=options.trees,
        max_depth=options.depth,
        max_leaf_nodes=None,
        min_samples_leaf=options.least,
        l2_regularization=options.penalty,
        max_features=options.features,
        max_bins=32,
        early_stopping=False,
        random_state=options.seed,
    ).fit(np.where(np.isnan(values), below, values.astype(np.float64)), wanted, sample_weight=weight)
    inner = (1 << options.depth) - 1
    feature = np.full((options.trees, inner), -1, np.int32)
    threshold = np.zeros((options.trees, inner), np.float32)
    leaves = np.zeros((options.trees, inner + 1), np.float32)
    for tree, (predictor,) in enumerate(model._predictors):
        _complete(predictor.nodes, 0, 0, feature[tree], threshold[tree], leaves[tree])
    return Trees(float(model._baseline_prediction.item()), feature, threshold, leaves)


#: Stands for unknown values in :func:`fit_more_trees`: below all others, as in :meth:`Trees.predict`.
UNKNOWN_VALUE = -1e9


def fit_more_trees(
    start: Trees,
    values: NDArray[np.float32],
    wanted: NDArray[np.float64],
    options: TreeOptions,
    *,
    weight: NDArray[np.float64] | None = None,
    first: NDArray[np.float64] | None = None,
) -> Trees:
    """Trees that go on from ``start``: its trees and ``options.trees`` more, by Newton steps of the logistic loss.

    first: the log-odds that the new trees begin with, instead of those of ``start`` for ``values``.
    """
    from sklearn.tree import DecisionTreeRegressor

    weight = np.ones(len(wanted)) if weight is None else weight
    known = np.where(np.isnan(values), UNKNOWN_VALUE, values.astype(np.float64))
    odds = start.predict(values) if first is None else first.copy()
    inner = (1 << options.depth) - 1
    if start.feature.shape[1] != inner:
        raise InputError(f"expected trees of depth {options.depth}, got others to go on from")
    feature = np.full((options.trees, inner), -1, np.int32)
    threshold = np.zeros((options.trees, inner), np.float32)
    leaves = np.zeros((options.trees, inner + 1), np.float32)
    seeds = np.random.default_rng(options.seed).integers(1 << 31, size=options.trees)
    for tree in range(options.trees):
        probability = 1.0 / (1.0 + np.exp(-odds))
        step, curve = wanted - probability, np.maximum(probability * (1.0 - probability), 0.05)
        grown = DecisionTreeRegressor(
            max_depth=options.depth,
            min_samples_leaf=options.least,
            max_features=options.features,
            random_state=int(seeds[tree]),
        ).fit(known, step / curve, sample_weight=weight * curve)
        leaf = grown.apply(known)
        up, down = (
            np.bincount(leaf, weights=weight * part, minlength=grown.tree_.node_count)
            for part in (step, curve)
        )
        value = options.rate * up / (down + options.penalty)
        _complete_binary(grown.tree_, value, 0, 0, (feature[tree], threshold[tree], leaves[tree]))
        odds += value[leaf]
    return Trees(
        start.base,
        np.concatenate([start.feature, feature]),
        np.concatenate([start.threshold, threshold]),
        np.concatenate([start.value, leaves]),
    )


def _complete(
    nodes: NDArray[Any],
    node: int,
    place: int,
    feature: NDArray[np.int32],
    threshold: NDArray[np.float32],
    leaves: NDArray[np.float32],
) -> None:
    """Write the subtree at ``node`` to ``place`` of a complete tree; a leaf above the last level sends all left."""
    row = nodes[node]
    if place >= len(feature):
        leaves[place - len(feature)] = row["value"]
    elif row["is_leaf"]:
        _complete(nodes, node, 2 * place + 1, feature, threshold, leaves)
    else:
        feature[place], threshold[place] = row["feature_idx"], row["num_threshold"]
        _complete(nodes, int(row["left"]), 2 * place + 1, feature, threshold, leaves)
        _complete(nodes, int(row["right"]), 2 * place + 2, feature, threshold, leaves)


def fit_quality(
    features: NDArray[np.float32],
    grades: NDArray[np.float64],
    options: TreeOptions | None = None,
    *,
    note: str = "",
) -> QualityModel:
    """Fit trees to mean human grades, 1 to 5."""
    if len(grades) and not (grades.min() >= WORST and grades.max() <= BEST):
        raise InputError(f"expected grades from {WORST:g} to {BEST:g}")
    return QualityModel(fit_trees(features, np.asarray(grades, dtype=np.float64), options), note)


@dataclass(frozen=True)
class BagOptions:
    """Of boosted trees for a yes or no: ``bags`` models of ``trees`` each are averaged; rows, columns: shares drawn."""

    bags: int = 3
    trees: int = 200
    depth: int = 4
    rate: float = 0.04
    rows: float = 0.5
    columns: float = 0.1
    least: int = 12


def bag_of(options: BagOptions, seed: int) -> Any:
    """One unfitted model (Friedman 2002)."""
    from sklearn.ensemble import GradientBoostingClassifier

    return GradientBoostingClassifier(
        n_estimators=options.trees,
        max_depth=options.depth,
        learning_rate=options.rate,
        subsample=options.rows,
        max_features=options.columns,
        min_samples_leaf=options.least,
        random_state=seed,
    )


def fit_yes_no(
    values: NDArray[np.float32],
    yes: NDArray[np.bool_],
    options: BagOptions | None = None,
    *,
    weight: NDArray[np.float64] | None = None,
) -> Trees:
    """Trees whose sum is the log-odds of yes: the mean of several bags."""
    options = options or BagOptions()
    if values.ndim != 2 or len(values) != len(yes) or not len(yes) or np.isnan(values).any():
        raise InputError(f"expected a row of known features per label, got shape {values.shape}")
    inner = (1 << options.depth) - 1
    count = options.bags * options.trees
    feature = np.full((count, inner), -1, np.int32)
    threshold = np.zeros((count, inner), np.float32)
    leaves = np.zeros((count, inner + 1), np.float32)
    base = 0.0
    for bag in range(options.bags):
        model = bag_of(options, bag).fit(values, yes, sample_weight=weight)
        prior = float(model.init_.class_prior_[1])
        base += np.log(prior / (1 - prior)) / options.bags
        for number, (regressor,) in enumerate(model.estimators_):
            place, tree = bag * options.trees + number, regressor.tree_
            value = options.rate / options.bags * tree.value[:, 0, 0]
            _complete_binary(tree, value, 0, 0, (feature[place], threshold[place], leaves[place]))
    return Trees(float(base), feature, threshold, leaves)


def _complete_binary(
    tree: Any,
    value: NDArray[np.float64],
    node: int,
    place: int,
    into: tuple[NDArray[Any], NDArray[Any], NDArray[Any]],
) -> None:
    """As :func:`_complete`, of scikit-learn's other kind of trees. value: of each node, in place of the tree's own."""
    feature, threshold, leaves = into
    leaf = tree.children_left[node] < 0
    if place >= len(feature):
        leaves[place - len(feature)] = value[node]
    elif leaf:
        _complete_binary(tree, value, node, 2 * place + 1, into)
    else:
        feature[place], threshold[place] = tree.feature[node], tree.threshold[node]
        _complete_binary(tree, value, int(tree.children_left[node]), 2 * place + 1, into)
        _complete_binary(tree, value, int(tree.children_right[node]), 2 * place + 2, into)

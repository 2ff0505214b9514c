"""Folds for cross-validation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def folds_of(keys: Sequence[str], folds: int, seed: int = 12345) -> NDArray[np.int64]:
    """The fold of each row. All rows of one key are in one fold, so no key is in both training and test data."""
    distinct = sorted(set(keys))
    order = np.random.default_rng(seed).permutation(len(distinct))
    fold = {distinct[key]: place % folds for place, key in enumerate(order.tolist())}
    return np.array([fold[key] for key in keys], dtype=np.int64)

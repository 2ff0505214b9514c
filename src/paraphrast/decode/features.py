"""Features of a phrase pair that come from no table: functions registered by name.

A feature is a function of the words of all options at once::

    def same_first_word(source, target):          # int32[n, 7] each, vocabulary ids, −1 beyond the phrase's end
        return source[:, 0] == target[:, 0]

    FEATURES.register("same_first_word", "my_package.features:same_first_word")

or an entry point of the group ``paraphrast.feature``. A weight of that name in ``weights.json`` turns it on:
the decoder computes the column when it is created, unless :func:`~paraphrast.decode.pack` has stored it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode.arrays import DecoderArrays
from paraphrast.errors import InputError
from paraphrast.registry import Registry
from paraphrast.types import MAX_PHRASE

#: Feature name → function of (source words, target words).
FEATURES = Registry(
    "feature",
    {
        "longer": "paraphrast.decode.features:longer",
        "shared": "paraphrast.decode.features:shared",
    },
)


def longer(source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[Any]:
    """The words of the target less those of the source."""
    difference: NDArray[Any] = (target >= 0).sum(axis=1) - (source >= 0).sum(axis=1)
    return difference


def shared(source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[Any]:
    """The share of the target's words that are also in the source, 0 to 1."""
    common = np.zeros(len(target), dtype=np.int64)
    for column in range(target.shape[1]):
        words = target[:, column]
        common += (words >= 0) & (source == words[:, None]).any(axis=1)
    share: NDArray[Any] = common / np.maximum((target >= 0).sum(axis=1), 1)
    return share


def compute(name: str, source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[np.float32]:
    """The values of one registered feature, checked."""
    values = np.asarray(FEATURES.get(name)(source, target), dtype=np.float32)
    if values.shape != (len(source),) or not np.isfinite(values).all():
        raise InputError(
            f"feature {name!r}: expected a finite number for each of {len(source)} pairs, "
            f"got shape {values.shape}",
            remedy="return one number per row, 0 if unknown",
        )
    return values


def with_features(arrays: DecoderArrays, names: Iterable[str]) -> DecoderArrays:
    """The arrays with a column for each of ``names`` that they lack."""
    wanted = [name for name in dict.fromkeys(names) if name not in arrays.feature_names]
    if not wanted:
        return arrays
    source, target = phrases_of(arrays)
    columns = [compute(name, source, target) for name in wanted]
    features = np.column_stack([np.asarray(arrays.options.features), *columns]).astype(np.float32)
    return replace(
        arrays,
        options=arrays.options._replace(features=features),
        feature_names=(*arrays.feature_names, *wanted),
    )


def phrases_of(arrays: DecoderArrays) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The source and target words of every option: int32[n, 7] each, −1 beyond a phrase's end."""
    options = arrays.options
    count = len(options.target)
    node = np.repeat(np.arange(len(options.word)), np.diff(options.option_begin))
    source = np.full((count, MAX_PHRASE), -1, dtype=np.int32)
    for _ in range(MAX_PHRASE):  # from the last word up to the root, pushed to the right each time
        inside = node > 0
        source[inside, 1:] = source[inside, :-1]
        source[inside, 0] = options.word[node[inside]]
        node = np.where(inside, options.parent[node], 0)
    lengths = np.diff(options.word_begin)
    target = np.full((count, MAX_PHRASE), -1, dtype=np.int32)
    target[np.arange(MAX_PHRASE) < lengths[:, None]] = options.target_words
    return source, target

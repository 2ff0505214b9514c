"""Similarity of two words in their sentences: vectors of a sentence encoder, compared within one sentence pair.

All other evidence compares two words regardless of their sentences. The middle layers of an encoder give a word a
vector that depends on its neighbours, so that ``can not wait`` and ``am impatient`` become similar. What matters is
how similar two words are relative to the rest of the two sentences: each chosen among all words of the other side
(softmax in both directions, Dou and Neubig 2021; mutual best, Jalili Sabet et al. 2020), minus the mean similarity of
both words (Conneau et al. 2018), and the same for runs of words, which link as blocks. The encoder is not fine-tuned
and never sees a link.

The third of six layers is used: its similarity separates links from other cells best on all labelled sets
(docs/align.md), and the later half of the encoder need not run.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraphrast.align._kernels_links import FUNCTION
from paraphrast.align.evidence import CONTEXT_SLOT, Evidence, Measure, Resources
from paraphrast.errors import InputError

Float64s = NDArray[np.float64]

#: Layer of the encoder whose vectors are compared.
LAYER = 3
#: Maximum length of runs of words that are compared as one unit.
LONGEST_RUN = 4
#: Temperatures of the softmax in both directions.
SHARP, SOFT = 0.05, 0.1

_PLAIN = (
    "cosine", "cosine, less the mean", "smaller lead", "larger lead", "log choice", "choice", "soft choice",
    "three words around, less the mean", "five words around, less the mean", "choice by three words around",
    "best block, less the mean", "best one-to-many block, less the mean", "choice by best block",
    "choice by one-to-many block", "soft choice before and after", "soft choice beside", "smaller best choice",
    "larger best choice", "mean best cosine", "that of the sentence that has less",
)  # fmt: skip
_CROSSED = (
    "cosine, less the mean", "log choice", "three words around, less the mean", "best block, less the mean",
    "smaller lead",
)  # fmt: skip
_KINDS = ("same word", "function words", "words of two classes")
#: The features of a cell, after ``linking.FEATURES``.
CONTEXT_FEATURES = (*_PLAIN, *(f"{name}, {kind}" for name in _CROSSED for kind in _KINDS))


class Context(Evidence):
    """Words that an encoder finds similar in their sentences. Slow (about 9 ms per pair), so not used by default."""

    name = "context"
    slot = CONTEXT_SLOT
    share = 0.0
    by_default = False

    def __init__(self, resources: Resources) -> None:
        super().__init__(resources)
        if resources.encoder is None:
            raise InputError(
                "the evidence context needs a sentence encoder, but none is available",
                remedy="for English: pip install 'paraphrast[precise]' && paraphrast data get minilm-en; "
                "other languages have no encoder",
            )

    def measure(self, words: Sequence[str]) -> Measure | None:
        """None: this evidence compares words only within their sentences."""
        return None

    def describe(
        self,
        pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
        classes: Sequence[tuple[NDArray[np.uint8], NDArray[np.uint8]]],
        *,
        threads: int = 1,
    ) -> Float64s:
        """:data:`CONTEXT_FEATURES` of every cell of (source, target) sentences, target word by target word.

        classes: of the words of each side, as ``_kernels_links`` numbers them.
        """
        if self.resources.encoder is None or not pairs:
            return np.zeros((0, len(CONTEXT_FEATURES)))
        texts = sorted({tuple(side) for pair in pairs for side in pair})
        vectors = dict(
            zip(texts, self.resources.encoder.words(texts, layer=LAYER, threads=threads), strict=True)
        )
        return np.concatenate(
            [
                compare(
                    vectors[tuple(source)],
                    vectors[tuple(target)],
                    np.equal.outer(np.array(target, dtype=object), np.array(source, dtype=object)).astype(
                        bool
                    ),
                    *of,
                )
                for (source, target), of in zip(pairs, classes, strict=True)
            ]
        )


def compare(
    source: NDArray[np.float32],
    target: NDArray[np.float32],
    same: NDArray[np.bool_],
    source_class: NDArray[np.uint8],
    target_class: NDArray[np.uint8],
) -> Float64s:
    """float64[target · source, features] of one pair; source, target: unit vectors, one row per word.

    Symmetric: exchanging the two sentences changes nothing.
    """
    # By einsum: the order of its sums does not depend on the number of threads of a linear algebra library.
    cosine, within_s, within_t = (
        np.einsum("jd,id->ji", left_vectors, right_vectors, dtype=np.float64)
        for left_vectors, right_vectors in ((target, source), (source, source), (target, target))
    )
    area, area_s, area_t = (_areas(values) for values in (cosine, within_s, within_t))
    target_len, source_len = cosine.shape
    leads = cosine - _rival(cosine), cosine - _rival(cosine.T).T
    soft = _choice(cosine, SOFT)
    sharp = _choice(cosine, SHARP)
    three, five = (
        _run_cosine(area, area_s, area_t, _windows(source_len, width), _windows(target_len, width))
        for width in (1, 2)
    )
    block, one_to_many = _best_blocks(area, area_s, area_t)
    around = np.pad(soft, 1)
    best_t = np.broadcast_to(soft.max(axis=1, keepdims=True), cosine.shape)
    best_s = np.broadcast_to(soft.max(axis=0, keepdims=True), cosine.shape)
    near = float(cosine.max(axis=1).mean()), float(cosine.max(axis=0).mean())
    features = dict(
        zip(
            _PLAIN,
            (
                cosine,
                _less_mean(cosine),
                np.minimum(*leads),
                np.maximum(*leads),
                np.log(sharp + 1e-6),
                sharp,
                soft,
                _less_mean(three),
                _less_mean(five),
                _choice(three, SHARP),
                block,
                one_to_many,
                _choice(block, SHARP),
                _choice(one_to_many, SHARP),
                around[:-2, :-2] + around[2:, 2:],
                np.maximum(
                    np.maximum(around[1:-1, :-2], around[1:-1, 2:]),
                    np.maximum(around[:-2, 1:-1], around[2:, 1:-1]),
                ),
                np.minimum(best_s, best_t),
                np.maximum(best_s, best_t),
                np.full(cosine.shape, sum(near) / 2),
                np.full(cosine.shape, min(near)),
            ),
            strict=True,
        )
    )
    function = np.logical_and.outer(target_class == FUNCTION, source_class == FUNCTION)
    mixed = np.not_equal.outer(target_class, source_class)
    crossed = [features[name] * kind for name in _CROSSED for kind in (same, function, mixed)]
    return np.stack([*features.values(), *crossed], axis=2).reshape(-1, len(CONTEXT_FEATURES))


def _less_mean(values: Float64s) -> Float64s:
    """Each value minus half the mean of its row and half the mean of its column. Lowers words similar to everything."""
    less: Float64s = (
        values - 0.5 * values.mean(axis=1, keepdims=True) - 0.5 * values.mean(axis=0, keepdims=True)
    )
    return less


def _choice(values: Float64s, temperature: float) -> Float64s:
    """The probability that both words choose each other: softmax of the row times softmax of the column."""
    chance = np.ones_like(values)
    for axis in (1, 0):
        odds = np.exp((values - values.max(axis=axis, keepdims=True)) / temperature)
        chance *= odds / odds.sum(axis=axis, keepdims=True)
    return chance


def _rival(values: Float64s) -> Float64s:
    """The largest of the other values in each value's row; 0 if there are none."""
    if values.shape[1] < 2:
        return np.zeros_like(values)
    top = np.partition(values, -2, axis=1)
    return np.where(values >= top[:, -1:], top[:, -2:-1], top[:, -1:])


def _areas(values: Float64s) -> Float64s:
    """Sums of all values above and left of each corner, so that the sum of any block takes four lookups."""
    area = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    area[1:, 1:] = values.cumsum(axis=0).cumsum(axis=1)
    return area


_Runs = tuple[NDArray[np.int64], NDArray[np.int64]]


def _windows(count: int, width: int) -> _Runs:
    """For each word, the first word within ``width`` words of it, and one past the last."""
    places = np.arange(count)
    return np.maximum(places - width, 0), np.minimum(places + width + 1, count)


def _run_cosine(area: Float64s, area_s: Float64s, area_t: Float64s, source: _Runs, target: _Runs) -> Float64s:
    """Cosines of the sums of runs of words, [target runs, source runs], from the sums of words' products."""
    (from_s, to_s), (from_t, to_t) = source, target
    product = area[np.ix_(to_t, to_s)] - area[np.ix_(from_t, to_s)] - area[np.ix_(to_t, from_s)]
    product = product + area[np.ix_(from_t, from_s)]
    for side, begin, end, shape in ((area_s, from_s, to_s, (1, -1)), (area_t, from_t, to_t, (-1, 1))):
        square = side[end, end] - side[begin, end] - side[end, begin] + side[begin, begin]
        product = product / np.sqrt(np.maximum(square, 1e-9)).reshape(shape)
    return np.asarray(product, dtype=np.float64)


def _best_blocks(area: Float64s, area_s: Float64s, area_t: Float64s) -> tuple[Float64s, Float64s]:
    """For every cell, the best block of some words by some words that contains it, and the best one-to-many block.

    Blocks are compared with those of the same size, because longer runs are always more similar.
    """
    target_len, source_len = area.shape[0] - 1, area.shape[1] - 1
    lowest = -1.0 if target_len * source_len > 1 else 0.0
    best, best_one = np.full((target_len, source_len), lowest), np.full((target_len, source_len), lowest)
    for rows in range(1, min(LONGEST_RUN, target_len) + 1):
        for columns in range(1, min(LONGEST_RUN, source_len) + 1):
            if rows == columns == 1:
                continue
            first_t, first_s = np.arange(target_len - rows + 1), np.arange(source_len - columns + 1)
            value = _less_mean(
                _run_cosine(area, area_s, area_t, (first_s, first_s + columns), (first_t, first_t + rows))
            )
            for down in range(rows):
                for right in range(columns):
                    cells = slice(down, down + len(first_t)), slice(right, right + len(first_s))
                    np.maximum(best[cells], value, out=best[cells])
                    if rows == 1 or columns == 1:
                        np.maximum(best_one[cells], value, out=best_one[cells])
    return best, best_one

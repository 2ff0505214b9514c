"""Features of a rewrite from the log-probability of each piece, to tell acceptable rewrites from wrong ones.

A sum over the sentence hides a single wrong word. So the features describe four things: the whole sentence; the pieces
that differ from the source (those outside the longest common blocks); the pieces that both have (after a wrong
preposition the next words become unlikely); and the least likely piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from paraphrast.read.translator import PieceScores

Floats = NDArray[np.float64]

#: Features of a rewrite and its source, both scored by the same model; differences are rewrite − source.
CONTRAST = (
    "sum",  # difference of the log-probabilities
    "mean",  # difference of the mean log-probability of a piece
    "lowest_new",  # least likely new piece
    "lowest_step",  # least likely new piece − least likely replaced piece
    "changed",  # sum over the new pieces − sum over the replaced ones
    "changed_mean",  # mean over the new pieces − mean over the replaced ones
    "kept_lowest",  # largest loss of a piece that both have
    "kept_sum",  # sum of the differences over the pieces that both have
    "rewrite_mean",  # mean log-probability of a piece of the rewrite
    "source_mean",  # … of the source
    "lowest",  # least likely piece of the rewrite
)
#: Features of one translation, scored given the rewrite and given the source; differences are rewrite − source.
SHIFT = (
    "sum",  # difference of the log-probabilities
    "mean",  # … divided by the number of pieces
    "lowest_step",  # largest loss of a piece
    "two_lowest_steps",  # the two largest losses
    "losses",  # sum of all losses
    "gains",  # sum of all gains
    "lost_pieces",  # number of pieces that lost more than 1
    "lowest",  # least likely piece given the rewrite
    "rewrite_mean",  # mean log-probability of a piece given the rewrite
    "source_mean",  # … given the source
)
#: Features of the two texts, in words.
SHAPE = (
    "source_words",
    "replaced_words",
    "new_words",
    "changed_places",
    "length_ratio",
    "character_difference",
)


def common_blocks(
    source: Sequence[str], rewrite: Sequence[str]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int64]]:
    """For each side, which pieces are changed; and int[n, 2], the positions of the pieces that both sides have."""
    replaced, new = np.ones(len(source), bool), np.ones(len(rewrite), bool)
    kept: list[tuple[int, int]] = []
    for begin, out_begin, size in SequenceMatcher(
        None, source, rewrite, autojunk=False
    ).get_matching_blocks():
        replaced[begin : begin + size] = new[out_begin : out_begin + size] = False
        kept.extend((begin + step, out_begin + step) for step in range(size))
    return replaced, new, np.array(kept, np.int64).reshape(-1, 2)


def contrast(source: PieceScores, rewrite: PieceScores) -> Floats:
    """float64[len(CONTRAST)]: the features of a rewrite and its source."""
    before, after = np.array(source.log_probs), np.array(rewrite.log_probs)
    replaced, new, kept = common_blocks(source.pieces, rewrite.pieces)
    old_part, new_part = before[: len(replaced)][replaced], after[: len(new)][new]
    steps = after[kept[:, 1]] - before[kept[:, 0]]
    lowest_new = new_part.min(initial=0.0)
    return np.array(
        [
            after.sum() - before.sum(),
            after.mean() - before.mean(),
            lowest_new,
            lowest_new - old_part.min(initial=0.0),
            new_part.sum() - old_part.sum(),
            _mean(new_part) - _mean(old_part),
            steps.min(initial=0.0),
            steps.sum(),
            after.mean(),
            before.mean(),
            after.min(),
        ]
    )


def shift(source: PieceScores, rewrite: PieceScores) -> Floats:
    """float64[len(SHIFT)]: the features of one translation, scored given the source and given the rewrite."""
    before, after = np.array(source.log_probs), np.array(rewrite.log_probs)
    steps = after - before
    return np.array(
        [
            steps.sum(),
            steps.mean(),
            steps.min(),
            np.sort(steps)[:2].sum(),
            np.minimum(steps, 0).sum(),
            np.maximum(steps, 0).sum(),
            float((steps < -1).sum()),
            after.min(),
            after.mean(),
            before.mean(),
        ]
    )


def shape(source: str, rewrite: str) -> Floats:
    """float64[len(SHAPE)]: the features of the two texts."""
    before, after = source.split(), rewrite.split()
    replaced, new, _ = common_blocks(before, after)
    places = int(new[:1].sum() + (new[1:] & ~new[:-1]).sum())
    ratio = len(after) / max(len(before), 1)
    return np.array(
        [len(before), replaced.sum(), new.sum(), places, ratio, len(rewrite) - len(source)], float
    )


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0

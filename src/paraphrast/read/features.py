"""Numbers that tell an acceptable rewrite from a wrong one, out of piece-by-piece log-probabilities.

A sum over the sentence hides what a rater sees at once: the one wrong word. So each reading is looked at in four
ways: as a whole, where the rewrite differs from the source (its pieces outside the longest common blocks), where
they agree (a wrong frame or preposition makes the words after it unlikely), and at its least likely piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from paraphrast.read.translator import PieceScores

Floats = NDArray[np.float64]

#: Of a rewrite against its source, both read by one model; differences are rewrite − source.
CONTRAST = (
    "sum",  # difference of the log-probabilities
    "mean",  # difference of the mean log-probability of a piece
    "lowest_new",  # least likely new piece
    "lowest_step",  # least likely new piece − least likely replaced piece
    "changed",  # sum over the new pieces − sum over the replaced ones
    "changed_mean",  # the same of the means
    "kept_lowest",  # largest loss of a piece that both have
    "kept_sum",  # change of all pieces that both have
    "rewrite_mean",  # mean log-probability of a piece of the rewrite
    "source_mean",  # … of the source
    "lowest",  # least likely piece of the rewrite
)
#: Of one text (a translation) that is read twice: given the rewrite and given the source; given rewrite − given source.
SHIFT = (
    "sum",  # difference of the log-probabilities
    "mean",  # … for each piece
    "lowest_step",  # largest loss of a piece
    "two_lowest_steps",  # the two largest losses
    "losses",  # sum of all losses
    "gains",  # sum of all gains
    "lost_pieces",  # pieces that lost more than 1
    "lowest",  # least likely piece given the rewrite
    "rewrite_mean",  # mean log-probability of a piece given the rewrite
    "source_mean",  # … given the source
)
#: Of the texts themselves, in words.
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
    """Which pieces of either side are changed, and int[n, 2]: the places of those that both have."""
    replaced, new = np.ones(len(source), bool), np.ones(len(rewrite), bool)
    kept: list[tuple[int, int]] = []
    for begin, out_begin, size in SequenceMatcher(
        None, source, rewrite, autojunk=False
    ).get_matching_blocks():
        replaced[begin : begin + size] = new[out_begin : out_begin + size] = False
        kept.extend((begin + step, out_begin + step) for step in range(size))
    return replaced, new, np.array(kept, np.int64).reshape(-1, 2)


def contrast(source: PieceScores, rewrite: PieceScores) -> Floats:
    """float64[len(CONTRAST)]."""
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
    """float64[len(SHIFT)]: one text read given the source and given the rewrite."""
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
    """float64[len(SHAPE)]."""
    before, after = source.split(), rewrite.split()
    replaced, new, _ = common_blocks(before, after)
    places = int(new[:1].sum() + (new[1:] & ~new[:-1]).sum())
    ratio = len(after) / max(len(before), 1)
    return np.array(
        [len(before), replaced.sum(), new.sum(), places, ratio, len(rewrite) - len(source)], float
    )


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0

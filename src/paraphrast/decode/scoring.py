"""What the kernels are told of a call: the weights by place instead of by name, and what a rewrite may do."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Scoring(NamedTuple):
    """The log-linear model's weights (Zhao et al. 2008, eq. 2).

    features:    float64[F], in the order of the option arrays' columns.
    table_edits: float64[tables], added for each edit a table has; empty where all are 0.
    first_table: int32[K], the tables that have a minimum (footnote 2), each a bit of a hypothesis.
    first_use:   float64[K], what a sentence gains by the first edit of such a table: the minimum it sheds.
    lm, edit, word, identity: as in :class:`~paraphrast.decode.Weights`.
    swap:        weight of the log-odds of swapping two phrases; swap_default: those of an unknown phrase.
    """

    features: NDArray[np.float64]
    table_edits: NDArray[np.float64]
    first_table: NDArray[np.int32]
    first_use: NDArray[np.float64]
    lm: float
    edit: float
    word: float
    identity: float
    swap: float
    swap_default: float


class Limits(NamedTuple):
    """What a rewrite may do, and how far to search.

    banned:    uint8[options] or empty, 1 where an option may not be used.
    must_bits: int32[options] or empty, the demands an option meets; must_all: the bits of all demands.
    The rest as in :class:`~paraphrast.decode.DecodeOptions`; ``wanted`` is how many hypotheses to list.
    """

    banned: NDArray[np.uint8]
    must_bits: NDArray[np.int32]
    must_count: int
    min_log_prob: float
    veto_mask: int
    table_mask: int
    keep_masks: bool
    max_edits: int
    beam: int
    pops: int
    window: int
    wanted: int
    effort: int


class EdgeScores(NamedTuple):
    """Scores from outside, added to the option edges of each item in the lattice's order.

    begin: int64[items + 1] into score, or empty for none. score: float64[edges].
    """

    begin: NDArray[np.int64]
    score: NDArray[np.float64]

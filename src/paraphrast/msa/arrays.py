"""A cluster as flat arrays for the kernels, for one version."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class ClusterArrays(NamedTuple):
    """The sentences of a cluster as arrays.

    starts: int64[sentences + 1], the tokens of sentence s are ``starts[s] … starts[s + 1]``.
    word: a number, or −1 for a token that never matches. tag: its part of speech as a number.
    chunk: 0 for O, 2 · category for B-, one more for I-, so equal numbers are equal tags and equal halves are one
        constituent. trace_begin, trace: every token's trace without its first and last element.
    rule: exact, partial, none, trace weight, length discount, floor, then match, mismatch, gap (float64[9]).
    position: the threshold in parts of ``POSITION_PARTS``; −1 for none (lexical versions, which also skip the tags).
    inclusive: whether words exactly that far apart match. free: whether leading gaps cost nothing.
    """

    starts: NDArray[np.int64]
    word: NDArray[np.int32]
    tag: NDArray[np.int32]
    chunk: NDArray[np.int32]
    trace_begin: NDArray[np.int64]
    trace: NDArray[np.int32]
    rule: NDArray[np.float64]
    position: int
    inclusive: bool
    free: bool

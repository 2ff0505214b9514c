"""Arguments of the HMM's kernels as one record: the text, the lexicon and the jumps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class HmmArrays(NamedTuple):
    """Sentence pairs in one direction and the parameters of their model.

    source_tokens, target_tokens: int32; source_starts, target_starts: int64[pairs + 1]; kept: bool[pairs].
    slot_start, slot_word, slot_prob: the lexicon (see ``base.Lexicon``); a pair without an entry has ``floor``.
    jump: float64[2 · span + 1], s(d) at index d + span; all widths beyond ±window have the same value per side.
    stay: p0, the probability of the empty word.
    """

    source_tokens: NDArray[np.int32]
    source_starts: NDArray[np.int64]
    target_tokens: NDArray[np.int32]
    target_starts: NDArray[np.int64]
    kept: NDArray[np.bool_]
    slot_start: NDArray[np.int64]
    slot_word: NDArray[np.int32]
    slot_prob: NDArray[np.float32]
    floor: float
    jump: NDArray[np.float64]
    stay: float
    window: int

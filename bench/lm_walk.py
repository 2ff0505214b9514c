"""The kernel of ``lm_size.py``: look-ups as a decoder makes them, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast import _numeric
from paraphrast._jit import kernel
from paraphrast.types import SENTENCE_END

#: Kernels by names without types: numba wants 64-bit integers where Python has int.
advance: Any = _numeric.advance
start_state: Any = _numeric.start_state


@kernel
def walk(ngrams: Any, tokens: NDArray[np.int32], starts: NDArray[np.int64]) -> float:
    """The log probability of all sentences, by one ``advance`` per word and sentence end."""
    total = 0.0
    for sentence in range(len(starts) - 1):
        state = np.int64(start_state(ngrams))
        for position in range(starts[sentence], starts[sentence + 1]):
            state, log_prob = advance(ngrams, state, np.int64(tokens[position]))
            total += log_prob
        state, log_prob = advance(ngrams, state, np.int64(SENTENCE_END))
        total += log_prob
    return total

"""Word translation probabilities of a bitext by Model 1, in both directions, for scoring phrase pairs."""

from __future__ import annotations

import numpy as np

from paraphrast.align.base import Bitext
from paraphrast.align.ibm1 import Model1
from paraphrast.types import Sentences, WordLexicon

#: Iterations of EM (Quirk, Brockett and Dolan 2004, §3.3).
ITERATIONS = 5
#: Smaller entries are dropped: most of the cells, which contribute almost nothing to any sum.
THRESHOLD = 1e-7


def model1_lexicons(
    source: Sentences,
    target: Sentences,
    source_size: int,
    target_size: int,
    *,
    iterations: int = ITERATIONS,
    threshold: float = THRESHOLD,
) -> tuple[WordLexicon, WordLexicon]:
    """(p(target word | source word), p(source word | target word)) after ``iterations`` of Model 1 each."""
    bitext = Bitext.of(source, target, source_size, target_size)
    return (
        _trained(bitext, iterations, threshold),
        _trained(bitext.flipped(), iterations, threshold),
    )


def _trained(bitext: Bitext, iterations: int, threshold: float) -> WordLexicon:
    model = Model1(bitext)
    model.fit(bitext, iterations)
    slots = model.lexicon(threshold)
    used_slots = np.flatnonzero(slots.slot_word >= 0)
    row = np.searchsorted(slots.slot_start, used_slots, side="right") - 1
    word = slots.slot_word[used_slots].astype(np.int64)
    order = np.argsort(row * np.int64(max(bitext.target_size, 1)) + word, kind="stable")
    row_start = np.zeros(len(slots.slot_start), dtype=np.int64)
    np.cumsum(np.bincount(row, minlength=len(row_start) - 1), out=row_start[1:])
    return WordLexicon(row_start, word[order].astype(np.int32), slots.prob[used_slots[order]])

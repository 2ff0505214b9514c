"""The HMM: as Model 1, but where a target word comes from depends on where the one before it came from.

One rung above ``ibm1`` (Vogel, Ney and Tillmann 1996, eq. 5 and 6)::

    p(f, a | e) = Π_j p(a_j | a_{j−1}, l) t(f_j | e_{a_j})
    p(i | i', l) = (1 − p0) s(i − i') / Σ_{i''=0..l−1} s(i'' − i')

One s serves all words and lengths; widths beyond ±W share one value a side. A target word comes from the
empty word with chance p0, and the jump after it starts where the last linked word stood (Och and Ney 2003);
the first jump starts at −1. The lexicon starts from Model 1, less its smallest entries; its M step is
variational under a Dirichlet prior (Riley and Gildea 2012), or plain where the prior is 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import _kernels_hmm
from paraphrast.align.base import FLOOR, SMALLEST, Bitext, EMModel, Lexicon
from paraphrast.types import Links

#: No jump is less likely than this times the likeliest, so that no Z is ever zero.
JUMP_FLOOR = 1e-9
#: Rounds of the inner algorithm that fits the jumps; each already improves them.
JUMP_ROUNDS = 5

#: What every HMM kernel reads first: source and target tokens and starts, pairs, lexicon, jumps, limits.
Arrays = tuple[
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.bool_],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.float32],
    float,
    NDArray[np.float64],
    float,
    int,
]


class HMM(EMModel):
    """Lexicon and jumps.

    jump: float64[2 · max_length + 3], s(d) at index d + max_length + 1.
    """

    name = "HMM"

    def __init__(
        self, lexicon: Lexicon, *, max_length: int, window: int, empty: float, prior: float = 0.0
    ) -> None:
        super().__init__()
        self.lexicon = Lexicon(lexicon.slot_start, lexicon.slot_word, lexicon.prob.copy())
        self.max_length = max_length
        self.window = min(window, max_length)
        self.empty = empty
        self.prior = prior
        widths = np.arange(-max_length - 1, max_length + 2)
        start = np.exp(-0.5 * np.abs(widths - 1.0))
        self.jump = np.where(
            np.abs(widths) > self.window, start[np.abs(widths) <= self.window].min() / 10, start
        )

    def _arrays(self, bitext: Bitext) -> Arrays:
        return (
            bitext.source.tokens,
            bitext.source.starts,
            bitext.target.tokens,
            bitext.target.starts,
            bitext.kept,
            self.lexicon.slot_start,
            self.lexicon.slot_word,
            self.lexicon.prob,
            FLOOR,
            self.jump,
            self.empty,
            self.max_length,
        )

    def _step(self, bitext: Bitext) -> float:
        counts = np.zeros(len(self.lexicon.prob), dtype=np.float64)
        widths = np.zeros(len(self.jump), dtype=np.float64)
        departures = np.zeros((self.max_length + 1, self.max_length + 1), dtype=np.float64)
        log_likelihood = _kernels_hmm.expect(*self._arrays(bitext), counts, widths, departures)
        _kernels_hmm.maximise_lexicon(
            self.lexicon.slot_start, self.lexicon.slot_word, self.lexicon.prob, counts, self.prior, SMALLEST
        )
        self.jump = _kernels_hmm.maximise_jumps(
            self.jump, widths, departures, self.window, JUMP_ROUNDS, JUMP_FLOOR
        )
        return log_likelihood

    def best(self, bitext: Bitext) -> NDArray[np.int32]:
        """The likeliest alignment as a whole (Viterbi)."""
        return _kernels_hmm.viterbi(*self._arrays(bitext))

    def best_by_word(self, bitext: Bitext) -> NDArray[np.int32]:
        """For every target token its most probable source position, whatever the others do."""
        none = np.zeros(0, dtype=np.int32)
        starts = np.zeros(len(bitext.kept) + 1, dtype=np.int64)
        return _kernels_hmm.posteriors(*self._arrays(bitext), starts, none, none)[0]

    def posteriors(self, bitext: Bitext, links: Links) -> NDArray[np.float32]:
        """p(link | both sentences) of every link, whose source and target are those of ``bitext``."""
        return _kernels_hmm.posteriors(*self._arrays(bitext), links.starts, links.source, links.target)[1]

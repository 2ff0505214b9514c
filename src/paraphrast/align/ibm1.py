"""Model 1: every target word comes from any source word, or from the empty word, with equal probability.

The first model (Brown et al. 1993, eq. 5 and 17)::

    p(f | e) = Π_j 1/(l + 1) Σ_{i=0..l} t(f_j | e_i)

The only parameters are t. The likelihood is concave, so the uniform start is as good as any. Cells of one source word
are processed together (see ``_kernels``), which needs 8 bytes for each pair of words that occurs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import _kernels
from paraphrast.align.base import FLOOR, SMALLEST, Bitext, EMModel, Lexicon

#: What kernels get: the sentences with each word, target tokens and their starts, target words; rows of the table.
_Cells = tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int64],
    int,
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.float32],
]


class Model1(EMModel):
    """t(f | e) over the word pairs of the bitext it is constructed with.

    prior: Dirichlet parameter of each row for the variational M step; 0 gives maximum likelihood.
    """

    name = "Model 1"
    # The sentences with each word; empty for a model without text.
    _word_start: NDArray[np.int64] = np.zeros(1, np.int64)
    _sentence: NDArray[np.int32] = np.zeros(0, np.int32)

    def __init__(self, bitext: Bitext, *, prior: float = 0.0) -> None:
        super().__init__()
        self.prior = prior
        self._word_start, self._sentence = _kernels.invert(
            bitext.source.tokens, bitext.source.starts, bitext.kept, bitext.source_size
        )
        self.row_start, self.columns = _kernels.build_rows(
            self._word_start, self._sentence, bitext.target.tokens, bitext.target.starts, bitext.target_size
        )
        uniform = 1.0 / max(bitext.target_size, 1)
        self.prob = np.full(len(self.columns), uniform, dtype=np.float32)

    @classmethod
    def from_rows(
        cls, row_start: NDArray[np.int64], columns: NDArray[np.int32], prob: NDArray[np.float32]
    ) -> Model1:
        """A trained model for aligning only, without training text."""
        model = cls.__new__(cls)
        EMModel.__init__(model)
        model.prior = 0.0
        model.row_start, model.columns, model.prob = row_start, columns, prob
        return model

    def _step(self, bitext: Bitext) -> float:
        log_units, inverse = self.expect(bitext)
        _kernels.model1_update(*self._cells(bitext), inverse, self.prior, SMALLEST)
        return log_units / _kernels.LOG_UNIT

    def _cells(self, bitext: Bitext) -> _Cells:
        cells = (self._word_start, self._sentence, bitext.target.tokens, bitext.target.starts)
        return (*cells, bitext.target_size, self.row_start, self.columns, self.prob)

    def expect(self, bitext: Bitext, *, uniform: bool | None = None) -> tuple[int, NDArray[np.float64]]:
        """The log-likelihood in units of 1 / LOG_UNIT, and 1 / Σ_i t(f | e_i) of every target token f.

        uniform: whether all entries are equal, as before the first update; by default from the trace.
        """
        if not (not self.log_likelihoods if uniform is None else uniform):
            sums = np.empty(len(bitext.target.tokens), dtype=np.float64)
            _kernels.model1_sums(*self._cells(bitext), sums)
        else:
            states = np.diff(bitext.source.starts) + 1.0
            sums = np.repeat(states * float(self.prob[:1].sum()), np.diff(bitext.target.starts))
        log_units = _kernels.model1_log_likelihood(
            bitext.kept, bitext.source.starts, bitext.target.starts, sums
        )
        return int(log_units), sums

    def count_units(self, bitext: Bitext, inverse: NDArray[np.float64]) -> NDArray[np.int64]:
        """Expected counts of all entries, in units of 1 / COUNT_UNIT, from what :meth:`expect` returned."""
        return _kernels.model1_counts(*self._cells(bitext), inverse)

    def lexicon(self, threshold: float = 0.0) -> Lexicon:
        """The entries at or above ``threshold``, ready for lookup."""
        return Lexicon(*_kernels.hash_rows(self.row_start, self.columns, self.prob, threshold))

    def best(self, bitext: Bitext) -> NDArray[np.int32]:
        lexicon = self.lexicon()
        return _kernels.model1_best(
            bitext.source.tokens,
            bitext.source.starts,
            bitext.target.tokens,
            bitext.target.starts,
            bitext.kept,
            lexicon.slot_start,
            lexicon.slot_word,
            lexicon.prob,
            FLOOR,
        )

"""The HMM: like Model 1, but the source position of a target word depends on that of the previous target word.

One step above ``ibm1`` (Vogel, Ney and Tillmann 1996, eq. 5 and 6)::

    p(f, a | e) = Π_j p(a_j | a_{j−1}, l) t(f_j | e_{a_j})
    p(i | i', l) = (1 − p0) s(i − i') / Σ_{i''=0..l−1} s(i'' − i')

One s is used for all words and lengths; widths beyond ±W share one value per side. A target word comes from the empty
word with probability p0, and the next jump starts at the last linked word (Och and Ney 2003). The first jump starts at
−1. The lexicon starts from Model 1 without its smallest entries. Its M step is variational with a Dirichlet prior
(Riley and Gildea 2012), or plain if the prior is 0. :class:`AgreeingHMMs` trains both directions to agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import _kernels_hmm, _kernels_viterbi
from paraphrast.align._kernels import COUNT_UNIT, JUMP_UNIT, LOG_UNIT
from paraphrast.align.arrays import HmmArrays
from paraphrast.align.base import FLOOR, SMALLEST, Bitext, EMModel, Lexicon, Pair
from paraphrast.types import Links

#: Minimum probability of a jump relative to the most probable one, so that no Z is ever zero.
JUMP_FLOOR = 1e-9
#: Rounds of the inner algorithm that fits the jumps. One round already improves them.
JUMP_ROUNDS = 5

#: A state adds nothing to the counts of jumps if a word leaves or reaches it less often than the first value times the
#: number of words in the text, but at most the second value. All jumps share a few counts, so this is negligible.
NEGLIGIBLE_JUMPS = 1e-10, 1e-4
#: Number of cells (target words × states) whose posteriors are computed at a time, so that they stay in the CPU cache.
CELLS = 1 << 16
#: Sentences with more source words than this use the windowed recursion.
DENSE = 96


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
        start = np.exp(-0.5 * np.abs(np.clip(widths, -self.window - 1, self.window + 1) - 1.0))
        self.jump = np.where(
            np.abs(widths) > self.window, start[np.abs(widths) <= self.window].min() / 10, start
        )

    def arrays_of(self, bitext: Bitext) -> HmmArrays:
        """A bitext with this model's parameters, as arguments of the kernels."""
        return HmmArrays(
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
            self.window,
        )

    def _step(self, bitext: Bitext) -> float:
        run = Expectation(self, bitext)
        for first, last in run.chunks():
            run.expect(first, last)
            run.collect(first, last)
        self.update(run)
        return run.log_likelihood

    def update(self, run: Expectation) -> None:
        """The M step, from the counts of an E step."""
        _kernels_hmm.maximise_lexicon(
            self.lexicon.slot_start,
            self.lexicon.slot_word,
            self.lexicon.prob,
            run.count_units,
            self.prior,
            SMALLEST,
        )
        self.update_jumps(run)

    def update_jumps(self, run: Expectation) -> None:
        """The jumps' part of the M step."""
        self.set_jumps(run.width_units, run.departure_units)

    def set_jumps(self, width_units: NDArray[np.int64], departure_units: NDArray[np.int64]) -> None:
        """New jumps from expected numbers of jumps by width and by state, in units of 1 / JUMP_UNIT."""
        widths, departures = width_units / JUMP_UNIT, departure_units / JUMP_UNIT
        self.jump = _kernels_hmm.maximise_jumps(
            self.jump, widths, departures, self.window, JUMP_ROUNDS, JUMP_FLOOR
        )

    def best(self, bitext: Bitext) -> NDArray[np.int32]:
        """The most probable alignment of each sentence (Viterbi)."""
        return _kernels_viterbi.viterbi(self.arrays_of(bitext))

    def best_by_word(self, bitext: Bitext) -> NDArray[np.int32]:
        """The most probable source position of every target token, independently of the others."""
        best = np.full(len(bitext.target.tokens), -1, dtype=np.int32)
        run = Expectation(self, bitext, counting=False)
        for first, last in run.chunks():
            run.expect(first, last)
            _kernels_hmm.best_by_word(run.arrays, first, last, run.cell_start, run.gamma, best)
        return best

    def posteriors(self, bitext: Bitext, links: Links) -> NDArray[np.float32]:
        """p(link | both sentences) of every link; source and target as in ``bitext``."""
        value = np.zeros(len(links.source), dtype=np.float32)
        run = Expectation(self, bitext, counting=False)
        for first, last in run.chunks():
            run.expect(first, last)
            _kernels_hmm.link_posteriors(
                run.arrays,
                first,
                last,
                run.cell_start,
                run.gamma,
                links.starts,
                links.source,
                links.target,
                value,
            )
        return value


class Expectation:
    """One E step of a model over a bitext, for one run of sentence pairs at a time.

    gamma: posteriors of the pairs last given to :meth:`expect`; cell_start: where the cells of each pair begin.
    Counts, jumps, departures and log-likelihood are sums over the pairs so far, as integers (see ``_kernels``), so that
    they do not depend on the order of the pairs. words: target words of the whole text, if the bitext is a part of it.
    """

    def __init__(
        self, model: HMM, bitext: Bitext, *, counting: bool = True, words: int | None = None
    ) -> None:
        self.arrays = model.arrays_of(bitext)
        self.counting = counting
        self.log_units = 0
        self.count_units = np.zeros(len(model.lexicon.prob) if counting else 0, dtype=np.int64)
        self.width_units = np.zeros(len(model.jump), dtype=np.int64)
        self.departure_units = np.zeros((model.max_length + 1, model.max_length + 1), dtype=np.int64)
        share, most = NEGLIGIBLE_JUMPS
        self._least = min(share * (len(bitext.target.tokens) if words is None else words), most)
        source_lens = np.diff(bitext.source.starts)
        target_lens = np.diff(bitext.target.starts)
        self.cell_start = np.zeros(len(bitext.kept) + 1, dtype=np.int64)
        np.cumsum(np.where(bitext.kept, target_lens * (source_lens + 1), 0), out=self.cell_start[1:])
        # Bounds that are the same in both directions, so that both can run side by side.
        self._bounds = np.zeros(len(bitext.kept) + 1, dtype=np.int64)
        np.cumsum(np.where(bitext.kept, (target_lens + 1) * (source_lens + 1), 0), out=self._bounds[1:])
        largest = max(
            (int(self.cell_start[last] - self.cell_start[first]) for first, last in self.chunks()), default=0
        )
        self.gamma = np.empty(largest, dtype=np.float64)
        self.slots = np.empty(largest, dtype=np.int64)

    @property
    def log_likelihood(self) -> float:
        """log p(target | source)."""
        return self.log_units / LOG_UNIT

    @property
    def counts(self) -> NDArray[np.float64]:
        """Expected number of links of each slot of the lexicon."""
        return self.count_units / COUNT_UNIT

    @property
    def jumps(self) -> NDArray[np.float64]:
        """Expected number of jumps of each width."""
        return self.width_units / JUMP_UNIT

    @property
    def departures(self) -> NDArray[np.float64]:
        """Expected number of jumps out of each state, by the number of source words."""
        return self.departure_units / JUMP_UNIT

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Runs of pairs with about :data:`CELLS` cells each, at least one pair."""
        pairs = len(self._bounds) - 1
        first = 0
        while first < pairs:
            last = int(np.searchsorted(self._bounds, self._bounds[first] + CELLS, side="right")) - 1
            last = min(max(last, first + 1), pairs)
            yield first, last
            first = last

    def expect(self, first: int, last: int) -> None:
        """Posteriors of the pairs ``first`` … ``last − 1``."""
        self.log_units += _kernels_hmm.expect(
            self.arrays,
            first,
            last,
            DENSE,
            self.cell_start,
            self.gamma,
            self.slots,
            self.width_units,
            self.departure_units,
            self._least,
            self.counting,
        )

    def collect(self, first: int, last: int, other: Expectation | None = None) -> None:
        """Count word pairs by the posteriors, or by the products of the posteriors of both directions."""
        counterpart = other or self
        _kernels_hmm.collect(
            self.arrays,
            first,
            last,
            self.cell_start,
            self.gamma,
            self.slots,
            counterpart.cell_start,
            counterpart.gamma,
            other is not None,
            self.count_units,
        )


class AgreeingHMMs(EMModel):
    """Both directions trained to agree (Liang, Taskar and Klein 2006, §3).

    Each model has a separate E step. The lexicons then count a link by the product of its posteriors in both
    directions. The likelihood may fall; the agreement of the two rises. Each model counts its jumps separately. With
    two threads, both directions of a run of pairs are computed side by side.
    """

    name = "HMM"

    def __init__(self, forward: HMM, backward: HMM, *, threads: int = 1) -> None:
        super().__init__()
        self.forward = forward
        self.backward = backward
        self.threads = threads

    def _step(self, bitext: Bitext) -> float:
        ahead = Expectation(self.forward, bitext)
        back = Expectation(self.backward, bitext.flipped())
        with Pair(self.threads) as pair:
            for first, last in ahead.chunks():
                pair.run(partial(ahead.expect, first, last), partial(back.expect, first, last))
                pair.run(partial(ahead.collect, first, last, back), partial(back.collect, first, last, ahead))
            pair.run(partial(self.forward.update, ahead), partial(self.backward.update, back))
        self.forward.log_likelihoods.append(ahead.log_likelihood)
        self.backward.log_likelihoods.append(back.log_likelihood)
        return ahead.log_likelihood + back.log_likelihood

    def best(self, bitext: Bitext) -> NDArray[np.int32]:
        return self.forward.best(bitext)

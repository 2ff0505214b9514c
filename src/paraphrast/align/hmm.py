"""The HMM: as Model 1, but where a target word comes from depends on where the one before it came from.

One rung above ``ibm1`` (Vogel, Ney and Tillmann 1996, eq. 5 and 6)::

    p(f, a | e) = Π_j p(a_j | a_{j−1}, l) t(f_j | e_{a_j})
    p(i | i', l) = (1 − p0) s(i − i') / Σ_{i''=0..l−1} s(i'' − i')

One s serves all words and lengths; widths beyond ±W share one value per side. A target word comes from the
empty word with chance p0, and the jump after it starts where the last linked word stood (Och and Ney 2003);
the first jump starts at −1. The lexicon starts from Model 1, less its smallest entries; its M step is
variational under a Dirichlet prior (Riley and Gildea 2012), or plain where the prior is 0.
:class:`AgreeingHMMs` trains both directions to agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import _kernels_hmm, _kernels_viterbi
from paraphrast.align.arrays import HmmArrays
from paraphrast.align.base import FLOOR, SMALLEST, Bitext, EMModel, Lexicon, Pair
from paraphrast.types import Links

#: No jump is less likely than this times the likeliest, so that no Z is ever zero.
JUMP_FLOOR = 1e-9
#: Rounds of the inner algorithm that fits the jumps; each already improves them.
JUMP_ROUNDS = 5

#: A state adds nothing to the counts of jumps where a word leaves or reaches it less often than this times the
#: number of words in the text, the second at most: all jumps share a few counts, to which that is nothing.
NEGLIGIBLE_JUMPS = 1e-10, 1e-4
#: Cells (target words × states) whose posteriors are held at a time: they stay in the processor's cache.
CELLS = 1 << 16
#: Sentences of more source words go through the windowed recursion.
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
        """A bitext with this model's parameters, as the kernels take them."""
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
        """The M step, from what an E step counted."""
        _kernels_hmm.maximise_lexicon(
            self.lexicon.slot_start,
            self.lexicon.slot_word,
            self.lexicon.prob,
            run.counts,
            self.prior,
            SMALLEST,
        )
        self.update_jumps(run)

    def update_jumps(self, run: Expectation) -> None:
        """The jumps' part of the M step."""
        self.jump = _kernels_hmm.maximise_jumps(
            self.jump, run.widths * self.jump, run.departures, self.window, JUMP_ROUNDS, JUMP_FLOOR
        )

    def best(self, bitext: Bitext) -> NDArray[np.int32]:
        """The likeliest alignment as a whole (Viterbi)."""
        return _kernels_viterbi.viterbi(self.arrays_of(bitext))

    def best_by_word(self, bitext: Bitext) -> NDArray[np.int32]:
        """For every target token its most probable source position, whatever the others do."""
        best = np.full(len(bitext.target.tokens), -1, dtype=np.int32)
        run = Expectation(self, bitext, counting=False)
        for first, last in run.chunks():
            run.expect(first, last)
            _kernels_hmm.best_by_word(run.arrays, first, last, run.cell_start, run.gamma, best)
        return best

    def posteriors(self, bitext: Bitext, links: Links) -> NDArray[np.float32]:
        """p(link | both sentences) of every link, whose source and target are those of ``bitext``."""
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
    """One E step of a model over a bitext, a run of sentence pairs at a time.

    gamma: posteriors of the pairs last given to :meth:`expect`; cell_start: where each pair's begin.
    counts, widths, departures, log_likelihood: what the pairs so far add up to.
    """

    def __init__(self, model: HMM, bitext: Bitext, *, counting: bool = True) -> None:
        self.arrays = model.arrays_of(bitext)
        self.counting = counting
        self.log_likelihood = 0.0
        self.counts = np.zeros(len(model.lexicon.prob) if counting else 0, dtype=np.float64)
        self.widths = np.zeros(len(model.jump), dtype=np.float64)
        self.departures = np.zeros((model.max_length + 1, model.max_length + 1), dtype=np.float64)
        share, most = NEGLIGIBLE_JUMPS
        self._least = min(share * len(bitext.target.tokens), most)
        source_lens = np.diff(bitext.source.starts)
        target_lens = np.diff(bitext.target.starts)
        self.cell_start = np.zeros(len(bitext.kept) + 1, dtype=np.int64)
        np.cumsum(np.where(bitext.kept, target_lens * (source_lens + 1), 0), out=self.cell_start[1:])
        # Bounds that are the same in both directions, so that they can run side by side.
        self._bounds = np.zeros(len(bitext.kept) + 1, dtype=np.int64)
        np.cumsum(np.where(bitext.kept, (target_lens + 1) * (source_lens + 1), 0), out=self._bounds[1:])
        largest = max(
            (int(self.cell_start[last] - self.cell_start[first]) for first, last in self.chunks()), default=0
        )
        self.gamma = np.empty(largest, dtype=np.float64)
        self.slots = np.empty(largest, dtype=np.int64)

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Runs of pairs with about :data:`CELLS` cells each, or one pair."""
        pairs = len(self._bounds) - 1
        first = 0
        while first < pairs:
            last = int(np.searchsorted(self._bounds, self._bounds[first] + CELLS, side="right")) - 1
            last = min(max(last, first + 1), pairs)
            yield first, last
            first = last

    def expect(self, first: int, last: int) -> None:
        """Posteriors of the pairs ``first`` … ``last − 1``."""
        self.log_likelihood += _kernels_hmm.expect(
            self.arrays,
            first,
            last,
            DENSE,
            self.cell_start,
            self.gamma,
            self.slots,
            self.widths,
            self.departures,
            self._least,
            self.counting,
        )

    def collect(self, first: int, last: int, other: Expectation | None = None) -> None:
        """Count word pairs by the posteriors, or by those that both directions agree on."""
        theirs = other or self
        _kernels_hmm.collect(
            self.arrays,
            first,
            last,
            self.cell_start,
            self.gamma,
            self.slots,
            theirs.cell_start,
            theirs.gamma,
            other is not None,
            self.counts,
        )


class AgreeingHMMs(EMModel):
    """Both directions trained to agree (Liang, Taskar and Klein 2006, §3).

    Each model's E step is its own; the lexicons then count a link by the product of its posteriors in the two
    directions. Likelihood may fall: what rises is the agreement of the two. Each counts its jumps separately.
    The two directions of a run of pairs go side by side where there are two threads.
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

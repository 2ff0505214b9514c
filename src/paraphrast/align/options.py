"""Options of word alignment."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, option

#: Upper limit of ``max_length``: the HMM has a weight for every jump up to it.
LONGEST = 1 << 16
#: Ways to combine the links of the two directions; ``symmetrise.METHODS`` has their kernels.
SYMMETRISATIONS = ("intersect", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and", "refined")


@dataclass(frozen=True)
class AlignOptions:
    """How to train the aligners of both directions and combine their links."""

    model1_iterations: int = option(2, help="EM iterations of IBM Model 1.", minimum=1, cli=False)
    hmm_iterations: int = option(
        3, help="EM iterations of the HMM. With 0, IBM Model 1 aligns.", minimum=0, cli=False
    )
    tolerance: float | None = option(
        None,
        help="Stop training a model when the relative gain in log-likelihood falls below this value.",
        minimum=0,
        cli=False,
    )
    symmetrise: str = option(
        "grow-diag-final-and",
        help="How to combine the links of the two directions.",
        choices=SYMMETRISATIONS,
    )
    decode: str = option(
        "posterior",
        help="How to choose links: 'posterior' takes the most probable source word of each word, 'viterbi' the most "
        "probable alignment of the whole sentence.",
        choices=("posterior", "viterbi"),
        cli=False,
    )
    empty: float = option(
        0.2, help="Probability that a word is aligned to no word.", minimum=0, below=1, cli=False
    )
    window: int = option(10, help="Longer jumps share one probability per direction.", minimum=1, cli=False)
    prior: float = option(
        0.1,
        help="Dirichlet prior of the HMM's lexicon. 0 gives maximum likelihood.",
        minimum=0,
        cli=False,
    )
    prune: float = option(
        1e-6,
        help="Entries of Model 1's lexicon below this probability do not enter the HMM.",
        minimum=0,
        below=1,
        cli=False,
    )
    max_length: int = option(
        1000, help="Skip pairs with a longer sentence.", minimum=1, maximum=LONGEST, cli=False
    )
    max_ratio: float = option(
        9.0, help="Skip pairs whose lengths differ by a larger factor.", minimum=1, cli=False
    )
    posteriors: bool = option(False, help="Also compute the probability of every link.", cli=False)
    agreement: bool = option(True, help="Train the HMMs of the two directions to agree.", cli=False)
    model1_prior: float = option(
        0.1,
        help="Dirichlet prior of Model 1's lexicon. 0 gives maximum likelihood.",
        minimum=0,
        cli=False,
    )

    def __post_init__(self) -> None:
        check(self)

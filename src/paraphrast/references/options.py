"""Options of paraphrased references: equivalence sets, search, scores, significance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from paraphrast._options import check, nested, option
from paraphrast.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Closed word classes that can be excluded from paraphrasing.
CLOSED = ("none", "prepositions", "function")
#: Objectives of the search for the closest path.
OBJECTIVES = ("bleu", "nist", "ter", "cder")
#: Exponent of a path's probability, chosen on two sets of judged outputs (docs/references.md).
CREDIT = 0.1
#: Probability of a moved phrase if nothing else is known.
MOVED = 0.5


@dataclass(frozen=True)
class SetOptions:
    """Definition of an equivalence set: phrases aligned with one source phrase (Owczarzak et al. 2006).

    threshold: minimum p(target phrase | source phrase); 0 keeps all, as in the paper.
    """

    threshold: float = 0.0
    closed: str = option(
        "prepositions",
        help="Function words that get no paraphrases: 'prepositions' as in the paper, or all"
        " of them ('function').",
        choices=CLOSED,
    )
    clean: bool = option(
        True,
        help="Keep phrases of a set together only if their words are similar, or several source phrases agree.",
        flags=("--clean/--no-clean",),
    )
    longest: int = option(4, help="Maximum number of words of a phrase.", minimum=1, maximum=7, cli=False)
    at_least: int = option(1, help="Number of times a phrase pair must occur.", minimum=1, cli=False)

    def __post_init__(self) -> None:
        check(self)
        if not 0 <= self.threshold <= 1:
            raise InputError(f"threshold: expected a number from 0 to 1, got {self.threshold}")


@dataclass(frozen=True)
class SearchOptions:
    """How the path of a lattice that is closest to an output is found."""

    objective: str = option("bleu", help="What the path is close by.", choices=OBJECTIVES, cli=False)
    tax: float = option(
        0.3, help="Cost of -log p of a substitution, in n-grams, bits or edits.", minimum=0, cli=False
    )
    price: float = option(0.0, help="Additional cost of every substitution.", minimum=0, cli=False)
    beam: int = option(48, help="Contexts per state, for bleu and nist.", minimum=1, maximum=4096, cli=False)
    lowercase: bool = option(False, help="Ignore upper and lower case.", cli=False)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class ScoreOptions:
    """How outputs are scored with many references.

    credit: 0 gives matches with a substitution full credit. Above 0, the credit of the closest path is its probability
        (the product over its substitutions) to this power: the statistics are those of the original references plus
        this share of the rise. So one certain substitution gets more credit than many uncertain ones.
    """

    count: int = option(
        10,
        help="Number of paraphrased references per segment, in addition to the original.",
        minimum=1,
        maximum=1000,
        name="n",
        flags=("-n",),
    )
    most: int = option(200, help="Maximum number of references of kind 'one'.", minimum=1, cli=False)
    credit: float = option(
        CREDIT,
        help="Exponent applied to the path probability for partial credit. 0 gives full credit.",
        minimum=0,
    )
    moved: float = option(
        MOVED,
        help="Probability that a moved phrase keeps the meaning. 0 allows no moves.",
        minimum=0,
        maximum=1,
    )
    search: SearchOptions = nested(SearchOptions)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class Resampling:
    """How the significance of correlations is tested."""

    samples: int = option(
        1000,
        help="Number of bootstrap samples and permutations. 0 computes no intervals.",
        minimum=0,
        maximum=100_000,
    )
    seed: int = option(12345, help="Random seed for sampling.", minimum=0)
    level: float = option(0.95, help="Confidence level of the intervals.", above=0, below=1, cli=False)

    def __post_init__(self) -> None:
        check(self)

    def draws(self, groups: int) -> NDArray[np.float64]:
        """How often each group is drawn; one row per resample."""
        import numpy as np

        generator = np.random.Generator(np.random.PCG64(self.seed))
        rows = np.empty((self.samples, groups))
        for sample in range(self.samples):
            rows[sample] = np.bincount(generator.integers(0, groups, groups), minlength=groups)
        return rows

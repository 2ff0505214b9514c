"""Options of walks on the graph of a phrase table (Martzoukos and Monz 2012)."""

from __future__ import annotations

from dataclasses import dataclass, field

from paraphrast._options import check, nested, option
from paraphrast.errors import InputError

LARGE = ("drop", "split")
GENERATORS = ("split", "each")


@dataclass(frozen=True)
class DecomposeOptions:
    """How a phrase graph is decomposed."""

    largest: int = option(2500, help="Maximum number of vertices of a sub-table (θ).", minimum=2)
    share: float = option(
        0.005,
        help="Share of the vertices of a giant component that a round removes, cut vertices of highest degree first.",
        above=0,
        maximum=1,
        cli=False,
    )
    merge_up_to: int = option(
        5000,
        help="Maximum number of vertices of a component that may be merged into another (δ). 0 merges none.",
        minimum=0,
        cli=False,
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class CoclusterOptions:
    """How sub-tables are clustered.

    decay: factor of alpha after each round; alpha_end: its final value. rounds: maximum number of rounds.
    """

    alpha: float = option(1e6, help="Weight of the clustering prior in the first round.", above=0, cli=False)
    decay: float = 0.5
    alpha_end: float = 0.01
    rounds: int = 100
    soft_clusters: int = option(
        3, help="Maximum number of clusters per phrase. 1 makes hard clusters.", minimum=1, cli=False
    )
    soft_share: float = option(
        0.8,
        help="What a further cluster of a phrase must save, as a share of what the best saves.",
        minimum=0,
        maximum=1,
        cli=False,
    )

    def __post_init__(self) -> None:
        check(self)
        if not 0 < self.alpha_end <= self.alpha:
            raise InputError(
                f"expected 0 < alpha_end ≤ alpha, got alpha={self.alpha} and alpha_end={self.alpha_end}"
            )
        if not 0 < self.decay <= 1 or self.rounds < 1:
            raise InputError(
                f"expected a decay above 0 and at most 1, and 1 round or more, got {self.decay} and {self.rounds}"
            )


@dataclass(frozen=True)
class GraphOptions:
    """How the graphs of one language are built."""

    sigma: float = option(0.65, help="Minimum idf of an edge (σ).", minimum=0, maximum=1)
    max_phrases: int = option(20, help="Maximum number of phrases of a graph.", minimum=2)
    large: str = option(
        "drop",
        help="What to do with graphs of more phrases: drop them, or split them along their weakest edges.",
        choices=LARGE,
    )
    inflate_from: int = option(
        3,
        help="A phrase with a translation seen at least this often gets an inflation triplet. 0 means never.",
        cli=False,
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class CountOptions:
    """When the iteration of eqs. 10–12 ends: if no probability changes by ``tolerance``, or after ``rounds``."""

    tolerance: float = 1e-7
    rounds: int = 2000


@dataclass(frozen=True)
class MixOptions:
    """How counts of sub-tables are combined. tolerance, rounds: when the EM for the mixture weights ends."""

    generators: str = option(
        "split",
        help="A feature that several phrases of one graph generate: 'split' shares its counts among them, 'each' "
        "counts it once per phrase (equations 16 and 17).",
        choices=GENERATORS,
        cli=False,
    )
    tolerance: float = 1e-6
    rounds: int = 200
    top: int = option(20, help="Maximum number of paraphrases per phrase. 0 keeps all.", minimum=0)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class WalkOptions:
    """Options of every step."""

    decompose: DecomposeOptions = nested(DecomposeOptions)
    cocluster: CoclusterOptions = nested(CoclusterOptions)
    graphs: GraphOptions = nested(GraphOptions)
    counts: CountOptions = field(default_factory=CountOptions)
    mix: MixOptions = nested(MixOptions)


@dataclass(frozen=True)
class DiscountedOptions:
    """How discounted walks are weighted and combined.

    least: walks stop at phrases reached with a lower probability. candidates: number of phrases with the highest
    similarity that are considered for each phrase. top: rows per phrase, 0 for all.
    """

    steps: int = option(2, help="Double steps of the longest walk, for --method walks.", minimum=1)
    discount: float = option(
        0.5,
        help="Weight of each further double step, for --method walks.",
        above=0,
        maximum=1,
    )
    exponent: float = option(
        0.5, help="Exponent of the power mean over languages.", above=0, maximum=1, cli=False
    )
    floor: float = option(
        0.1,
        help="Agreement a of tags and categories counts as (floor + a) / (1 + floor).",
        minimum=0,
        below=1,
        cli=False,
    )
    least: float = 1e-5
    min_similarity: float = option(
        1e-5, help="Drop rows with a lower similarity.", minimum=0, below=1, cli=False
    )
    candidates: int = 200
    top: int = 20

    def __post_init__(self) -> None:
        check(self)
        for name, number, lowest in (("candidates", self.candidates, 1), ("top", self.top, 0)):
            if number < lowest:
                raise InputError(f"{name}: expected a whole number from {lowest}, got {number}")
        if not 0 <= self.least < 1:
            raise InputError(f"least: expected a number from 0 to below 1, got {self.least}")

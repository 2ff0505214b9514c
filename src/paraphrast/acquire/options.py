"""Options of news: pages → articles → clusters → sentence pairs."""

from __future__ import annotations

from dataclasses import dataclass, field

from paraphrast._options import check, nested, option
from paraphrast.errors import InputError

DEFAULT_EXTRACTOR = "both"
#: How sentence pairs are chosen.
METHODS = ("distance", "overlap", "first-two", "classifier")


@dataclass(frozen=True)
class ExtractOptions:
    """How the article in a page is found.

    model: a folder with a tagger trained by the user. processes: 0 works in this process, without limits.
    """

    extractor: str = option(
        DEFAULT_EXTRACTOR,
        help="How to find the article in a page: both, hmm, trafilatura, or the name of a plug-in.",
    )
    model: str | None = None
    seconds: float = option(20.0, help="Time limit per page, in seconds.", above=0)
    megabytes: int = option(2000, help="Memory limit per page, in megabytes.", minimum=200)
    processes: int = 1

    def __post_init__(self) -> None:
        check(self)
        if self.processes < 0:
            raise InputError(f"processes: expected a whole number from 0, got {self.processes}")


@dataclass(frozen=True)
class AcquireOptions:
    """How pages become articles."""

    extract: ExtractOptions = nested(ExtractOptions)
    folders_are_clusters: bool = option(False, help="Treat pages in the same folder as reports of one event.")
    duplicates: float = option(
        0.8,
        help="Minimum similarity of an article to be marked as a copy of another. 0 marks no copies.",
        minimum=0,
        maximum=1,
    )
    max_page: int = option(8, help="Read at most this many megabytes of a page.", minimum=1)

    def __post_init__(self) -> None:
        check(self)

    @property
    def max_bytes(self) -> int:
        """Maximum number of bytes of a page that are read."""
        return self.max_page << 20


@dataclass(frozen=True)
class DuplicateOptions:
    """similarity: minimum Jaccard coefficient of runs of ``shingle`` words for a copy. hashes, bands: of the
    signatures."""

    similarity: float = 0.8
    shingle: int = 4
    hashes: int = 128
    bands: int = 16

    def __post_init__(self) -> None:
        if self.hashes % self.bands or not 0 < self.similarity <= 1 or self.shingle < 1:
            raise InputError("expected hashes to be a multiple of bands, and a similarity between 0 and 1")


@dataclass(frozen=True)
class TermOptions:
    """names, times: their shares of an article's vector; words have the rest. rarity: exponent of idf. title:
    additional weight of terms in the title. kept: maximum number of terms per article, by weight."""

    names: float = 0.45
    times: float = 0.1
    rarity: float = 1.5
    title: float = 1.0
    kept: int = 300


@dataclass(frozen=True)
class NeighbourOptions:
    """window: articles this many days apart, or more, are not compared (2: the same or the next day).
    least: minimum cosine of a pair. crowd, shared: see ``neighbours``. most: maximum number of neighbours per
    article."""

    window: int = 4
    least: float = 0.05
    crowd: int = 150
    shared: int = 2
    most: int = 100

    def __post_init__(self) -> None:
        if self.window < 1 or self.crowd < 2 or self.shared < 1 or self.most < 1:
            raise InputError("expected window, crowd, shared and most to be positive")


@dataclass(frozen=True)
class ClusterOptions:
    """Which articles report one event."""

    threshold: float = option(
        0.155, help="Minimum mean cosine of two groups of articles on the same event.", minimum=0, maximum=1
    )
    terms: TermOptions = field(default_factory=TermOptions)
    near: NeighbourOptions = field(default_factory=NeighbourOptions)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class PairOptions:
    """How sentence pairs are chosen. The defaults are those of the paper.

    leads, shared: number of first sentences, and number of content words they must share, for ``first-two``. loose:
    minimum overlap of the classifier's candidates.
    """

    method: str = option("distance", help="How to choose sentence pairs.", choices=METHODS)
    cutoff: int = option(12, help="Maximum word edit distance of a pair.", minimum=0)
    ratio: float = option(
        2 / 3,
        help="Minimum length of the shorter sentence, as a share of the longer one's words.",
        minimum=0,
        maximum=1,
    )
    overlap: float = option(0.5, help="Minimum word overlap (Th3), for --method overlap.", above=0, maximum=1)
    leads: int = 2
    shared: int = 3
    least: float = option(
        0.7, help="Minimum probability, for --method classifier.", minimum=0, maximum=1, name="probability"
    )
    bootstrap: int = option(
        0,
        help="Number of rounds in which the classifier is first retrained on its most certain pairs.",
        minimum=0,
    )
    loose: float = 0.4
    same_article: bool = option(False, help="Also pair sentences of the same article, as in the paper.")
    min_words: int = option(1, help="Minimum number of words of each sentence.", minimum=1)

    def __post_init__(self) -> None:
        check(self)
        if not 0 < self.loose <= 1:
            raise InputError(f"loose: expected a number above 0 and up to 1, got {self.loose}")


@dataclass(frozen=True)
class HoldOutOptions:
    """Which clusters are held out, and which of their pairs are sampled: those at distances ``low`` to ``high``."""

    share: float = option(
        0.05, help="Share of the clusters to hold out.", above=0, below=1, name="hold_out_share"
    )
    pairs: int = option(
        250,
        help="Number of held-out pairs to sample, at word edit distances 5 to 20.",
        minimum=1,
        name="hold_out_pairs",
    )
    low: int = 5
    high: int = 20
    seed: int = option(1, help="Random seed for sampling held-out pairs.")

    def __post_init__(self) -> None:
        check(self)
        if not 0 <= self.low <= self.high:
            raise InputError(f"expected low from 0 and at most high, got {self.low} and {self.high}")

"""Options of files that are built without a model: phrase tables, sentence pairs of news, graph tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

from paraphrast._options import check, nested, option
from paraphrast.acquire.options import ClusterOptions, HoldOutOptions, PairOptions
from paraphrast.extract.options import DISCOUNTS, ExtractOptions
from paraphrast.graph.options import DiscountedOptions, WalkOptions

#: Where clusters come from: named by the articles; found; documents compared in pairs (Zhao et al.); or named by the
#: articles if any is, else found.
CLUSTERS = ("auto", "given", "found", "documents")
#: Ways to find paraphrases on the phrase table's graph.
METHODS = ("walks", "paper")
#: Maximum number of days between compared articles: for clusters, and for documents (Zhao et al. 2008: less than 2).
DOCUMENT_WINDOW = 2


@dataclass(frozen=True)
class TableOptions:
    """How a phrase table is built."""

    extract: ExtractOptions = nested(ExtractOptions)
    min_count: int = option(1, help="Drop phrase pairs that occur less often.", minimum=1)
    discount: str = option("none", help="How to discount counts.", choices=DISCOUNTS)
    model1: bool = option(
        False,
        help="Add P(source | target) and P(target | source) by IBM Model 1 as fifth and sixth scores (Quirk et al. "
        "2004, section 3.3).",
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class NewsOptions:
    """How articles become sentence pairs.

    copies: whether to look for copies. state: a folder that stores clusters between runs.
    """

    clusters: str = option(
        "auto",
        help="Where clusters of articles come from: 'given' reads the key 'cluster', 'found' groups the articles, "
        "'documents' compares articles two by two, 'auto' uses given clusters if there are any.",
        choices=CLUSTERS,
    )
    similarity: float = option(
        0.3,
        help="Minimum cosine of two articles (Th2), for --clusters documents.",
        minimum=0,
        maximum=1,
    )
    copies: bool = True
    state: str | None = option(
        None,
        help="Folder that stores clusters between runs, so that new articles can join old clusters.",
        toml=False,
    )
    window: int | None = option(
        None,
        help="Articles this many days apart, or more, are about different events. Default: 4, or 2 with --clusters "
        "documents.",
        minimum=1,
    )
    cluster: ClusterOptions = nested(ClusterOptions)
    pairs: PairOptions = nested(PairOptions)
    hold_out: HoldOutOptions | None = None

    def __post_init__(self) -> None:
        check(self)

    def cluster_options(self, clusters: str) -> ClusterOptions:
        """The options for clusters of this kind, with their window of days."""
        days = self.window or (DOCUMENT_WINDOW if clusters == "documents" else self.cluster.near.window)
        return replace(self.cluster, near=replace(self.cluster.near, window=days))


@dataclass(frozen=True)
class GraphTableOptions:
    """The section ``[graph]`` of a configuration, and the options of ``paraphrast table graph``."""

    method: str = option(
        "walks",
        help="How to find paraphrases: 'walks' takes discounted walks on the graph of each language, 'paper' commute "
        "times on graphs of clusters (Martzoukos and Monz 2012).",
        choices=METHODS,
    )
    languages: tuple[str, ...] = option(
        (), help="Pivot languages whose phrase pairs are used. Default: all of the model's.", cli=False
    )
    discounted: DiscountedOptions = nested(DiscountedOptions)
    walk: WalkOptions = nested(WalkOptions)
    tags: bool = option(
        True, help="Use tags: as weights for 'walks', as feature vertices for 'paper'.", cli=False
    )
    stems: bool = option(True, help="Add vertices for stem sequences.", cli=False)
    lemmata: bool = option(
        False, help="Use lemmata instead of stems (requires paraphrast[lemmata]).", cli=False
    )

    def __post_init__(self) -> None:
        check(self)

    @property
    def walks(self) -> DiscountedOptions:
        """The options of the method 'walks', with as many rows per phrase as the other method."""
        return replace(self.discounted, top=self.walk.mix.top)

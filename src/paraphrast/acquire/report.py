"""Statistics of the data as in the paper: clusters, articles, pairs, mean distance, mean length; and a histogram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paraphrast.acquire.pairs import SentencePair
from paraphrast.draw.plot import Axis, Plot, Series, draw_plot
from paraphrast.formats.articles import Article


@dataclass(frozen=True)
class PairReport:
    """Figures of a run, like those in Quirk et al. 2004, §3.1."""

    articles: int
    copies: int
    clusters: int
    clustered: int
    articles_per_cluster: float
    pairs: int
    mean_distance: float
    mean_length: float
    distances: dict[int, int]

    def to_dict(self) -> dict[str, Any]:
        """Fields by name."""
        return {
            "articles": self.articles,
            "copies": self.copies,
            "clusters": self.clusters,
            "clustered_articles": self.clustered,
            "articles_per_cluster": round(self.articles_per_cluster, 2),
            "pairs": self.pairs,
            "mean_distance": round(self.mean_distance, 3),
            "mean_length": round(self.mean_length, 2),
            "distances": {str(key): value for key, value in sorted(self.distances.items())},
        }

    def text(self) -> str:
        """Readable lines."""
        return "\n".join(
            [
                f"articles              {self.articles:,} ({self.copies:,} copies left out)",
                f"clusters              {self.clusters:,} of two articles or more",
                f"articles per cluster  {self.articles_per_cluster:.1f}",
                f"sentence pairs        {self.pairs:,}",
                f"mean distance         {self.mean_distance:.2f}",
                f"mean length           {self.mean_length:.1f} words",
            ]
        )

    def histogram(self) -> str:
        """Pairs by distance, as SVG."""
        keys = sorted(self.distances) or [0]
        series = Series(
            [float(key) for key in keys], [float(self.distances.get(key, 0)) for key in keys], kind="bars"
        )
        plot = Plot(
            [series],
            Axis("word insertions and deletions"),
            Axis("sentence pairs", low=0.0),
            "Sentence pairs by edit distance",
        )
        return draw_plot(plot).to_svg()


def make_report(
    articles: Sequence[Article], groups: Sequence[tuple[int, int]], pairs: Sequence[SentencePair]
) -> PairReport:
    """Figures of articles, of the groups of (group, article), and of the pairs."""
    copies = sum(bool(article.duplicate_of) for article in articles)
    originals = [(group, article) for group, article in groups if not articles[article].duplicate_of]
    clusters = len({group for group, _ in originals})
    distances: dict[int, int] = {}
    for pair in pairs:
        distances[pair.distance] = distances.get(pair.distance, 0) + 1
    count = max(len(pairs), 1)
    return PairReport(
        articles=len(articles),
        copies=copies,
        clusters=clusters,
        clustered=len({article for _, article in originals}),
        articles_per_cluster=len(originals) / max(clusters, 1),
        pairs=len(pairs),
        mean_distance=sum(pair.distance for pair in pairs) / count,
        mean_length=sum(sum(pair.words) for pair in pairs) / (2 * count),
        distances=distances,
    )

"""News: from articles to sentence pairs, and to running text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from paraphrast.acquire.clusters import ClusterState, comparable_documents, find_clusters
from paraphrast.acquire.duplicates import mark_duplicates
from paraphrast.acquire.heldout import hold_out
from paraphrast.acquire.keyterms import sentence_clusters
from paraphrast.acquire.pairs import SentencePair, cluster_groups, find_pairs
from paraphrast.acquire.report import PairReport, make_report
from paraphrast.acquire.sentences import split_article
from paraphrast.build.options import NewsOptions
from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.formats.articles import Article
from paraphrast.formats.files import write_lines
from paraphrast.fusion.clusters import NamedCluster


@dataclass(frozen=True)
class NewsPairs:
    """Articles with clusters and copies marked, rows of (group, article) that pairs come from, the pairs, held-out
    pairs, and the figures."""

    articles: list[Article]
    groups: list[tuple[int, int]]
    pairs: list[SentencePair]
    held_out: list[SentencePair]
    report: PairReport


def sentence_pairs(
    articles: Sequence[Article],
    options: NewsOptions | None = None,
    *,
    language: str = "en",
    threads: int = 1,
    engine: Engine | None = None,
) -> NewsPairs:
    """Articles → sentence pairs: mark copies, use or find clusters, choose pairs, hold some clusters out."""
    options = options or NewsOptions()
    if engine is None:
        with Engine(threads=threads) as own:
            return sentence_pairs(articles, options, language=language, threads=threads, engine=own)
    marked = list(articles)
    if options.copies and not any(article.duplicate_of for article in marked):
        marked = mark_duplicates(marked, engine)
    marked, groups = grouped(marked, options, engine, language)
    # Articles marked as another language have no sentences to pair here.
    groups = [(group, index) for group, index in groups if marked[index].language in ("", language)]
    held_out: list[SentencePair] = []
    if options.hold_out is not None:
        groups, held_out = hold_out(
            marked, groups, engine, options.hold_out, language=language, pair_options=options.pairs
        )
    pairs = find_pairs(marked, groups, engine, options.pairs, language=language, threads=threads)
    return NewsPairs(marked, groups, pairs, held_out, make_report(marked, groups, pairs))


def grouped(
    articles: list[Article], options: NewsOptions, engine: Engine, language: str
) -> tuple[list[Article], list[tuple[int, int]]]:
    """Articles with their clusters, and rows of (group, article)."""
    kind = options.clusters
    if kind == "auto":
        kind = "given" if any(article.cluster for article in articles) else "found"
    if kind == "documents":
        pairs = comparable_documents(
            articles,
            engine,
            threshold=options.similarity,
            options=options.cluster_options(kind),
            language=language,
        )
        return articles, [(number, index) for number, pair in enumerate(pairs) for index in pair[:2]]
    if kind == "given":
        if not any(article.cluster for article in articles):
            raise InputError(
                "no article names its cluster",
                remedy='"cluster" in each object, or --clusters found',
            )
        return articles, cluster_groups([article.cluster for article in articles])
    if options.state is None:
        numbers = find_clusters(articles, engine, options.cluster_options(kind), language=language)
    else:
        place = Path(options.state)
        state = (
            ClusterState.load(place)
            if place.exists()
            else ClusterState(options.cluster_options(kind), language)
        )
        numbers = state.add(articles, engine)
        state.save(place)
    named = [replace(article, cluster=str(number)) for article, number in zip(articles, numbers, strict=True)]
    return named, cluster_groups([article.cluster for article in named])


def key_term_clusters(found: NewsPairs, *, language: str = "en") -> Iterator[NamedCluster]:
    """The sentences of each event that share a key term (Shen et al. 2006, §4.1.1), as input for ``fuse``."""
    members: dict[int, list[Article]] = {}
    for group, index in found.groups:
        members.setdefault(group, []).append(found.articles[index])
    for group, articles in members.items():
        name = articles[0].cluster or str(group)
        for cluster in sentence_clusters(articles, language=language):
            yield NamedCluster(f"{name}: {cluster.term}", cluster.sentences)


def write_key_terms(path: str | Path, clusters: Iterable[NamedCluster]) -> int:
    """Write sentence clusters as JSON lines. Returns their number."""
    return write_lines(
        path,
        (
            json.dumps({"cluster": cluster.name, "sentences": list(cluster.sentences)}, ensure_ascii=False)
            for cluster in clusters
        ),
    )


def write_pairs(path: str | Path, found: Iterable[SentencePair], articles: Sequence[Article]) -> None:
    """Write pairs separated by tabs. ``align`` and ``extract`` read the first two columns."""
    write_lines(
        path,
        (
            "\t".join(
                " ".join(field.split())
                for field in (
                    pair.first,
                    pair.second,
                    str(pair.distance),
                    f"{pair.score:.4g}",
                    articles[pair.articles[0]].page,
                    articles[pair.articles[1]].page,
                )
            )
            for pair in found
        ),
    )


def running_text(articles: Sequence[Article], *, language: str = "en") -> Iterator[str]:
    """The sentences of articles, without copies and articles of other languages: text for a language model."""
    for article in articles:
        if not article.duplicate_of and article.language in ("", language):
            yield from split_article(article, language)

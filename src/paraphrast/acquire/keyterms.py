"""Sentence clusters by key terms (Shen et al. 2006, §4.1.1): the sentences of one event about one subject.

In the paper, a person read 56 articles and chose terms for facts of the story. Here a key term is a name or a rare word
that several articles of the cluster use. These clusters are the input of ``fuse``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paraphrast.acquire.options import TermOptions
from paraphrast.acquire.sentences import split_article
from paraphrast.acquire.terms import NAME, article_terms
from paraphrast.formats.articles import Article
from paraphrast.text.languages.registry import get_language


@dataclass(frozen=True)
class KeyTermOptions:
    """articles: how many must use a term; least, most: sentences per cluster; clusters: maximum number."""

    articles: int = 2
    least: int = 4
    most: int = 40
    clusters: int = 20


@dataclass(frozen=True)
class SentenceCluster:
    """Sentences that share a key term, with the article of each."""

    term: str
    sentences: tuple[str, ...]
    articles: tuple[int, ...]


def sentence_clusters(
    articles: Sequence[Article], options: KeyTermOptions | None = None, *, language: str = "en"
) -> list[SentenceCluster]:
    """Clusters of the sentences of one event, the most informative key terms first. A sentence may be in several."""
    options = options or KeyTermOptions()
    record, stems = get_language(language), dict[str, str]()
    texts: list[str] = []
    members: list[int] = []
    holds: dict[str, list[int]] = {}
    for index, article in enumerate(articles):
        if article.duplicate_of:
            continue
        seen: set[str] = set()
        for text in split_article(article, language):
            if text in seen:
                continue
            seen.add(text)
            counts = article_terms(Article("", text), record, TermOptions(), stems)
            for term in counts:
                holds.setdefault(term, []).append(len(texts))
            texts.append(text)
            members.append(index)
    scored: list[tuple[float, str]] = []
    for term, where in holds.items():
        if (
            options.least <= len(where) <= options.most
            and len({members[i] for i in where}) >= options.articles
        ):
            rarity = float(np.log(len(texts) / len(where)))
            scored.append(
                (-(1.5 if term[0] == NAME else 1.0) * len({members[i] for i in where}) * rarity, term)
            )
    clusters: list[SentenceCluster] = []
    taken: set[tuple[int, ...]] = set()
    for _, term in sorted(scored):
        key = tuple(holds[term])
        if key in taken:
            continue
        taken.add(key)
        clusters.append(
            SentenceCluster(term.lstrip("@#"), tuple(texts[i] for i in key), tuple(members[i] for i in key))
        )
        if len(clusters) == options.clusters:
            break
    return clusters

"""Sentence clusters by key terms (Shen et al. 2006, §4.1.1): the sentences of one event that are about one thing.

The paper's colleague read 56 articles and chose terms for facts of the story; here a key term is a name or a rare word
that several articles of the cluster use. What ``fuse`` aligns are these clusters.
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
    """articles: how many must use a term; least, most: sentences that a cluster has; clusters: kept, the best."""

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
    """Clusters of the sentences of one event, the most telling key terms first; a sentence may be in several."""
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

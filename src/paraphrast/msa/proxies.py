"""Automatic measures of new sentences: how likely they are, and how far the sources support them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from paraphrast.msa.cluster import Cluster, is_content
from paraphrast.msa.rank import LmView, lm_scores
from paraphrast.text.syntax.chunklink import WordSyntax


def grammaticality(rows: Sequence[Sequence[str]], cluster: Cluster, lm: LmView) -> list[float]:
    """Mean natural log probability per word (and sentence end), less that of the cluster's sentences.

    0 means as likely as the input. The difference removes the effect of rare words in the cluster.
    """
    given = lm_scores(cluster.words, lm)
    source_mean = sum(given) / sum(len(row) + 1 for row in cluster.words)
    return [
        score / (len(row) + 1) - source_mean for row, score in zip(rows, lm_scores(rows, lm), strict=True)
    ]


def fidelity(words: Sequence[str], cluster: Cluster) -> float:
    """The share of pairs of content words that occur together in some input sentence."""
    content = sorted({word.lower() for word in words if is_content(word, cluster.language)})
    given = [{word.lower() for word in row} for row in cluster.words]
    pairs = list(combinations(content, 2))
    if not pairs:
        return 1.0
    return sum(any(first in row and second in row for row in given) for first, second in pairs) / len(pairs)


def parse_agreement(parsed: Sequence[WordSyntax], sources: Sequence[Sequence[WordSyntax]]) -> float:
    """The share of words that are parsed in the new sentence as in one of their source sentences.

    sources: for every word, its parse in each sentence that shares it. Two parses are equal if tag, chunk tag and the
    enclosing constituent are equal: a sentence whose halves do not fit is parsed differently from its sources.
    """
    if not parsed:
        return 1.0
    alike = sum(
        any(
            (sentence_parse.tag, sentence_parse.chunk[-2:], sentence_parse.trace[-2:])
            == (other.tag, other.chunk[-2:], other.trace[-2:])
            for other in source_parses
        )
        for sentence_parse, source_parses in zip(parsed, sources, strict=True)
    )
    return alike / len(parsed)

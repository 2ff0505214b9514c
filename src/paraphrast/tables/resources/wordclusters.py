"""Clusters of words by bigrams: Quirk et al.'s (2004, §3.5) unsupervised list of synonyms, for a baseline.

They used "standard bigram clustering techniques (Goodman 2002)", 4,096 clusters of 65,225 words. This is the exchange
algorithm (Kneser and Ney 1993; Martin et al. 1998) for the predictive model p(w | v) = p(c(w) | v) · p(w | c(w)), in
which the previous word is not clustered (Goodman's predictive clusters; Uszkoreit and Brants 2008): each word in turn
moves to the cluster that raises the likelihood of the text most, until few words move. With ``both`` sides, the next
word is a predictor too, and the likelihoods are multiplied.

A pass costs the sum over bigram types (v, w) of the number of clusters that follow v. Most clusters never follow v and
need no work. Words of one cluster become paraphrases of each other, with p(word | cluster).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.formats.files import read_lines
from paraphrast.tables.resources import _kernels_clusters as kernels
from paraphrast.tables.resources.kinds import TableJob, TableKind, info_of
from paraphrast.tables.resources.options import ClusterOptions
from paraphrast.tables.resources.words import encode_lines, has_letter
from paraphrast.types import FIRST_WORD, Sentences, Vocabulary
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["ClusterOptions", "Clusters", "WordclustersKind", "cluster_rows", "cluster_words"]


@dataclass(frozen=True)
class Clusters:
    """words: int32[n], vocabulary ids, most frequent first. cluster: int32[n], the cluster of each.

    log_likelihood: after every pass, up to a constant. moved: number of words moved by each pass.
    """

    words: NDArray[np.int32]
    cluster: NDArray[np.int32]
    log_likelihood: tuple[float, ...]
    moved: tuple[int, ...]


def cluster_words(
    sentences: Sentences,
    vocabulary: Vocabulary,
    options: ClusterOptions,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Clusters:
    """Cluster the words of a corpus. The result depends only on the text. progress(pass, words moved)."""
    counts = np.bincount(sentences.tokens, minlength=len(vocabulary))
    words = np.array(
        [
            number
            for number in range(FIRST_WORD, len(vocabulary))
            if counts[number] >= options.least_count and has_letter((vocabulary.words[number],))
        ][: options.most_words],
        dtype=np.int32,
    )
    if len(words) < 4:
        raise InputError(
            f"expected at least 4 words that occur {options.least_count} times or more, got {len(words)}",
            remedy="use more text, or lower least_count",
        )
    words = words[np.lexsort((words, -counts[words]))]
    clusters = min(options.clusters, len(words) // 4)
    starts, contexts, context_counts, context_size = _contexts(
        sentences, words, len(vocabulary), options.both
    )
    return _exchange(words, clusters, starts, contexts, context_counts, context_size, options, progress)


def _contexts(
    sentences: Sentences, words: NDArray[np.int32], size: int, both: bool
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], int]:
    """The words before each word (and, as numbers from ``size + 1`` on, those after it), with their counts."""
    place = np.full(size, -1, np.int64)
    place[words] = np.arange(len(words))
    tokens = sentences.tokens.astype(np.int64)
    edge = np.int64(size)
    before = np.concatenate([[edge], tokens[:-1]]) if len(tokens) else tokens
    first = sentences.starts[:-1][sentences.starts[:-1] < len(tokens)]
    before[first] = edge
    sides = [(tokens, before)]
    if both:
        after = np.concatenate([tokens[1:], [edge]]) if len(tokens) else tokens
        last = sentences.starts[1:] - 1
        after[last[last >= 0]] = edge
        sides.append((tokens, after + edge + 1))
    total = (size + 1) * len(sides)
    keys = np.concatenate([place[token] * total + context for token, context in sides if len(token)])
    keys, counts = np.unique(keys[keys >= 0], return_counts=True)
    word, context = keys // total, keys % total
    starts = np.zeros(len(words) + 1, np.int64)
    np.cumsum(np.bincount(word, minlength=len(words)), out=starts[1:])
    used, context = np.unique(context, return_inverse=True)
    return starts, context.astype(np.int32), counts.astype(np.int32), len(used)


def _exchange(
    words: NDArray[np.int32],
    clusters: int,
    starts: NDArray[np.int64],
    contexts: NDArray[np.int32],
    context_counts: NDArray[np.int32],
    context_size: int,
    options: ClusterOptions,
    progress: Callable[[int, int], None] | None,
) -> Clusters:
    cluster = (np.arange(len(words)) % clusters).astype(np.int32)
    totals = np.add.reduceat(context_counts.astype(np.int64), starts[:-1]) // (2 if options.both else 1)
    cluster_total = np.bincount(cluster, totals, minlength=clusters).astype(np.int64)
    members = np.bincount(cluster, minlength=clusters).astype(np.int32)
    # A context has at most as many clusters as words follow it, plus one while a word moves.
    room = np.minimum(np.bincount(contexts, minlength=context_size), clusters) + 1
    context_starts = np.zeros(context_size + 1, np.int64)
    np.cumsum(room, out=context_starts[1:])
    held_cluster = np.zeros(context_starts[-1], np.int32)
    held_count = np.zeros(context_starts[-1], np.int64)
    held = np.zeros(context_size, np.int32)
    kernels.fill_contexts(
        starts, contexts, context_counts, cluster, context_starts, held_cluster, held_count, held
    )
    table = kernels.x_log_x_table()
    gain = np.zeros(clusters)
    order = np.arange(len(words), dtype=np.int32)
    sides = 2 if options.both else 1
    likelihood: list[float] = []
    moves: list[int] = []
    for number in range(options.iterations):
        moved = kernels.exchange_pass(
            order, starts, contexts, context_counts, totals, sides, cluster, cluster_total, members,
            context_starts, held_cluster, held_count, held, table, gain,
        )  # fmt: skip
        moves.append(int(moved))
        likelihood.append(
            kernels.log_likelihood(context_starts, held_count, held, cluster_total, sides, table)
        )
        if progress is not None:
            progress(number + 1, int(moved))
        if moved <= options.stop * len(words):
            break
    return Clusters(words, cluster, tuple(likelihood), tuple(moves))


def cluster_rows(
    clusters: Clusters, vocabulary: Vocabulary, counts: NDArray[np.int64], top: int
) -> list[PhraseRow]:
    """Each word → the most frequent others of its cluster, with p(other | cluster) among all but the word itself."""
    groups: dict[int, list[int]] = {}
    for word, cluster in zip(clusters.words.tolist(), clusters.cluster.tolist(), strict=True):
        groups.setdefault(cluster, []).append(word)
    rows: list[PhraseRow] = []
    for members in groups.values():
        total = int(counts[members].sum())
        for word in members:
            rest = total - int(counts[word])
            for other in [other for other in members[: top + 1] if other != word][:top]:
                score = math.log(int(counts[other]) / rest)
                rows.append(
                    PhraseRow(
                        (vocabulary.words[word],), (vocabulary.words[other],), score, int(counts[other])
                    )
                )
    return rows


class WordclustersKind(TableKind):
    """Running text, one sentence per line."""

    name = "wordclusters"
    options: ClassVar[type] = ClusterOptions

    def build(self, job: TableJob, options: ClusterOptions) -> LooseTable:
        lines = [line for path in job.inputs for line in read_lines(path) if line.strip()]
        vocabulary, sentences = encode_lines(lines, job.language, job.truecaser, threads=job.threads)
        clusters = cluster_words(sentences, vocabulary, options)
        counts = np.bincount(sentences.tokens, minlength=len(vocabulary)).astype(np.int64)
        rows = cluster_rows(clusters, vocabulary, counts, options.top)
        notes = {
            "tokens": len(sentences.tokens),
            "words": len(clusters.words),
            "clusters": int(clusters.cluster.max()) + 1,
            "moved": list(clusters.moved),
            "log_likelihood": list(clusters.log_likelihood),
        }
        info = info_of(self.name, job.language, options, notes=notes)
        return loose_table(rows, info, top=options.top)

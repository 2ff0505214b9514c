"""Barzilay and Lee (2003): paraphrases from comparable corpora by lattices with slots, the ``msa`` baseline.

1. The sentences of a corpus are clustered by shared n-grams (complete link, cosine of counts). All numbers count as
   one word, and so do all names.
2. Each cluster is aligned word by word (match 1, mismatch −0.5, gap −0.01). *Backbone* nodes are shared by more than
   half of its sentences. Between two backbone nodes, fillings that are frequent enough (``synonymy``) are alternative
   wordings; if there are none, the place is an argument *slot*.
3. Lattices of two corpora have the same meaning if sentences of the same event fill their slots with similar words.
   The best order of slots is searched; names and numbers count twice.
4. A sentence that fits a lattice is rewritten: its arguments are put into the slots of the lattice's partners.

Steps 3 and 4 are in :mod:`paraphrast.msa.templates`. The paper aligns a new sentence with all lattices and takes the
best; here the sentence must contain the whole backbone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paraphrast.msa.align import align_cluster
from paraphrast.msa.cluster import Cluster, is_content, make_cluster
from paraphrast.msa.graph import END, START, WordGraph, word_graph
from paraphrast.msa.match import AlignOptions, get_version
from paraphrast.msa.options import BarzilayOptions
from paraphrast.msa.templates import SLOT, Part, Template, TemplatePair, match_templates
from paraphrast.text.languages.record import Language

#: Barzilay and Lee's scores of the three cases of figure 3.
SCORES = AlignOptions(match=1.0, mismatch=-0.5, gap=-0.01, free_borders=False)
#: Maximum number of sentences per corpus: clustering stores the distance of every pair.
MOST_SENTENCES = 20_000


def group_sentences(cluster: Cluster, options: BarzilayOptions | None = None) -> list[list[int]]:
    """Groups of sentences with a similar structure, by complete link; small groups are left out."""
    settings = options or BarzilayOptions()
    if len(cluster) < 2:
        return []
    from scipy.cluster.hierarchy import fcluster, linkage

    tree = linkage(_distances(cluster, settings.ngrams), method="complete")
    labels = fcluster(tree, 1.0 - settings.similarity, criterion="distance")
    groups: dict[int, list[int]] = {}
    for sentence, label in enumerate(labels.tolist()):
        groups.setdefault(label, []).append(sentence)
    return sorted(group for group in groups.values() if len(group) >= settings.smallest)


def _generic(cluster: Cluster, sentence: int) -> list[str]:
    """The words, with every number and every name replaced by a placeholder, so that arguments do not matter."""
    words = []
    for place, word in enumerate(cluster.words[sentence]):
        if cluster.kinds[sentence][place] or any(map(str.isdigit, word)):
            words.append("<number>")
        elif place and word[:1].isupper():
            words.append("<name>")
        else:
            words.append(word.lower())
    return words


def _distances(cluster: Cluster, longest: int) -> NDArray[np.float64]:
    """1 − cosine of n-gram counts for every pair of sentences, in scipy's condensed form, computed row by row."""
    from scipy.sparse import csr_array

    ids: dict[tuple[str, ...], int] = {}
    starts, columns = [0], []
    for sentence in range(len(cluster)):
        words = _generic(cluster, sentence)
        columns += [
            ids.setdefault(tuple(words[at : at + length]), len(ids))
            for length in range(1, longest + 1)
            for at in range(len(words) - length + 1)
        ]
        starts.append(len(columns))
    size = len(cluster)
    counts = csr_array((np.ones(len(columns)), columns, starts), shape=(size, len(ids)))
    counts.sum_duplicates()
    norm = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
    counts = csr_array(counts / norm[:, None])
    distances = np.empty(size * (size - 1) // 2)
    at = 0
    for begin in range(0, size, 500):
        block = (counts[begin : begin + 500] @ counts[begin:].T).toarray()
        for row in range(block.shape[0]):
            values = block[row, row + 1 :]
            distances[at : at + len(values)] = 1.0 - values
            at += len(values)
    return np.clip(distances, 0.0, 1.0)


def make_template(
    cluster: Cluster, group: Sequence[int], options: BarzilayOptions | None = None
) -> Template | None:
    """The lattice of a group as backbone and slots; None if the backbone has too few content words."""
    settings = options or BarzilayOptions()
    chosen = _chosen(cluster, group)
    graph = word_graph(chosen, align_cluster(chosen, get_version("V1"), align=SCORES))
    # Two nodes that more than half of the sentences have occur together in one sentence, so they are ordered.
    backbone = [node for node in graph.order if len(graph.sentences[node]) > settings.backbone * len(group)]
    content = {graph.words[node] for node in backbone if is_content(graph.words[node], cluster.language)}
    if len(content) < settings.content:
        return None
    parts: list[Part] = []
    values: list[list[tuple[str, ...]]] = [[] for _ in group]
    for left, right in pairwise([START, *backbone, END]):
        fills = _between(graph, left, right)
        part = _part(Counter(fills.values()), settings.synonymy)
        if part is not None:
            parts.append(part)
        if part == SLOT:
            for sentence, fillings in enumerate(values):
                fillings.append(fills.get(sentence, ()))
        if right != END:
            parts.append(((graph.words[right],),))
    numbers = tuple(cluster.numbers[sentence] for sentence in group)
    return Template(tuple(parts), numbers, tuple(tuple(fillings) for fillings in values))


def _chosen(cluster: Cluster, group: Sequence[int]) -> Cluster:
    return Cluster(
        cluster.language,
        tuple(cluster.words[sentence] for sentence in group),
        tuple(cluster.kinds[sentence] for sentence in group),
        tuple(cluster.spaces[sentence] for sentence in group),
        tuple(cluster.numbers[sentence] for sentence in group),
        tuple(cluster.same[sentence] for sentence in group),
        tuple(cluster.texts[sentence] for sentence in group),
    )


def _between(graph: WordGraph, left: int, right: int) -> dict[int, tuple[str, ...]]:
    """The words between two nodes, in each sentence that has both."""
    arguments = {}
    for sentence, path in enumerate(graph.paths):
        row = (START, *path, END)
        if left in row and right in row:
            between = row[row.index(left) + 1 : row.index(right)]
            arguments[sentence] = tuple(graph.words[node] for node in between)
    return arguments


def _part(fillings: Counter[tuple[str, ...]], synonymy: float) -> Part | None:
    """None if no words are there; else the wordings that are frequent enough (at least 2), or ``SLOT`` without any."""
    if set(fillings) <= {()}:
        return None
    least = max(synonymy * fillings.total(), 2)
    frequent = [fill for fill, count in fillings.most_common() if count >= least]
    if frequent == [()]:
        return None
    return tuple(frequent) if frequent else SLOT


def learn_templates(
    first: Sequence[str],
    second: Sequence[str] | None,
    events: tuple[Sequence[str], Sequence[str] | None],
    language: Language,
    options: BarzilayOptions | None = None,
    *,
    pretokenized: bool = False,
) -> list[TemplatePair]:
    """All steps from corpora to pairs of templates.

    second: None for one corpus, whose templates are matched with each other. events: for each corpus, the event of
    every sentence (a day, or a cluster's name); "" if unknown.
    """
    settings = options or BarzilayOptions()
    pairs = []
    for sentences in (first, second) if second is not None else (first,):
        cluster = make_cluster(sentences, language, pretokenized=pretokenized, most=MOST_SENTENCES)
        templates = [make_template(cluster, group, settings) for group in group_sentences(cluster, settings)]
        pairs.append([template for template in templates if template is not None])
    theirs = events[1] if second is not None and events[1] is not None else events[0]
    by_event: dict[str, set[int]] = {}
    for number, event in enumerate(theirs):
        by_event.setdefault(event, set()).add(number)
    same = {number: by_event.get(event, set()) for number, event in enumerate(events[0]) if event}
    return match_templates(
        pairs[0], pairs[1] if second is not None else None, same, language, overlap=settings.overlap
    )

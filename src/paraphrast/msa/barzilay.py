"""Barzilay and Lee (2003): paraphrases from comparable corpora by lattices with slots, the ``msa`` baseline.

1. Sentences of a corpus are clustered by the words and word sequences they share, numbers and names being one word
   each (complete link, cosine of n-gram counts).
2. Each cluster is aligned word by word (match 1, mismatch −0.5, gap −0.01). *Backbone* nodes are shared by more than
   half of its sentences. What stands between two of them is wording where one filling is frequent (``synonymy``), of
   which all that frequent are kept, and an argument *slot* elsewhere.
3. Lattices of two corpora mean the same where sentences of the same event fill their slots alike: the best order
   of slots is searched, names and numbers counting twice.
4. A sentence is rewritten by the lattice it fits: its arguments go into the slots of the lattice's partners.

Steps 3 and 4 are :mod:`paraphrast.msa.templates`. Where the paper aligns a new sentence with all lattices and takes
the best, here it must have the backbone whole.
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

#: Their scores of figure 3's three cases.
SCORES = AlignOptions(match=1.0, mismatch=-0.5, gap=-0.01, free_borders=False)
#: Sentences of a corpus at most: grouping holds the distance of every pair.
MOST_SENTENCES = 20_000


def group_sentences(cluster: Cluster, options: BarzilayOptions | None = None) -> list[list[int]]:
    """Groups of sentences of one structure, by complete link; those that are too small are left out."""
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
    """Words, with numbers and names as one word each: arguments must not decide the structure."""
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
    """1 − cosine of n-gram counts, for every pair of sentences: scipy's condensed form, filled a row at a time."""
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
    """The lattice of a group as backbone and slots; None where the backbone says too little."""
    settings = options or BarzilayOptions()
    chosen = _chosen(cluster, group)
    graph = word_graph(chosen, align_cluster(chosen, get_version("V1"), align=SCORES))
    # Any two nodes that more than half have are in one sentence together, so the order of the graph is theirs.
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
            for sentence, found in enumerate(values):
                found.append(fills.get(sentence, ()))
        if right != END:
            parts.append(((graph.words[right],),))
    numbers = tuple(cluster.numbers[sentence] for sentence in group)
    return Template(tuple(parts), numbers, tuple(tuple(found) for found in values))


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
    """What each sentence that passes both nodes has between them."""
    arguments = {}
    for sentence, path in enumerate(graph.paths):
        row = (START, *path, END)
        if left in row and right in row:
            between = row[row.index(left) + 1 : row.index(right)]
            arguments[sentence] = tuple(graph.words[node] for node in between)
    return arguments


def _part(found: Counter[tuple[str, ...]], synonymy: float) -> Part | None:
    """None for nothing there, wordings that are frequent enough (and met twice), or ``SLOT`` where none is."""
    if set(found) <= {()}:
        return None
    least = max(synonymy * found.total(), 2)
    frequent = [fill for fill, count in found.most_common() if count >= least]
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

    second: None for one corpus, whose templates are matched with each other. events: for the sentences of each what
    they are written of (a day, a cluster's name); "" for nothing known.
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

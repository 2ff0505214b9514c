"""Better than random: paths by language model, agreement and changes of source, without contradiction or repetition.

The score of a sentence is a mean over its words: language model (natural log), plus ``agreement`` times how many
sentences have each step (log of the number, over log of the cluster's size), less ``change`` for every place where
the source changes, and ``indirect`` more where the two words that meet there match only by way of a third sentence
(figure 4 applied to the two themselves); then less ``length`` times how far its length is from the cluster's
median, in logs. A beam finds candidates for each number of changes; those that copy a sentence, join contradictory
facts, say something twice or leave a quotation or bracket open are dropped, and of those that are nearly the
same the best is kept.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.msa import _kernels, _kernels_beam
from paraphrast.msa.cluster import Cluster, cluster_arrays, is_content
from paraphrast.msa.conflicts import Conflict, Facts, mixes_conflict
from paraphrast.msa.generate import Fused, render
from paraphrast.msa.graph import END, WordGraph
from paraphrast.msa.match import VERSIONS, MatchOptions
from paraphrast.types import PackedNgrams

_BUCKETS = 4
_MOST_BYTES = 1 << 28
#: Sentences a span that a new one is compared with.
_SOURCES = 5
_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "``": "''", "-LRB-": "-RRB-"}


@dataclass(frozen=True)
class RankOptions:
    """What makes a sentence better; see the module's beginning.

    distinct: 0 to 1, the share of word pairs by which a sentence must differ from each better one; novel: by which it
        must differ from each of the sentences it came from.
    shortest, longest: lengths allowed, as shares of the shortest and longest sentence given.
    beam: paths kept per node and number of changes.
    content: what a sentence costs whose pairs of content words no sentence given has, as a share of them; parse: whose
        words a parser reads otherwise than where they came from, as a share of them, where there is a parser.
    candidates: sentences, as a multiple of those wanted, that are compared by these two.
    """

    lm: float = 1.0
    agreement: float = 1.0
    change: float = 2.0
    indirect: float = 12.0
    length: float = 0.5
    distinct: float = 0.2
    novel: float = 0.1
    shortest: float = 0.8
    longest: float = 1.2
    beam: int = 32
    content: float = 4.0
    parse: float = 10.0
    candidates: int = 4

    def __post_init__(self) -> None:
        if self.beam < 1 or not 0 <= self.distinct <= 1 or not 0 <= self.novel <= 1:
            raise InputError(f"expected a beam from 1, distinct and novel from 0 to 1, got {self}")


@dataclass(frozen=True)
class LmView:
    """A language model as ranking sees it: its arrays, and the number of every word of the cluster."""

    arrays: PackedNgrams
    ids: dict[str, int]

    def of(self, words: Sequence[str]) -> NDArray[np.int32]:
        """Numbers of words, 0 for those it lacks."""
        return np.array([self.ids.get(word, 0) for word in words], dtype=np.int32)


def rank_sentences(
    graph: WordGraph,
    cluster: Cluster,
    lm: LmView,
    facts: Facts,
    conflicts: Sequence[Conflict],
    options: RankOptions | None = None,
    *,
    match: MatchOptions | None = None,
    n: int = 10,
) -> list[Fused]:
    """The ``n`` best new sentences, best first."""
    settings = options or RankOptions()
    rules = match or MatchOptions()
    originals = set(cluster.words)
    lengths = sorted(len(words) for words in cluster.words)
    median = lengths[len(lengths) // 2]
    least, most = settings.shortest * lengths[0], settings.longest * lengths[-1]
    most_said, given_pairs = said_most(cluster), [_pairs(row) for row in cluster.words]
    chosen: list[Fused] = []
    chosen_pairs: list[Counter[tuple[str, str]]] = []
    seen: set[tuple[str, ...]] = set()
    for total, nodes, parts in _candidates(graph, cluster, lm, settings, rules, median):
        words = tuple(graph.words[node] for node in nodes)
        if words in seen or words in originals or not least <= len(words) <= most:
            continue
        seen.add(words)
        if len(seen) > 20_000:
            break
        pairs = _pairs(words)
        if any(_overlap(pairs, other) > 1 - settings.distinct for other in chosen_pairs):
            continue
        sources = sorted(
            {
                sentence
                for _, _, span_sentences in graph.spans(nodes)
                for sentence in span_sentences[:_SOURCES]
            }
        )
        if any(_overlap(pairs, given_pairs[sentence]) > 1 - settings.novel for sentence in sources):
            continue
        if says_twice(words, cluster, most_said) or is_unbalanced(words):
            continue
        # The words may also be read with fewer changes of source; that reading is the one shown.
        reading = graph.nodes_of(words) or nodes
        if any(
            mixes_conflict(sentence, graph, facts, conflicts) is not None for sentence in {nodes, reading}
        ):
            continue
        text, spans = render(reading, graph, cluster)
        chosen.append(Fused(text, words, spans, total, parts))
        chosen_pairs.append(pairs)
        if len(chosen) == n:
            break
    return chosen


def _candidates(
    graph: WordGraph, cluster: Cluster, lm: LmView, settings: RankOptions, rules: MatchOptions, median: int
) -> Iterator[tuple[float, tuple[int, ...], dict[str, float]]]:
    """Complete paths of the beam by score, with what it is made of."""
    count = len(cluster)
    blocks = (count + 63) // 64
    slots = _BUCKETS * settings.beam
    beam = settings.beam
    while beam > 2 and len(graph.words) * _BUCKETS * beam * (blocks + 6) * 8 > _MOST_BYTES:
        beam //= 2
        slots = _BUCKETS * beam
    order = np.array(graph.order, dtype=np.int32)
    heads, gains, runs = [], [], []
    begin = np.zeros(len(graph.words) + 1, dtype=np.int64)
    most = math.log(count) if count > 1 else 1.0
    for node, edges in enumerate(graph.after):
        for head, sentences in edges.items():
            heads.append(head)
            gains.append(settings.agreement * math.log(len(sentences)) / most)
            runs.append(_bits(sentences, blocks))
        begin[node + 1] = len(heads)
    joints = _joints(graph, cluster, rules, blocks)
    node_word = lm.of(graph.words)
    bonus = _word_bonus(graph, cluster, lm, settings, most)
    score, back, changes, words, stated, ended, end_change = _kernels_beam.search(
        lm.arrays,
        order,
        begin,
        np.array(heads, dtype=np.int32),
        np.array(gains, dtype=np.float64),
        np.array(runs, dtype=np.uint64).reshape(len(heads), blocks),
        *joints,
        node_word,
        settings.lm,
        settings.change,
        settings.indirect,
        bonus,
        _BUCKETS,
        beam,
    )
    length = np.maximum(words, 1)
    total = score - bonus * words + settings.lm * ended - settings.change * end_change
    mean = total / (length + 1)
    value = mean - settings.length * np.abs(np.log(length / median))
    copied = (changes + end_change) == 0
    value = np.where(np.isfinite(ended) & ~copied, value, -np.inf)
    flat = value.ravel()
    for index in np.argsort(-flat, kind="stable").tolist():
        if flat[index] == -np.inf:
            return
        node, slot = divmod(index, slots)
        path = _path(back, slots, node, slot)
        per_word = float((stated[node, slot] + ended[node, slot]) / (words[node, slot] + 1))
        parts = {
            "lm": per_word,
            "changes": float(changes[node, slot] + end_change[node, slot]),
            "agreement": _agreement(path, graph),
        }
        yield float(flat[index]), path, parts


def _joints(
    graph: WordGraph, cluster: Cluster, rules: MatchOptions, blocks: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint64]]:
    """For every edge its tail's sentences, and which of the edge's fit each there; nothing without syntax."""
    edges_of = [len(edges) for edges in graph.after]
    count = sum(edges_of)
    size = sum(
        edges * len(found) * blocks * 8 for edges, found in zip(edges_of, graph.sentences, strict=True)
    )
    if cluster.syntax is None or size > _MOST_BYTES:
        empty = np.zeros((0, blocks), dtype=np.uint64)
        return np.zeros(count + 1, dtype=np.int64), np.zeros(0, dtype=np.int32), empty
    place = [{node: at for at, node in enumerate(path)} for path in graph.paths]
    arrays = cluster_arrays(cluster, VERSIONS["V5"], rules)
    starts = arrays.starts.tolist()
    begin, sentences, runs = [0], [], []
    for node, edges in enumerate(graph.after):
        here = graph.sentences[node]
        tokens = np.array([starts[one] + place[one][node] for one in here], dtype=np.int64)
        known = _kernels.syntax_table(tokens, arrays)
        row = {one: number for number, one in enumerate(here)}
        for found in edges.values():
            for sentence in here if len(here) > 1 else ():
                fitting = [other for other in found if known[row[sentence], row[other]]]
                sentences.append(sentence)
                runs.append(_bits(fitting, blocks))
            begin.append(len(sentences))
    return (
        np.array(begin, dtype=np.int64),
        np.array(sentences, dtype=np.int32),
        np.array(runs, dtype=np.uint64).reshape(len(runs), blocks),
    )


def _bits(sentences: Sequence[int], blocks: int) -> NDArray[np.uint64]:
    value = sum(1 << sentence for sentence in sentences)
    return np.array([(value >> (64 * block)) & (2**64 - 1) for block in range(blocks)], dtype=np.uint64)


def _path(back: NDArray[np.int32], slots: int, node: int, slot: int) -> tuple[int, ...]:
    path: list[int] = []
    while node != 0:
        path.append(node)
        node, slot = divmod(int(back[node, slot]), slots)
    return tuple(reversed(path))


def _agreement(path: Sequence[int], graph: WordGraph) -> float:
    """Sentences that share a word of the path, on average."""
    return sum(len(graph.sentences[node]) for node in path) / max(len(path), 1)


def _word_bonus(graph: WordGraph, cluster: Cluster, lm: LmView, settings: RankOptions, most: float) -> float:
    """What a word of the given sentences costs, so that the beam compares paths of different lengths fairly."""
    log_probs = lm_scores(cluster.words, lm)
    words = sum(len(row) + 1 for row in cluster.words)
    gain = sum(
        math.log(len(graph.after[tail][head])) / most
        for path in graph.paths
        for tail, head in zip((0, *path), (*path, END), strict=True)
    )
    return -(settings.lm * sum(log_probs) + settings.agreement * gain) / words


def lm_scores(rows: Sequence[Sequence[str]], lm: LmView) -> list[float]:
    """Natural log probability of each sentence."""
    from paraphrast._numeric import score_sentences

    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    tokens = lm.of([word for row in rows for word in row])
    return [float(score) for score in score_sentences(lm.arrays, tokens, starts)]


def _pairs(words: Sequence[str]) -> Counter[tuple[str, str]]:
    return Counter(zip(("", *words), (*words, ""), strict=True))


def _overlap(first: Counter[tuple[str, str]], second: Counter[tuple[str, str]]) -> float:
    """Dice's coefficient."""
    return 2 * (first & second).total() / (first.total() + second.total())


def says_twice(
    words: Sequence[str], cluster: Cluster, most: Mapping[tuple[str, ...], int] | None = None
) -> bool:
    """Whether a stretch of three words with content, or two content words side by side, stands there twice, or a
    content word more than once too often: more often than in any sentence given.

    most: :func:`said_most` of the cluster, to be reused for many sentences.
    """
    again = {key: count for key, count in _said(words, cluster).items() if count > 1}
    if not again:
        return False
    given = said_most(cluster) if most is None else most
    return any(count > max(given.get(key, 0) + (len(key) == 1), 1) for key, count in again.items())


def said_most(cluster: Cluster) -> dict[tuple[str, ...], int]:
    """For every stretch that :func:`says_twice` looks at, how often one sentence has it at most."""
    counts: dict[tuple[str, ...], int] = {}
    for row in cluster.words:
        for key, count in _said(row, cluster).items():
            counts[key] = max(counts.get(key, 0), count)
    return counts


def _said(row: Sequence[str], cluster: Cluster) -> Counter[tuple[str, ...]]:
    small = [word.lower() for word in row]
    content = [is_content(word, cluster.language) for word in row]
    counts: Counter[tuple[str, ...]] = Counter()
    for at in range(len(small)):
        if at + 3 <= len(small) and any(content[at : at + 3]):
            counts[tuple(small[at : at + 3])] += 1
        if at + 2 <= len(small) and all(content[at : at + 2]):
            counts[tuple(small[at : at + 2])] += 1
        if content[at]:
            counts[small[at],] += 1
    return counts


def is_unbalanced(words: Sequence[str]) -> bool:
    """Whether a bracket or quotation is opened and not closed, or closed and not opened."""
    closing = {close: opening for opening, close in _PAIRS.items()}
    stack: list[str] = []
    for word in words:
        if word in _PAIRS:
            stack.append(word)
        elif word in closing and (not stack or stack.pop() != closing[word]):
            return True
    return bool(stack) or sum(word == '"' for word in words) % 2 == 1

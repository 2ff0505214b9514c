"""Ranks paths by language model, agreement and changes of source, without contradictions and repetitions.

The score of a sentence is a mean over its words. It is the sum of:

- the language model's natural log probability;
- ``agreement`` times log(number of sentences with the edge) / log(sentences of the cluster), per edge;
- −``change`` for every change of source, and −``indirect`` if the two words that meet there match only by way of a
  third sentence (figure 4 does not match the two directly);
- −``length`` times the absolute log-ratio of its length and the cluster's median length.

A beam search finds candidates for each number of changes. Candidates that copy a sentence, join contradictory facts,
say something twice or leave a quotation or bracket open are dropped. Of nearly equal ones the best is kept.
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
from paraphrast.msa.arrays import ClusterArrays
from paraphrast.msa.checks import (
    CLOSE,
    COPY,
    NEW,
    has_inner_end,
    has_open_end,
    has_same_content,
    is_unbalanced,
    mixes_days,
    mixes_persons,
    novelty,
    repeats_number,
    said_most,
    says_twice,
)
from paraphrast.msa.cluster import Cluster, cluster_arrays
from paraphrast.msa.conflicts import NAME, Conflict, Facts, mixes_conflict
from paraphrast.msa.generate import Fused, render
from paraphrast.msa.graph import END, START, WordGraph
from paraphrast.msa.joins import fitting_table
from paraphrast.msa.match import VERSIONS, MatchOptions
from paraphrast.msa.repairs import find_repairs
from paraphrast.msa.shorten import shortened_paths
from paraphrast.msa.splices import spliced_paths
from paraphrast.msa.tag_joins import fitting_by_tags
from paraphrast.types import PackedNgrams

_BUCKETS = 4
_MOST_BYTES = 1 << 28
_MOST_SEEN = 20_000
#: Maximum number of source sentences per span that a new sentence is compared with.
_SOURCES = 5


@dataclass(frozen=True)
class RankOptions:
    """Weights and limits of the ranking; see the module docstring.

    distinct: 0 to 1, the share of word pairs by which a sentence must differ from each better one; novel: by which it
        must differ from each of its source sentences.
    shortest, longest: allowed lengths, as shares of the shortest and longest input sentence.
    beam: paths kept per node and number of changes.
    content: penalty times the share of pairs of content words that no input sentence has. parse: penalty times the
        share of words that are parsed differently in the sources, if there is a parser.
    pool: number of candidates of each kind to which these two penalties are applied.
    reader, joint: weights of the two numbers of a causal language model (``fusion.reading``), if there is one: mean log
        probability relative to the sources, and the largest loss over a few pieces. Their weighted sum, less the
        penalties ``content`` and ``parse``, must reach ``least``; for shortened sentences, ``least_shortened``. Without
        the penalties it must reach ``least_spliced`` for exchanged constituents.
    headline: penalty for a sentence without a final mark in a cluster where most have one.
    flaw: penalty for each small flaw (:mod:`paraphrast.msa.flaws`).
    sure: the quality (:func:`paraphrast.fusion.candidates.quality`) from which a new sentence is given without trying
        other versions. least_quality: the least quality of a sentence that is given.
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
    pool: int = 64
    reader: float = 1.0
    joint: float = 0.1
    headline: float = 1.0
    flaw: float = 3.0
    sure: float = 0.85
    least_quality: float = 0.1
    least: float = -1.6
    least_shortened: float = -1.0
    least_spliced: float = -0.9

    def __post_init__(self) -> None:
        if self.beam < 1 or not 0 <= self.distinct <= 1 or not 0 <= self.novel <= 1:
            raise InputError(f"expected a beam from 1, distinct and novel from 0 to 1, got {self}")


@dataclass(frozen=True)
class LmView:
    """A language model for ranking: its arrays and the id of every word of the cluster.

    misspelt: words that seem misspelt (:func:`paraphrast.msa.checks.unknown_slips`). mean: the log probability of a
    word of the cluster, the mean over its sentences. articles: what a reading model says of missing articles
    (:func:`paraphrast.msa.repairs.find_repairs`). bare: the sentence and first place of noun phrases that lack another
    determiner.
    """

    arrays: PackedNgrams
    ids: dict[str, int]
    misspelt: frozenset[str] = frozenset()
    mean: float = 0.0
    articles: Mapping[tuple[int, int], float] | None = None
    bare: frozenset[tuple[int, int]] = frozenset()

    def of(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The ids of words, 0 for unknown ones."""
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
    pool = candidate_sentences(graph, cluster, lm, facts, conflicts, settings, match=match).sentences
    return choose_distinct([sentence for sentence in pool if sentence.kind == NEW], settings, n)


@dataclass(frozen=True)
class Pool:
    """The candidates of one cluster, best first, and the number of dropped ones by reason."""

    sentences: tuple[Fused, ...]
    dropped: dict[str, int]


def candidate_sentences(
    graph: WordGraph,
    cluster: Cluster,
    lm: LmView,
    facts: Facts,
    conflicts: Sequence[Conflict],
    options: RankOptions | None = None,
    *,
    match: MatchOptions | None = None,
    spliced: bool = False,
    shortened: bool = False,
) -> Pool:
    """Distinct sentences of the graph that pass the checks which need no parse of them.

    At most ``pool`` of each kind, best first: ``new``, ``close`` (nearly a copy of a source, see ``novel``) and
    ``shortened`` (:func:`paraphrast.msa.checks.novelty`). Near-copies of each other are not left out.
    spliced: exchange constituents (:mod:`paraphrast.msa.splices`) instead of joining sentences at shared words.
    shortened: leave out the last part of a sentence (:mod:`paraphrast.msa.shorten`) instead.
    """
    settings, rules = options or RankOptions(), match or MatchOptions()
    lengths = sorted(len(words) for words in cluster.words)
    median = lengths[len(lengths) // 2]
    least, most = settings.shortest * lengths[0], settings.longest * lengths[-1]
    most_said, given_pairs = said_most(cluster), [_pairs(row) for row in cluster.words]
    most_numbers: Counter[str] = Counter()
    for path in graph.paths:
        most_numbers |= Counter(_numbers(path, facts))
    chosen: list[Fused] = []
    dropped: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    seen = set(cluster.words)
    repairs = find_repairs(graph, cluster.trees, cluster.language, lm.articles)
    given = spliced or shortened
    paths = (
        _scored(_given_paths(graph, cluster, shortened), graph, cluster, lm, settings, median, spliced)
        if given
        else _candidates(graph, cluster, lm, settings, rules, median)
    )
    for total, nodes, parts in paths:
        words = tuple(graph.words[node] for node in nodes)
        if words in seen:
            continue
        seen.add(words)
        if len(seen) > _MOST_SEEN:
            break
        kind = novelty(words, cluster)
        fault = _fault(words, cluster, kind, most_said, least, most)
        # Another path may have the same words with fewer changes of source; that path is shown.
        reading = nodes if given else graph.nodes_of(words) or nodes
        if kind == NEW and (
            _is_near(words, reading, graph, given_pairs, settings.novel)
            or (spliced and has_same_content(words, cluster))
        ):
            kind = CLOSE
        if not fault and repeats_number(_numbers(reading, facts), most_numbers):
            fault = "says something twice"
        if not fault and any(mixes_conflict(path, graph, facts, conflicts) for path in {nodes, reading}):
            fault = "contradictory"
        if not fault and mixes_persons(words, cluster):
            fault = "contradictory"
        if fault:
            dropped[fault] += 1
            continue
        if counts[kind] < settings.pool:
            mended = repairs.apply(reading)
            text, spans = render(mended, graph, cluster)
            mended_words = tuple(graph.words[node] for node in mended)
            chosen.append(Fused(text, mended_words, spans, total, parts, kind, graph.origins(mended)))
        counts[kind] += 1
        if counts[NEW] >= settings.pool:
            break
    return Pool(tuple(chosen), dict(dropped))


def _numbers(nodes: Sequence[int], facts: Facts) -> list[str]:
    """The numbers of a path; number words become digits."""
    return [fact[1] for node in nodes if (fact := facts.of_node[node]) is not None and fact[0] != NAME]


def _fault(
    words: Sequence[str],
    cluster: Cluster,
    kind: str,
    most_said: dict[tuple[str, ...], int],
    least: float,
    most: float,
) -> str:
    """The reason why a sentence is not a candidate; empty if it is one."""
    if kind == COPY:
        return "a copy"
    if not least <= len(words) <= most:
        return "too short or too long"
    if is_unbalanced(words):
        return "unbalanced quotes or brackets"
    if has_inner_end(words):
        return "several sentences"
    if has_open_end(words, cluster):
        return "without an end"
    if says_twice(words, cluster, most_said):
        return "says something twice"
    return "contradictory" if mixes_days(words, cluster) else ""


def _is_near(
    words: Sequence[str],
    nodes: Sequence[int],
    graph: WordGraph,
    given_pairs: Sequence[Counter[tuple[str, str]]],
    novel: float,
) -> bool:
    """Whether it shares more than ``1 - novel`` of its word pairs with one of its source sentences."""
    pairs = _pairs(words)
    sources = {sentence for _, _, numbers in graph.spans(nodes) for sentence in numbers[:_SOURCES]}
    return any(_overlap(pairs, given_pairs[sentence]) > 1 - novel for sentence in sources)


def choose_distinct(sentences: Sequence[Fused], settings: RankOptions, n: int) -> list[Fused]:
    """The best ``n``, each different enough from those before it."""
    chosen: list[Fused] = []
    chosen_pairs: list[Counter[tuple[str, str]]] = []
    for sentence in sorted(sentences, key=lambda candidate: (-candidate.score, candidate.text)):
        pairs = _pairs(sentence.words)
        if any(_overlap(pairs, other) > 1 - settings.distinct for other in chosen_pairs):
            continue
        chosen.append(sentence)
        chosen_pairs.append(pairs)
        if len(chosen) == n:
            break
    return chosen


def _candidates(
    graph: WordGraph, cluster: Cluster, lm: LmView, settings: RankOptions, rules: MatchOptions, median: int
) -> Iterator[tuple[float, tuple[int, ...], dict[str, float]]]:
    """The complete paths of the beam by score, with the components of the score."""
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
    text_ids: dict[str, int] = {}
    node_text = np.array([text_ids.setdefault(word, len(text_ids)) for word in graph.words], dtype=np.int32)
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
        node_text,
        settings.lm,
        settings.change,
        settings.indirect if cluster.trees is None and cluster.tags is None else math.inf,
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


def _given_paths(graph: WordGraph, cluster: Cluster, shortened: bool) -> list[tuple[int, ...]]:
    """The paths of exchanged constituents, or of shortened sentences."""
    if cluster.trees is None:
        return []
    if shortened:
        return shortened_paths(graph, cluster.trees)
    return spliced_paths(graph, cluster.trees, cluster.language)


def _scored(
    paths: Sequence[tuple[int, ...]],
    graph: WordGraph,
    cluster: Cluster,
    lm: LmView,
    settings: RankOptions,
    median: int,
    spliced: bool,
) -> list[tuple[float, tuple[int, ...], dict[str, float]]]:
    """Paths by score, with the same components as those of the beam."""
    log_probs = lm_scores([[graph.words[node] for node in path] for path in paths], lm)
    most = math.log(len(cluster)) if len(cluster) > 1 else 1.0
    scored = []
    for path, log_prob in zip(paths, log_probs, strict=True):
        steps = zip((START, *path), (*path, END), strict=True)
        gain = sum(math.log(max(len(graph.after[tail].get(head, ())), 1)) / most for tail, head in steps)
        changes = len(graph.spans(path)) - 1
        total = settings.lm * log_prob + settings.agreement * gain - settings.change * changes
        value = total / (len(path) + 1) - settings.length * abs(math.log(len(path) / median))
        parts = {
            "lm": log_prob / (len(path) + 1),
            "changes": float(changes),
            "agreement": _agreement(path, graph),
            **({"spliced": 1.0} if spliced else {}),
        }
        scored.append((value, path, parts))
    return sorted(scored, key=lambda candidate: (-candidate[0], candidate[1]))


def _joints(
    graph: WordGraph, cluster: Cluster, rules: MatchOptions, blocks: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint64]]:
    """For every edge the sentences of its tail, and the edge's sentences that fit each; empty without syntax."""
    edges_of = [len(edges) for edges in graph.after]
    count = sum(edges_of)
    size = sum(
        edges * len(sharing) * blocks * 8 for edges, sharing in zip(edges_of, graph.sentences, strict=True)
    )
    if (cluster.syntax is None and cluster.tags is None) or size > _MOST_BYTES:
        empty = np.zeros((0, blocks), dtype=np.uint64)
        return np.zeros(count + 1, dtype=np.int64), np.zeros(0, dtype=np.int32), empty
    place = graph.places
    parsed = cluster.trees is None and cluster.tags is None
    arrays = cluster_arrays(cluster, VERSIONS["V5"], rules) if parsed else None
    begin, sentences, runs = [0], [], []
    for node, edges in enumerate(graph.after):
        here = graph.sentences[node]
        places = [place[sentence][node] for sentence in here] if len(here) > 1 else []
        known = _fitting(cluster, arrays, here, places) if len(here) > 1 else []
        row = {sentence: number for number, sentence in enumerate(here)}
        for edge_sentences in edges.values():
            for sentence in here if len(here) > 1 else ():
                fitting = [other for other in edge_sentences if known[row[sentence]][row[other]]]
                sentences.append(sentence)
                runs.append(_bits(fitting, blocks))
            begin.append(len(sentences))
    return (
        np.array(begin, dtype=np.int64),
        np.array(sentences, dtype=np.int32),
        np.array(runs, dtype=np.uint64).reshape(len(runs), blocks),
    )


def _fitting(
    cluster: Cluster, arrays: ClusterArrays | None, here: Sequence[int], places: Sequence[int]
) -> Sequence[Sequence[bool]]:
    """[first][second]: whether the one sentence may be continued by the other at a word they share."""
    if cluster.trees is not None:
        return fitting_table(cluster.trees, here, places)
    if cluster.tags is not None or arrays is None:
        return fitting_by_tags(cluster.words, cluster.tags or (), here, places)
    tokens = np.array(
        [arrays.starts[sentence] + at for sentence, at in zip(here, places, strict=True)], dtype=np.int64
    )
    table: list[list[bool]] = _kernels.syntax_table(tokens, arrays).tolist()
    return table


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
    """The mean number of sentences that share a word of the path."""
    return sum(len(graph.sentences[node]) for node in path) / max(len(path), 1)


def _word_bonus(graph: WordGraph, cluster: Cluster, lm: LmView, settings: RankOptions, most: float) -> float:
    """The mean cost of a word in the input sentences, so that the beam compares paths of different lengths fairly."""
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

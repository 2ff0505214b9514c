"""Sentence pairs from articles of one event: by edit distance, by overlap, from the first two sentences, or learnt.

Quirk et al. 2004, §3.1: all pairs of a cluster by word edit distance (insertions and deletions, lower-cased), without
identical pairs, pairs that differ only in punctuation, duplicates, pairs of very different lengths, and distant pairs.
Zhao et al. 2008, resource 3: pairs whose word overlap exceeds Th3. Quirk et al. §6: the first two sentences of
articles, which often summarise them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from paraphrast.acquire import _kernels
from paraphrast.acquire.candidates import Candidates, Need, find_candidates
from paraphrast.acquire.classifier import (
    FEATURES,
    PairClassifier,
    bootstrap,
    default_classifier,
    pair_features,
)
from paraphrast.acquire.options import PairOptions
from paraphrast.acquire.sentences import ArticleSentences, read_sentences
from paraphrast.engine import Engine
from paraphrast.formats.articles import Article

#: Number of pairs whose distances are computed at a time.
_CHUNK = 20_000
#: Number of pairs whose features are computed at a time.
_FEATURES = 5_000


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two sentences, their articles and group. distance: word insertions and deletions; score: what it was chosen by
    (the distance, the overlap, or the probability)."""

    first: str
    second: str
    distance: int
    score: float
    words: tuple[int, int]
    articles: tuple[int, int]


def find_pairs(
    articles: Sequence[Article],
    groups: Sequence[tuple[int, int]],
    engine: Engine,
    options: PairOptions | None = None,
    *,
    language: str = "en",
    threads: int = 1,
    sentences: ArticleSentences | None = None,
    classifier: PairClassifier | None = None,
) -> list[SentencePair]:
    """Pairs of sentences of articles of one group.

    groups: rows of (group, index of article). Sorted by the position of the first sentence, then of the second.
    """
    options = options or PairOptions()
    sentences = sentences or read_sentences(articles, language=language, threads=threads)
    candidates, shared = _candidates(sentences, groups, engine, options)
    distance = word_distances(sentences, candidates.one, candidates.other, engine)
    scores, accepted = shared, np.ones(len(distance), dtype=bool)
    if options.method == "distance":
        scores, accepted = distance.astype(np.float64), distance <= options.cutoff
    elif options.method == "overlap":
        accepted = shared > options.overlap
    elif options.method == "classifier":
        features = _pair_features(sentences, candidates, engine, language)
        model = classifier or default_classifier()
        if options.bootstrap:
            model = bootstrap(model, features, rounds=options.bootstrap)
        scores = model.probability(features)
        accepted = scores >= options.least
    lengths = sentences.lengths()
    order = np.flatnonzero(accepted)
    order = order[np.lexsort((candidates.second[order], candidates.first[order]))]
    return [
        SentencePair(
            sentences.texts[candidates.first[i]],
            sentences.texts[candidates.second[i]],
            int(distance[i]),
            float(scores[i]),
            (int(lengths[candidates.one[i]]), int(lengths[candidates.other[i]])),
            (int(sentences.article[candidates.first[i]]), int(sentences.article[candidates.second[i]])),
        )
        for i in order.tolist()
    ]


def candidate_features(
    articles: Sequence[Article],
    groups: Sequence[tuple[int, int]],
    engine: Engine,
    options: PairOptions | None = None,
    *,
    language: str = "en",
) -> NDArray[np.float64]:
    """Features of the pairs that the classifier would judge, for bootstrapping."""
    options = replace(options or PairOptions(), method="classifier")
    sentences = read_sentences(articles, language=language)
    candidates, _ = _candidates(sentences, groups, engine, options)
    return _pair_features(sentences, candidates, engine, language)


def _candidates(
    sentences: ArticleSentences, groups: Sequence[tuple[int, int]], engine: Engine, options: PairOptions
) -> tuple[Candidates, NDArray[np.float64]]:
    """Pairs to judge, and the overlap of each (none for ``distance``)."""
    rows = np.array(groups, dtype=np.int64).reshape(-1, 2)
    if options.method == "first-two":
        candidates = _lead_candidates(sentences, rows, options)
    else:
        candidates = find_candidates(
            sentences, rows[:, 0], rows[:, 1], _need(options), engine, same_article=options.same_article
        )
    candidates = _kept(candidates, _worth(sentences, candidates, options))
    if options.method == "distance":
        return candidates, np.zeros(0)
    shared = _overlaps(sentences, candidates.one, candidates.other)
    if options.method == "classifier":
        # Features cost a millisecond per pair, so they are computed only for pairs with enough overlap.
        candidates, shared = _kept(candidates, shared >= options.loose), shared[shared >= options.loose]
    return candidates, shared


def _need(options: PairOptions) -> Need:
    ratio = Fraction(options.ratio).limit_denominator(1000)
    if options.method == "distance":
        return Need(distance=options.cutoff, ratio=ratio)
    overlap = options.overlap if options.method == "overlap" else options.loose
    ratio = ratio if options.method == "overlap" else min(ratio, Fraction(1, 2))
    return Need(overlap=Fraction(overlap).limit_denominator(1000), ratio=ratio)


def _kept(found: Candidates, kept: NDArray[np.bool_]) -> Candidates:
    return Candidates(found.one[kept], found.other[kept], found.first[kept], found.second[kept])


def _worth(sentences: ArticleSentences, found: Candidates, options: PairOptions) -> NDArray[np.bool_]:
    """False for pairs that differ only in punctuation, or are too short."""
    bare: dict[bytes, int] = {}
    bare_of = np.zeros(len(sentences.starts) - 1, dtype=np.int64)
    for kind in range(len(bare_of)):
        row = sentences.row(kind)
        bare_of[kind] = bare.setdefault(row[sentences.is_word[row]].tobytes(), len(bare))
    lengths = sentences.lengths()
    shorter = np.minimum(lengths[found.one], lengths[found.other])
    return np.asarray((bare_of[found.one] != bare_of[found.other]) & (shorter >= options.min_words))


def _pair_features(
    sentences: ArticleSentences, found: Candidates, engine: Engine, language: str
) -> NDArray[np.float64]:
    """Features of candidates, computed in parts by the engine's workers, because they are expensive."""
    parts = []
    for begin in range(0, len(found.one), _FEATURES):
        first, second = (side[begin : begin + _FEATURES] for side in (found.first, found.second))
        texts = [[sentences.texts[i] for i in side.tolist()] for side in (first, second)]
        places = np.stack([sentences.place[first], sentences.place[second]], axis=1)
        parts.append((texts[0], texts[1], places, language))
    return np.concatenate(engine.map(_features_of_part, parts)) if parts else np.zeros((0, len(FEATURES)))


def _features_of_part(job: tuple[list[str], list[str], NDArray[np.int64], str]) -> NDArray[np.float64]:
    first, second, places, language = job
    return pair_features(first, second, places=places, language=language)


def word_distances(
    sentences: ArticleSentences, one: NDArray[np.int64], other: NDArray[np.int64], engine: Engine
) -> NDArray[np.int64]:
    """Word insertions and deletions between kinds of sentences (rapidfuzz's Indel, one character per word), computed
    by the engine's workers."""
    parts = []
    for begin in range(0, len(one), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        kinds = np.unique(np.concatenate([one[part], other[part]]))
        rows = [sentences.row(int(kind)) for kind in kinds]
        used, numbers = np.unique(np.concatenate(rows), return_inverse=True)
        if len(used) > 0x10F000:  # more words than characters: use lists, which are slower
            written: list[object] = [row.tolist() for row in rows]
        else:
            numbers = numbers + 1 + np.where(numbers + 1 >= 0xD800, 0x800, 0)
            text = numbers.astype("<u4").tobytes().decode("utf-32-le")
            ends = np.cumsum([len(row) for row in rows])
            written = [text[end - len(row) : end] for row, end in zip(rows, ends.tolist(), strict=True)]
        first, second = np.searchsorted(kinds, one[part]), np.searchsorted(kinds, other[part])
        parts.append((written, first, second))
    return np.concatenate([np.zeros(0, np.int64), *engine.map(_distances_of_part, parts)])


def _distances_of_part(
    job: tuple[list[object], NDArray[np.int64], NDArray[np.int64]],
) -> NDArray[np.int64]:
    from rapidfuzz.distance import Indel

    written, first, second = job
    return np.array(
        [
            Indel.distance(written[a], written[b])
            for a, b in zip(first.tolist(), second.tolist(), strict=True)
        ],
        dtype=np.int64,
    )


def _overlaps(
    sentences: ArticleSentences, one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.float64]:
    """2·shared words / all words, with repetition."""
    lengths = sentences.lengths()
    order = np.lexsort((sentences.words, np.repeat(np.arange(len(lengths)), lengths)))
    words, each = sentences.words[order].astype(np.int32), np.ones(len(order), dtype=np.int64)
    shared = _kernels.pair_products(sentences.starts, words, each, one, other)
    return np.asarray(2.0 * shared / np.maximum(lengths[one] + lengths[other], 1))


def _lead_candidates(
    sentences: ArticleSentences, groups: NDArray[np.int64], options: PairOptions
) -> Candidates:
    """Pairs of first sentences of articles of a group that share enough longer words."""
    leads: dict[int, list[int]] = {}
    for index in np.flatnonzero(sentences.place < options.leads).tolist():
        leads.setdefault(int(sentences.article[index]), []).append(index)
    long = np.array([len(word) >= 4 and word.isalpha() for word in sentences.vocabulary], dtype=bool)
    content: dict[int, frozenset[int]] = {}
    for group_leads in leads.values():
        for index in group_leads:
            row = sentences.row(int(sentences.kind[index]))
            content[index] = frozenset(row[long[row]].tolist())
    lengths = sentences.lengths()
    group_pairs: dict[tuple[int, int], tuple[int, int]] = {}
    members: dict[int, set[int]] = {}
    for group, article in groups.tolist():
        members.setdefault(group, set()).add(article)
    for _, of_group in sorted(members.items()):
        for one_article, other_article in combinations(sorted(of_group), 2):
            for one in leads.get(one_article, ()):
                for other in leads.get(other_article, ()):
                    if len(content[one] & content[other]) < options.shared:
                        continue
                    a, b = int(sentences.kind[one]), int(sentences.kind[other])
                    shorter, longer = sorted((int(lengths[a]), int(lengths[b])))
                    if a == b or shorter < min(options.ratio, 0.5) * longer:
                        continue
                    key, places = ((a, b), (one, other)) if a < b else ((b, a), (other, one))
                    group_pairs[key] = min(group_pairs.get(key, places), places)
    keys = sorted(group_pairs)
    table = np.array([(*key, *group_pairs[key]) for key in keys], dtype=np.int64).reshape(-1, 4)
    return Candidates(table[:, 0], table[:, 1], table[:, 2], table[:, 3])


def cluster_groups(clusters: Sequence[object]) -> list[tuple[int, int]]:
    """Rows of (group, article) from the cluster of each article. Articles without a cluster, or alone, are left out."""
    numbers: dict[object, int] = {}
    count: dict[object, int] = {}
    for cluster in clusters:
        count[cluster] = count.get(cluster, 0) + 1
    return [
        (numbers.setdefault(cluster, len(numbers)), index)
        for index, cluster in enumerate(clusters)
        if cluster not in ("", None) and count[cluster] > 1
    ]

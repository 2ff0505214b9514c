from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.tables.resources.kinds import TableJob
from paraphrast.tables.resources.options import ClusterOptions
from paraphrast.tables.resources.wordclusters import Clusters, WordclustersKind, cluster_rows, cluster_words
from paraphrast.types import FIRST_WORD, Sentences, Vocabulary

NOUNS = ("cat", "dog", "cow", "hen", "pig")


def corpus(seed: int, words: int = 12, sentences: int = 40) -> tuple[Sentences, Vocabulary]:
    draw = np.random.default_rng(seed)
    rows = [draw.zipf(1.5, int(draw.integers(1, 8))) % words + FIRST_WORD for _ in range(sentences)]
    made = Sentences.from_lists([row.tolist() for row in rows])
    names = Vocabulary.from_counts([(f"w{chr(97 + number)}", 100 - number) for number in range(words)])
    return made, names


def bigrams(sentences: Sentences, both: bool) -> Counter[tuple[tuple[int, int], int]]:
    """(context, word) → count; a context is (side, word), −1 at an edge."""
    counts: Counter[tuple[tuple[int, int], int]] = Counter()
    for row in sentences:
        words = row.tolist()
        for place, word in enumerate(words):
            counts[(0, words[place - 1] if place else -1), word] += 1
            if both:
                counts[(1, words[place + 1] if place + 1 < len(words) else -1), word] += 1
    return counts


def plain_likelihood(
    counts: Counter[tuple[tuple[int, int], int]], cluster: dict[int, int], both: bool
) -> float:
    held: Counter[tuple[tuple[int, int], int]] = Counter()
    totals: Counter[int] = Counter()
    for (context, word), count in counts.items():
        if word in cluster:
            held[context, cluster[word]] += count
            totals[cluster[word]] += count
    sides = 2 if both else 1
    value = sum(count * math.log(count) for count in held.values())
    return value - sides * sum(count / sides * math.log(count / sides) for count in totals.values())


def plain_exchange(
    counts: Counter[tuple[tuple[int, int], int]], words: list[int], clusters: int, passes: int, both: bool
) -> dict[int, int]:
    """The exchange algorithm by trying every cluster for every word, the whole likelihood computed each time."""
    cluster = {word: number % clusters for number, word in enumerate(words)}
    for _ in range(passes):
        for word in words:
            own = cluster[word]
            if sum(value == own for value in cluster.values()) == 1:
                continue
            best, best_value = own, plain_likelihood(counts, cluster, both)
            for candidate in range(clusters):
                value = plain_likelihood(counts, {**cluster, word: candidate}, both)
                if candidate != own and value > best_value + 1e-9:
                    best, best_value = candidate, value
            cluster[word] = best
    return cluster


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_as_the_plain_algorithm(seed: int, both: bool) -> None:
    sentences, vocabulary = corpus(seed)
    options = ClusterOptions(clusters=3, least_count=1, both=both, iterations=2, stop=0.0)
    found = cluster_words(sentences, vocabulary, options)
    counts = bigrams(sentences, both)
    clusters = min(3, len(found.words) // 4)  # at most a quarter of the words
    expected = plain_exchange(counts, found.words.tolist(), clusters, len(found.moved), both)
    assert dict(zip(found.words.tolist(), found.cluster.tolist(), strict=True)) == expected
    assert found.log_likelihood[-1] == pytest.approx(plain_likelihood(counts, expected, both))


def test_likelihood_never_falls_and_runs_agree() -> None:
    sentences, vocabulary = corpus(9, words=40, sentences=300)
    options = ClusterOptions(clusters=6, least_count=1, stop=0.0)
    one, two = (cluster_words(sentences, vocabulary, options) for _ in range(2))
    assert list(one.log_likelihood) == sorted(one.log_likelihood)
    assert one.cluster.tolist() == two.cluster.tolist()
    assert one.moved[-1] <= one.moved[0]


def test_words_used_alike_come_together(tmp_path: Path) -> None:
    lines = [
        f"the {noun} {verb} the {other} {when}"
        for noun in NOUNS
        for verb in ("saw", "heard", "found", "met", "missed")
        for other in NOUNS
        for when in ("today", "yesterday", "again", "often", "twice")
    ]
    path = tmp_path / "text.txt"
    path.write_text("\n".join(lines) + "\n")
    options = ClusterOptions(clusters=4, least_count=1)
    table = WordclustersKind().build(TableJob([path]), options)
    rows = {
        (table.phrase(s)[0], table.phrase(t)[0])
        for s, t in zip(table.table.source, table.table.target, strict=True)
    }
    assert ("cat", "dog") in rows
    assert ("saw", "heard") in rows
    assert ("cat", "saw") not in rows


def test_probabilities_within_a_cluster() -> None:
    vocabulary = Vocabulary.from_counts([("a", 5), ("b", 3), ("c", 1)])
    found = Clusters(np.arange(FIRST_WORD, FIRST_WORD + 3, dtype=np.int32), np.zeros(3, np.int32), (), ())
    rows = cluster_rows(found, vocabulary, vocabulary.counts, top=20)
    scores = {(row.source[0], row.target[0]): row.score for row in rows}
    assert scores["c", "a"] == pytest.approx(math.log(5 / 8))
    assert scores["a", "b"] == pytest.approx(math.log(3 / 4))


def test_too_little_text() -> None:
    sentences, vocabulary = corpus(1)
    with pytest.raises(InputError, match="occur 1000 times"):
        cluster_words(sentences, vocabulary, ClusterOptions(least_count=1000))

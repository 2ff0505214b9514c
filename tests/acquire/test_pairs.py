from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from acquire.pages_of_ours import events
from paraphrast.acquire.heldout import hold_out
from paraphrast.acquire.keyterms import KeyTermOptions, sentence_clusters
from paraphrast.acquire.options import HoldOutOptions, PairOptions
from paraphrast.acquire.pairs import _overlaps, cluster_groups, find_pairs
from paraphrast.acquire.report import make_report
from paraphrast.acquire.sentences import read_sentences
from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.formats.articles import Article


def groups() -> list[tuple[int, int]]:
    return cluster_groups([article.cluster for article in events()])


def pairs(method: str = "distance", **options: object) -> set[frozenset[str]]:
    with Engine(threads=1) as engine:
        found = find_pairs(events(), groups(), engine, PairOptions(method=method, **options))  # type: ignore[arg-type]
    return {frozenset((pair.first, pair.second)) for pair in found}


STRUCK = frozenset(
    (
        "A cargo ship struck the Harbour Bridge in Port Ellis on Monday morning.",
        "A cargo ship hit the Harbour Bridge in Port Ellis on Monday.",
    )
)
PASSIVE = frozenset(
    (
        "A cargo ship struck the Harbour Bridge in Port Ellis on Monday morning.",
        "The Harbour Bridge in Port Ellis was struck by a cargo ship on Monday morning.",
    )
)


def test_near_sentences_of_one_event_are_pairs() -> None:
    assert STRUCK in pairs(cutoff=3)
    assert PASSIVE not in pairs(cutoff=3)
    assert PASSIVE in pairs(cutoff=12)


def test_pairs_are_of_one_cluster() -> None:
    where = {line: article.cluster for article in events() for line in article.text.split("\n")}
    for found in (pairs(), pairs("overlap"), pairs("first-two"), pairs("classifier", least=0.5)):
        assert found
        for pair in found:
            assert len({where[line] for line in pair}) == 1


def test_the_first_two_sentences_and_the_classifier_reach_further() -> None:
    assert PASSIVE in pairs("first-two")
    assert PASSIVE in pairs("classifier", least=0.5)
    third = "Engineers will inspect the damaged pillar this week."
    assert not any(third in pair for pair in pairs("first-two"))


def test_identical_sentences_punctuation_and_copies_are_no_pairs() -> None:
    told = [
        Article("1", "The ship left the harbour today.", cluster="x"),
        Article("2", "the ship left the harbour today!", cluster="x"),
        Article("3", "The ship left the port today.", cluster="x", duplicate_of="1"),
    ]
    rows = [(0, 0), (0, 1), (0, 2)]
    with Engine(threads=1) as engine:
        assert find_pairs(told, rows, engine) == []
        alive = [*told[:2], replace(told[2], duplicate_of="")]
        found = find_pairs(alive, rows, engine)
    assert [(pair.distance, pair.articles) for pair in found] == [(2, (0, 2)), (4, (1, 2))]


def test_an_article_in_two_groups_gives_a_pair_once() -> None:
    told = [Article("1", "The ship left the harbour today."), Article("2", "The ship left the port today.")]
    with Engine(threads=1) as engine:
        assert len(find_pairs(told, [(0, 0), (0, 1), (1, 0), (1, 1)], engine)) == 1
        assert find_pairs(told, [(0, 0), (1, 1)], engine) == []
        assert find_pairs(told, [], engine) == []
        assert find_pairs([], [], engine) == []


def test_sentences_of_one_article_are_paired_when_asked() -> None:
    told = [Article("1", "The ship left the harbour today. The ship left the port today.")]
    with Engine(threads=1) as engine:
        assert find_pairs(told, [(0, 0)], engine) == []
        assert len(find_pairs(told, [(0, 0)], engine, PairOptions(same_article=True))) == 1


def test_short_sentences_are_left_out_when_asked() -> None:
    everything, longer = pairs(), pairs(min_words=11)
    assert 0 < len(longer) < len(everything)
    assert all(len(line.split()) > 9 for pair in longer for line in pair)


def test_lone_articles_are_of_no_group() -> None:
    assert cluster_groups(["a", "b", "a", "", ""]) == [(0, 0), (0, 2)]


def test_whole_clusters_are_held_out() -> None:
    with Engine(threads=1) as engine:
        rest, sample = hold_out(events(), groups(), engine, HoldOutOptions(share=0.5, pairs=3, low=2))
    assert len({group for group, _ in rest}) == 1
    assert 0 < len(sample) <= 3
    kept = {article for _, article in rest}
    assert all(not kept & set(pair.articles) and 2 <= pair.distance <= 20 for pair in sample)


def test_the_report_has_the_papers_figures() -> None:
    with Engine(threads=1) as engine:
        found = find_pairs(events(), groups(), engine)
    report = make_report(events(), groups(), found)
    assert (report.articles, report.clusters, report.articles_per_cluster) == (6, 2, 3.0)
    assert report.pairs == len(found) == sum(report.distances.values())
    assert report.mean_distance == pytest.approx(sum(pair.distance for pair in found) / len(found))
    assert "mean length" in report.text()
    assert report.histogram().startswith("<svg")
    assert make_report([], [], []).histogram().startswith("<svg")


def test_sentences_gather_around_key_terms() -> None:
    found = sentence_clusters(events()[:3], KeyTermOptions(least=3))
    terms = [cluster.term for cluster in found]
    assert "anna lind" in terms or "lind" in terms
    for cluster in found:
        assert len(cluster.sentences) >= 3
        assert len(set(cluster.articles)) >= 2


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="method: expected distance"):
        PairOptions(method="guess")
    with pytest.raises(InputError):
        PairOptions(cutoff=-1)
    with pytest.raises(InputError):
        HoldOutOptions(share=0)


def test_overlaps_are_those_of_counted_words() -> None:
    texts = ["a a b c", "a b b d", "e f", "A a a b.", "c b a a"]
    articles = [Article(str(number), text) for number, text in enumerate(texts)]
    sentences = read_sentences(articles)
    kinds = [Counter(sentences.row(kind).tolist()) for kind in range(len(texts))]
    one, other = (np.array(side) for side in zip(*combinations(range(len(texts)), 2), strict=True))
    expected = [
        2 * sum((kinds[a] & kinds[b]).values()) / (kinds[a].total() + kinds[b].total())
        for a, b in zip(one.tolist(), other.tolist(), strict=True)
    ]
    assert _overlaps(sentences, one, other).tolist() == expected

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.acquire.candidates import Need
from paraphrast.acquire.options import PairOptions
from paraphrast.acquire.pairs import find_pairs
from paraphrast.acquire.sentences import read_sentences
from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.formats.articles import Article

WORDS = ("a", "b", "c", "d", "e", "f", "g", "harbour", "bridge", "ship", ".", ",")
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=16)
ARTICLES = st.lists(st.lists(SENTENCE, min_size=1, max_size=5), min_size=2, max_size=5)


def slow_distance(one: list[str], other: list[str]) -> int:
    """Insertions and deletions, by the table."""
    before = list(range(len(other) + 1))
    for i, word in enumerate(one, 1):
        row = [i]
        for j, candidate in enumerate(other, 1):
            row.append(before[j - 1] if word == candidate else 1 + min(before[j], row[j - 1]))
        before = row
    return before[-1]


def slow_pairs(articles: list[list[list[str]]], cutoff: int, same_article: bool) -> set[frozenset[str]]:
    """All pairs that the paper's rules keep, by comparing everything with everything."""
    found: set[frozenset[str]] = set()
    entries = [(number, sentence) for number, own in enumerate(articles) for sentence in own]
    for place, (article, one) in enumerate(entries):
        for other_article, other in entries[place + 1 :]:
            if article == other_article and not same_article:
                continue
            less, more = sorted((len(one), len(other)))
            bare = [[word for word in row if word.isalpha()] for row in (one, other)]
            if bare[0] != bare[1] and 3 * less >= 2 * more and slow_distance(one, other) <= cutoff:
                found.add(frozenset((" ".join(one), " ".join(other))))
    return found


@settings(max_examples=60, deadline=None)
@given(ARTICLES, st.sampled_from([0, 1, 4, 9, 12, 15]), st.booleans())
def test_nothing_is_lost_that_the_exact_search_finds(
    texts: list[list[list[str]]], cutoff: int, same_article: bool
) -> None:
    articles = [
        Article(str(number), sentences=tuple(" ".join(row) for row in own))
        for number, own in enumerate(texts)
    ]
    rows = [(0, number) for number in range(len(articles))]
    with Engine(threads=1) as engine:
        found = find_pairs(articles, rows, engine, PairOptions(cutoff=cutoff, same_article=same_article))
    # The tokeniser's own words, so that both ways measure the same sentences.
    cut = read_sentences(articles)
    words = [[cut.vocabulary[w] for w in cut.row(int(kind))] for kind in cut.kind]
    told: list[list[list[str]]] = [[] for _ in articles]
    for article, row in zip(cut.article.tolist(), words, strict=True):
        told[article].append(row)
    joined = {text: " ".join(row) for text, row in zip(cut.texts, words, strict=True)}
    assert len(found) == len({frozenset((pair.first, pair.second)) for pair in found})
    assert {frozenset((joined[pair.first], joined[pair.second])) for pair in found} == slow_pairs(
        told, cutoff, same_article
    )
    for pair in found:
        assert pair.distance == slow_distance(joined[pair.first].split(), joined[pair.second].split())


@settings(max_examples=30, deadline=None)
@given(ARTICLES, st.sampled_from([0.3, 0.5, 0.75, 1.0]))
def test_overlap_loses_nothing_either(texts: list[list[list[str]]], overlap: float) -> None:
    articles = [
        Article(str(number), sentences=tuple(" ".join(row) for row in own))
        for number, own in enumerate(texts)
    ]
    with Engine(threads=1) as engine:
        found = find_pairs(
            articles,
            [(0, number) for number in range(len(articles))],
            engine,
            PairOptions(method="overlap", overlap=overlap),
        )
    cut = read_sentences(articles)
    expected = set()
    for i, text in enumerate(cut.texts):
        for j in range(i + 1, len(cut.texts)):
            one, other = cut.row(int(cut.kind[i])), cut.row(int(cut.kind[j]))
            less, more = sorted((len(one), len(other)))
            bare = [row[cut.is_word[row]].tolist() for row in (one, other)]
            shared = sum(min((one == w).sum(), (other == w).sum()) for w in np.unique(one))
            if (
                cut.article[i] != cut.article[j]
                and bare[0] != bare[1]
                and 3 * less >= 2 * more
                and 2 * shared / (less + more) > overlap
            ):
                expected.add(frozenset((text.lower(), cut.texts[j].lower())))
    assert {frozenset((pair.first.lower(), pair.second.lower())) for pair in found} == expected


def test_how_many_words_must_be_shared() -> None:
    need = Need(distance=12)
    assert [need.shared(total) for total in (10, 12, 13, 14, 40)] == [0, 0, 1, 1, 14]
    assert need.shortest_partner(30) == 20
    assert need.shortest_partner(60) == 48
    assert Need(overlap=Fraction(1, 2)).shared(21) == 6


def test_needs_are_checked() -> None:
    with pytest.raises(InputError):
        Need()
    with pytest.raises(InputError):
        Need(distance=3, overlap=Fraction(1, 2))
    with pytest.raises(InputError):
        Need(distance=-1)

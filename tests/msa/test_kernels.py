"""The compiled alignment against a plain twin written from figures 3 and 4."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.msa import _kernels
from paraphrast.msa.align import align_cluster
from paraphrast.msa.automaton import automaton_of
from paraphrast.msa.cluster import Cluster, cluster_arrays
from paraphrast.msa.graph import word_graph
from paraphrast.msa.match import VERSIONS, AlignOptions, MatchOptions, Version
from paraphrast.text.languages.registry import get_language
from paraphrast.text.syntax.chunklink import WordSyntax

ENGLISH = get_language("en")
TAGS = ["B-NP", "I-NP", "B-VP", "I-VP", "B-PP", "O"]


def compare_iobs(first: str, second: str, options: MatchOptions) -> float:
    if first == second:
        return options.exact
    return options.partial if first[1:] == second[1:] else options.none


def compare_traces(first: tuple[str, ...], second: tuple[str, ...], options: MatchOptions) -> float:
    one, two = list(first)[1:-1], list(second)[1:-1]
    score = 0.0
    i, j = len(one) - 1, len(two) - 1
    while i >= 0 and j >= 0:
        score += compare_iobs(one[i], two[j], options) * options.trace_weight
        i -= 1
        j -= 1
    return score - abs(len(one) - len(two)) * options.length_discount


def plain_match(
    cluster: Cluster, first: tuple[int, int], second: tuple[int, int], version: Version, options: MatchOptions
) -> bool:
    (s, i), (t, j) = first, second
    word = cluster.words[s][i]
    if word != cluster.words[t][j] or (not version.commas and word == ","):
        return False
    if not version.stop_words and word in ("the", "of"):
        return False
    if not version.syntactic:
        return True
    assert cluster.syntax is not None
    one, two = cluster.syntax[s][i], cluster.syntax[t][j]
    if one.tag != two.tag:
        return False
    score = compare_iobs(one.chunk, two.chunk, options) + compare_traces(one.trace, two.trace, options)
    if score < options.floor:
        return False
    from fractions import Fraction

    apart = abs(Fraction(i + 1, len(cluster.words[s])) - Fraction(j + 1, len(cluster.words[t])))
    limit = Fraction(options.position).limit_denominator(10_000)
    return apart <= limit if options.inclusive else apart < limit


def plain_align(
    cluster: Cluster, s: int, t: int, version: Version, options: MatchOptions, steps: AlignOptions
) -> tuple[float, list[int]]:
    rows, columns = len(cluster.words[s]), len(cluster.words[t])
    table = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    if not steps.free_borders:
        table = [[(i + j) * steps.gap for j in range(columns + 1)] for i in range(rows + 1)]

    def step(i: int, j: int) -> float:
        matched = plain_match(cluster, (s, i - 1), (t, j - 1), version, options)
        return steps.match if matched else steps.mismatch

    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            table[i][j] = max(
                table[i - 1][j - 1] + step(i, j), table[i - 1][j] + steps.gap, table[i][j - 1] + steps.gap
            )
    links = [-1] * rows
    i, j = rows, columns
    while i and j:
        if table[i][j] == table[i - 1][j - 1] + step(i, j):
            if plain_match(cluster, (s, i - 1), (t, j - 1), version, options):
                links[i - 1] = j - 1
            i, j = i - 1, j - 1
        elif table[i][j] == table[i - 1][j] + steps.gap:
            i -= 1
        else:
            j -= 1
    return table[rows][columns], links


def cluster_of(rows: list[list[WordSyntax]]) -> Cluster:
    words = tuple(tuple(one.word for one in row) for row in rows)
    places = tuple(range(len(rows)))
    return Cluster(
        ENGLISH,
        words,
        tuple(("",) * len(row) for row in rows),
        tuple((True,) * len(row) for row in rows),
        places,
        tuple((place,) for place in places),
        tuple(" ".join(row) for row in words),
        tuple(tuple(row) for row in rows),
    )


word = st.builds(
    WordSyntax,
    st.sampled_from(["mill", "fire", "the", "of", ",", "burnt"]),
    st.sampled_from(["NN", "VB"]),
    st.sampled_from(TAGS),
    st.lists(st.sampled_from(TAGS), min_size=1, max_size=5).map(tuple),
)
clusters = st.lists(st.lists(word, min_size=1, max_size=9), min_size=2, max_size=4).map(cluster_of)
rules = st.builds(
    MatchOptions,
    exact=st.sampled_from([0.5, 1.0]),
    partial=st.sampled_from([-0.5, 0.0]),
    length_discount=st.sampled_from([0.0, 0.5]),
    position=st.sampled_from([0.1, 0.25, 0.4, 1.0]),
    inclusive=st.booleans(),
)
steps = st.sampled_from([AlignOptions(), AlignOptions(1.0, -0.5, -0.25, free_borders=False)])


@settings(deadline=None, max_examples=150)
@given(clusters, st.sampled_from(sorted(VERSIONS)), rules, steps)
def test_scores_and_links_equal_the_plain_twin(
    cluster: Cluster, name: str, options: MatchOptions, how: AlignOptions
) -> None:
    version = VERSIONS[name]
    arrays = cluster_arrays(cluster, version, options, how)
    scores = _kernels.all_scores(arrays)
    for s in range(len(cluster)):
        for t in range(len(cluster)):
            if s == t:
                assert scores[s, t] == -np.inf
                continue
            score, links = plain_align(cluster, s, t, version, options, how)
            assert scores[s, t] == pytest.approx(score, abs=1e-12)
            assert _kernels.align_pair(s, t, arrays).tolist() == links


@settings(deadline=None, max_examples=80)
@given(clusters, st.sampled_from(sorted(VERSIONS)), rules)
def test_every_version_accepts_every_sentence(cluster: Cluster, name: str, options: MatchOptions) -> None:
    graph = word_graph(cluster, align_cluster(cluster, VERSIONS[name], options))
    assert len(graph.order) == len(graph.words)  # no cycle
    automaton = automaton_of(graph)
    for row in cluster.words:
        assert automaton.accepts(row)
        nodes = graph.nodes_of(row)
        assert nodes is not None
        assert len(graph.spans(nodes)) == 1


def at_place(place: int, length: int) -> list[WordSyntax]:
    filler = WordSyntax("x", "NN", "O", ("I-S",))
    row = [WordSyntax(f"w{place}-{number}", "NN", "O", ("I-S",)) for number in range(length)]
    row[place - 1] = WordSyntax("mill", filler.tag, filler.chunk, filler.trace)
    return row


@pytest.mark.parametrize(
    ("first", "second", "inclusive", "expected"),
    [
        ((1, 5), (3, 5), True, True),  # 0.2 and 0.6: exactly 0.4
        ((1, 5), (3, 5), False, False),
        ((3, 10), (7, 10), True, True),  # 0.7 − 0.3 is more than 0.4 in floating point
        ((1, 5), (4, 5), True, False),
        ((4, 20), (6, 10), True, True),
        ((4, 20), (7, 10), True, False),
    ],
)
def test_exactly_the_threshold_matches(
    first: tuple[int, int], second: tuple[int, int], inclusive: bool, expected: bool
) -> None:
    cluster = cluster_of([at_place(*first), at_place(*second)])
    arrays = cluster_arrays(cluster, VERSIONS["V5"], MatchOptions(inclusive=inclusive))
    matched = _kernels.tokens_match(
        first[0] - 1,
        first[0],
        first[1],
        first[1] + second[0] - 1,
        second[0],
        second[1],
        arrays,
    )
    assert matched is expected


def test_a_diagonal_step_without_a_match_aligns_nothing() -> None:
    def row(*words: str) -> list[WordSyntax]:
        return [WordSyntax(one, "NN", "O", ("I-S",)) for one in words]

    cluster = cluster_of([row("a1", "mill", "b1"), row("a2", "mill", "b2")])
    arrays = cluster_arrays(cluster, VERSIONS["V1"])
    assert _kernels.pair_score(0, 1, arrays) == -1 + 2 - 1
    assert _kernels.align_pair(0, 1, arrays).tolist() == [-1, 1, -1]

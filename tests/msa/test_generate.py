"""New sentences: random and ranked, with their sources, without contradictions."""

from __future__ import annotations

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.fusion.sentences import lm_view
from paraphrast.msa import _kernels_beam
from paraphrast.msa.align import align_cluster
from paraphrast.msa.automaton import automaton_of
from paraphrast.msa.checks import is_unbalanced, says_twice
from paraphrast.msa.cluster import Cluster, make_cluster
from paraphrast.msa.conflicts import facts_of, find_conflicts, mixes_conflict
from paraphrast.msa.generate import draw_paths, fused_of, novel_paths
from paraphrast.msa.graph import WordGraph, word_graph
from paraphrast.msa.match import VERSIONS
from paraphrast.msa.proxies import fidelity, grammaticality, parse_agreement
from paraphrast.msa.rank import LmView, RankOptions, rank_sentences
from paraphrast.text.languages.registry import get_language
from paraphrast.text.syntax.chunklink import WordSyntax

ENGLISH = get_language("en")


def graph_of(cluster: Cluster, name: str = "V4") -> WordGraph:
    return word_graph(cluster, align_cluster(cluster, VERSIONS[name]))


def ranked(cluster: Cluster, options: RankOptions | None = None, n: int = 10, name: str = "V4") -> list[str]:
    graph = graph_of(cluster, name)
    facts = facts_of(cluster, graph)
    conflicts = find_conflicts(cluster, graph, facts)
    view = lm_view(cluster, None)
    return [one.text for one in rank_sentences(graph, cluster, view, facts, conflicts, options, n=n)]


def test_random_paths_are_seeded_and_of_the_automaton(mill: Cluster) -> None:
    found = automaton_of(graph_of(mill))
    paths = draw_paths(found, count=40, seed=5)
    assert paths == draw_paths(found, count=40, seed=5)
    assert paths != draw_paths(found, count=40, seed=6)
    assert all(found.accepts(path) for path in paths)
    novel, copies = novel_paths(found, mill.words, drawn=40, kept=3, seed=5)
    assert len(novel) == len(set(novel)) == 3
    assert not set(novel) & set(mill.words)
    assert copies == sum(path in mill.words for path in paths) / 40
    with pytest.raises(InputError):
        draw_paths(found, count=-1)


def test_every_span_says_where_it_came_from(mill: Cluster) -> None:
    graph = graph_of(mill)
    found = automaton_of(graph)
    for path in draw_paths(found, count=60, seed=1):
        fused = fused_of(path, graph, mill)
        assert fused.text.lower().split() == [word.lower() for word in path]
        assert "".join(fused.text[span.start : span.end] for span in fused.spans) == fused.text
        for span in fused.spans:
            told = fused.text[span.start : span.end].strip().lower()
            for sentence in span.sentences:
                assert told in mill.texts[mill.numbers.index(sentence)].lower()
    with pytest.raises(InputError, match="automaton"):
        fused_of(("nothing",), graph, mill)


def test_a_sentence_given_is_one_span(mill: Cluster) -> None:
    graph = graph_of(mill)
    assert [span.sentences for span in fused_of(mill.words[2], graph, mill).spans] == [(2,)]


def test_conflicts_are_found_and_not_mixed(mill: Cluster) -> None:
    graph = graph_of(mill)
    facts = facts_of(mill, graph)
    conflicts = find_conflicts(mill, graph, facts)
    # "called help at 9:15" and "called them at 9:20" have no content word beside the time in common but none at all;
    # with the same words beside them the two times contradict each other.
    assert conflicts == ()
    cluster = make_cluster(
        [
            "Police said the guard called at 9:15 .",
            "Firemen said the guard called at 9:20 from home .",
            "Police said two men fell .",
            "Police said three men fell .",
        ],
        ENGLISH,
        pretokenized=True,
    )
    graph = graph_of(cluster, "V3")
    facts = facts_of(cluster, graph)
    conflicts = find_conflicts(cluster, graph, facts)
    told = [one.to_dict(cluster) for one in conflicts]
    assert {(one["left"], one["right"]) for one in told} >= {("called", ""), ("", "men")}
    mixed = graph.nodes_of(["Firemen", "said", "the", "guard", "called", "at", "9:15", "."])
    assert mixed is not None
    found = mixes_conflict(mixed, graph, facts, conflicts)
    assert found is not None
    assert found.left == "called"
    for path in graph.paths:
        assert mixes_conflict(path, graph, facts, conflicts) is None
    for text in ranked(cluster, name="V3"):
        assert not ("Firemen" in text and "9:15" in text)
        assert not ("Police" in text and "9:20" in text)


def test_names_in_one_slot_contradict_each_other() -> None:
    cluster = make_cluster(
        ["police said Anna Berg was lost .", "police said Ole Holm was lost ."], ENGLISH, pretokenized=True
    )
    graph = graph_of(cluster, "V1")
    (found,) = find_conflicts(cluster, graph, facts_of(cluster, graph))
    assert (found.left, found.right, found.kind) == ("said", "was", "name")
    assert [value for value, _ in found.values] == [("Anna", "Berg"), ("Ole", "Holm")]


def test_ranked_sentences_are_new_distinct_and_ordered(mill: Cluster) -> None:
    graph = graph_of(mill)
    facts = facts_of(mill, graph)
    found = rank_sentences(
        graph, mill, lm_view(mill, None), facts, (), RankOptions(distinct=0.0, novel=0.0), n=50
    )
    assert found
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    automaton = automaton_of(graph)
    for one in found:
        assert automaton.accepts(one.words)
        assert one.words not in mill.words
        assert 1 < len(one.spans) <= one.parts["changes"] + 1
    assert len(ranked(mill, RankOptions(distinct=0.5, novel=0.0))) < len(found)
    assert len(ranked(mill, RankOptions(distinct=0.0, novel=0.4), n=50)) < len(found)


def test_the_beam_finds_the_best_path(mill: Cluster) -> None:
    """Against every path of the graph, scored in the plain way."""
    from paraphrast.msa.rank import lm_scores

    graph = graph_of(mill)
    view = lm_view(mill, None)
    options = RankOptions(
        agreement=0.0, change=0.0, indirect=0.0, length=0.0, distinct=0.0, novel=0.0, beam=200
    )
    facts = facts_of(mill, graph)
    found = rank_sentences(graph, mill, view, facts, (), options, n=1)[0]
    paths = {words for words, _ in automaton_of(graph).lattice.paths()} - set(mill.words)
    lengths = [len(row) for row in mill.words]
    allowed = [
        words
        for words in paths
        if 0.8 * min(lengths) <= len(words) <= 1.2 * max(lengths)
        and not says_twice(words, mill)
        and not is_unbalanced(words)
    ]
    best = max(
        score / (len(words) + 1) for words, score in zip(allowed, lm_scores(allowed, view), strict=True)
    )
    assert found.score == pytest.approx(best, abs=1e-6)


def test_what_is_said_twice_or_left_open(mill: Cluster) -> None:
    assert says_twice(["the", "owner", "of", "the", "mill", "said", "the", "owner", "of", "it", "fell"], mill)
    assert says_twice(["mill", "mill", "mill", "burnt"], mill)
    assert not says_twice(["the", "owner", "of", "the", "mill", "called"], mill)
    assert is_unbalanced(["(", "a"])
    assert is_unbalanced(["a", "''"])
    assert is_unbalanced(["(", "]"])
    assert is_unbalanced(['"', "a"])
    assert not is_unbalanced(["``", "a", "''", "(", "b", ")"])


def test_proxies(mill: Cluster) -> None:
    view = lm_view(mill, None)
    own = grammaticality(mill.words, mill, view)
    weights = np.array([len(row) + 1 for row in mill.words])
    assert float((np.array(own) * weights).sum()) == pytest.approx(0.0, abs=1e-6)
    assert fidelity(mill.words[0], mill) == 1.0
    assert fidelity(["firemen", "roof"], mill) == 0.0
    assert fidelity(["the"], mill) == 1.0
    word = WordSyntax("a", "NN", "B-NP", ("I-S", "B-NP"))
    other = WordSyntax("a", "VB", "B-VP", ("I-S", "B-VP"))
    assert parse_agreement([word, word], [[other, word], [other]]) == 0.5


def test_the_kernel_equals_a_plain_search() -> None:
    """A tiny graph: two ways, one change of source; scores by hand."""
    cluster = make_cluster(["a b c", "d b e"], ENGLISH, pretokenized=True)
    graph = graph_of(cluster, "V1")
    view = lm_view(cluster, None)
    heads = [head for edges in graph.after for head in edges]
    begin = np.cumsum([0, *(len(edges) for edges in graph.after)]).astype(np.int64)
    runs = np.array(
        [[sum(1 << one for one in found)] for edges in graph.after for found in edges.values()],
        dtype=np.uint64,
    )
    result = _kernels_beam.search(
        view.arrays,
        np.array(graph.order, dtype=np.int32),
        begin,
        np.array(heads, dtype=np.int32),
        np.zeros(len(heads)),
        runs,
        np.zeros(len(heads) + 1, dtype=np.int64),
        np.zeros(0, dtype=np.int32),
        np.zeros((0, 1), dtype=np.uint64),
        view.of(graph.words),
        view.of(graph.words),
        0.0,
        3.0,
        7.0,
        0.0,
        4,
        4,
    )
    score, changes = result[0], result[2]
    last = graph.words.index("e")
    told = sorted(
        (float(score[last, slot]), int(changes[last, slot])) for slot in range(16) if score[last, slot] > -1e9
    )
    assert told == [(-3.0, 1), (0.0, 0)]  # "a b e" changes once, "d b e" never


def test_a_view_of_a_language_model() -> None:
    view = LmView(lm_view(make_cluster(["a b"], ENGLISH, pretokenized=True), None).arrays, {"a": 11})
    assert view.of(["a", "nothing"]).tolist() == [11, 0]

"""Articles and commas that a new sentence has wrong from its sources."""

from __future__ import annotations

from dependency_trees import ENGLISH, graph_of, tree
from paraphrast.msa.graph import WordGraph
from paraphrast.msa.repairs import Repairs, find_repairs

BARE = tree("man/NN/1/nsubj holds/VBZ/1/ROOT pan/NN/1/dobj on/IN/1/prep fire/NN/3/pobj")
FULL = tree(
    "a/DT/1/det man/NN/2/nsubj sees/VBZ/2/ROOT a/DT/4/det pan/NN/2/dobj by/IN/2/prep a/DT/7/det fire/NN/5/pobj"
)
COMMA = tree("a/DT/1/det boy/NN/3/nsubj ,/,/3/punct runs/VBZ/3/ROOT")


def mended(graph: WordGraph, repairs: Repairs, sentence: int) -> str:
    return " ".join(graph.words[node] for node in repairs.apply(graph.paths[sentence]))


def test_articles_before_nouns_that_another_sentence_counts() -> None:
    graph = graph_of(BARE, FULL)
    repairs = find_repairs(graph, [BARE, FULL], ENGLISH)
    # "on fire" stays: the other sentence has the noun after another preposition.
    assert mended(graph, repairs, 0) == "a man holds a pan on fire"
    assert mended(graph, repairs, 1) == " ".join(FULL.words)


def test_a_comma_between_subject_and_verb_is_left_out() -> None:
    graph = graph_of(COMMA)
    assert mended(graph, find_repairs(graph, [COMMA], ENGLISH), 0) == "a boy runs"


def test_without_trees_nothing_is_mended() -> None:
    assert find_repairs(graph_of(COMMA), None, ENGLISH) == Repairs()


def test_a_reading_model_has_the_last_word_about_articles() -> None:
    graph = graph_of(BARE, FULL)
    refused = find_repairs(graph, [BARE, FULL], ENGLISH, {(0, 0): -2.0, (0, 2): 0.0, (0, 4): 1.0})
    assert mended(graph, refused, 0) == "man holds a pan on fire"
    wanted = find_repairs(graph, [BARE, FULL], ENGLISH, {(0, 0): 1.0, (0, 2): -1.0, (0, 4): 3.0})
    assert mended(graph, wanted, 0) == "a man holds pan on a fire"

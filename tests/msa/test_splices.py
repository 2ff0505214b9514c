"""Exchanged constituents, with trees written by hand."""

from __future__ import annotations

from dependency_trees import ENGLISH, graph_of, tree
from paraphrast.msa.splices import main_clause, spliced_paths, subtree
from paraphrast.text.syntax.parser import Dependencies

FINITE = tree(
    "a/DT/1/det man/NN/3/nsubj is/VBZ/3/aux walking/VBG/3/ROOT across/IN/3/prep the/DT/6/det "
    "street/NN/4/pobj ././3/punct"
)
FRAGMENT = tree(
    "a/DT/1/det guy/NN/1/ROOT in/IN/1/prep a/DT/5/det green/JJ/5/amod shirt/NN/2/pobj walks/VBZ/1/acl "
    "past/IN/6/prep a/DT/10/det red/JJ/10/amod house/NN/7/pobj ././1/punct"
)
OTHER = tree("two/CD/1/nummod men/NNS/2/nsubj walk/VBP/2/ROOT ././2/punct")


def texts(*trees: Dependencies) -> set[str]:
    """The spliced sentences."""
    graph = graph_of(*trees)
    return {
        " ".join(graph.words[node] for node in path) for path in spliced_paths(graph, list(trees), ENGLISH)
    }


def test_a_subject_takes_the_predicate_of_another_sentence() -> None:
    assert "a guy in a green shirt is walking across the street ." in texts(FINITE, FRAGMENT)


def test_complements_follow_another_form_of_the_same_verb() -> None:
    assert "a man is walking past a red house ." in texts(FINITE, FRAGMENT)


def test_subjects_with_other_counts_are_kept_apart() -> None:
    assert texts(FINITE, OTHER) == set()


def test_main_clause_of_a_sentence_and_of_a_fragment() -> None:
    clause, fragment = main_clause(FINITE), main_clause(FRAGMENT)
    assert clause is not None
    assert fragment is not None
    assert (clause.subject, clause.predicate, clause.verb) == (1, 2, 3)
    assert (fragment.subject, fragment.predicate, fragment.verb) == (1, 6, 6)


def test_adjectives_of_a_noun_with_the_same_role() -> None:
    first = tree(
        "a/DT/1/det man/NN/2/nsubj sits/VBZ/2/ROOT on/IN/2/prep steps/NNS/3/pobj of/IN/4/prep stone/NN/5/pobj"
    )
    second = tree(
        "a/DT/2/det tall/JJ/2/amod man/NN/3/nsubj sitting/VBG/3/ROOT on/IN/3/prep wide/JJ/6/amod steps/NNS/4/pobj"
    )
    assert "a man sits on wide steps of stone" in texts(first, second)


def test_a_subtree_without_its_final_mark() -> None:
    assert subtree(FINITE, 3) == (0, 7)
    assert subtree(FINITE, 4) == (4, 7)


def test_subjects_with_other_names_are_kept_apart() -> None:
    text = "a/DT/1/det poll/NN/4/nsubj for/IN/1/prep {}/NNP/2/pobj {}/VBD/4/ROOT so/RB/4/advmod"
    post, times = tree(text.format("Post", "said")), tree(text.format("Times", "found"))
    assert texts(post, times) == set()
    assert texts(post, tree(text.format("Post", "found")))


def test_a_name_with_and_without_its_first_name_is_the_same_subject() -> None:
    text = "{}/NNP/1/compound Smith/NNP/2/nsubj {}/VBD/2/ROOT so/RB/2/advmod"
    titled, full = tree(text.format("Mr", "denied")), tree(text.format("Ann", "said"))
    assert "Ann Smith denied so" in texts(titled, full)
    assert "Ann Smith denied so" not in texts(tree(text.format("Bob", "denied")), full)
    # "Mr Smith" may be either of two.
    assert "Ann Smith denied so" not in texts(titled, full, tree(text.format("Bob", "left")))

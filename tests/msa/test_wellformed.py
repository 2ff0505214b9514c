"""Judging the parse of a new sentence by those of its cluster."""

from __future__ import annotations

import pytest

from paraphrast.msa.wellformed import (
    arcs_of,
    contradicts,
    disagrees,
    has_finite_root,
    judge_tree,
    known_arcs,
    lacks_article,
    root_count,
)
from paraphrast.text.syntax.parser import Dependencies


def tree(text: str) -> Dependencies:
    rows = [token.split("/") for token in text.split()]
    words, tags, labels, heads = (tuple(row[column] for row in rows) for column in range(4))
    return Dependencies(words, tags, tuple(map(int, heads)), labels)


BOMB = tree("A/DT/det/1 bomb/NN/nsubj/2 exploded/VBD/ROOT/2 near/IN/prep/2 mills/NNS/pobj/3 ././punct/2")
DAWN = tree("A/DT/det/1 car/NN/nsubj/2 exploded/VBD/ROOT/2 at/IN/prep/2 dawn/NN/pobj/3 ././punct/2")
SOURCES = [BOMB, DAWN]
KNOWN = known_arcs(SOURCES)


def test_arcs_name_words_and_leave_punctuation_out() -> None:
    assert arcs_of(BOMB)[:3] == [
        ("a", "det", "bomb"),
        ("bomb", "nsubj", "exploded"),
        ("exploded", "ROOT", ""),
    ]
    assert len(arcs_of(BOMB)) == 5


def test_a_sentence_of_known_arcs_is_sound() -> None:
    made = tree("A/DT/det/1 bomb/NN/nsubj/2 exploded/VBD/ROOT/2 at/IN/prep/2 dawn/NN/pobj/3 ././punct/2")
    verdict = judge_tree(made, KNOWN, SOURCES)
    assert verdict.sound
    assert verdict.agreement == 1


def test_an_argument_that_no_sentence_has_is_a_fault() -> None:
    made = tree("mills/NNS/nsubj/1 exploded/VBD/ROOT/1 at/IN/prep/1 dawn/NN/pobj/2 ././punct/1")
    verdict = judge_tree(made, KNOWN, SOURCES)
    assert not verdict.sound
    assert "nsubj(exploded, mills)" in verdict.fault


def test_fragments_and_double_sentences_are_faults() -> None:
    fragment = tree("A/DT/det/1 bomb/NN/ROOT/1 near/IN/prep/1 mills/NNS/pobj/2 ././punct/1")
    assert judge_tree(fragment, KNOWN, SOURCES).fault == "no finite verb with a subject"
    assert judge_tree(
        fragment, known_arcs([fragment]), [fragment]
    ).sound  # where the sources are fragments too
    double = tree("A/DT/det/1 bomb/NN/nsubj/2 exploded/VBD/ROOT/2 exploded/VBD/ROOT/3 ././punct/2")
    assert judge_tree(double, KNOWN, SOURCES).fault == "more than one main clause"
    assert root_count(double) == 2


def test_one_modifier_may_hang_elsewhere() -> None:
    moved = tree("A/DT/det/1 bomb/NN/nsubj/4 at/IN/prep/1 dawn/NN/pobj/2 exploded/VBD/ROOT/4 ././punct/4")
    assert judge_tree(moved, KNOWN, SOURCES).sound
    assert not judge_tree(moved, KNOWN, SOURCES, spare=0).sound


def test_finite_roots() -> None:
    assert has_finite_root(BOMB)
    assert not has_finite_root(tree("Riding/VBG/ROOT/0 bikes/NNS/dobj/0"))
    passive = tree("He/PRP/nsubjpass/2 was/VBD/auxpass/2 seen/VBN/ROOT/2")
    assert has_finite_root(passive)


def test_two_roots_must_be_those_of_one_source() -> None:
    double = tree("A/DT/det/1 bomb/NN/nsubj/2 exploded/VBD/ROOT/2 Police/NNS/nsubj/4 came/VBD/ROOT/4")
    other = tree("Police/NNS/nsubj/1 came/VBD/ROOT/1 then/RB/ROOT/2")
    known = known_arcs([BOMB, double, other])
    assert judge_tree(double, known, [BOMB, double]).sound
    assert judge_tree(double, known, [BOMB, other]).fault == "more than one main clause"


def test_a_main_clause_does_not_become_another_clause() -> None:
    source = tree("Smith/NNP/nsubj/1 drove/VBD/ROOT/1 away/RB/advmod/1")
    arrest = tree("Police/NNS/nsubj/1 arrested/VBD/ROOT/1 Smith/NNP/dobj/1")
    made = tree("Police/NNS/nsubj/1 arrested/VBD/ROOT/1 Smith/NNP/dobj/1 drove/VBD/advcl/1 away/RB/advmod/3")
    assert not judge_tree(made, known_arcs([source, arrest]), [source, arrest]).sound
    told = tree("Police/NNS/nsubj/1 told/VBD/ROOT/1 drove/VBD/advcl/1 away/RB/advmod/2")
    assert judge_tree(made, known_arcs([source, arrest, told]), [source, arrest]).sound


def test_nouns_for_the_same_person_share_their_verbs() -> None:
    man = tree("a/DT/det/1 man/NN/nsubj/2 jumps/VBZ/ROOT/2")
    guy = tree("a/DT/det/1 guy/NN/nsubj/2 waits/VBZ/ROOT/2")
    made = tree("a/DT/det/1 guy/NN/nsubj/2 jumps/VBZ/ROOT/2")
    known = known_arcs([man, guy])
    assert not judge_tree(made, known, [man, guy]).sound
    assert judge_tree(made, known, [man, guy], same_kind=(frozenset({"man", "guy"}),)).sound


def test_a_sentence_that_will_be_completed_needs_no_verb_yet() -> None:
    noun = tree("a/DT/det/1 man/NN/ROOT/1 running/VBG/acl/1")
    known = known_arcs([BOMB, noun])
    assert not judge_tree(noun, known, [BOMB, noun]).sound
    assert judge_tree(noun, known, [BOMB, noun], verbless=True).sound


def test_a_noun_at_the_beginning_lacks_an_article() -> None:
    assert lacks_article(tree("Dog/NN/nsubj/1 runs/VBZ/ROOT/1"), 0)
    assert not lacks_article(tree("A/DT/det/1 dog/NN/nsubj/2 runs/VBZ/ROOT/2"), 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a/DT/det/1 man/NN/nsubj/2 pick/VBP/ROOT/2", True),
        ("men/NNS/nsubj/2 is/VBZ/aux/2 running/VBG/ROOT/2", True),
        ("a/DT/det/1 group/NN/nsubj/4 of/IN/prep/1 men/NNS/pobj/2 run/VBP/ROOT/4", False),
        ("a/DT/det/1 man/NN/nsubj/2 picks/VBZ/ROOT/2", False),
        ("a/DT/det/1 man/NN/nsubj/4 and/CC/cc/1 boy/NN/conj/1 picks/VBZ/ROOT/4", True),
        ("a/DT/det/1 man/NN/nsubj/4 and/CC/cc/1 boy/NN/conj/1 pick/VBP/ROOT/4", False),
        (
            "a/DT/det/1 man/NN/nsubj/6 in/IN/prep/1 coats/NNS/pobj/2 and/CC/cc/1 hat/NN/conj/1 sits/VBZ/ROOT/6",
            False,
        ),
    ],
)
def test_a_verb_agrees_with_its_subject(text: str, expected: bool) -> None:
    assert disagrees(tree(text)) is expected


def test_a_noun_does_not_get_an_adjective_that_excludes_that_of_a_source() -> None:
    black = tree("a/DT/det/2 black/JJ/amod/2 dog/NN/nsubj/3 runs/VBZ/ROOT/3")
    brown = tree("a/DT/det/2 brown/JJ/amod/2 dog/NN/nsubj/3 sleeps/VBZ/ROOT/3")
    colours = (frozenset({"black", "brown"}),)
    assert contradicts(black, [brown], colours)
    assert not contradicts(black, [black, BOMB], colours)
    assert not judge_tree(black, known_arcs([black]), [brown], exclusive=colours).sound

"""Where sentences may be joined, on dependency trees written by hand."""

from __future__ import annotations

import pytest

from paraphrast.msa.joins import fitting_table, frontier, joins
from paraphrast.text.syntax.parser import Dependencies


def tree(text: str) -> Dependencies:
    """``word/TAG/label/head``, heads by place from 0; a root names its own place."""
    rows = [token.split("/") for token in text.split()]
    return Dependencies(
        tuple(row[0] for row in rows),
        tuple(row[1] for row in rows),
        tuple(int(row[3]) for row in rows),
        tuple(row[2] for row in rows),
    )


RIVA = tree(
    "Riva/NNP/nsubjpass/2 was/VBD/auxpass/2 treated/VBN/ROOT/2 in/IN/prep/2 Oak/NNP/pobj/3 ././punct/2"
)
VICTIMS = tree(
    "Doctors/NNS/nsubj/3 in/IN/prep/0 Oak/NNP/pobj/1 saw/VBD/ROOT/3 victims/NNS/dobj/3 ././punct/3"
)
CAR = tree("A/DT/det/1 bomb/NN/nsubj/2 exploded/VBD/ROOT/2 near/IN/prep/2 mills/NNS/pobj/3 ././punct/2")
DAWN = tree("A/DT/det/1 bomb/NN/nsubj/2 exploded/VBD/ROOT/2 at/IN/prep/2 dawn/NN/pobj/3 ././punct/2")
MINE = tree("A/DT/det/1 mine/NN/nsubj/2 exploded/VBD/ROOT/2 at/IN/prep/2 dawn/NN/pobj/3 ././punct/2")
SAID = tree(
    "Police/NNS/nsubj/1 said/VBD/ROOT/1 a/DT/det/3 bomb/NN/nsubj/4 exploded/VBD/ccomp/1 near/IN/prep/4 "
    "mills/NNS/pobj/5 ././punct/1"
)
SOLDIERS = tree(
    "Soldiers/NNS/nsubj/1 said/VBD/ROOT/1 a/DT/det/3 bomb/NN/nsubj/4 exploded/VBD/ccomp/1 at/IN/prep/4 "
    "dawn/NN/pobj/5 ././punct/1"
)


def test_the_frontier_holds_what_waits_and_what_is_owed() -> None:
    subject = frontier(VICTIMS, 2)
    assert subject.waiting == (0,)
    assert subject.chain == (2, 1, 0)
    assert subject.right == {}
    inside = frontier(SAID, 3)
    assert inside.waiting == (3,)
    assert inside.chain == (3, 1)  # past its head on the right to the verb on the left
    assert inside.right == {1: frozenset({"ccomp"})}


def test_a_second_verb_is_not_joined_at_a_shared_name() -> None:
    """The name ends the one sentence and belongs to the subject of the other."""
    assert not joins(RIVA, 4, VICTIMS, 2)
    assert not joins(VICTIMS, 2, RIVA, 4)


def test_modifiers_go_to_the_same_verb_with_the_same_subject() -> None:
    assert joins(CAR, 2, DAWN, 2)
    assert joins(CAR, 1, DAWN, 1)
    assert not joins(CAR, 2, MINE, 2)


def test_a_report_keeps_its_speaker() -> None:
    assert joins(SAID, 4, SAID, 4)
    assert not joins(SAID, 3, SOLDIERS, 3)
    assert not joins(SAID, 1, SOLDIERS, 1)


@pytest.mark.parametrize(("first", "second", "expected"), [("three", "three", True), ("three", "two", False)])
def test_a_noun_keeps_its_count(first: str, second: str, expected: bool) -> None:
    killed = tree(f"{first}/CD/nummod/1 men/NNS/nsubjpass/3 were/VBD/auxpass/3 killed/VBN/ROOT/3 ././punct/3")
    hurt = tree(f"{second}/CD/nummod/1 men/NNS/nsubjpass/3 were/VBD/auxpass/3 hurt/VBN/ROOT/3 ././punct/3")
    assert joins(killed, 1, hurt, 1) is expected


def test_an_object_is_neither_lost_nor_doubled() -> None:
    saw = tree("He/PRP/nsubj/1 saw/VBD/ROOT/1 mills/NNS/dobj/1 burn/VB/ccomp/1 ././punct/1")
    left = tree("He/PRP/nsubj/1 saw/VBD/ROOT/1 and/CC/cc/1 left/VBD/conj/1 ././punct/1")
    assert not joins(saw, 1, left, 1)  # the mills would be lost
    twice = tree("He/PRP/nsubj/1 saw/VBD/ROOT/1 mills/NNS/npadvmod/1 fire/NN/dobj/1 ././punct/1")
    assert not joins(saw, 2, twice, 2)


def test_a_coordination_stays_with_what_governs_it() -> None:
    one = tree("one/CD/nummod/1 count/NN/ROOT/1 of/IN/prep/1 theft/NN/pobj/2 ././punct/1")
    two = tree("charges/NNS/ROOT/0 of/IN/prep/0 theft/NN/pobj/1 and/CC/cc/2 murder/NN/conj/2 ././punct/0")
    assert not joins(one, 3, two, 2)


def test_prepositions_keep_their_predicate() -> None:
    stands = tree("A/DT/det/1 man/NN/nsubj/2 stands/VBZ/ROOT/2 by/IN/prep/2 flags/NNS/pobj/3 ././punct/2")
    stood = tree("A/DT/det/1 man/NN/nsubj/2 stands/VBZ/ROOT/2 by/IN/prep/2 mills/NNS/pobj/3 ././punct/2")
    swears = tree("A/DT/det/1 man/NN/nsubj/2 swears/VBZ/ROOT/2 by/IN/prep/2 mills/NNS/pobj/3 ././punct/2")
    assert joins(stands, 3, stood, 3)
    assert not joins(stands, 3, swears, 3)


def test_the_table_asks_for_every_pair() -> None:
    assert fitting_table([CAR, DAWN, MINE], [0, 1, 2], [2, 2, 2]) == [
        [True, True, False],
        [True, True, False],
        [False, False, True],
    ]


POST = tree(
    "A/DT/det/1 poll/NN/nsubj/5 for/IN/prep/1 the/DT/det/4 Post/NNP/pobj/2 said/VBD/ROOT/5 so/RB/advmod/5"
)
TIMES = tree(
    "A/DT/det/1 poll/NN/nsubj/5 in/IN/prep/1 the/DT/det/4 Times/NNP/pobj/2 said/VBD/ROOT/5 no/UH/advmod/5"
)


def test_a_noun_keeps_the_names_that_say_which_one_it_is() -> None:
    assert not joins(POST, 4, TIMES, 4)
    assert joins(POST, 4, POST, 4)


def test_a_subject_stays_in_a_clause_of_its_kind() -> None:
    reason = tree("One/CD/nummod/1 reason/NN/ROOT/1 Ann/NNP/nsubj/3 left/VBD/relcl/1")
    main = tree("Ann/NNP/nsubj/1 left/VBD/ROOT/1 early/RB/advmod/1")
    quoted = tree("Bob/NNP/nsubj/1 left/VBD/ccomp/4 ,/,/punct/4 Ann/NNP/nsubj/4 said/VBD/ROOT/4")
    assert not joins(reason, 2, main, 0)
    assert not joins(reason, 2, quoted, 3)
    assert not joins(main, 0, quoted, 3)

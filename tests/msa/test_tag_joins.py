"""Where sentences may be joined by their tags alone."""

from __future__ import annotations

from paraphrast.msa.tag_joins import fitting_by_tags, has_finite_verb, signature

RIVA = (
    ["Riva", "was", "treated", "in", "Royal", "Oak", "."],
    ["NNP", "VBD", "VBN", "IN", "NNP", "NNP", "PUNCT"],
)
VICTIMS = (
    ["Doctors", "in", "Royal", "Oak", "saw", "three", "victims", "."],
    ["NNS", "IN", "NNP", "NNP", "VBD", "CD", "NNS", "PUNCT"],
)
GIRL = (["A", "girl", "in", "pink", "is", "smiling", "."], ["DT", "NN", "IN", "NN", "VBZ", "VBG", "PUNCT"])
HAT = (
    ["A", "small", "girl", "is", "wearing", "a", "hat", "."],
    ["DT", "JJ", "NN", "VBZ", "VBG", "DT", "NN", "PUNCT"],
)
BOY = (["A", "boy", "is", "wearing", "a", "cap", "."], ["DT", "NN", "VBZ", "VBG", "DT", "NN", "PUNCT"])


def test_a_subject_waits_for_its_verb() -> None:
    ended, waiting = signature(*RIVA, 5), signature(*VICTIMS, 3)
    assert (ended.waiting, ended.subject, ended.before) == (False, "riva", "in")
    assert (waiting.waiting, waiting.subject, waiting.before) == (True, "doctors", "in")
    assert fitting_by_tags([RIVA[0], VICTIMS[0]], [RIVA[1], VICTIMS[1]], [0, 1], [5, 3]) == [
        [True, False],
        [False, True],
    ]


def test_the_same_subject_may_go_on() -> None:
    rows, tags = [GIRL[0], HAT[0]], [GIRL[1], HAT[1]]
    assert fitting_by_tags(rows, tags, [0, 1], [1, 2])[0][1]


def test_another_subject_may_not() -> None:
    rows, tags = [HAT[0], BOY[0]], [HAT[1], BOY[1]]
    assert not fitting_by_tags(rows, tags, [0, 1], [4, 3])[0][1]


def test_counts_and_clauses_tell_cuts_apart() -> None:
    words, tags = (
        ["He", "said", "that", "three", "men", "left", "."],
        ["PRP", "VBD", "IN", "CD", "NNS", "VBD", "PUNCT"],
    )
    inner = signature(words, tags, 4)
    assert (inner.clause, inner.waiting, inner.subject, inner.counts) == ("that", True, "men", ("three",))
    assert has_finite_verb(tags)
    assert not has_finite_verb(["DT", "NN", "VBG"])

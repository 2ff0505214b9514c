"""Dependencies as constituents: sentences worked by hand, heads by place."""

from __future__ import annotations

import random

import pytest

from paraphrast.errors import InputError
from paraphrast.text.syntax.chunklink import Tree, WordSyntax, chunk_words
from paraphrast.text.syntax.constituents import tree_of


def parsed(rows: str) -> list[WordSyntax]:
    """Rows of word, tag, place of the head (from 1, 0 for a root), dependency."""
    fields = [line.split() for line in rows.strip().splitlines()]
    heads = [int(field[2]) - 1 if field[2] != "0" else at for at, field in enumerate(fields)]
    tree = tree_of([f[0] for f in fields], [f[1] for f in fields], heads, [f[3] for f in fields])
    return chunk_words(tree)


def told(rows: str) -> list[tuple[str, str, str]]:
    return [(word.word, word.chunk, "/".join(word.trace)) for word in parsed(rows)]


def test_the_papers_example() -> None:
    rows = """
        I PRP 2 nsubj
        visited VBD 0 ROOT
        Milan NNP 4 compound
        Theater NNP 2 dobj
    """
    assert told(rows) == [
        ("I", "B-NP", "B-S/B-NP"),
        ("visited", "B-VP", "I-S/B-VP"),
        ("Milan", "B-NP", "I-S/I-VP/B-NP"),
        ("Theater", "I-NP", "I-S/I-VP/I-NP"),
    ]


def test_auxiliaries_prepositions_and_possessors() -> None:
    rows = """
        The DT 2 det
        pilot NN 7 nsubj
        of IN 2 prep
        the DT 5 det
        plane NN 3 pobj
        had VBD 7 aux
        called VBN 0 ROOT
        near IN 7 prep
        Milan NNP 11 poss
        's POS 9 case
        station NN 8 pobj
        . . 7 punct
    """
    found = told(rows)
    assert [chunk for _, chunk, _ in found] == [
        "B-NP", "I-NP", "B-PP", "B-NP", "I-NP", "B-VP", "I-VP", "B-PP", "B-NP", "B-NP", "I-NP", "O",
    ]  # fmt: skip
    assert found[4][2] == "I-S/I-NP/I-PP/I-NP"
    assert found[10][2] == "I-S/I-VP/I-PP/I-NP"
    assert found[11][2] == "I-S"


def test_clauses_under_verbs_and_words_that_subordinate() -> None:
    rows = """
        Officials NNS 2 nsubj
        said VBD 0 ROOT
        that IN 6 mark
        people NNS 6 nsubjpass
        were VBD 6 auxpass
        killed VBN 2 ccomp
        . . 2 punct
    """
    found = {word: (chunk, trace) for word, chunk, trace in told(rows)}
    assert found["that"] == ("B-SBAR", "I-S/I-VP/B-SBAR")
    assert found["people"] == ("B-NP", "I-S/I-VP/I-SBAR/B-S/B-NP")
    assert found["killed"] == ("I-VP", "I-S/I-VP/I-SBAR/I-S/I-VP")


def test_infinitives_join_the_verb_before_them() -> None:
    rows = """
        It PRP 3 nsubjpass
        is VBZ 3 auxpass
        expected VBN 0 ROOT
        to TO 5 aux
        fall VB 3 xcomp
    """
    assert [chunk for _, chunk, _ in told(rows)] == ["B-NP", "B-VP", "I-VP", "I-VP", "I-VP"]
    assert told(rows)[-1][2] == "I-S/I-VP"


def test_one_subject_two_verbs_and_words_joined_before_a_noun() -> None:
    rows = """
        He PRP 2 nsubj
        came VBD 0 ROOT
        and CC 2 cc
        saw VBD 2 conj
        old JJ 8 amod
        and CC 5 cc
        quiet JJ 5 conj
        towns NNS 4 dobj
    """
    found = told(rows)
    assert found[1][1:] == ("B-VP", "I-S/B-VP/B-VP")
    assert found[3][1:] == ("B-VP", "I-S/I-VP/B-VP")
    assert [chunk for _, chunk, _ in found[4:]] == ["B-NP", "I-NP", "I-NP", "I-NP"]


def test_what_was_said_before_who_said_it() -> None:
    rows = """
        It PRP 2 nsubj
        fell VBD 4 ccomp
        , , 4 punct
        said VBD 0 ROOT
        police NNS 4 nsubj
        . . 4 punct
    """
    found = told(rows)
    assert found[1][2] == "I-SINV/I-S/B-VP"
    assert found[4][2] == "I-SINV/B-NP"


def test_crossing_edges_are_lifted() -> None:
    rows = """
        A DT 2 det
        hearing NN 4 nsubjpass
        is VBZ 4 auxpass
        scheduled VBN 0 ROOT
        on IN 2 prep
        it PRP 5 pobj
        today NN 4 npadvmod
    """
    assert [word.word for word in parsed(rows)] == ["A", "hearing", "is", "scheduled", "on", "it", "today"]


def test_every_word_is_kept_in_order_whatever_the_tree() -> None:
    tags = ["NN", "VBD", "IN", "JJ", "RB", "DT", ",", "CC", "PRP", "CD", "TO", "WDT", "XX", "VERB"]
    deps = [
        "nsubj",
        "dobj",
        "prep",
        "pobj",
        "det",
        "conj",
        "cc",
        "punct",
        "amod",
        "advcl",
        "xcomp",
        "mark",
        "aux",
    ]
    generator = random.Random(3)
    for _ in range(300):
        size = generator.randint(1, 12)
        order = list(range(size))
        generator.shuffle(order)
        heads = [0] * size
        for at, word in enumerate(order):
            heads[word] = word if at == 0 else order[generator.randrange(at)]
        words = [f"w{number}" for number in range(size)]
        tree = tree_of(
            words, [generator.choice(tags) for _ in words], heads, [generator.choice(deps) for _ in words]
        )
        found = chunk_words(tree)
        assert [word.word for word in found] == words
        assert all(word.trace[0][1:] in ("-S", "-SINV") for word in found)


def test_bad_trees_are_refused() -> None:
    with pytest.raises(InputError, match="root"):
        tree_of(["a", "b"], ["NN", "NN"], [1, 0], ["x", "x"])
    with pytest.raises(InputError, match="within"):
        tree_of(["a"], ["NN"], [4], ["x"])
    with pytest.raises(InputError, match="each"):
        tree_of(["a"], [], [0], ["x"])
    with pytest.raises(InputError, match="cycle"):
        tree_of(["a", "b", "c", "d"], ["NN"] * 4, [0, 2, 3, 1], ["x"] * 4)


def test_a_lone_noun_is_under_a_sentence() -> None:
    tree = tree_of(["Fire"], ["NN"], [0], ["ROOT"])
    assert isinstance(tree, Tree)
    assert [word.trace for word in chunk_words(tree)] == [("B-S", "B-NP")]

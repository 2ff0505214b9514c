"""Bracketed trees, chunk tags and traces: worked by hand after Chunklink's rules."""

from __future__ import annotations

import pytest

from paraphrast.errors import FormatError
from paraphrast.text.syntax.chunklink import chunk_words, read_tree, read_trees


def chunks(tree: str) -> list[tuple[str, str]]:
    return [(word.word, word.chunk) for word in chunk_words(read_tree(tree))]


def traces(tree: str) -> dict[str, str]:
    return {word.word: "/".join(word.trace) for word in chunk_words(read_tree(tree))}


def test_the_papers_example() -> None:
    tree = "(S (NP (PRP I)) (VP (VBD visited) (NP (NNP Milan) (NNP Theater))))"
    assert chunks(tree) == [("I", "B-NP"), ("visited", "B-VP"), ("Milan", "B-NP"), ("Theater", "I-NP")]
    assert traces(tree)["Theater"] == "I-S/I-VP/I-NP"
    assert traces(tree)["I"] == "B-S/B-NP"


def test_a_verb_group_is_one_chunk_and_one_vp() -> None:
    tree = """(S (NP-SBJ-1 (DT The) (NN market)) (VP (VBZ is) (ADVP (RB widely)) (VP (VBN expected)
              (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB fall) (NP-TMP (NN today))))))) (. .))"""
    assert chunks(tree) == [
        ("The", "B-NP"),
        ("market", "I-NP"),
        ("is", "B-VP"),
        ("widely", "I-VP"),
        ("expected", "I-VP"),
        ("to", "I-VP"),
        ("fall", "I-VP"),
        ("today", "B-NP"),
        (".", "O"),
    ]
    assert traces(tree)["today"] == "I-S/I-VP/B-NP"
    assert traces(tree)["."] == "I-S"


def test_a_possessive_begins_the_next_noun_phrase() -> None:
    tree = "(NP (NP (NNP Milan) (POS 's)) (JJ main) (NN station))"
    assert chunks(tree) == [("Milan", "B-NP"), ("'s", "B-NP"), ("main", "I-NP"), ("station", "I-NP")]


def test_adjective_phrases_belong_to_the_noun_before_it_and_stand_alone_after_one() -> None:
    before = "(NP (DT a) (ADJP (RB very) (JJ old)) (NN house))"
    assert chunks(before) == [("a", "B-NP"), ("very", "I-NP"), ("old", "I-NP"), ("house", "I-NP")]
    after = "(NP (NP (NNP Ann) (NNP Lee)) (, ,) (ADJP (NP (CD 61) (NNS years)) (JJ old)) (, ,))"
    assert chunks(after) == [
        ("Ann", "B-NP"),
        ("Lee", "I-NP"),
        (",", "O"),
        ("61", "B-NP"),
        ("years", "I-NP"),
        ("old", "B-ADJP"),
        (",", "O"),
    ]


def test_prepositions_complementisers_and_questions() -> None:
    tree = """(S (NP (NNS Officials)) (VP (VBD said) (SBAR (IN that) (S (NP (NP (NNS people)) (SBAR (WHNP (WP who))
              (S (VP (VBD lived) (PP (IN in) (NP (NN town))))))) (VP (VBD left))))))"""
    found = dict(chunks(tree))
    assert found["that"] == "B-SBAR"
    assert found["who"] == "B-NP"
    assert found["in"] == "B-PP"
    assert found["town"] == "B-NP"
    assert traces(tree)["who"] == "I-S/I-VP/I-SBAR/I-S/I-NP/B-SBAR/B-WHNP"


def test_predicatives_open_their_clause() -> None:
    tree = "(VP (VBP make) (S (NP-SBJ (PRP them)) (ADJP-PRD (JJ fearful))))"
    assert traces(tree) == {"make": "B-VP", "them": "I-VP/B-NP", "fearful": "I-VP/B-ADJP"}
    kept = "(VP (VBP permit) (S (NP-SBJ (NNS managers)) (VP (TO to) (VP (VB stay)))))"
    assert traces(kept)["stay"] == "I-VP/I-S/I-VP"


def test_wrappers_brackets_and_traces() -> None:
    tree = "( (S1 (S (NP (-LRB- -LRB-) (NN word) (-RRB- -RRB-)) (VP (VBZ is) (NP-PRD (-NONE- *T*-2))))) )"
    assert [word for word, _ in chunks(tree)] == ["(", "word", ")", "is"]
    assert traces(tree)["is"] == "I-S/B-VP"


def test_several_trees_and_bad_ones() -> None:
    assert len(list(read_trees("(S (NN a))\n(S (NN b))"))) == 2
    for bad in ("(S (NN a)", "(S (NN a)))", "(NN a)", "word", "(S (NP a b))"):
        with pytest.raises(FormatError):
            read_tree(bad)


def test_an_empty_tree_has_no_words() -> None:
    assert chunks("(S (NP (-NONE- *)))") == []

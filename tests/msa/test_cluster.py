"""Sentences as clusters: case, entities, what is left out and what is refused."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.msa.cluster import MOST_SENTENCES, make_cluster, raw_tokens
from paraphrast.text.languages.registry import get_language
from paraphrast.text.syntax.chunklink import WordSyntax

ENGLISH = get_language("en")


def test_entities_keep_their_words_and_have_a_kind() -> None:
    cluster = make_cluster(["They called at 5:50 p.m. on Monday."], ENGLISH)
    assert cluster.words[0][3] == "5:50 p.m."
    assert cluster.kinds[0][3] == "<time>"
    assert cluster.spaces[0][-1] is False


def test_the_first_word_is_written_as_inside() -> None:
    cluster = make_cluster(["Police came.", "The police left.", "Ann saw Ann.", "Fire burnt it."], ENGLISH)
    assert [row[0] for row in cluster.words] == ["police", "the", "Ann", "Fire"]
    syntax = [
        [WordSyntax(word, "NN", "O", ("I-S",)) for word in row]
        for row in raw_tokens(["Fire burnt it.", "Italian mills burnt."], ENGLISH)
    ]
    syntax[1][0] = WordSyntax("Italian", "JJ", "B-NP", ("B-S", "B-NP"))
    parsed = make_cluster(["Fire burnt it.", "Italian mills burnt."], ENGLISH).with_syntax(syntax)
    assert [row[0] for row in parsed.words] == ["fire", "Italian"]


def test_empty_and_equal_sentences() -> None:
    cluster = make_cluster(["A mill burnt.", "", "  ", "A mill burnt.", "It fell."], ENGLISH)
    assert cluster.numbers == (0, 4)
    assert cluster.same == ((0, 3), (4,))
    with pytest.raises(InputError, match="with words"):
        make_cluster(["", " "], ENGLISH)
    with pytest.raises(InputError, match="one string"):
        make_cluster("A mill burnt.", ENGLISH)
    with pytest.raises(InputError, match="at most"):
        make_cluster(["x"] * (MOST_SENTENCES + 1), ENGLISH)

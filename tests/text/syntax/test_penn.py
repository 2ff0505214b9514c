"""Penn's tags in ours."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.text.syntax.penn import penn_sentences, penn_tag
from paraphrast.text.syntax.tag import tagged_sentences


@pytest.mark.parametrize(
    ("word", "tag", "ours"),
    [
        ("car", "NN", "NN"),
        ("not", "RB", "NEG"),
        ("n't", "RB", "NEG"),
        ("often", "RB", "RB"),
        ("(", "-LRB-", "PUNCT"),
        ("$", "$", "SYM"),
        ("pre", "AFX", "JJ"),
    ],
)
def test_a_penn_tag_becomes_ours(word, tag, ours):
    assert penn_tag(word, tag) == ours


def test_an_unknown_tag_is_refused():
    with pytest.raises(InputError, match="Penn Treebank, got 'BEDZ'"):
        penn_tag("was", "BEDZ")


def test_the_first_word_loses_its_capital_unless_it_is_a_name():
    rows = [[("Kept", "VBN")], [("The", "DT"), ("car", "NN")], [("Anna", "NNP"), ("ran", "VBD")], []]
    assert [words for words, _ in penn_sentences(rows)] == [["Kept"], ["the", "car"], ["Anna", "ran"]]


def test_the_scheme_of_a_corpus_is_found():
    penn = [[("Anna", "NNP"), ("did", "VBD"), ("not", "RB"), ("go", "VB")]]
    brown = [[("Anna", "np"), ("was", "bedz"), ("here", "rb")]]
    assert list(tagged_sentences(penn)) == [(["Anna", "did", "not", "go"], ["NNP", "VBD", "NEG", "VB"])]
    assert list(tagged_sentences(brown)) == [(["Anna", "was", "here"], ["NNP", "VBD", "RB"])]

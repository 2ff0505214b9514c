"""Automatic figures by hand, and BLEU as sacreBLEU has it."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.evaluate.automatic import (
    automatic_figures,
    bleu_of,
    bleu_statistics,
    edit_distance,
    pinc,
)
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.formats.outputs import SystemOutput

FEW = BootstrapOptions(samples=50)


def test_edit_distance_counts_words() -> None:
    assert edit_distance("The cat sat.", "the dog sat down.") == 2
    assert edit_distance("a b", "A b") == 0


def test_pinc_by_hand() -> None:
    # a b c → a b d: unigrams 1/3 new, bigrams 1/2, trigrams 1; no four-grams.
    assert pinc("a b c", "a b d") == pytest.approx((1 / 3 + 1 / 2 + 1) / 3)
    assert pinc("a b c", "a b c") == 0
    assert pinc("a", "b c d e f") == 1
    assert pinc("a", "") == 0


def test_bleu_is_sacrebleus() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    outputs = ["the cat sat on the mat today", "a dog barked at the moon all night", "no match whatsoever"]
    references = [
        ["the cat sat on the mat", "a cat sat on a mat"],
        ["a dog barked at the moon", "dogs bark"],
        ["x", "y"],
    ]
    statistics = bleu_statistics(outputs, references)
    ours = bleu_of(statistics.sum(axis=0, keepdims=True))[0]
    theirs = sacrebleu.corpus_bleu(outputs, list(map(list, zip(*references, strict=True)))).score
    assert ours == pytest.approx(theirs)


def test_figures_of_a_system() -> None:
    pytest.importorskip("sacrebleu")
    outputs = [
        SystemOutput("a b c d e", "a b c d f", "x", 1),
        SystemOutput("a b c d e", "z", "x", 2),
        SystemOutput("same", "same", "x", 1),
    ]
    found = automatic_figures(outputs, ["a b c d e", "same", "missing"], {"a b c d e": ["a b c d f"]}, FEW)
    assert found["coverage"].value == pytest.approx(1 / 3)
    assert found["edit_distance"].value == 1
    assert found["bleu"].value == pytest.approx(100)
    copied = found["self_bleu"].value
    assert copied is not None
    # 4/5, 3/4, 2/3, 1/2 of the n-grams are the input's: the fourth root of their product, 1/5.
    assert copied == pytest.approx(100 * 0.2**0.25)
    assert found["ibleu"].value == pytest.approx(90 - 0.1 * copied)


def test_without_outputs_there_are_no_figures() -> None:
    found = automatic_figures([], ["a"], {"a": ["b"]}, FEW)
    assert found["coverage"].value == 0
    assert found["pinc"].value is None
    assert found["bleu"].to_dict() == {"value": None, "interval": None}
    with pytest.raises(InputError, match="one input"):
        automatic_figures([], [])

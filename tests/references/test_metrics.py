"""Metrics: equal to sacreBLEU's where it has them, to values worked by hand where it has not."""

from __future__ import annotations

import math
import random

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from paraphrast.errors import InputError
from paraphrast.references.cder import Cder
from paraphrast.references.metric import Metric
from paraphrast.references.metrics import Bleu, bleu_words, get_metric
from paraphrast.references.ngrams import NgramReferences, ngrams
from paraphrast.references.nist import BETA, Nist

DRAW = random.Random(3)
TEXT = "the a cat dog sat on mat, don't stop. “Yes”, 3,000 men (and U.S. women) &quot;ran&quot; home"
WORDS = TEXT.split()


def text(least: int = 0, most: int = 12) -> str:
    return " ".join(DRAW.choice(WORDS) for _ in range(DRAW.randint(least, most)))


CASES = [(text(), [text(1) for _ in range(DRAW.randint(1, 4))]) for _ in range(150)]


def rows(metric: Metric) -> list[list[float]]:
    return [list(metric.statistics(output, metric.prepare(references))) for output, references in CASES]


def grown(metric: Metric) -> list[list[float]]:
    found = []
    for output, references in CASES:
        prepared = metric.prepare(references[:1])
        for reference in references[1:]:
            prepared = metric.grow(prepared, reference)
        found.append(list(metric.statistics(output, prepared)))
    return found


@given(st.text("aB01.,-'“()/ &;\t\n\u00a0", max_size=30))
def test_words_are_sacrebleus_whatever_stands_beside_them(line: str) -> None:
    assert list(bleu_words(line)) == Tokenizer13a()(line.rstrip()).split()


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=9), min_size=1, max_size=4), st.integers(1, 5))
def test_counts_of_many_references_are_the_greatest_of_any(rows: list[list[str]], order: int) -> None:
    found = NgramReferences.of(rows, order)
    own = [ngrams(row, order) for row in rows]
    assert found.counts == {gram: max(one[gram] for one in own) for gram in set().union(*own)}
    assert found.lengths == tuple(len(row) for row in rows)


@pytest.mark.parametrize(("smoothing", "effective"), [("exp", True), ("add-k", True), ("none", False)])
def test_bleu_is_sacrebleus(smoothing: str, effective: bool) -> None:
    metric = Bleu(smoothing)
    theirs = sacrebleu.BLEU(smooth_method=smoothing, effective_order=effective)
    for row, (output, references) in zip(rows(metric), CASES, strict=True):
        assert metric.segment_score(row) == theirs.sentence_score(output, references).score
    assert rows(metric) == grown(metric)


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
def test_corpus_scores_are_sacrebleus(name: str) -> None:
    metric = get_metric(name)
    theirs = {"bleu": sacrebleu.BLEU(), "chrf": sacrebleu.CHRF(), "ter": sacrebleu.TER()}[name]
    outputs = [output for output, _ in CASES]
    single = [[references[0] for _, references in CASES]]
    own = [metric.statistics(output, metric.prepare(references[:1])) for output, references in CASES]
    sums = [sum(column) for column in zip(*own, strict=True)]
    assert metric.corpus_score(sums) == theirs.corpus_score(outputs, single).score


@pytest.mark.parametrize("name", ["chrf", "ter"])
def test_sentence_scores_are_sacrebleus(name: str) -> None:
    metric = get_metric(name)
    theirs = {"chrf": sacrebleu.CHRF(), "ter": sacrebleu.TER()}[name]
    for row, (output, references) in zip(rows(metric), CASES, strict=True):
        assert metric.segment_score(row) == pytest.approx(
            theirs.sentence_score(output, references).score, abs=1e-12
        )
    assert rows(metric) == grown(metric)


def test_signatures_tell_smoothing_and_references() -> None:
    assert Bleu().signature(3).startswith("BLEU|nrefs:3|")
    assert "smooth:exp" in Bleu().signature(3)
    assert "smooth:add-k" in Bleu("add-k").signature(1)
    assert get_metric("ter").signature("2.5").startswith("TER|nrefs:2.5")
    assert get_metric("chrf").signature(1).startswith("CHRF|")


def test_nist_by_hand() -> None:
    # Words of the references: a ×3, b ×2, c ×1; pairs: a b ×2, b a ×1, b c ×1.
    metric = Nist.of(["a b a", "a b c"])
    assert metric.information(("a",)) == math.log2(6 / 3)
    assert metric.information(("a", "b")) == math.log2(3 / 2)
    assert metric.information(("b", "c")) == math.log2(2 / 1)
    assert metric.information(("b", "a", "x")) == 0.0
    row = metric.statistics("A b", metric.prepare(["a b a"]))
    # One-grams a and b in the reference, one two-gram; the output is two thirds as long: the penalty is a half.
    singles = (math.log2(6 / 3) + math.log2(6 / 2)) / 2
    pairs = math.log2(3 / 2) / 1
    assert metric.segment_score(row) == pytest.approx(0.5 * (singles + pairs))
    assert math.exp(BETA * math.log(2 / 3) ** 2) == pytest.approx(0.5)
    assert rows(metric) == grown(metric)


def test_nist_clips_and_bears_empty_outputs() -> None:
    metric = Nist.of(["a b"])
    assert metric.statistics("a a a", metric.prepare(["a b"]))[2] == metric.information(("a",))
    assert metric.segment_score(metric.statistics("", metric.prepare(["a b"]))) == 0.0


@pytest.mark.parametrize(
    ("output", "reference", "distance"),
    [
        ("we met at seven on Monday", "we met at seven on Monday", 0),
        # The block "at seven" stands elsewhere: jumps there, back and to the end.
        ("we met on Monday at seven", "we met at seven on Monday", 3),
        ("we met at eight", "we met at seven", 1),
        ("", "a b", 2),
        # Words of the output may be left out by a jump, whatever their number.
        ("a x x x x b", "a b", 1),
    ],
)
def test_cder_by_hand(output: str, reference: str, distance: int) -> None:
    metric = Cder()
    assert metric.statistics(output, metric.prepare([reference]))[0] == distance


def test_cder_takes_the_nearest_reference() -> None:
    metric = Cder()
    row = metric.statistics("a b c", metric.prepare(["x y z w", "a b d"]))
    assert list(row) == [1.0, 3.0]
    assert metric.worth(metric.segment_score(row)) == pytest.approx(-100 / 3)


def test_unknown_metrics_are_named() -> None:
    with pytest.raises(InputError, match="meteor"):
        get_metric("meteor")

from __future__ import annotations

import random

import numpy as np
import pytest
import sacrebleu

import toy
from paraphrast.errors import InputError
from paraphrast.formats.mt import MtOutput, MtSegment
from paraphrast.references.options import Resampling, SetOptions
from paraphrast.study.mt import (
    Setup,
    evaluate_mt,
    is_human,
    prepare,
    report_page,
    score_systems,
)
from paraphrast.study.options import Origins

DRAW = random.Random(4)
SYNONYMS = {"law": "act", "answer": "reply", "big": "large", "examine": "study", "problem": "difficulty"}
WRONG = ["banana", "table", "seven"]


def segments() -> list[MtSegment]:
    """A good system uses other words, a bad one wrong words; a person is a system too."""
    found = []
    for number, (english, german, _) in enumerate(toy.rows(220)):
        words = english.split()
        good = " ".join(SYNONYMS.get(word, word) for word in words)
        bad = " ".join(DRAW.choice(WRONG) if DRAW.random() < 0.4 else word for word in words)
        errors = sum(one != two for one, two in zip(words, bad.split(), strict=True))
        outputs = {
            "good": MtOutput(good, 0.0 - 0.1 * DRAW.random()),
            "bad": MtOutput(bad, -float(errors)),
            "HUMAN.0": MtOutput("quite different", 5.0),
            "unjudged": MtOutput(english),
        }
        found.append(MtSegment(str(number), german, (english,), outputs))
    return found


@pytest.fixture(scope="module")
def setup() -> Setup:
    return prepare(segments(), Origins(source_language="de", sets=SetOptions(threshold=0.1)))


def test_paraphrases_bring_the_metric_nearer_to_people(setup: Setup) -> None:
    results = evaluate_mt(
        setup, ["bleu", "nist"], ["single", "one", "lattice"], None, Resampling(samples=100)
    )
    for name in ("bleu", "nist"):
        gain = results[name]["lattice"].gain
        assert gain is not None
        assert gain.value > 0
        assert gain.williams < 0.05
        assert results[name]["single"].gain is None
    record = results["bleu"]["lattice"].to_dict()
    assert {"pearson", "spearman", "kendall", "low", "high"} <= set(record["segment"])
    assert {"pearson", "spearman", "kendall", "low", "high"} <= set(record["system"])
    # Neither the person nor what nobody judged counts.
    assert record["segment"]["cells"] == 2 * len(setup.segments)
    assert set(record["per_system"]) == {"good", "bad"}
    assert record["rise"]["good"]["rise"] > 0
    assert "para:bitext" in record["signature"]
    assert "thr:0.1" in record["signature"]
    assert "para:" not in results["bleu"]["single"].signature


def test_single_is_sacrebleu(setup: Setup) -> None:
    scores, signatures = score_systems(setup, "bleu", ["single", "lattice"])
    for one in scores:
        texts = [segment.outputs[one.system].text for segment in setup.segments]
        references = [[segment.references[0] for segment in setup.segments]]
        assert one.scores["single"] == sacrebleu.corpus_bleu(texts, references).score
        assert one.scores["lattice"] >= one.scores["single"]
    assert signatures["single"].startswith("BLEU|nrefs:1|")


def test_people_are_told_by_name() -> None:
    assert is_human("HUMAN")
    assert is_human("Human-A.0")
    assert not is_human("Superhuman")


def test_the_page_shows_substitutions(setup: Setup) -> None:
    page = report_page(setup, "bleu", title="toy", most=50)
    assert page.count("<section>") == 50
    assert 'class="edit"' in page


def test_bad_input_is_refused(setup: Setup) -> None:
    with pytest.raises(InputError, match="metric"):
        evaluate_mt(setup, ["meteor"])
    with pytest.raises(InputError, match="kind"):
        evaluate_mt(setup, ["bleu"], ["many"])
    silent = [MtSegment("1", "a", ("b",), {"x": MtOutput("b")})]
    with pytest.raises(InputError, match="human score"):
        evaluate_mt(prepare(silent, Origins(source_language="de")), ["bleu"])


def test_nothing_changes_with_a_second_run(setup: Setup) -> None:
    again = prepare(segments_of(setup), setup.origins)
    one, two = (score_systems(each, "nist", ["lattice"])[0] for each in (setup, again))
    assert one == two
    assert np.isfinite([each.scores["lattice"] for each in one]).all()


def segments_of(setup: Setup) -> list[MtSegment]:
    return list(setup.segments)

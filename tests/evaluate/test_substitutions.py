"""Substitutes against gold by a worked example; tables added in the right order."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.evaluate.substitutions import (
    Offer,
    SubstitutionScore,
    add_greedily,
    judge_offers,
    measure_confidence,
    score_substitutions,
    sentence_outcomes,
)
from paraphrast.formats.substitutions import Target

TARGETS = [
    Target("1", "a big house", 2, 5, {"large": 0.9, "huge": 0.5, "fat": 0.1}),
    Target("2", "a big house", 6, 11, {"home": 0.4}),
    Target("3", "run now", 0, 3, {"go": 1.0}),
]
OFFERS = [
    [
        Offer("large", 1, 0.8),
        Offer("Large", 4, 0.1),
        Offer("fat", 2, 0.3),
        Offer("tall", 3, 0.2),
        Offer("Big", 5, 0.1),
    ],
    [Offer("home", 1, 0.5)],
    [],
]
FEW = BootstrapOptions(samples=50)


def test_the_figures_by_hand() -> None:
    outcomes = judge_offers(TARGETS, OFFERS)
    # Large is large, Big is the target itself.
    assert [(one.target, one.offer.after, one.correct) for one in outcomes] == [
        (0, "large", True),
        (0, "fat", False),
        (0, "tall", None),
        (1, "home", False),
    ]
    score = score_substitutions(TARGETS, outcomes, FEW)
    assert (score.targets, score.with_gold, score.covered) == (3, 2, 2)
    assert (score.offered, score.judged, score.dcs) == (4, 3, 1)
    assert (score.accuracy, score.share_judged) == (0.25, 0.75)
    assert score.accuracy_judged == pytest.approx(1 / 3)
    assert (score.first, score.judged_first) == (0.5, 2)
    # "a big house": 2 wrong of 3 judged; "run now" was kept, though "go" is right.
    assert score.pser.total == pytest.approx(2 / 3 + 1)
    record = score.to_dict()
    assert record["dcs"] == 1
    assert record["pser"] == score.pser.to_dict()


def test_sentences_gather_their_targets() -> None:
    first, second = sentence_outcomes(TARGETS, judge_offers(TARGETS, OFFERS))
    assert (first.right, first.wrong, first.unjudged, first.possible) == (1, 2, 1, True)
    assert (second.right, second.wrong, second.unjudged, second.possible) == (0, 0, 0, True)


def test_nothing_offered_is_no_accuracy() -> None:
    score = score_substitutions(TARGETS, [], FEW)
    assert (score.dcs, score.accuracy, score.accuracy_judged, score.first) == (0, None, None, None)
    told = measure_confidence([])
    assert (told.curve, told.auc, told.calibration) == ((), None, None)


def test_confidence_is_of_judged_ones() -> None:
    told = measure_confidence(judge_offers(TARGETS, OFFERS))
    assert [point.kept for point in told.curve] == [1, 2, 3]
    assert told.auc == 1.0
    assert told.calibration is not None
    scores = judge_offers(TARGETS, [[Offer("large", 1, -3.5)], [], []])
    assert measure_confidence(scores).calibration is None
    curve = told.to_dict(points=1)["curve"]
    assert isinstance(curve, list)
    assert curve[-1][1] == 3


def fake(chosen: tuple[str, ...]) -> SubstitutionScore:
    """Table a: 1 of 1 right; b: 5 right of 20; c: 4 right of 5."""
    right = {"a": 1, "b": 5, "c": 4}
    wrong = {"a": 0, "b": 15, "c": 1}
    gold = {f"r{name}{n}": 1.0 for name in chosen for n in range(right[name])}
    gold |= {f"w{name}{n}": 0.0 for name in chosen for n in range(wrong[name])}
    target = Target("1", "x y", 0, 1, gold)
    offers = [Offer(text, rank, 0.5) for rank, text in enumerate(gold, 1)]
    return score_substitutions([target], judge_offers([target], [offers]), BootstrapOptions(samples=0))


def test_the_most_useful_table_comes_first() -> None:
    rows = add_greedily(["a", "b", "c"], fake)
    assert [names for names, _ in rows] == [("a",), ("a", "c"), ("a", "c", "b")]
    assert [score.dcs for _, score in rows] == [1, 5, 10]
    assert [names[-1] for names, _ in add_greedily(["a", "b", "c"], fake, by="dcs")] == ["b", "c", "a"]
    with pytest.raises(InputError, match="expected accuracy"):
        add_greedily(["a"], fake, by="taste")


def test_faults_are_told() -> None:
    with pytest.raises(InputError, match="each of 3 targets"):
        judge_offers(TARGETS, OFFERS[:1])
    with pytest.raises(InputError, match="got none"):
        score_substitutions([], [])

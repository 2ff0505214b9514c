from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from paraphrast.acquire.classifier import (
    FEATURES,
    PLACE,
    PairClassifier,
    bootstrap,
    default_classifier,
    pair_features,
    train_classifier,
)
from paraphrast.errors import FormatError, InputError

FIRST = "The mayor of Port Ellis said on Monday that the bridge will open again next week."
SAME = "On Monday the mayor of Port Ellis said the bridge would open again next week."
OTHER = "Apples are picked by hand in the orchards of the south."


def feature(name: str, one: str, other: str) -> float:
    return float(pair_features([one], [other])[0, FEATURES.index(name)])


def test_features_of_identical_sentences() -> None:
    row = pair_features([FIRST], [FIRST])[0]
    for name in ("words", "bigrams", "stems", "content", "letters", "soft alignment by less", "length ratio"):
        assert row[FEATURES.index(name)] == pytest.approx(1.0)
    for name in ("distance", "numbers differ", "negation differs", "names missed by both"):
        assert row[FEATURES.index(name)] == 0.0


def test_features_tell_what_differs() -> None:
    assert feature("numbers differ", "He paid 5 pounds.", "He paid 6 pounds.") == 1.0
    assert feature("negation differs", "He did not pay.", "He did pay.") == 1.0
    assert feature("names missed by both", "The town saw Anna go.", "The town saw Paul go.") > 0
    assert feature("longest run", "a b c d e", "x b c d y") == pytest.approx(3 / 20)
    assert feature("soft alignment by less", "colour", "colours") == 1.0


def test_the_order_of_sentences_does_not_matter() -> None:
    assert np.allclose(pair_features([FIRST], [SAME]), pair_features([SAME], [FIRST]))


def test_places_are_features() -> None:
    row = pair_features([FIRST], [SAME], places=np.array([[0, 1]]))[0]
    assert row[-2:].tolist() == [1.0, 0.1]


def test_the_packaged_classifier_tells_paraphrases_from_strangers() -> None:
    chance = default_classifier().probability(pair_features([FIRST, FIRST], [SAME, OTHER]))
    assert chance[0] > 0.7
    assert chance[1] < 0.2


def test_training_learns_and_bootstrapping_keeps_what_was_learnt(tmp_path: Path) -> None:
    chance = np.random.Generator(np.random.PCG64(2))
    features = chance.random((300, len(FEATURES)))
    truth = (features[:, 0] > 0.5).astype(np.float64)
    model = train_classifier(features[:200], truth[:200])
    assert ((model.probability(features[200:]) > 0.5) == truth[200:]).mean() > 0.9
    more = bootstrap(model, chance.random((400, len(FEATURES))), features[:200], truth[:200])
    assert ((more.probability(features[200:]) > 0.5) == truth[200:]).mean() > 0.9
    assert not np.array_equal(more.weights, model.weights)
    more.save(tmp_path / "w.json")
    again = PairClassifier.load(tmp_path / "w.json")
    assert np.allclose(again.probability(features), more.probability(features), atol=0.01)


def test_without_labelled_pairs_the_weights_stand_for_them() -> None:
    """What sure pairs have in common is learnt: here, that paraphrases stand at the head of their articles."""
    chance = np.random.Generator(np.random.PCG64(3))
    features = chance.random((600, len(FEATURES)))
    features[:, -PLACE:] = 0.0
    truth = (features[:, 0] > 0.5).astype(np.float64)
    model = train_classifier(features[:300], truth[:300])
    more = features[300:].copy()
    more[:, -PLACE] = truth[300:]
    learnt = bootstrap(model, more, sure=0.8)
    lead = len(FEATURES) - PLACE
    assert learnt.weights[lead] > model.weights[lead] + 0.05
    assert ((learnt.probability(features) > 0.5) == truth).mean() > 0.9
    # Nothing is sure: nothing is learnt.
    assert bootstrap(model, more, sure=1.1) is model


def test_faults_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        pair_features(["a"], [])
    with pytest.raises(InputError, match="both paraphrases and other pairs"):
        train_classifier(np.zeros((2, len(FEATURES))), np.ones(2))
    (tmp_path / "w.json").write_text("{}")
    with pytest.raises(FormatError):
        PairClassifier.load(tmp_path / "w.json")


def test_long_texts_take_linear_time() -> None:
    """Only the first words are compared with each other: a page of 400 KB took 100 seconds."""
    first, second = (" ".join(f"{letter}{n}x" for n in range(60_000)) for letter in "ab")
    began = time.process_time()
    long = pair_features([first], [second])
    assert time.process_time() - began < 20
    assert np.isfinite(long).all()
    cut = [" ".join(text.split()[:512]) for text in (first, second)]
    words = FEATURES.index("words")
    assert long[0, words] == pair_features([cut[0]], [cut[1]])[0, words]

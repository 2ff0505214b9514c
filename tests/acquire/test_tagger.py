from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from acquire import pages_of_ours
from paraphrast.acquire import _kernels
from paraphrast.acquire.features import BINS, NAMES, STARTS, line_features
from paraphrast.acquire.labels import label_lines
from paraphrast.acquire.lines import lines_of, parse
from paraphrast.acquire.tagger import (
    AFTER,
    BEFORE,
    BETWEEN,
    STORY,
    LineTagger,
    TaggerOptions,
    default_tagger,
    fit_bayes,
    fit_logistic,
    fit_perceptron,
    states_of,
    train_tagger,
)
from paraphrast.errors import InputError, ModelError

RANDOM = np.random.Generator(np.random.PCG64(4))


def random_bins(count: int) -> np.ndarray:
    return np.stack([RANDOM.integers(0, size, count) for size in BINS.values()], axis=1).astype(np.int32)


def test_bins_are_within_their_feature() -> None:
    lines = lines_of(parse(pages_of_ours.page())).lines
    for other in (None, "", "\n".join(pages_of_ours.STORY)):
        bins = line_features(lines, other)
        assert bins.shape == (len(lines), len(NAMES))
        assert (bins >= 0).all()
        assert (bins < np.array(list(BINS.values()))).all()


def path_score(
    path: tuple[int, ...], emission: np.ndarray, transition: np.ndarray, initial: np.ndarray
) -> float:
    steps = sum(transition[path[i - 1], path[i]] + emission[i, path[i]] for i in range(1, len(path)))
    return float(initial[path[0]] + emission[0, path[0]] + steps)


def test_viterbi_is_the_best_of_all_paths() -> None:
    for _ in range(20):
        arrays = RANDOM.normal(size=(6, 3)), RANDOM.normal(size=(3, 3)), RANDOM.normal(size=3)
        scores = {path: path_score(path, *arrays) for path in product(range(3), repeat=6)}
        assert tuple(_kernels.viterbi(*arrays)) == max(scores, key=scores.__getitem__)
    assert len(_kernels.viterbi(np.zeros((0, 3)), arrays[1], arrays[2])) == 0


def test_sum_weights_adds_one_weight_a_feature() -> None:
    bins, weights = random_bins(7), RANDOM.normal(size=STARTS[-1] + 1)
    expected = [sum(weights[STARTS[k] + row[k]] for k in range(len(NAMES))) for row in bins]
    assert np.allclose(_kernels.sum_weights(bins, STARTS, weights), expected)


def test_states_tell_before_between_and_after() -> None:
    labels = np.array([0, 1, 0, 1, 0], dtype=np.int8)
    assert states_of(labels).tolist() == [BEFORE, STORY, BETWEEN, STORY, AFTER]
    assert states_of(np.zeros(2, np.int8)).tolist() == [BEFORE, BEFORE]


@pytest.mark.parametrize("fit", [fit_bayes, fit_logistic, fit_perceptron])
def test_every_classifier_learns_a_plain_rule(fit: object) -> None:
    bins = random_bins(400)
    truth = (bins[:, 0] >= 5).astype(np.float64)
    weights = fit(bins, truth)  # type: ignore[operator]
    found = _kernels.sum_weights(bins, STARTS, weights) + weights[-1] > 0
    assert (found == truth).mean() > 0.95


@pytest.mark.parametrize("emission", ["bins", "logistic"])
def test_a_tagger_trained_on_pages_finds_their_story(emission: str) -> None:
    stories = [pages_of_ours.STORY, pages_of_ours.STORY[::-1], pages_of_ours.STORY[:2]]
    lines = [lines_of(parse(pages_of_ours.page(story))).lines for story in stories]
    labels = [label_lines(own, "\n".join(story)) for own, story in zip(lines, stories, strict=True)]
    bins = [line_features(own) for own in lines]
    tagger = train_tagger(bins[:2], labels[:2], TaggerOptions(emission))
    assert tagger.tag(bins[2]).tolist() == labels[2].tolist()
    assert tagger.story(lines[2]) == "\n".join(stories[2])


def test_the_packaged_tagger_finds_a_plain_story() -> None:
    lines = lines_of(parse(pages_of_ours.page())).lines
    story = "\n".join(pages_of_ours.STORY)
    assert default_tagger("hmm").story(lines) == story
    assert default_tagger("both").story(lines, story) == story


def test_a_tagger_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    tagger = default_tagger("hmm")
    tagger.save(tmp_path / "tagger")
    again = LineTagger.load(tmp_path / "tagger")
    assert np.array_equal(again.weights, tagger.weights)
    assert (again.scale, again.uses_other) == (tagger.scale, tagger.uses_other)


def test_damage_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="tagger"):
        LineTagger.load(tmp_path)
    default_tagger("hmm").save(tmp_path / "tagger")
    np.save(tmp_path / "tagger" / "weights.npy", np.zeros(3))
    with pytest.raises(ModelError, match="sizes"):
        LineTagger.load(tmp_path / "tagger")


def test_pages_without_a_story_teach_nothing() -> None:
    with pytest.raises(InputError, match="labelled story"):
        train_tagger([random_bins(3)], [np.zeros(3, np.int8)])

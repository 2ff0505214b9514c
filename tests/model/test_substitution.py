"""The substitution model: its features against plain twins, its fit, and the decoder with it."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import paraphrast
from paraphrast import Control, Paraphraser
from paraphrast._trees import Trees
from paraphrast.decode.scoring import OUTSIDE, UNKNOWN_FLAGS
from paraphrast.errors import FormatError, InputError, ModelError
from paraphrast.model.substitution import (
    CONTEXT,
    FEATURES,
    FOLDER,
    GROUPS,
    STATIC,
    UNKNOWN_CODE,
    Acceptance,
    StaticFeatures,
    SubstitutionModel,
    default_acceptance,
    log_probability,
)
from paraphrast.study.substitutions import EVERYTHING
from paraphrast.training.substitution import build_substitution_model
from paraphrast.types import SENTENCE_END, SENTENCE_START, UNKNOWN

TEXTS = [
    "The committee will examine a big proposal tomorrow. They discuss the old report.",
    "An important law.",
]


def always(log_odds: float) -> Acceptance:
    """Trees that say the same of every substitution."""
    trees = Trees(
        log_odds, np.full((1, 1), -1, np.int32), np.zeros((1, 1), np.float32), np.zeros((1, 2), np.float32)
    )
    return Acceptance(trees, trees)


@pytest.fixture(scope="module")
def model(toy_model: Path) -> Paraphraser:
    return paraphrast.load(toy_model)


@pytest.fixture(scope="module")
def built(toy_model: Path) -> SubstitutionModel:
    plain = build_substitution_model(toy_model, always(0.0))
    draw = np.random.default_rng(4)
    vector = draw.integers(-127, 128, (len(plain.vector), 5)).astype(np.int8)
    weight = (draw.random(len(vector)) * (draw.random(len(vector)) < 0.7)).astype(np.float32)
    return replace(plain, vector=vector, weight=weight)


def cosine(one: np.ndarray, two: np.ndarray) -> float:
    size = math.sqrt(float(one @ one) * float(two @ two))
    return float(one @ two) / size if size > 0 else 0.0


def test_what_the_sentence_tells_is_that_of_plain_twins(model: Paraphraser, built: SubstitutionModel) -> None:
    prepared = [model.prepare(text, EVERYTHING) for text in TEXTS]
    batch = model.batch_of(prepared)
    options = model.decode_options(EVERYTHING)
    decoder = model.decoder
    edges = decoder.edges(batch, options)
    values = built.features(decoder, batch, edges)
    assert values.shape == (len(edges), len(FEATURES))
    assert len(edges) > 10
    column = {name: number for number, name in enumerate(FEATURES)}
    for item, ready in enumerate(prepared):
        borders = [*ready.analysis.sentence_starts, len(ready.ids)]
        for row in range(int(edges.begin[item]), int(edges.begin[item + 1])):
            start, end, option = (int(one[row]) for one in (edges.start, edges.end, edges.option))
            target = list(decoder.arrays.target_words_of(option))
            first = max(border for border in borders if border <= start)
            last = min(border for border in borders if border > start)
            sentence = ready.ids[first:last]
            changed = [*ready.ids[first:start], *target, *ready.ids[end:last]]
            gain = decoder.log_prob([changed]) - decoder.log_prob([sentence])
            told = values[row, column["lm_left"]] + values[row, column["lm_right"]]
            assert told == pytest.approx(gain, abs=1e-3)
            nearby = [
                place
                for place in range(max(first, start - 10), min(last, end + 10))
                if not start <= place < end
            ]
            around = sum(
                (
                    float(built.weight[ready.ids[place]]) * built.vector[ready.ids[place]].astype(float)
                    for place in nearby
                ),
                start=np.zeros(5),
            )
            before = built.vector[ready.ids[start:end]].astype(float).sum(axis=0)
            after = built.vector[target].astype(float).sum(axis=0)
            assert values[row, column["fit"]] == pytest.approx(
                cosine(after, around) - cosine(before, around), abs=1e-4
            )
            assert values[row, column["cosine"]] == pytest.approx(cosine(after, before), abs=1e-4)
            assert np.array_equal(
                values[row, : len(STATIC)], built.static.values(np.array([option]))[0], equal_nan=True
            )
            assert values[row, column["score"]] == pytest.approx(edges.score[row], abs=1e-5)
            left = sentence[start - first - 1] if start > first else SENTENCE_START
            right = sentence[end - first] if end < last else SENTENCE_END
            for name, pair in {
                "pull_left_source": (left, ready.ids[start]),
                "pull_left_target": (left, target[0]),
                "pull_right_source": (ready.ids[end - 1], right),
                "pull_right_target": (target[-1], right),
            }.items():
                assert values[row, column[name]] == pytest.approx(pull(model, *pair), abs=1e-4)
            assert values[row, column["starts"]] == (start == first)
            assert values[row, column["ends"]] == (end == last)
            assert values[row, column["length"]] == last - first
            assert values[row, column["left_flags"]] == flags_of(built, left)
            assert values[row, column["right_flags"]] == flags_of(built, right)


def flags_of(built: SubstitutionModel, word: int) -> int:
    """The flags of a neighbour: a bound of the sentence and an unknown word have their own value."""
    if word in (SENTENCE_START, SENTENCE_END):
        return OUTSIDE
    return UNKNOWN_FLAGS if word == UNKNOWN else int(built.flags[word])


def pull(model: Paraphraser, left: int, right: int) -> float:
    """log p(right | left) − log p(right), by the language model's probability of single words."""
    from paraphrast._numeric import advance

    ngrams = model.decoder._ngrams
    state, _ = advance(ngrams, -1, left)
    return float(advance(ngrams, state, right)[1] - advance(ngrams, -1, right)[1])


def test_groups_and_columns_name_the_same_features() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(FEATURES)
    assert (*STATIC, *CONTEXT) == FEATURES
    assert default_acceptance().note


def test_fitted_trees_are_read_back_and_others_refused() -> None:
    fitted = default_acceptance()
    values = np.random.default_rng(8).standard_normal((40, len(FEATURES))).astype(np.float32)
    again = Acceptance.from_dict(json.loads(json.dumps(fitted.to_dict())))
    assert again.trees.predict(values).tolist() == fitted.trees.predict(values).tolist()
    assert again.prior.predict(values).tolist() == fitted.prior.predict(values).tolist()
    with pytest.raises(InputError, match="expected trees over"):
        Acceptance.from_dict({**fitted.to_dict(), "features": ["a", "b"]})
    with pytest.raises(InputError, match="names of their features"):
        Acceptance.from_dict({"features": []})


def test_a_byte_per_value_keeps_values_to_half_a_step() -> None:
    draw = np.random.default_rng(3)
    values = draw.normal(size=(300, len(STATIC))) * 5
    values[draw.random(values.shape) < 0.2] = np.nan
    values[:, 3] = np.nan
    values[:, 4] = 7.0
    stored = StaticFeatures.encode(values)
    read = stored.values()
    assert (np.isnan(read) == np.isnan(values)).all()
    assert (stored.codes[:, 3] == UNKNOWN_CODE).all()
    known = ~np.isnan(values)
    assert (
        np.abs(read - values)[known] <= 0.51 * np.broadcast_to(stored.step, values.shape)[known] + 1e-6
    ).all()
    assert np.array_equal(stored.take(np.array([5, 2])).values(), read[[5, 2]], equal_nan=True)
    assert len(StaticFeatures.encode(values[:0])) == 0


def test_log_probabilities_are_those_of_the_odds() -> None:
    odds = np.array([-800.0, -1.0, 0.0, 3.0, 800.0])
    expected = [-800.0, math.log(1 / (1 + math.e)), math.log(0.5), math.log(1 / (1 + math.exp(-3))), 0.0]
    assert log_probability(odds) == pytest.approx(expected)


def copy_with(toy_model: Path, folder: Path, substitution: SubstitutionModel) -> Paraphraser:
    """A copy of the model with this substitution model."""
    shutil.copytree(toy_model, folder)
    substitution.save(folder / FOLDER)
    return paraphrast.load(folder)


def test_results_are_ranked_by_probability_and_doubtful_ones_can_be_hidden(
    toy_model: Path, built: SubstitutionModel, tmp_path: Path
) -> None:
    # Trees that ask one question: is the substitute longer than a word?
    place = FEATURES.index("target_words")
    trees = Trees(
        0.0, np.array([[place]], np.int32), np.array([[1.5]], np.float32), np.array([[2.0, -1.0]], np.float32)
    )
    model = copy_with(toy_model, tmp_path / "model", replace(built, acceptance=Acceptance(trees, trees)))
    results = model.paraphrase(TEXTS[0], n=30)
    assert len(results) == 30
    assert [result.probability for result in results] == sorted(
        (result.probability for result in results), reverse=True
    )
    sure, unsure = 1 / (1 + math.exp(-2.0)), 1 / (1 + math.exp(1.0))
    # The doubtful ones come after all combinations of up to ten likely ones.
    assert {round(edit.probability, 6) for result in results for edit in result.edits} == {round(sure, 6)}
    assert len(results[0].edits) == 1
    single = model.paraphrase(TEXTS[0], n=200, max_edits=1)
    assert {round(result.probability, 6) for result in single} == {round(sure, 6), round(unsure, 6)}
    assert single[0].probability > single[-1].probability
    for result in single:
        (edit,) = result.edits
        assert (edit.probability > 0.5) == (" " not in edit.after)
    hidden = model.paraphrase(TEXTS[0], n=30, sure=0.8)
    assert hidden
    assert all(result.probability >= 0.8 for result in hidden)
    assert model.paraphrase(TEXTS[0], n=30, sure=0.9) == []


def test_strength_sets_how_much_is_changed(toy_model: Path, built: SubstitutionModel, tmp_path: Path) -> None:
    model = copy_with(toy_model, tmp_path / "model", replace(built, acceptance=always(1.0)))

    def changed(strength: float) -> list[int]:
        results = model.paraphrase(TEXTS[0], n=5, strength=strength)
        assert results
        return [
            sum(max(len(edit.before.split()), len(edit.after.split())) for edit in result.edits)
            for result in results
        ]

    assert min(changed(0.2)) == 1
    # Each edit has the probability .73, so that the first result has one, the one with the most words.
    first = model.paraphrase(TEXTS[0], n=1, strength=0.5)[0]
    assert len(first.edits) == 1
    assert max(changed(0.5)) > 1
    assert min(changed(0.9)) >= 4  # of 15 tokens: 32 %
    # With a preset, the tables' probabilities decide as before.
    plain = paraphrast.load(toy_model).paraphrase(TEXTS[0], Control(strength=0.8, preset="uniform"))
    assert model.paraphrase(TEXTS[0], Control(strength=0.8, preset="uniform")) == plain


def test_a_swap_has_the_probability_of_its_parts(
    toy_model: Path, built: SubstitutionModel, tmp_path: Path
) -> None:
    likely = replace(built, acceptance=always(math.log(0.9 / 0.1)))
    model = copy_with(toy_model, tmp_path / "model", likely)
    control = Control(strength=1.0, reorder=3, max_edits=1, n=100, beam=0)
    options = replace(model.decode_options(control), n=500)
    prepared = model.prepare(TEXTS[1], control)
    (hypotheses,) = model.decode_prepared([prepared], control, options)
    swaps = [edit for hypothesis in hypotheses for edit in hypothesis.edits if edit.swapped]
    assert any(edit.options for edit in swaps)
    for edit in swaps:
        first = edit.swapped[1]
        odds = model.decoder.swap_odds(prepared.ids[first.start_token : first.end_token])
        expected = 0.9 ** len(edit.options) / (1 + math.exp(-odds))
        assert math.exp(edit.log_prob) == pytest.approx(expected)
    edges = [edit.edge for hypothesis in hypotheses for edit in hypothesis.edits]
    assert len(set(edges)) == len(edges) == len(hypotheses)


@pytest.mark.parametrize("reorder", [0, 3])
def test_the_language_model_judges_a_new_order_of_words_only(
    toy_model: Path, built: SubstitutionModel, tmp_path: Path, reorder: int
) -> None:
    model = copy_with(toy_model, tmp_path / "model", replace(built, acceptance=always(math.log(0.9 / 0.1))))
    control = Control(strength=0.5, reorder=reorder, max_edits=1, n=100, beam=0)
    prepared = model.prepare(TEXTS[1], control)
    (hypotheses,) = model.decode_prepared([prepared], control, model.decode_options(control))
    decoder, ids = model.decoder, prepared.ids
    assert any(hypothesis.edits[0].swapped for hypothesis in hypotheses) == (reorder > 1)
    for hypothesis in hypotheses:
        (edit,) = hypothesis.edits
        expected = len(edit.options) * math.log(0.9)
        if edit.swapped:
            first = edit.swapped[1]
            expected += decoder.swap_odds(ids[first.start_token : first.end_token])
        if reorder:
            changed = [*ids[: edit.start_token], *edit.target_words, *ids[edit.end_token :]]
            expected += decoder.weights.lm * (decoder.log_prob([changed]) - decoder.log_prob([ids]))
        assert hypothesis.score == pytest.approx(expected, abs=1e-3)


def test_a_folder_of_other_options_is_refused(
    toy_model: Path, built: SubstitutionModel, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(toy_model, folder)
    replace(built, static=built.static.take(np.arange(len(built.static) - 1)), prior=built.prior[:-1]).save(
        folder / FOLDER
    )
    with pytest.raises(ModelError, match="other options"):
        paraphrast.load(folder)
    broken = folder / FOLDER / "weights.json"
    broken.write_text(json.dumps({"bias": 0, "weights": {}}), encoding="utf-8")
    with pytest.raises(FormatError):
        SubstitutionModel.load(folder / FOLDER)

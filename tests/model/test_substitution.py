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
from paraphrast.errors import FormatError, InputError, ModelError
from paraphrast.model.substitution import (
    CONTEXT,
    FEATURES,
    FOLDER,
    GROUPS,
    STATIC,
    LogisticModel,
    SubstitutionModel,
    default_logistic,
)
from paraphrast.study.substitutions import EVERYTHING
from paraphrast.training.substitution import build_substitution_model

TEXTS = [
    "The committee will examine a big proposal tomorrow. They discuss the old report.",
    "An important law.",
]


def weighing(**weights: float) -> LogisticModel:
    return LogisticModel(FEATURES, np.array([weights.get(name, 0.0) for name in FEATURES]), 0.0)


@pytest.fixture(scope="module")
def model(toy_model: Path) -> Paraphraser:
    return paraphrast.load(toy_model)


@pytest.fixture(scope="module")
def built(toy_model: Path) -> SubstitutionModel:
    found = build_substitution_model(toy_model, weighing(quality=1.0))
    draw = np.random.default_rng(4)
    vector = draw.standard_normal((len(found.vector), 5)).astype(np.float32)
    weight = (draw.random(len(vector)) * (draw.random(len(vector)) < 0.7)).astype(np.float32)
    return replace(found, vector=vector, weight=weight)


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
            assert values[row, : len(STATIC)].tolist() == built.static[option].tolist()


def test_groups_and_columns_name_the_same_features() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(FEATURES)
    assert (*STATIC, *CONTEXT) == FEATURES
    assert len(FEATURES) <= 10
    assert default_logistic().names == FEATURES
    assert default_logistic().weights[FEATURES.index("quality")] > 0


def test_a_logistic_model_is_read_back_and_others_refused() -> None:
    values = np.random.default_rng(8).standard_normal((40, 2))
    model = LogisticModel(("a", "b"), np.array([2.0, -0.1]), 0.5)
    again = LogisticModel.from_dict(model.to_dict(), ["a", "b"])
    assert again.log_odds(values) == pytest.approx(0.5 + 2.0 * values[:, 0] - 0.1 * values[:, 1], abs=1e-5)
    assert again.probability(values) == pytest.approx(1 / (1 + np.exp(-model.log_odds(values))), abs=1e-5)
    with pytest.raises(InputError, match="expected weights of"):
        LogisticModel.from_dict(model.to_dict())


def test_a_model_with_it_shows_its_probabilities_and_obeys_strength(
    toy_model: Path, built: SubstitutionModel, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(toy_model, folder)
    sure = LogisticModel(FEATURES, np.zeros(len(FEATURES)), math.log(0.45 / 0.55))
    replace(built, logistic=sure).save(folder / FOLDER)
    model = paraphrast.load(folder)
    found = model.paraphrase(TEXTS[0], Control(strength=0.8))
    assert found
    for paraphrase in found:
        for edit in paraphrase.edits:
            assert edit.probability == pytest.approx(
                0.45 ** round(math.log(edit.probability) / math.log(0.45))
            )
    # 0.45 is below what strength 0.2 asks for, 0.48.
    assert model.paraphrase(TEXTS[0], Control(strength=0.2)) == []
    plain = paraphrast.load(toy_model).paraphrase(TEXTS[0], Control(strength=0.8, preset="uniform"))
    assert model.paraphrase(TEXTS[0], Control(strength=0.8, preset="uniform")) == plain


def test_a_swap_has_the_probability_of_its_parts(
    toy_model: Path, built: SubstitutionModel, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(toy_model, folder)
    likely = LogisticModel(FEATURES, np.zeros(len(FEATURES)), math.log(0.9 / 0.1))
    replace(built, logistic=likely).save(folder / FOLDER)
    model = paraphrast.load(folder)
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


def test_a_folder_of_other_options_is_refused(
    toy_model: Path, built: SubstitutionModel, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(toy_model, folder)
    replace(built, static=built.static[:-1]).save(folder / FOLDER)
    with pytest.raises(ModelError, match="other options"):
        paraphrast.load(folder)
    broken = folder / FOLDER / "weights.json"
    broken.write_text(json.dumps({"bias": 0, "weights": {}}), encoding="utf-8")
    with pytest.raises(FormatError):
        SubstitutionModel.load(folder / FOLDER)

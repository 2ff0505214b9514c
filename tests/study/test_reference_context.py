"""References in which a model's substitution model weighs what its tables have."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

import paraphrast
from paraphrast._trees import Trees
from paraphrast.model.folder import SUBSTITUTION
from paraphrast.model.substitution import STATIC, Acceptance, StaticFeatures, SubstitutionModel
from paraphrast.study.options import Origins
from paraphrast.study.reference_context import context_substitutions
from paraphrast.study.references import expand_references, find_substitutions

REFERENCES = ["The committee will examine a big proposal tomorrow.", "An important law."]


@pytest.fixture(scope="module")
def weighing(toy_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy model with a substitution model to which every substitution is as likely: 0.45."""
    folder = tmp_path_factory.mktemp("context") / "model"
    shutil.copytree(toy_model, folder)
    options = len(paraphrast.load(toy_model).arrays)
    words = len(paraphrast.load(toy_model).vocabulary)
    no_split = np.full((1, 1), -1, np.int32), np.zeros((1, 1), np.float32), np.zeros((1, 2), np.float32)
    trees = Trees(math.log(0.45 / 0.55), *no_split)
    SubstitutionModel(
        Acceptance(trees, trees),
        StaticFeatures.encode(np.zeros((options, len(STATIC)))),
        np.zeros(options, dtype=np.float32),
        np.zeros((words, 4), dtype=np.int8),
        np.zeros(words, dtype=np.float32),
        np.zeros(words, dtype=np.uint8),
    ).save(folder / SUBSTITUTION)
    return folder


def test_a_model_without_one_cannot_tell(toy_model: Path) -> None:
    assert context_substitutions(paraphrast.load(toy_model), REFERENCES) is None


def test_probabilities_are_the_substitution_models(weighing: Path, toy_model: Path) -> None:
    found = context_substitutions(paraphrast.load(weighing), REFERENCES)
    assert found is not None
    assert len(found) == len(REFERENCES)
    targets = {one.target for one in found[1].of(("law",))}
    assert ("act",) in targets
    assert all(one.probability == pytest.approx(0.45) for own in found for _, one in own.items())
    # The same phrases as the tables have, and only of the reference's own.
    assert not found[0].of(("law",))
    plain = find_substitutions(REFERENCES, REFERENCES, Origins(bitext=False, model=str(toy_model)))
    assert targets <= {one.target for one in plain.substitutions.of(("law",))}


def test_contexts_take_the_place_of_the_tables(weighing: Path) -> None:
    origins = Origins(bitext=False, model=str(weighing))
    found = find_substitutions(REFERENCES, REFERENCES, origins)
    assert found.names == ("model-in-context",)
    assert len(found.substitutions) == 0
    assert found.of(1, REFERENCES[1]).of(("law",))
    made = expand_references(REFERENCES, REFERENCES, origins=origins)
    assert any(edit.after == "act" for one in made[1] for edit in one.edits)
    assert all(edit.probability == pytest.approx(0.45) for own in made for one in own for edit in one.edits)
    without = find_substitutions(
        REFERENCES, REFERENCES, Origins(bitext=False, model=str(weighing), context=False)
    )
    assert without.names == ("model",)
    assert not without.contexts

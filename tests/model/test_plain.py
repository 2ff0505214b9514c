"""Kernels that run as plain Python give the bytes that compiled ones give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paraphrast
import toy
from paraphrast import _jit
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.substitution import (
    STATIC,
    StaticFeatures,
    SubstitutionModel,
    default_acceptance,
)

SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"strength": 1.0, "n": 30, "explain": True},
    {"strength": 0.9, "reorder": 3, "beam": 8, "n": 5},
    {"beam": 0, "n": 4, "max_edits": 2},
    {"preset": "quirk", "distinct": 0.4},
    {"avoid": ["look at"], "vetoes": ["antonym"]},
    {"must_use": ["plan"], "strength": 1.0},
)
TEXTS = (
    *(row[0] for row in toy.rows(3, seed=21)),
    "Tomorrow the COMMITTEE will talk about the big problem. It must reject the law!",
    "unknown words only",
    "",
)


def with_substitution(model: Paraphraser) -> Paraphraser:
    """The model with a substitution model of random numbers."""
    random = np.random.default_rng(5)
    words = len(model.vocabulary)
    model.substitution = SubstitutionModel(
        default_acceptance(),
        StaticFeatures(
            random.integers(0, 255, (len(model.arrays), len(STATIC)), np.uint8),
            np.full(len(STATIC), -4.0, np.float32),
            np.full(len(STATIC), 0.03, np.float32),
        ),
        random.normal(-1.0, 1.0, len(model.arrays)).astype(np.float32),
        random.integers(-127, 127, (words, 8), np.int8),
        random.uniform(0.0, 2.0, words).astype(np.float32),
        random.integers(0, 255, words, np.uint8),
    )
    return model


@pytest.mark.parametrize("judged", [False, True])
def test_plain_python_gives_the_same_results(
    toy_model: Path, judged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = paraphrast.load(str(toy_model))
    if judged:
        model = with_substitution(model)
    monkeypatch.setattr(_jit, "_is_cheap", lambda *_: False)
    for setting in SETTINGS:
        for text in TEXTS:
            compiled = model.paraphrase(text, **setting)
            with _jit.interpreted():
                plain = model.paraphrase(text, **setting)
            assert repr(plain) == repr(compiled)

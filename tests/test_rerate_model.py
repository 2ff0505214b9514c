"""The script that gives a model the effects of ratings that ship now."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np

import paraphrast

SCRIPT = Path(__file__).parents[1] / "scripts" / "rerate_model.py"


def test_the_embedded_model_has_the_effects_that_ship() -> None:
    spec = spec_from_file_location("rerate_model", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    model = paraphrast.load()
    assert model.substitution is not None
    again = script.rerated(model, model.substitution)
    assert np.array_equal(again.static.codes, model.substitution.static.codes)
    assert np.allclose(again.prior, model.substitution.prior, atol=0.02)

"""Measured quality: only figures that the docs have."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from paraphrast.errors import FormatError
from paraphrast.model.quality import EMBEDDED_QUALITY, quality_of, read_figures

ROOT = Path(__file__).parents[2]


def test_figures_of_the_embedded_model_stand_in_the_docs() -> None:
    figures = read_figures(json.loads(EMBEDDED_QUALITY.read_text(encoding="utf-8")), EMBEDDED_QUALITY)
    assert figures
    for figure in figures:
        text = " ".join((ROOT / figure.page).read_text(encoding="utf-8").split())
        assert figure.quote in text, figure
        assert figure.value in figure.quote


def test_a_manifest_may_have_figures() -> None:
    figure = {"road": "fast", "measure": "accepted", "value": "1", "data": "a sentence"}
    model: Any = SimpleNamespace(manifest={"quality": [figure]}, path=Path("model"))
    assert quality_of(model, is_embedded=True)[0].measure == "accepted"
    model.manifest = {}
    assert quality_of(model, is_embedded=False) == []
    assert len(quality_of(model, is_embedded=True)) > 1


@pytest.mark.parametrize(
    "values", ["text", [1], [{}], [{"road": "a", "measure": "b", "value": 1, "data": ""}]]
)
def test_what_is_no_figure_is_refused(values: Any) -> None:
    with pytest.raises(FormatError, match="quality: expected figures"):
        read_figures(values, Path("model"))

"""Options of extraction reach the stage that extracts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import paraphrast
import toy


def test_significance_prunes_before_the_pivot(tmp_path: Path) -> None:
    kept = {}
    for name, extra in (("all", ""), ("few", '[extract]\nsignificance = "a+e"\n')):
        folder = tmp_path / name
        model = paraphrast.train(toy.write_config(folder, 300, extra=extra), folder / "model", keep_work=True)
        stage = Path(f"{model}.work") / "extract-de"
        kept[name] = len(np.load(stage / "source.npy"))
        told = json.loads((stage / "stage.json").read_text())["note"]
        assert ("significant" in told) == (name == "few")
        lengths = {len(np.load(stage / f"{column}.npy")) for column in ("target", "count", "sentence")}
        assert lengths == {kept[name]}
    assert 0 < kept["few"] < kept["all"]

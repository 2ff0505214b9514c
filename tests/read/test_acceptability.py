from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraphrast._trees import Trees
from paraphrast.errors import FormatError, InputError
from paraphrast.read import Acceptability, columns
from paraphrast.read.acceptability import FAST_COLUMNS, KINDS, WEIGHTS_FILE, shipped
from paraphrast.read.reader import FIRST


def test_columns_are_found_by_name() -> None:
    trees = Trees(
        0.0,
        np.array([[1]], np.int32),
        np.array([[0.0]], np.float32),
        np.array([[-2.0, 2.0]], np.float32),
    )
    model = Acceptability(("b", "a"), trees, 2.0, 0.5)
    features = np.array([[1.0, np.nan, 9.0], [-1.0, 0.0, 9.0]])
    expected = 1 / (1 + np.exp(-np.array([4.5, -3.5])))
    np.testing.assert_allclose(model.probability(("a", "b", "c"), features), expected)
    again = Acceptability.from_dict(model.to_dict())
    np.testing.assert_allclose(again.probability(("a", "b", "c"), features), expected)
    with pytest.raises(InputError, match="the column b"):
        model.probability(("a",), features[:, :1])
    with pytest.raises(InputError, match="expected columns"):
        Acceptability.from_dict({"columns": []})


def test_the_shipped_models_read_what_the_reader_gives() -> None:
    names = (*columns(), *FAST_COLUMNS)
    assert set(shipped("full").columns) == set(names)
    assert {name.partition("_")[0] for name in shipped("first").columns} == {*FIRST, "fast"}
    assert WEIGHTS_FILE.stat().st_size < 1_000_000
    likely = np.zeros((2, len(names)))
    likely[1, names.index("back_lowest_new")] = likely[1, names.index("restated_lowest_new")] = -14.0
    likely[1, names.index("back_sum")] = likely[1, names.index("restated_sum")] = -14.0
    likely[:, len(columns())] = np.nan
    for kind in KINDS:
        good, bad = shipped(kind).probability(names, likely)
        assert 0 < bad < good < 1
        # What fast rewriting says may be left out.
        assert shipped(kind).probability(columns(), likely[:, : len(columns())]).tolist() == [good, bad]


def test_other_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "w.json").write_text('{"format_version": 99}', encoding="utf-8")
    monkeypatch.setattr("paraphrast.read.acceptability.WEIGHTS_FILE", tmp_path / "w.json")
    with pytest.raises(FormatError):
        shipped.__wrapped__("full")

from __future__ import annotations

import math

import numpy as np
import pytest

from paraphrast.decode import Weights, preset_tables
from paraphrast.errors import FormatError, InputError


def test_weights_come_back_from_their_file(tmp_path):
    weights = Weights(
        lm=0.5, edit=-1.25, word=0.1, identity=-0.7, features={"pivot.score": 0.3, "news.lex": 1.0}
    )
    weights.save(tmp_path / "weights.json")
    assert Weights.load(tmp_path / "weights.json") == weights
    assert [path.name for path in tmp_path.iterdir()] == ["weights.json"]


def test_features_stand_in_the_order_of_the_columns():
    weights = Weights(features={"b.score": 2.0, "a.score": 1.0})
    assert weights.vector(["a.score", "a.lex", "b.score"]).tolist() == [1.0, 0.0, 2.0]
    assert weights.vector(["a.score", "b.score"]).dtype == np.float64
    with pytest.raises(InputError, match=r"b\.score"):
        weights.vector(["a.score"])


def test_u_may_be_given_as_a_probability():
    assert Weights().with_keep_probability(0.25).identity == pytest.approx(math.log(0.25))
    for wrong in (0.0, -1.0, 1.5):
        with pytest.raises(InputError):
            Weights().with_keep_probability(wrong)


def test_uniform_weights_take_scores_only():
    assert Weights.uniform(["a.score", "a.lex", "b.score"], lm=2.0) == Weights(
        lm=2.0, features={"a.score": 1.0, "b.score": 1.0}
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"lm": "high"}',
        '{"lmm": 1}',
        '{"lm": NaN}',
        '{"features": [1]}',
        '{"features": {"a": null}}',
    ],
)
def test_a_wrong_file_is_named(tmp_path, text):
    path = tmp_path / "weights.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"weights\.json"):
        Weights.load(path)
    with pytest.raises(FormatError):
        Weights.load(tmp_path / "missing.json")


def test_minima_and_the_weight_of_swaps_are_written_only_where_there_are_any(tmp_path):
    plain = Weights(features={"a.score": 1.0})
    assert set(plain.to_dict()) == {"lm", "edit", "word", "identity", "features"}
    rich = Weights(features={"a.score": 1.0}, minimum={"a": -8.0, "a.extra": -2.0}, swap=0.5)
    rich.save(tmp_path / "weights.json")
    assert Weights.load(tmp_path / "weights.json") == rich
    assert rich.minima(("a.score", "b.score", "a.extra")).tolist() == [-8.0, 0.0, -2.0]
    with pytest.raises(InputError, match="minimum"):
        rich.minima(("b.score",))
    with pytest.raises(InputError, match="finite"):
        Weights(minimum={"a": float("-inf")})
    with pytest.raises(InputError, match="map"):
        Weights.from_dict({"minimum": [1]})


def test_presets():
    names = ("a.score", "a.reverse", "a.model1_inverse", "b.de.score", "b.de.reverse")
    quirk = Weights.preset("quirk", names, u=0.5)
    assert quirk.features == {"a.model1_inverse": 1.0, "b.de.reverse": 1.0}
    assert (quirk.lm, quirk.edit, quirk.word) == (1.0, 0.0, 0.0)
    assert quirk.identity == pytest.approx(math.log(0.5))
    assert Weights.preset("uniform", names).features == {"a.score": 1.0, "b.de.score": 1.0}
    with pytest.raises(InputError, match="source"):
        Weights.preset("quirk", ("a.score",))
    with pytest.raises(InputError, match="preset"):
        Weights.preset("nonsense", names)
    # Tables without p(source | target) are left out; the smaller of both directions stands in for it.
    small = ("pivot.score", "pivot.both", "wordnet.score")
    assert Weights.preset("quirk", small).features == {"pivot.both": 1.0}
    assert preset_tables("quirk", small) == preset_tables("quirk", small, ("pivot",)) == ("pivot",)
    assert preset_tables(None, small) == preset_tables("uniform", small) == ()
    with pytest.raises(InputError, match="table 'wordnet'"):
        preset_tables("quirk", small, ("pivot", "wordnet"))

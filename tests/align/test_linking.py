"""The model of links: its fit, its files, and its features against a plain twin."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paraphrast.align import _kernels_links as kernels
from paraphrast.align.linking import FEATURES, LinkModel, default_links
from paraphrast.errors import FormatError, InputError

ANCHOR = 0.5
chances = st.floats(0.0, 1.0, width=32)


@st.composite
def sentence_pairs(draw: st.DrawFn) -> dict[str, np.ndarray]:
    target_len, source_len = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    shape = (target_len, source_len)
    cells = {name: draw(hnp.arrays(np.float64, shape, elements=chances)) for name in ("ahead", "back", "p")}
    for name, axis in (("ahead", 1), ("back", 0)):
        cells[name] /= np.maximum(cells[name].sum(axis=axis, keepdims=True), 1.0)
    similar = draw(hnp.arrays(np.float64, (*shape, 5), elements=chances))
    similar[:, :, 0] = draw(hnp.arrays(np.float64, shape, elements=st.sampled_from([0.0, 1.0])))
    kinds = st.sampled_from([0, 1, 2])
    return {
        **cells,
        "similar": similar,
        "source_class": draw(hnp.arrays(np.uint8, source_len, elements=kinds)),
        "target_class": draw(hnp.arrays(np.uint8, target_len, elements=kinds)),
    }


def features_of(pair: dict[str, np.ndarray]) -> np.ndarray:
    target_len, source_len = pair["p"].shape
    out = np.zeros((target_len * source_len, len(FEATURES)))
    kernels.pair_features(
        pair["ahead"],
        pair["back"],
        pair["p"],
        pair["similar"],
        pair["source_class"],
        pair["target_class"],
        ANCHOR,
        out,
    )
    return out.reshape(target_len, source_len, len(FEATURES))


def mirrored(pair: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {
        "ahead": np.ascontiguousarray(pair["back"].T),
        "back": np.ascontiguousarray(pair["ahead"].T),
        "p": np.ascontiguousarray(pair["p"].T),
        "similar": np.ascontiguousarray(pair["similar"].transpose(1, 0, 2)),
        "source_class": pair["target_class"],
        "target_class": pair["source_class"],
    }


@given(sentence_pairs())
@settings(max_examples=40, deadline=None)
def test_the_sides_may_change_places(pair: dict[str, np.ndarray]) -> None:
    np.testing.assert_allclose(
        features_of(pair), features_of(mirrored(pair)).transpose(1, 0, 2), rtol=1e-9, atol=1e-9
    )


def plain(pair: dict[str, np.ndarray], name: str, j: int, i: int) -> float:
    """Some of the features, by their words."""
    p, similar = pair["p"], pair["similar"]
    target_len, source_len = p.shape

    def at(y: int, z: int) -> float:
        if 0 <= y < target_len and 0 <= z < source_len:
            return float(p[y, z])
        return 1.0 if (y, z) in ((-1, -1), (target_len, source_len)) else 0.0

    def free(values: np.ndarray) -> bool:
        return bool(values.max() < ANCHOR)

    def run(place: int, is_free: list[bool]) -> tuple[int, int]:
        first = last = place
        while first > 0 and is_free[first - 1]:
            first -= 1
        while last + 1 < len(is_free) and is_free[last + 1]:
            last += 1
        return first, last

    rival_t = max([p[j, z] for z in range(source_len) if z != i], default=0.0)
    rival_s = max([p[y, i] for y in range(target_len) if y != j], default=0.0)
    free_s = [free(p[:, z]) for z in range(source_len)]
    free_t = [free(p[y]) for y in range(target_len)]
    closed = 0.0
    if free_s[i] and free_t[j]:
        (s0, s1), (t0, t1) = run(i, free_s), run(j, free_t)
        closed = float(at(t0 - 1, s0 - 1) >= ANCHOR and at(t1 + 1, s1 + 1) >= ANCHOR)
    near = [
        p[y, z] * (1.0 if abs(y - j) < 2 and abs(z - i) < 2 else 0.7)
        for y in range(target_len)
        for z in range(source_len)
        if (y, z) != (j, i)
        and abs(y - j) <= 2
        and abs(z - i) <= 2
        and pair["target_class"][y] == 0
        and pair["source_class"][z] == 0
    ]
    found = {
        "product of posteriors": pair["ahead"][j, i] * pair["back"][j, i],
        "same word": similar[j, i, 0],
        "like vectors": similar[j, i, 4],
        "both of them": at(j - 1, i - 1) * at(j + 1, i + 1),
        "crossing links": max(at(j - 1, i + 1), at(j + 1, i - 1)),
        "content link near": max(near, default=0.0),
        "rivals": rival_t + rival_s,
        "posterior of no link": max(1 - pair["ahead"][j].sum(), 0.0) + max(1 - pair["back"][:, i].sum(), 0.0),
        "cover": min(p.max(axis=1).mean(), p.max(axis=0).mean()),
        "apart": abs((j + 0.5) / target_len - (i + 0.5) / source_len),
        "closed gap": closed,
    }
    return float(found[name])


@given(sentence_pairs())
@settings(max_examples=60, deadline=None)
def test_features_are_what_their_names_say(pair: dict[str, np.ndarray]) -> None:
    found = features_of(pair)
    assert np.isfinite(found).all()
    for name in (
        "product of posteriors", "same word", "like vectors", "both of them", "crossing links", "content link near",
        "rivals", "posterior of no link", "cover", "apart", "closed gap",
    ):  # fmt: skip
        column = FEATURES.index(name)
        for j in range(found.shape[0]):
            for i in range(found.shape[1]):
                assert found[j, i, column] == pytest.approx(plain(pair, name, j, i), abs=1e-9), name


def test_weights_are_kept_and_checked(tmp_path: Path) -> None:
    model = LinkModel(np.arange(2.0 * len(FEATURES)).reshape(2, -1) / 64, 0.4, 0.3)
    model.save(tmp_path / "weights.json")
    again = LinkModel.load(tmp_path / "weights.json")
    np.testing.assert_allclose(again.weights, model.weights, atol=1e-5)
    assert (again.threshold, again.anchor) == (0.4, 0.3)
    (tmp_path / "weights.json").write_text('{"format": "other"}', encoding="utf-8")
    with pytest.raises(FormatError, match="expected link weights"):
        LinkModel.load(tmp_path / "weights.json")
    with pytest.raises(InputError, match="weights per pass"):
        LinkModel(np.zeros((2, 3)))
    with pytest.raises(InputError, match="finite"):
        LinkModel(np.full((1, len(FEATURES)), math.nan))


def test_the_packaged_weights_prefer_the_same_word() -> None:
    model = default_links()
    assert len(model.weights) >= 1
    assert (model.weights[:, FEATURES.index("same word")] > 0).all()

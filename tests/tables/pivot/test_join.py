"""Pivoting against a plain twin with exact fractions, and its laws."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.engine import Engine
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.table_file import load_table, save_table, table_info
from paraphrast.tables.options import PivotOptions
from paraphrast.tables.pivot.join import (
    UNSEEN,
    WEIGHT_ONE,
    LanguagePairs,
    feature_names,
    pivot,
    prune_pairs,
    whole_weights,
)
from paraphrast.types import ParaphraseTable

Counts = dict[tuple[int, int], int]


def pairs_of(language: str, counts: Counts) -> LanguagePairs:
    rows = sorted(counts)
    source_total: dict[int, int] = defaultdict(int)
    target_total: dict[int, int] = defaultdict(int)
    for (e, f), count in counts.items():
        source_total[e] += count
        target_total[f] += count
    return LanguagePairs(
        language,
        np.array([e for e, _ in rows], np.int32),
        np.array([f for _, f in rows], np.int32),
        np.array([counts[row] for row in rows], np.int64),
        np.array([source_total[e] for e, _ in rows], np.int64),
        np.array([target_total[f] for _, f in rows], np.int64),
    )


def plain_pivot(languages: list[Counts]) -> dict[tuple[int, int], Fraction]:
    """p(e2 | e1) = mean over languages of Σ_f p(f | e1) p(e2 | f)."""
    result: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for counts in languages:
        pairs = pairs_of("xx", counts)
        te = dict(zip(pairs.source.tolist(), pairs.source_total.tolist(), strict=True))
        tf = dict(zip(pairs.target.tolist(), pairs.target_total.tolist(), strict=True))
        for (e1, f1), c1 in counts.items():
            for (e2, f2), c2 in counts.items():
                if f1 == f2 and e1 != e2:
                    result[e1, e2] += Fraction(c1, te[e1]) * Fraction(c2, tf[f2]) / len(languages)
    return result


count_tables = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 4)), st.integers(1, 30), min_size=1, max_size=16
)


@settings(max_examples=60, deadline=None)
@given(st.lists(count_tables, min_size=1, max_size=3))
def test_pivot_equals_exact_fractions(languages: list[Counts]) -> None:
    names = ["de", "fr", "es"][: len(languages)]
    with Engine(threads=2) as engine:
        table = pivot(
            engine,
            [pairs_of(name, counts) for name, counts in zip(names, languages, strict=True)],
            PivotOptions(min_probability=0.0),
        )
    expected = plain_pivot(languages)
    found = dict(
        zip(zip(table.source.tolist(), table.target.tolist(), strict=True), table.score, strict=True)
    )
    assert set(found) == set(expected)
    for pair, score in found.items():
        assert math.exp(score) == pytest.approx(float(expected[pair]), rel=1e-5)
    backward = {(b, a) for a, b in expected}
    assert backward == set(expected), "pivoting knows both directions or none"
    for row, pair in enumerate(zip(table.source.tolist(), table.target.tolist(), strict=True)):
        reverse = math.exp(table.features["reverse"][row])
        assert reverse == pytest.approx(float(expected[pair[1], pair[0]]), rel=1e-5)
        assert table.features["both"][row] == min(table.score[row], table.features["reverse"][row])
        known = sum(not math.isnan(table.features[f"in_{name}"][row]) for name in names)
        assert math.exp(table.features["languages"][row]) == pytest.approx(known)
    assert ["score", *table.features] == feature_names(names)


def test_probabilities_never_exceed_one_and_ties_have_an_order() -> None:
    counts = {(e, 0): 10**9 for e in range(20)}
    with Engine(threads=1) as engine:
        table = pivot(engine, [pairs_of("de", counts)], PivotOptions())
    for source in range(20):
        mine = table.source == source
        assert np.exp(table.score[mine]).sum() == pytest.approx(0.95)
        assert table.target[mine].tolist() == sorted(table.target[mine].tolist())


def test_only_the_best_translations_enter_the_join() -> None:
    counts = {(0, f): f + 1 for f in range(10)} | {(1, f): 1 for f in range(10)}
    with Engine(threads=1) as engine:
        table = pivot(
            engine, [pairs_of("de", counts)], PivotOptions(best_translations=1, min_probability=0.0)
        )
    # Phrase 0 keeps translation 9; of phrase 1's equally frequent ones the first, 0, which 0 does not keep.
    assert len(table) == 0


def test_no_language_is_told() -> None:
    with Engine(threads=1) as engine, pytest.raises(InputError, match="at least one language"):
        pivot(engine, [], PivotOptions())


@pytest.mark.parametrize("wrong", [{"top": 0}, {"best_translations": 0}, {"min_probability": 1.0}])
def test_wrong_options_are_told(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        PivotOptions(**wrong)


@pytest.fixture
def table() -> ParaphraseTable:
    counts = {(e, f): (e * 7 + f * 3) % 5 + 1 for e in range(6) for f in range(4) if (e + f) % 3}
    with Engine(threads=1) as engine:
        return pivot(engine, [pairs_of("de", counts), pairs_of("fr", {(0, 0): 1, (1, 0): 2})], PivotOptions())


def test_a_table_comes_back_from_its_file(table: ParaphraseTable, tmp_path: Path) -> None:
    vetoed = replace(table, veto=np.arange(len(table)).astype(np.uint8))
    path = tmp_path / "t.parquet"
    with Engine(threads=1) as engine:
        save_table(engine, vetoed, path)
        again = load_table(engine, path)
        assert table_info(engine, path) == again.info == vetoed.info
        for name in ("source", "target", "count", "score", "veto"):
            np.testing.assert_array_equal(getattr(again, name), getattr(vetoed, name))
        assert set(again.features) == set(vetoed.features)
        for name, values in vetoed.features.items():
            np.testing.assert_array_equal(again.features[name], values)
        engine.write_parquet("SELECT 1 AS x", path)
        with pytest.raises(FormatError, match="expected a model's table"):
            load_table(engine, path)
        engine.write_parquet(
            "SELECT 1 AS x", path, {"paraphrast_table": {"format_version": 99, "novelty": 1}}
        )
        with pytest.raises(FormatError, match="format 1 or older, got 99"):
            load_table(engine, path)
        engine.run(f"COPY (SELECT 1 AS x) TO '{path}' (FORMAT parquet, KV_METADATA {{pandas: 'no json'}})")
        with pytest.raises(FormatError, match="expected a model's table"):
            load_table(engine, path)


def test_languages_have_weights() -> None:
    german = {(0, 0): 1, (1, 0): 1, (0, 1): 1}
    french = {(0, 0): 1, (1, 0): 3}
    pairs = [pairs_of("de", german), pairs_of("fr", french)]
    with Engine(threads=1) as engine:
        table = pivot(engine, pairs, PivotOptions(weights={"de": 3.0}))
        product = pivot(engine, pairs, PivotOptions(combine="product", weights={"de": 3.0}))
    # p_de(1|0) = 1/2 · 1/2, p_fr(1|0) = 1 · 3/4; back, p_de(0|1) = 1 · 1/2, p_fr(0|1) = 1/4.
    assert table.target.tolist() == [1, 0]
    assert np.exp(table.score) == pytest.approx(
        [0.75 * 0.25 + 0.25 * 0.75, 0.75 * 0.5 + 0.25 * 0.25], rel=1e-5
    )
    assert np.exp(product.score) == pytest.approx([0.25**0.75 * 0.75**0.25, 0.5**0.75 * 0.25**0.25], rel=1e-5)
    assert np.exp(product.features["reverse"]) == pytest.approx(np.exp(product.score[::-1]), rel=1e-6)
    assert "de:0.75+fr:0.25" in table.info.signature
    assert "combine:product" in product.info.signature


def test_a_product_has_a_floor_for_a_language_that_lacks_the_pair() -> None:
    pairs = [pairs_of("de", {(0, 0): 1, (1, 0): 1}), pairs_of("fr", {(0, 0): 1})]
    with Engine(threads=1) as engine:
        product = pivot(engine, pairs, PivotOptions(combine="product"))
    assert np.exp(product.score) == pytest.approx([math.sqrt(0.5 * UNSEEN)] * 2, rel=1e-5)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=6))
def test_weights_are_whole_and_sum_to_one(values: list[float]) -> None:
    names = [f"l{n}" for n in range(len(values))]
    weights = dict(zip(names, values, strict=True))
    if sum(values) == 0:
        with pytest.raises(InputError, match="above 0"):
            whole_weights(names, weights)
        return
    whole = whole_weights(names, weights)
    assert sum(whole) == WEIGHT_ONE
    for got, wanted in zip(whole, values, strict=True):
        assert got == pytest.approx(wanted / sum(values) * WEIGHT_ONE, abs=len(values))


def test_what_pruning_left_out_is_told() -> None:
    # 3 and 9 have only each other; of phrase 0 the best of three translations stays, 5 of 8 occurrences.
    counts = {(0, 0): 5, (0, 1): 2, (0, 2): 1, (1, 0): 4, (3, 9): 7}
    pairs = pairs_of("de", counts)
    with Engine(threads=1) as engine:
        report = prune_pairs(engine, "kept", pairs, 1)
        kept = engine.fetch("SELECT e, f FROM kept ORDER BY e, f")
    assert list(zip(kept["e"].tolist(), kept["f"].tolist(), strict=True)) == [(0, 0)]
    assert report["pairs"] == 5
    assert report["kept"] == 1
    assert report["one_to_one"] == 1
    assert report["mass_dropped"] == pytest.approx(1 - 12 / 19)
    assert report["mass_dropped_of_all"] == pytest.approx(1 - 12 / 19)


@pytest.mark.parametrize(
    "wrong",
    [
        {"combine": "sum"},
        {"syntax": "yes"},
        {"weights": {"de": -1}},
        {"weights": ("de",)},
        {"context_weight": -1.0},
        {"context": False, "context_weight": 1.0},
    ],
)
def test_more_wrong_options_are_told(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=f"{[*wrong][-1]}: expected"):
        PivotOptions(**wrong)  # type: ignore[arg-type]


def test_an_unknown_language_has_no_weight() -> None:
    with Engine(threads=1) as engine, pytest.raises(InputError, match="no such pivot language: 'xx'"):
        pivot(engine, [pairs_of("de", {(0, 0): 1})], PivotOptions(weights={"xx": 1.0}))

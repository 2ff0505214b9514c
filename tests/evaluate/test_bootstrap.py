"""Intervals are the same by seed, hold the figure they are about, and shrink with more data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.evaluate.bootstrap import bootstrap, paired_difference, resampled_sums
from paraphrast.evaluate.options import BootstrapOptions

FEW = BootstrapOptions(samples=200, seed=7)


def mean(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return sums[:, 0] / sums[:, 1]


def units(values: list[float]) -> NDArray[np.float64]:
    return np.array([[value, 1.0] for value in values])


def slow_sums(rows: NDArray[np.float64], options: BootstrapOptions) -> list[list[float]]:
    """The plain twin: draw row numbers, add rows one after the other."""
    generator = np.random.Generator(np.random.PCG64(options.seed))
    result = []
    for _ in range(options.samples):
        total = [0.0] * rows.shape[1]
        for row in sorted(generator.integers(0, len(rows), len(rows)).tolist()):
            total = [old + float(new) for old, new in zip(total, rows[row], strict=True)]
        result.append(total)
    return result


def test_resampled_sums_are_those_of_drawn_rows() -> None:
    rows = np.arange(24, dtype=np.int64).reshape(8, 3)
    options = BootstrapOptions(samples=20, seed=3)
    assert resampled_sums(rows, options).tolist() == slow_sums(rows.astype(np.float64), options)


def test_a_resample_has_as_many_rows_as_there_are() -> None:
    sums = resampled_sums(np.ones((13, 1)), FEW)
    assert sums.tolist() == [[13.0]] * 200


@settings(max_examples=30)
@given(st.lists(st.integers(0, 1), min_size=3, max_size=40), st.integers(0, 2**32))
def test_an_interval_holds_the_figure_and_repeats_by_seed(values: list[int], seed: int) -> None:
    options = BootstrapOptions(samples=300, seed=seed)
    rows = units([float(value) for value in values])
    (first,) = bootstrap(rows, mean, options)
    assert first is not None
    assert first.low - 1e-12 <= sum(values) / len(values) <= first.high + 1e-12
    assert bootstrap(rows, mean, options) == [first]


def test_another_seed_draws_other_samples() -> None:
    rows = units([float(value) for value in range(50)])
    assert bootstrap(rows, mean, FEW) != bootstrap(rows, mean, BootstrapOptions(samples=200, seed=8))


def test_a_mean_has_about_the_interval_that_theory_gives() -> None:
    generator = np.random.default_rng(1)
    values = generator.normal(10, 2, 400).tolist()
    (found,) = bootstrap(units(values), mean, BootstrapOptions(samples=2000))
    assert found is not None
    # ± 1.96 · 2 / √400
    assert found.high - found.low == pytest.approx(2 * 0.196, rel=0.12)


def test_a_wider_level_gives_a_wider_interval() -> None:
    rows = units([float(value % 7) for value in range(60)])
    (narrow,) = bootstrap(rows, mean, BootstrapOptions(level=0.5))
    (wide,) = bootstrap(rows, mean, BootstrapOptions(level=0.99))
    assert narrow is not None
    assert wide is not None
    assert wide.low < narrow.low < narrow.high < wide.high


def test_several_figures_have_an_interval_each() -> None:
    def both(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.stack([mean(sums), -mean(sums)], axis=1)

    up, down = bootstrap(units([1.0, 2.0, 5.0, 9.0]), both, FEW)
    assert up is not None
    assert down is not None
    assert (down.low, down.high) == pytest.approx((-up.high, -up.low))


def test_resamples_without_a_value_are_left_out() -> None:
    def undefined_if_small(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(sums[:, 0] >= 2, sums[:, 0], np.nan)

    (found,) = bootstrap(np.array([1, 1, 0, 0]), undefined_if_small, FEW)
    assert found is not None
    assert found.low >= 2
    assert bootstrap(np.zeros(3), undefined_if_small, FEW) == [None]


def test_without_samples_there_is_no_interval() -> None:
    assert bootstrap(units([1.0, 2.0]), mean, BootstrapOptions(samples=0)) == [None]
    (found,) = paired_difference(units([1.0]), units([3.0]), mean, BootstrapOptions(samples=0))
    assert (found.value, found.interval, found.p_value) == (2.0, None, None)


def test_a_clear_difference_is_told_from_chance() -> None:
    generator = np.random.default_rng(2)
    base = generator.normal(0, 1, 200)
    better = base + 0.3 + generator.normal(0, 0.1, 200)
    (found,) = paired_difference(units(base.tolist()), units(better.tolist()), mean, FEW)
    assert found.value == pytest.approx(0.3, abs=0.03)
    assert found.interval is not None
    assert 0 < found.interval.low < found.value < found.interval.high
    assert found.p_value == pytest.approx(1 / 201)


def test_a_system_does_not_differ_from_itself() -> None:
    rows = units([1.0, 5.0, 2.0])
    (found,) = paired_difference(rows, rows, mean, FEW)
    assert found.value == 0
    assert found.p_value == 1
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (0, 0)


def test_the_difference_turns_with_its_sides() -> None:
    one, two = units([1.0, 2.0, 3.0, 9.0]), units([2.0, 2.0, 7.0, 1.0])
    (forth,) = paired_difference(one, two, mean, FEW)
    (back,) = paired_difference(two, one, mean, FEW)
    assert forth.value == -back.value
    assert forth.p_value == back.p_value


@pytest.mark.parametrize(
    "options", [{"samples": -1}, {"samples": 10**12}, {"seed": -1}, {"level": 1.0}, {"level": 0.0}]
)
def test_options_are_checked(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match="expected a"):
        BootstrapOptions(**options)  # type: ignore[arg-type]


def test_no_units_and_uneven_units_are_errors() -> None:
    with pytest.raises(InputError, match="unit to resample"):
        bootstrap(np.zeros((0, 2)), mean, FEW)
    with pytest.raises(InputError, match="2 and 1"):
        paired_difference(np.zeros((2, 2)), np.zeros((1, 2)), mean, FEW)

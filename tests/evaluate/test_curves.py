"""Curves by hand, and AUC against its plain twin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.evaluate.curves import (
    accuracy_at,
    accuracy_coverage,
    area_under_curve,
    calibration,
    kept_at,
)


def test_the_curve_by_hand() -> None:
    points = accuracy_coverage([0.2, 0.9, 0.5, 0.5], [False, True, True, False])
    assert [(point.threshold, point.kept, point.accuracy) for point in points] == [
        (0.9, 1, 1.0),
        (0.5, 3, pytest.approx(2 / 3)),
        (0.2, 4, 0.5),
    ]
    assert [point.coverage for point in points] == [0.25, 0.75, 1.0]
    assert accuracy_at(points, 2) == points[1]
    assert accuracy_at(points, 5) is None
    assert kept_at(points, 0.6) == points[1]
    assert kept_at(points, 0.1) == points[2]
    assert accuracy_coverage([], []) == []


def slow_auc(values: list[int], right: list[bool]) -> float | None:
    pairs = [
        (a, b)
        for a, ra in zip(values, right, strict=True)
        if ra
        for b, rb in zip(values, right, strict=True)
        if not rb
    ]
    return sum((a > b) + 0.5 * (a == b) for a, b in pairs) / len(pairs) if pairs else None


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=30))
def test_auc_is_the_share_of_pairs_in_order(rows: list[tuple[int, bool]]) -> None:
    values, right = [row[0] for row in rows], [row[1] for row in rows]
    expected = slow_auc(values, right)
    found = area_under_curve(values, right)
    assert (found is None) == (expected is None)
    if expected is not None:
        assert found == pytest.approx(expected)


def test_calibration_by_hand() -> None:
    found = calibration([0.1, 0.3, 0.6, 1.0], [False, True, True, True], bins=2)
    assert [one.to_list() for one in found.bins] == [
        [pytest.approx(0.2), 0.5, 2],
        [pytest.approx(0.8), 1.0, 2],
    ]
    assert found.error == pytest.approx((0.3 * 2 + 0.2 * 2) / 4)
    assert found.brier == pytest.approx((0.01 + 0.49 + 0.16 + 0) / 4)
    assert calibration([], []).bins == ()
    assert len(calibration([0.5], [True]).bins) == 1


def test_faults_are_told() -> None:
    with pytest.raises(InputError, match="one verdict per confidence"):
        accuracy_coverage([1.0], [True, False])
    with pytest.raises(InputError, match="NaN"):
        area_under_curve([float("nan")], [True])
    with pytest.raises(InputError, match="between 0 and 1"):
        calibration([2.0], [True])
    with pytest.raises(InputError, match="one bin"):
        calibration([0.5], [True], bins=0)

"""Symmetrisation against a plain reading of Koehn's and of Och and Ney's definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.align.symmetrise import METHODS, symmetrise
from paraphrast.errors import InputError

Point = tuple[int, int]


def plain(source_len: int, target_len: int, e2f: set[Point], f2e: set[Point], method: str) -> set[Point]:
    """GROW-DIAG-FINAL as it is published, on sets of points."""
    union = e2f | f2e
    if method == "union":
        return union
    points = e2f & f2e

    def free(point: Point) -> tuple[bool, bool]:
        return point[0] not in {i for i, _ in points}, point[1] not in {j for _, j in points}

    if method == "refined":
        return refined(union, points)
    if method.startswith("grow-diag"):
        neighbours = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]
        before = -1
        while before != len(points):
            before = len(points)
            for i in range(source_len):
                for j in range(target_len):
                    if (i, j) in points:
                        for di, dj in neighbours:
                            new = (i + di, j + dj)
                            if new in union and any(free(new)):
                                points.add(new)
    if method.startswith("grow-diag-final"):
        enough = all if method.endswith("-and") else any
        for direction in (e2f, f2e):
            for point in sorted(direction):
                if enough(free(point)):
                    points.add(point)
    return points


def refined(union: set[Point], points: set[Point]) -> set[Point]:
    """Och and Ney (2003): the whole set is looked at for links with neighbours both ways."""

    def in_row(point: Point, among: set[Point]) -> bool:
        return bool({(point[0], point[1] - 1), (point[0], point[1] + 1)} & among)

    def in_column(point: Point, among: set[Point]) -> bool:
        return bool({(point[0] - 1, point[1]), (point[0] + 1, point[1])} & among)

    before = -1
    while before != len(points):
        before = len(points)
        for new in sorted(union - points):
            together = points | {new}
            if all(new[0] != i and new[1] != j for i, j in points) or (
                (in_row(new, points) or in_column(new, points))
                and not any(in_row(point, together) and in_column(point, together) for point in together)
            ):
                points = together
    return points


@st.composite
def one_way_alignments(draw: st.DrawFn) -> tuple[int, int, list[int], list[int]]:
    source_len = draw(st.integers(0, 6))
    target_len = draw(st.integers(0, 6))
    forward = draw(st.lists(st.integers(-1, source_len - 1), min_size=target_len, max_size=target_len))
    backward = draw(st.lists(st.integers(-1, target_len - 1), min_size=source_len, max_size=source_len))
    return source_len, target_len, forward, backward


@pytest.mark.parametrize("method", METHODS)
@given(st.lists(one_way_alignments(), min_size=1, max_size=3))
@settings(max_examples=80, deadline=None)
def test_equals_the_plain_twin(method: str, rows: list[tuple[int, int, list[int], list[int]]]) -> None:
    source_starts = np.cumsum([0, *(row[0] for row in rows)], dtype=np.int64)
    target_starts = np.cumsum([0, *(row[1] for row in rows)], dtype=np.int64)
    forward = np.array([i for row in rows for i in row[2]], np.int32)
    backward = np.array([j for row in rows for j in row[3]], np.int32)
    links = symmetrise(source_starts, target_starts, forward, backward, method)
    for index, (source_len, target_len, ahead, back) in enumerate(rows):
        e2f = {(i, j) for j, i in enumerate(ahead) if i >= 0}
        f2e = {(i, j) for i, j in enumerate(back) if j >= 0}
        assert links.pair(index) == sorted(plain(source_len, target_len, e2f, f2e, method))


def test_methods_differ_where_they_should() -> None:
    starts = np.array([0, 3], np.int64)
    forward = np.array([0, 0, 2], np.int32)
    backward = np.array([0, 2, -1], np.int32)
    found = {method: symmetrise(starts, starts, forward, backward, method).pair(0) for method in METHODS}
    assert found["intersect"] == [(0, 0)]
    assert found["union"] == [(0, 0), (0, 1), (1, 2), (2, 2)]
    assert found["grow-diag"] == [(0, 0), (0, 1), (1, 2), (2, 2)]
    assert found["refined"] == [(0, 0), (0, 1), (1, 2), (2, 2)]


def test_refined_makes_no_corner() -> None:
    starts = np.array([0, 2], np.int64)
    forward = np.array([0, 0], np.int32)
    backward = np.array([0, 0], np.int32)
    assert symmetrise(starts, starts, forward, backward, "refined").pair(0) == [(0, 0), (0, 1)]
    assert symmetrise(starts, starts, forward, backward, "union").pair(0) == [(0, 0), (0, 1), (1, 0)]


def test_wrong_arguments_are_named() -> None:
    starts = np.array([0, 1], np.int64)
    one = np.zeros(1, np.int32)
    with pytest.raises(InputError, match="grow-sideways"):
        symmetrise(starts, starts, one, one, "grow-sideways")
    with pytest.raises(InputError, match="one forward link per target token"):
        symmetrise(starts, starts, one[:0], one, "union")
    with pytest.raises(InputError, match="as many source as target"):
        symmetrise(starts[:1], starts, one, one, "union")

"""The union of phrase stores against sorted sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.extract import merge_phrases

phrases = st.lists(
    st.lists(st.sampled_from([0, 1, 2, 11, 70_000, 2**31 - 2]), min_size=1, max_size=7), max_size=12
)


def store_of(rows: list[list[int]]) -> np.ndarray:
    return np.array([row + [-1] * (7 - len(row)) for row in rows], np.int32).reshape(-1, 7)


@given(st.lists(phrases, max_size=3))
@settings(max_examples=80, deadline=None)
def test_equals_a_sorted_set(stores: list[list[list[int]]]) -> None:
    union, remaps = merge_phrases([store_of(rows) for rows in stores])
    expected = sorted({tuple(row) for rows in stores for row in rows})
    assert [tuple(word for word in row if word >= 0) for row in union.tolist()] == expected
    assert union.dtype == np.int32
    assert len(remaps) == len(stores)
    for rows, remap in zip(stores, remaps, strict=True):
        assert [expected[new] for new in remap] == [tuple(row) for row in rows]
        assert remap.dtype == np.int32


def test_wrong_input_is_named() -> None:
    with pytest.raises(InputError, match="shape"):
        merge_phrases([np.zeros((2, 5), np.int32)])
    with pytest.raises(InputError, match="got -2"):
        merge_phrases([np.full((1, 7), -2, np.int32)])

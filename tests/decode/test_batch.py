from __future__ import annotations

import numpy as np
import pytest

from paraphrast.decode import DecodeBatch, DecodeOptions, HypEdit, Hypothesis
from paraphrast.errors import InputError


def test_a_batch_from_lists_keeps_items_apart():
    batch = DecodeBatch.from_lists([[11, 12], [], [13]])
    assert len(batch) == 3
    assert batch.tokens.tolist() == [11, 12, 13]
    assert batch.starts.tolist() == [0, 2, 2, 3]
    assert batch.breaks.tolist() == batch.protected.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("starts", "flags", "categories"),
    [
        ([0, 1], 2, None),
        ([0, 3, 2], 2, None),
        ([1, 2], 2, None),
        ([0, 2], 1, None),
        ([0, 2], 2, (2, 6)),
        ([], 2, None),
    ],
)
def test_arrays_that_do_not_fit_are_refused(starts, flags, categories):
    with pytest.raises(InputError):
        DecodeBatch(
            np.array([11, 12], np.int32),
            np.array(starts, np.int64),
            np.zeros(flags, np.uint8),
            np.zeros(flags, np.uint8),
            None if categories is None else np.zeros(categories, np.uint8),
        )


@pytest.mark.parametrize(
    "wrong",
    [
        {"n": 0},
        {"beam": -1},
        {"max_edits": -1},
        {"effort": 0},
        {"distinct": 1.5},
        {"log_u": float("inf")},
        {"min_log_prob": float("nan")},
        {"avoid": ((),)},
        {"must_use": ((),)},
        {"must_use": tuple((word,) for word in range(11, 28))},
    ],
)
def test_options_that_mean_nothing_are_refused(wrong):
    with pytest.raises(InputError):
        DecodeOptions(**wrong)


def test_edits_apply_from_any_side():
    edits = (HypEdit(0, 1, 0, (21, 22), 5, -1.0, 1), HypEdit(2, 4, 1, (23,), 6, -1.0, 1))
    assert Hypothesis(0.0, edits).apply([11, 12, 13, 14, 15]) == [21, 22, 12, 23, 15]

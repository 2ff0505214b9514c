"""Interning against a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.extract import PhraseIndex, _kernels


def plain_ids(tokens: list[int], grams: list[tuple[int, int]]) -> tuple[list[int], list[tuple[int, ...]]]:
    known: dict[tuple[int, ...], int] = {}
    ids = [known.setdefault(tuple(tokens[start : start + size]), len(known)) for start, size in grams]
    return ids, list(known)


@given(st.lists(st.integers(0, 3), min_size=7, max_size=40), st.data())
@settings(max_examples=60, deadline=None)
def test_equals_a_dictionary(tokens: list[int], data: st.DataObject) -> None:
    gram = st.integers(1, 7).flatmap(
        lambda size: st.tuples(st.integers(0, len(tokens) - size), st.just(size))
    )
    grams = data.draw(st.lists(gram, max_size=40))
    cut = data.draw(st.integers(0, len(grams)))
    index = PhraseIndex(np.array(tokens, np.int32))
    found: list[int] = []
    for piece in (grams[:cut], grams[cut:]):
        starts = np.array([start for start, _ in piece], np.int64)
        found += index.intern(starts, np.array([size for _, size in piece], np.int32)).tolist()
    expected, phrases = plain_ids(tokens, grams)
    assert found == expected
    assert [tuple(word for word in row if word >= 0) for row in index.words().tolist()] == phrases
    assert len(index) == len(phrases)


def test_grows_and_keeps_every_id() -> None:
    rng = np.random.default_rng(5)
    tokens = rng.integers(0, 50, 30_000).astype(np.int32)
    starts = np.repeat(np.arange(len(tokens) - 3, dtype=np.int64), 3)
    sizes = np.tile(np.array([1, 2, 3], np.int32), len(tokens) - 3)
    index = PhraseIndex(tokens)
    ids = index.intern(starts, sizes)
    grams = list(zip(starts.tolist(), sizes.tolist(), strict=True))
    expected, phrases = plain_ids(tokens.tolist(), grams)
    assert len(phrases) > 20_000
    assert ids.tolist() == expected
    assert index.intern(starts, sizes).tolist() == expected


def test_equal_hashes_are_told_apart_by_their_words() -> None:
    tokens = np.array([1, 2], np.int32)
    table = np.full(8, -1, np.int32)
    hashes, firsts, sizes = np.zeros(4, np.uint64), np.zeros(4, np.int64), np.zeros(4, np.uint8)
    one = np.array([0], np.int64)
    length = np.array([1], np.int32)
    ids = np.empty(1, np.int32)
    _, known = _kernels.intern(tokens, one + 1, length, 0, ids, table, hashes, firsts, sizes, 0)
    firsts[0] = 0
    _, known = _kernels.intern(tokens, one + 1, length, 0, ids, table, hashes, firsts, sizes, known)
    assert known == 2
    assert ids[0] == 1


def test_wrong_spans_are_named() -> None:
    index = PhraseIndex(np.arange(5, dtype=np.int32))
    for start, size in ((0, 8), (3, 3), (0, 0), (-1, 2)):
        with pytest.raises(InputError, match="1 to 7 words"):
            index.intern(np.array([start], np.int64), np.array([size], np.int32))

"""Phrases as integers: nothing is lost, and the order is that of the words."""

from __future__ import annotations

import numpy as np
import pytest

from paraphrast.extract import merge_phrases
from paraphrast.types import MAX_PHRASE
from paraphrast.types.phrase_keys import PhraseKeys, equal, listed


@pytest.mark.parametrize(("size", "longest"), [(1, 1), (12, 5), (70_000, 5), (70_000, 7), (2**31 - 1, 7)])
def test_words_come_back_and_keep_their_order(size: int, longest: int) -> None:
    rng = np.random.default_rng(size)
    words = rng.integers(max(size - 3, 0), size, (300, MAX_PHRASE)).astype(np.int32)
    words[np.arange(MAX_PHRASE) >= rng.integers(1, longest + 1, 300)[:, None]] = -1
    keys = PhraseKeys(size, longest)
    packed = keys.pack(words, "k")
    assert list(packed) == keys.names("k")
    assert min(column.min() for column in packed.values()) >= 0
    np.testing.assert_array_equal(keys.unpack(packed, "k"), words)
    order = np.lexsort([packed[name] for name in reversed(keys.names("k"))])
    merged, _ = merge_phrases([words])
    _, first = np.unique(words[order], axis=0, return_index=True)
    np.testing.assert_array_equal(words[order][np.sort(first)], merged)
    same_first = packed["k1"] // keys.first_word
    np.testing.assert_array_equal(same_first, words[:, 0] + 1)


def test_the_empty_phrase_is_zero() -> None:
    packed = PhraseKeys(100).pack(np.full((1, MAX_PHRASE), -1, np.int32), "s")
    assert all(column.tolist() == [0] for column in packed.values())


def test_columns_of_queries() -> None:
    assert listed(["s1", "s2"], "a") == "a.s1, a.s2"
    assert listed(["s1"]) == "s1"
    assert equal("a", ["s1", "s2"], "b", ["k1", "k2"]) == "a.s1 = b.k1 AND a.s2 = b.k2"

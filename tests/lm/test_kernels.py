"""Each kernel against the obvious few lines of Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.lm import _kernels
from paraphrast.types import Sentences

SIZE = 16
TEXTS = st.lists(st.lists(st.integers(11, SIZE - 1), max_size=6), min_size=1, max_size=6)


def padded(text: list[list[int]]) -> np.ndarray:
    sentences = Sentences.from_lists(text)
    out = np.zeros(len(sentences.tokens) + 2 * len(text), dtype=np.int32)
    _kernels.pad(sentences.tokens, sentences.starts, out)
    return out


@settings(deadline=None)
@given(TEXTS)
def test_pad(text: list[list[int]]) -> None:
    assert padded(text).tolist() == [word for sentence in text for word in [1, *sentence, 2]]


@settings(deadline=None)
@given(TEXTS)
def test_positions_by_word(text: list[list[int]]) -> None:
    words = padded(text)
    counts = np.bincount(words, minlength=SIZE).astype(np.int32)
    expected = sorted((i for i in range(len(words)) if words[i] != 1), key=lambda i: (words[i], i))
    assert _kernels.positions_by_word(words, counts).tolist() == expected


@settings(deadline=None)
@given(TEXTS)
def test_extend_from_unigrams_to_bigrams_to_trigrams(text: list[list[int]]) -> None:
    words = padded(text)
    counts = np.bincount(words, minlength=SIZE).astype(np.int32)
    by_word = _kernels.positions_by_word(words, counts)
    ids, node_of = words, {(word,): word for word in range(SIZE)}
    for length in (1, 2):
        grams: Counter[tuple[int, ...]] = Counter()
        for sentence in text:
            row = [1, *sentence, 2]
            grams.update(tuple(row[i : i + length + 1]) for i in range(len(row) - length))
        ranked = sorted(grams, key=lambda gram: (node_of[gram[:-1]], gram[-1]))
        next_ids = np.empty_like(words)
        word, suffix, new_counts, child_begin = _kernels.extend(words, by_word, ids, counts, length, next_ids)
        assert word.tolist() == [gram[-1] for gram in ranked]
        assert suffix.tolist() == [node_of[gram[1:]] for gram in ranked]
        assert new_counts.tolist() == [grams[gram] for gram in ranked]
        parents = [node_of[gram[:-1]] for gram in ranked]
        assert child_begin.tolist() == [
            sum(parent < node for parent in parents) for node in range(len(counts) + 1)
        ]
        node_of = {gram: node for node, gram in enumerate(ranked)}
        ids, counts = next_ids, new_counts


@settings(deadline=None)
@given(st.lists(st.integers(0, 7), max_size=30))
def test_left_extensions_and_count_of_counts(values: list[int]) -> None:
    array = np.array(values, dtype=np.int32)
    assert _kernels.left_extensions(array, 8).tolist() == [values.count(node) for node in range(8)]
    assert _kernels.count_of_counts(array).tolist() == [0] + [values.count(count) for count in range(1, 5)]


def test_interpolate_by_hand() -> None:
    """One context with counts 1 and 3 of which the first is pruned, and one without children."""
    probability, gamma = _kernels.interpolate(
        np.array([0, 2, 2], dtype=np.int64),
        np.array([0, 1], dtype=np.int32),
        np.array([1, 3], dtype=np.int32),
        np.array([False, True]),
        np.array([0.0, 0.5, 1.0, 1.5]),
        np.array([0.25, 0.75]),
    )
    weight = (1 + 1.5) / 4
    np.testing.assert_allclose(gamma, [weight, 1.0])
    np.testing.assert_allclose(probability[1], (3 - 1.5) / 4 + weight * 0.75)

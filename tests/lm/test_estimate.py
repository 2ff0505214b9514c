"""The estimator against Kneser–Ney written out with dictionaries, on tiny texts."""

from __future__ import annotations

import errno
import logging
import math
import os
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast._numeric import advance, start_state
from paraphrast.errors import InputError, ParaphrastError
from paraphrast.lm import LmOptions, counting, estimate, pack
from paraphrast.lm.space import parse_memory
from paraphrast.types import SENTENCE_END, SENTENCE_START, UNKNOWN, NgramArrays, Sentences

VOCABULARY = 17
Gram = tuple[int, ...]
TEXTS = st.lists(st.lists(st.sampled_from([0, 11, 12, 13, 14, 15]), max_size=8), min_size=1, max_size=12)
FALLBACK = (0.5, 1.0, 1.5)


def discounts_of(counts: list[int], modified: bool) -> list[float]:
    n = [sum(1 for count in counts if count == r) for r in range(5)]
    try:
        y = n[1] / (n[1] + 2 * n[2])
        found = [r - (r + 1) * y * n[r + 1] / n[r] for r in (1, 2, 3)] if modified else [y, y, y]
        if n[2] and all(0 < found[r - 1] <= r for r in (1, 2, 3)):
            return [0.0, *found]
    except ZeroDivisionError:
        pass
    return [0.0, *(FALLBACK if modified else FALLBACK[:1] * 3)]


def slow_kneser_ney(
    sentences: list[list[int]], order: int, prune: tuple[int, ...], modified: bool
) -> dict[Gram, tuple[float, float]]:
    """n-gram → (probability, back-off weight)."""
    raw: Counter[Gram] = Counter()
    for sentence in sentences:
        text = [SENTENCE_START, *sentence, SENTENCE_END]
        for length in range(1, order + 1):
            raw.update(tuple(text[i : i + length]) for i in range(len(text) - length + 1))
    lefts: defaultdict[Gram, set[int]] = defaultdict(set)
    for gram in raw:
        lefts[gram[1:]].add(gram[0])
    adjusted = {
        gram: count if len(gram) == order or gram[0] == SENTENCE_START else len(lefts[gram])
        for gram, count in raw.items()
    }
    del adjusted[(SENTENCE_START,)]
    words = {gram[0] for gram in adjusted if len(gram) == 1} | {UNKNOWN}
    adjusted.setdefault((UNKNOWN,), 0)
    probability: dict[Gram, float] = {}
    backoff: defaultdict[Gram, float] = defaultdict(lambda: 1.0)
    for length in range(1, order + 1):
        grams = [gram for gram in adjusted if len(gram) == length]
        threshold = prune[min(length, len(prune)) - 1]
        discount = discounts_of([adjusted[gram] for gram in grams], modified)
        families: defaultdict[Gram, list[Gram]] = defaultdict(list)
        for gram in grams:
            families[gram[:-1]].append(gram)
        for context, family in families.items():
            total = sum(adjusted[gram] for gram in family)
            kept = [gram for gram in family if length == 1 or raw[gram] > threshold]
            left_over = sum(
                discount[min(adjusted[gram], 3)] if gram in kept else adjusted[gram] for gram in family
            )
            backoff[context] = left_over / total
            for gram in kept:
                lower = probability[gram[1:]] if length > 1 else 1 / len(words)
                discounted = adjusted[gram] - discount[min(adjusted[gram], 3)]
                probability[gram] = discounted / total + backoff[context] * lower
    probability[(SENTENCE_START,)] = 1.0
    return {gram: (value, backoff[gram]) for gram, value in probability.items()}


def ngrams_of(arrays: NgramArrays) -> dict[Gram, int]:
    """n-gram → node, by walking the trie."""
    found: dict[Gram, int] = {(word,): word for word in range(int(arrays.order_start[1]))}
    for order in range(1, arrays.order):
        for gram, node in [item for item in found.items() if len(item[0]) == order]:
            for child in range(int(arrays.child_begin[node]), int(arrays.child_begin[node + 1])):
                found[(*gram, int(arrays.word[child]))] = child
    return found


@settings(deadline=None, max_examples=120)
@given(
    TEXTS,
    st.integers(1, 5),
    st.sampled_from([(0,), (0, 0, 1), (0, 1), (0, 1, 2)]),
    st.booleans(),
)
def test_agrees_with_the_slow_twin(
    text: list[list[int]], order: int, prune: tuple[int, ...], modified: bool
) -> None:
    prune = prune[:order]
    smoothing: Literal["modified-kneser-ney", "kneser-ney"] = (
        "modified-kneser-ney" if modified else "kneser-ney"
    )
    arrays = estimate(
        [Sentences.from_lists(text)], VOCABULARY, LmOptions(order=order, prune=prune, smoothing=smoothing)
    )
    expected = slow_kneser_ney(text, order, prune, modified)
    found = ngrams_of(arrays)
    assert {gram for gram in found if len(gram) > 1} == {gram for gram in expected if len(gram) > 1}
    for gram, (probability, backoff) in expected.items():
        assert math.exp(arrays.log_prob[found[gram]]) == pytest.approx(probability, rel=1e-5)
        assert math.exp(arrays.backoff[found[gram]]) == pytest.approx(backoff, rel=1e-5)


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.integers(1, 4), st.sampled_from([(0,), (0, 1)]), st.data())
def test_probabilities_sum_to_one_in_any_context(
    text: list[list[int]], order: int, prune: tuple[int, ...], data: st.DataObject
) -> None:
    arrays = estimate([Sentences.from_lists(text)], VOCABULARY, LmOptions(order=order, prune=prune[:order]))
    ngrams = pack(arrays)
    state = start_state(ngrams)
    for word in data.draw(st.lists(st.integers(0, VOCABULARY - 1).filter(lambda id: id > 2), max_size=6)):
        state, _ = advance(ngrams, state, word)
    words = {word for sentence in text for word in sentence} | {UNKNOWN, SENTENCE_END}
    assert sum(math.exp(advance(ngrams, state, word)[1]) for word in words) == pytest.approx(1, abs=1e-5)


@settings(deadline=None, max_examples=15)
@given(
    st.lists(TEXTS, min_size=1, max_size=3),
    st.integers(1, 5),
    st.sampled_from([(0,), (0, 0, 1), (0, 1)]),
    st.integers(72, 2000),
)
def test_spilling_to_disk_changes_no_byte(
    texts: list[list[list[int]]], order: int, prune: tuple[int, ...], memory: int
) -> None:
    corpora = [Sentences.from_lists(text) for text in texts]
    options = LmOptions(order=order, prune=prune[:order])
    inside = estimate(corpora, VOCABULARY, options)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "BLOCK", 7)
        spilled = estimate(corpora, VOCABULARY, options, memory=memory, folder=folder)
        assert list(Path(folder).iterdir()) == []  # its files have no names
    for name in inside._fields:
        left, right = getattr(inside, name), getattr(spilled, name)
        assert left.dtype == right.dtype
        assert left.tobytes() == right.tobytes(), name


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with pytest.raises(ParaphrastError, match="the disk is full"):
        estimate([Sentences.from_lists([[11, 12]])], VOCABULARY, memory=1, folder=tmp_path)


@pytest.mark.parametrize(
    ("text", "size"), [("2GB", 2 * 10**9), ("500 mb", 5 * 10**8), ("1.5GiB", 3 * 2**29), ("4096", 4096)]
)
def test_sizes_of_memory(text: str, size: int) -> None:
    assert parse_memory(text) == size
    with pytest.raises(InputError, match="such as 2GB"):
        parse_memory(f"{text} or so")


def test_nodes_are_sorted_and_suffixes_drop_the_first_word() -> None:
    text = [[11, 12, 13, 11, 12], [12, 11, 12, 13], [13, 11, 12, 14], []]
    arrays = estimate([Sentences.from_lists(text)], VOCABULARY, LmOptions(order=4))
    found = ngrams_of(arrays)
    assert sorted(found.values()) == list(range(len(arrays.word)))
    for gram, node in found.items():
        assert arrays.word[node] == gram[-1]
        alone = -2 if gram[0] not in (UNKNOWN, SENTENCE_START, SENTENCE_END, 11, 12, 13, 14) else -1
        assert arrays.suffix[node] == (found[gram[1:]] if len(gram) > 1 else alone)
        assert arrays.order_start[len(gram) - 1] <= node < arrays.order_start[len(gram)]
    by_node = [gram for gram, _ in sorted(found.items(), key=lambda item: item[1])]
    keys = [(len(gram), found.get(gram[:-1], -1), gram[-1]) for gram in by_node]
    assert keys == sorted(keys)


def test_several_corpora_count_as_one() -> None:
    first, second = [[11, 12], [13]], [[11, 12, 13]]
    together = estimate([Sentences.from_lists(first + second)], VOCABULARY)
    apart = estimate([Sentences.from_lists(first), Sentences.from_lists(second)], VOCABULARY)
    for left, right in zip(together, apart, strict=True):
        np.testing.assert_array_equal(left, right)


def test_a_word_that_never_occurs_scores_as_unknown() -> None:
    arrays = estimate([Sentences.from_lists([[11, 12], [12]])], VOCABULARY, LmOptions(order=2))
    assert arrays.log_prob[16] == arrays.log_prob[UNKNOWN] < arrays.log_prob[11]
    assert arrays.log_prob[SENTENCE_START] == 0


def test_tiny_text_falls_back_to_fixed_discounts_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="paraphrast"):
        estimate([Sentences.from_lists([[11]])], VOCABULARY, LmOptions(order=1))
    assert "order 1" in caplog.text
    with pytest.raises(InputError, match="order 1 allow no Kneser–Ney discounts"):
        estimate([Sentences.from_lists([[11]])], VOCABULARY, LmOptions(order=1, discount_fallback=None))


@pytest.mark.parametrize(
    ("text", "size", "message"),
    [
        ([], VOCABULARY, "no sentences"),
        ([[11, 17]], VOCABULARY, "from 0 to 16, got 11 to 17"),
        ([[-1]], VOCABULARY, "got -1"),
        ([[11, 2, 11]], VOCABULARY, "inside sentences"),
        ([[0]], 2, "with <unk>, <s> and </s>"),
    ],
)
def test_text_that_does_not_fit_is_refused(text: list[list[int]], size: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        estimate([Sentences.from_lists(text)], size)


@pytest.mark.parametrize(
    "options",
    [
        {"order": 0},
        {"order": 8},
        {"smoothing": "good-turing"},
        {"prune": ()},
        {"prune": (1,)},
        {"prune": (0, 2, 1)},
        {"order": 2, "prune": (0, 0, 1)},
        {"discount_fallback": (0.0, 1.0, 1.5)},
        {"discount_fallback": (0.5, 2.5, 1.5)},
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        LmOptions(**options)  # type: ignore[arg-type]

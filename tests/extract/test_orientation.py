"""Orientations against a search by their definition."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.extract import (
    ExtractOptions,
    estimate_orientation,
    extract_pairs,
    orient_pairs,
    orientation_counts,
    pool_orientations,
)
from paraphrast.extract.orientation import MONO, OTHER, SWAP
from random_bitext import Pair, aligned_pairs, corpus_of

Box = tuple[int, int, int, int]


def neighbour_boxes(pair: Pair, boxes: set[Box], by: str) -> set[Box]:
    return boxes if by == "phrase" else {(i, i + 1, j, j + 1) for i, j in pair[2]}


def plain_outcomes(box: Box, pair: Pair, neighbours: set[Box]) -> tuple[int, int]:
    """Step over unaligned words, then ask which boxes touch the corner."""
    source, target, links = pair
    ours, theirs = {i for i, _ in links}, {j for _, j in links}
    a, b, c, d = box
    after = next((i for i in range(b, len(source)) if i in ours), len(source))
    before = next((i + 1 for i in range(a - 1, -1, -1) if i in ours), 0)
    right = next((j for j in range(d, len(target)) if j in theirs), len(target))
    left = next((j + 1 for j in range(c - 1, -1, -1) if j in theirs), 0)
    if after == len(source):
        following = MONO if right == len(target) else OTHER
    elif any(x[0] == after and x[2] == right for x in neighbours):
        following = MONO
    elif any(x[0] == after and x[3] == left for x in neighbours):
        following = SWAP
    else:
        following = OTHER
    if before == 0:
        preceding = MONO if left == 0 else OTHER
    elif any(x[1] == before and x[3] == left for x in neighbours):
        preceding = MONO
    elif any(x[1] == before and x[2] == right for x in neighbours):
        preceding = SWAP
    else:
        preceding = OTHER
    return following, preceding


@given(
    st.lists(aligned_pairs(), min_size=1, max_size=3),
    st.sampled_from(["none", "both"]),
    st.sampled_from(["phrase", "word"]),
)
@settings(max_examples=120, deadline=None)
def test_equals_the_plain_twin(pairs: list[Pair], attach: str, by: str) -> None:
    source, target, links = corpus_of(pairs)
    options = ExtractOptions(attach_unaligned=attach)
    extraction = extract_pairs(source, target, links, options)
    found = orient_pairs(source, target, links, options, by=by)
    boxes: list[Box] = []
    for n in range(len(extraction)):
        a, c = int(extraction.pairs.source_start[n]), int(extraction.target_start[n])
        ours = int((extraction.source_words[extraction.pairs.source[n]] >= 0).sum())
        theirs = int((extraction.target_words[extraction.pairs.target[n]] >= 0).sum())
        boxes.append((a, a + ours, c, c + theirs))
    sentence = extraction.pairs.sentence.tolist()
    for n, box in enumerate(boxes):
        mine = {other for other, s in zip(boxes, sentence, strict=True) if s == sentence[n]}
        pair = pairs[sentence[n]]
        expected = plain_outcomes(box, pair, neighbour_boxes(pair, mine, by))
        assert (found.following[n], found.preceding[n]) == expected


def test_a_swap_is_seen_from_both_sides() -> None:
    source, target, links = corpus_of([([1, 2, 3], [3, 2, 1], {(0, 2), (1, 1), (2, 0)})])
    extraction = extract_pairs(source, target, links, ExtractOptions(max_length=1))
    found = orient_pairs(source, target, links, ExtractOptions(max_length=1))
    assert len(extraction) == 3
    assert found.following.tolist() == [SWAP, SWAP, OTHER]
    assert found.preceding.tolist() == [OTHER, SWAP, SWAP]


def test_estimates_are_smoothed_and_sorted() -> None:
    pairs: list[Pair] = [([5, 4], [1, 2], {(0, 0), (1, 1)})] * 6 + [([5, 4], [1, 2], {(0, 1), (1, 0)})] * 2
    pairs.append(([9], [9], {(0, 0)}))
    source, target, links = corpus_of(pairs)
    extraction = extract_pairs(source, target, links)
    outcomes = orient_pairs(source, target, links).following
    model = estimate_orientation(extraction, outcomes, smoothing=2.0, min_count=2)
    tally = Counter(outcomes.tolist())
    overall = {kind: (tally[kind] + 1) / (len(outcomes) + 3) for kind in (MONO, SWAP, OTHER)}
    assert model.overall_mono == pytest.approx(math.log(overall[MONO]))
    assert model.overall_swap == pytest.approx(math.log(overall[SWAP]))
    assert [model.phrases.ids_of(n) for n in range(len(model))] == [[4], [5], [5, 4]]
    assert math.exp(model.mono[1]) == pytest.approx((6 + 2 * overall[MONO]) / 10, rel=1e-5)
    assert math.exp(model.swap[1]) == pytest.approx((2 + 2 * overall[SWAP]) / 10, rel=1e-5)
    assert (np.exp(model.mono) + np.exp(model.swap) < 1).all()


def test_counts_by_any_id() -> None:
    outcomes = np.array([MONO, SWAP, SWAP, OTHER], np.uint8)
    counts = orientation_counts(np.array([0, 0, 2, 2], np.int64), outcomes, 3)
    assert counts.tolist() == [[1, 1, 0], [0, 0, 0], [0, 1, 1]]


def test_pooled_counts_are_those_of_the_whole() -> None:
    pairs: list[Pair] = [
        ([5, 4], [1, 2], {(0, 0), (1, 1)}),
        ([4, 5], [1, 2], {(0, 1), (1, 0)}),
        ([5, 3], [2, 1], {(0, 1), (1, 0)}),
        ([5, 4], [2, 1], {(0, 1), (1, 0)}),
    ]
    stores, counts = [], []
    for piece in (pairs[:2], pairs[2:]):
        corpus = corpus_of(piece)
        extraction = extract_pairs(*corpus)
        stores.append(extraction.source_words)
        outcomes = orient_pairs(*corpus).following
        counts.append(orientation_counts(extraction.pairs.source, outcomes, len(extraction.source_words)))
    pooled = pool_orientations(stores, counts)
    corpus = corpus_of(pairs)
    whole = estimate_orientation(extract_pairs(*corpus), orient_pairs(*corpus).following)
    assert pooled.phrases.words.tolist() == whole.phrases.words.tolist()
    assert pooled.mono.tolist() == whole.mono.tolist()
    assert pooled.swap.tolist() == whole.swap.tolist()
    assert pooled.overall_swap == whole.overall_swap
    with pytest.raises(InputError, match="row of counts"):
        pool_orientations(stores, counts[:1])


def test_nothing_in_nothing_out() -> None:
    source, target, links = corpus_of([])
    extraction = extract_pairs(source, target, links)
    model = estimate_orientation(extraction, orient_pairs(source, target, links).following)
    assert len(model) == 0
    assert model.overall_swap == pytest.approx(math.log(1 / 3))


def test_wrong_input_is_named() -> None:
    source, target, links = corpus_of([([1], [1], {(0, 0)})])
    extraction = extract_pairs(source, target, links)
    with pytest.raises(InputError, match="phrase or word"):
        orient_pairs(source, target, links, by="letter")
    with pytest.raises(InputError, match="one per occurrence"):
        estimate_orientation(extraction, np.zeros(3, np.uint8))
    with pytest.raises(InputError, match="smoothing"):
        estimate_orientation(extraction, np.zeros(1, np.uint8), smoothing=0.0)


def test_long_sentences_are_skipped_and_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Memory is that of the longest sentence that is used: squared, 70,000 words would take 4.9 GB."""
    short: Pair = ([1, 2, 3], [3, 2, 1], {(0, 2), (1, 1), (2, 0)})
    size = 200_000
    unlinked: Pair = ([1] * size, [2] * size, set())
    linked: Pair = ([1] * size, [2] * size, {(0, 0), (size - 1, size - 1)})
    source, target, links = corpus_of([short, unlinked, linked, short])
    extraction = extract_pairs(source, target, links)
    assert set(extraction.pairs.sentence.tolist()) == {0, 3}
    assert "skipped 1 pairs with a sentence of more than 4096 words" in caplog.text
    plain = corpus_of([short, short])
    for by in ("phrase", "word"):
        outcomes, expected = orient_pairs(source, target, links, by=by), orient_pairs(*plain, by=by)
        assert outcomes.following.tolist() == expected.following.tolist()
        assert outcomes.preceding.tolist() == expected.preceding.tolist()

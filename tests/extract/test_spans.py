"""Extraction against a search over all pairs of spans by the definition of consistency."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.extract import ExtractOptions, extract_pairs, spans
from paraphrast.types import Links, Sentences

Link = tuple[int, int]
Span = tuple[int, int, int, int]
Pair = tuple[list[int], list[int], set[Link]]


def cepts_of(links: set[Link]) -> list[tuple[set[int], set[int]]]:
    """Connected components by repeated merging."""
    parts = [({i}, {j}) for i, j in links]
    merged = True
    while merged:
        merged = False
        for a in range(len(parts)):
            for b in range(a + 1, len(parts)):
                if parts[a][0] & parts[b][0] or parts[a][1] & parts[b][1]:
                    parts[a] = (parts[a][0] | parts[b][0], parts[a][1] | parts[b][1])
                    del parts[b]
                    merged = True
                    break
            if merged:
                break
    return parts


def plain_spans(pair: Pair, options: ExtractOptions) -> set[Span]:
    """All (source start, source end, target start, target end) that are unions of whole cepts."""
    source, target, links = pair
    cepts = cepts_of(links)
    aligned_source = {i for i, _ in links}
    aligned_target = {j for _, j in links}
    result = set()
    for a in range(len(source)):
        for b in range(a + 1, min(len(source), a + options.max_length) + 1):
            for c in range(len(target)):
                for d in range(c + 1, min(len(target), c + options.max_length) + 1):
                    ours, theirs = set(range(a, b)), set(range(c, d))
                    touched = [x for x in cepts if x[0] & ours or x[1] & theirs]
                    if not 1 <= len(touched) <= options.max_cepts:
                        continue
                    if not all(x[0] <= ours and x[1] <= theirs for x in touched):
                        continue
                    edges = {a, b - 1} <= aligned_source and {c, d - 1} <= aligned_target
                    if edges or options.attach_unaligned == "both":
                        result.add((a, b, c, d))
    return result


@st.composite
def aligned_pairs(draw: st.DrawFn) -> Pair:
    source = draw(st.lists(st.integers(0, 3), max_size=8))
    target = draw(st.lists(st.integers(0, 3), max_size=8))
    links: set[Link] = set()
    if source and target:
        place = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
        links = draw(st.sets(place, max_size=9))
    return source, target, links


options_of = st.builds(
    ExtractOptions,
    max_length=st.integers(1, 7),
    max_cepts=st.integers(1, 6),
    attach_unaligned=st.sampled_from(["none", "both"]),
)


@given(st.lists(aligned_pairs(), min_size=1, max_size=4), options_of)
@settings(max_examples=150, deadline=None)
def test_equals_the_plain_twin(pairs: list[Pair], options: ExtractOptions) -> None:
    source = Sentences.from_lists(pair[0] for pair in pairs)
    target = Sentences.from_lists(pair[1] for pair in pairs)
    extraction = extract_pairs(source, target, Links.from_lists(pair[2] for pair in pairs), options)
    found = Counter(
        (
            int(extraction.pairs.sentence[k]),
            int(extraction.pairs.source_start[k]),
            int(extraction.target_start[k]),
            words(extraction.source_words, extraction.pairs.source[k]),
            words(extraction.target_words, extraction.pairs.target[k]),
        )
        for k in range(len(extraction))
    )
    expected = Counter(
        (index, a, c, tuple(pair[0][a:b]), tuple(pair[1][c:d]))
        for index, pair in enumerate(pairs)
        for a, b, c, d in plain_spans(pair, options)
    )
    assert found == expected
    assert (np.diff(extraction.pairs.sentence) >= 0).all()


def words(matrix: np.ndarray, index: int) -> tuple[int, ...]:
    row = matrix[index]
    return tuple(int(word) for word in row if word >= 0)


def test_reordering_within_a_pair_and_gaps() -> None:
    source = Sentences.from_lists([[1, 2, 3]])
    target = Sentences.from_lists([[4, 5, 6]])
    extraction = extract_pairs(source, target, Links.from_lists([[(0, 2), (2, 0)]]))
    found = {
        (words(extraction.source_words, s), words(extraction.target_words, t))
        for s, t in zip(extraction.pairs.source, extraction.pairs.target, strict=True)
    }
    assert found == {((1,), (6,)), ((3,), (4,)), ((1, 2, 3), (4, 5, 6))}


def test_chunks_never_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Sentences.from_lists([[1, 2], [2, 1], [], [1, 2, 3]] * 3)
    target = Sentences.from_lists([[1, 2], [2, 1], [3], [1, 2, 3]] * 3)
    links = Links.from_lists([[(0, 0), (1, 1)], [(0, 0)], [], [(0, 0), (1, 1), (2, 2)]] * 3)
    whole = extract_pairs(source, target, links)
    monkeypatch.setattr(spans, "CHUNK", 2)
    seen: list[tuple[str, int, int]] = []
    pieces = extract_pairs(source, target, links, progress=lambda *step: seen.append(step))
    for name in ("source", "target", "sentence", "source_start"):
        assert getattr(whole.pairs, name).tolist() == getattr(pieces.pairs, name).tolist()
    assert whole.source_words.tolist() == pieces.source_words.tolist()
    assert seen[-1] == ("phrases", 12, 12)


def test_nothing_in_nothing_out() -> None:
    none = Sentences.from_lists([])
    extraction = extract_pairs(none, none, Links.from_lists([]))
    assert len(extraction) == 0
    assert extraction.source_words.shape == (0, 7)


def test_a_sentence_of_500_words() -> None:
    long = Sentences.from_lists([list(range(500))])
    extraction = extract_pairs(long, long, Links.from_lists([[(k, k) for k in range(500)]]))
    assert len(extraction) == 500 + 499 + 498 + 497 + 496


def test_wrong_input_is_named() -> None:
    one = Sentences.from_lists([[1, 2]])
    with pytest.raises(InputError, match="sentence pair 1 links target word 2"):
        extract_pairs(one, one, Links.from_lists([[(0, 2)]]))
    with pytest.raises(InputError, match="2 alignments"):
        extract_pairs(one, one, Links.from_lists([[], []]))
    with pytest.raises(InputError, match="max_length"):
        ExtractOptions(max_length=8)
    with pytest.raises(InputError, match="max_cepts"):
        ExtractOptions(max_cepts=0)
    with pytest.raises(InputError, match="max_cepts"):
        ExtractOptions(max_cepts=10**20)
    with pytest.raises(InputError, match="none or both"):
        ExtractOptions(attach_unaligned="left")

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.graph.features import (
    make_features,
    occurrence_codes,
    stem_features,
    tag_features,
    unique_rows,
    word_class_codes,
)


def test_unique_rows() -> None:
    matrix = np.random.default_rng(1).integers(-1, 3, (50, 7)).astype(np.int32)
    rows, number = unique_rows(matrix)
    assert rows[number].tolist() == matrix.tolist()
    assert rows.tolist() == sorted({tuple(row) for row in matrix.tolist()}, key=list) or rows.tolist() == [
        list(row) for row in sorted({tuple(row) for row in matrix.tolist()})
    ]


def test_tag_sequences_of_occurrences() -> None:
    draw = np.random.default_rng(2)
    tags = draw.integers(0, 3, 400).astype(np.uint8)
    phrase = draw.integers(0, 6, 300).astype(np.int32)
    length = phrase.astype(np.int64) % 3 + 1
    position = draw.integers(0, 396, 300)
    start, tag, share, sequences = tag_features(
        phrase, occurrence_codes(tags, position, length), 7, most=4, least_share=0.15
    )
    for s in range(7):
        seen = Counter(
            tuple(tags[p : p + n].tolist())
            for who, p, n in zip(phrase, position, length, strict=True)
            if who == s
        )
        found = {
            tuple(part for part in sequences[tag[e]].tolist() if part >= 0): share[e]
            for e in range(start[s], start[s + 1])
        }
        total = sum(seen.values())
        assert len(found) <= 4
        assert set(found) <= set(seen)
        if seen:
            assert sum(found.values()) == pytest.approx(1)
            best = max(seen.values())
            assert any(seen[sequence] == best for sequence in found)
            assert all(seen[sequence] >= 0.15 * total or seen[sequence] == best for sequence in found)
            weight = sum(seen[sequence] for sequence in found)
            assert found == pytest.approx({sequence: seen[sequence] / weight for sequence in found})
        else:
            assert not found


def test_stems_of_phrases() -> None:
    words = np.array(
        [[3, 4, -1, -1, -1, -1, -1], [5, 4, -1, -1, -1, -1, -1], [4, 3, -1, -1, -1, -1, -1]], np.int32
    )
    sequences, stem = stem_features(words, np.array([0, 1, 2, 7, 8, 7], np.int32))
    assert stem[0] == stem[1] != stem[2]
    assert sequences[stem[2], :3].tolist() == [8, 7, -1]


def test_too_many_classes_are_refused() -> None:
    with pytest.raises(InputError, match="below 511"):
        word_class_codes(np.zeros((1, 7), np.int32), np.array([511], np.int32))


def test_features_of_other_phrases_are_refused() -> None:
    with pytest.raises(InputError, match="3 phrases"):
        make_features(3, None, (np.zeros((1, 7), np.int32), np.zeros(2, np.int32)))

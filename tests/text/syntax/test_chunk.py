from __future__ import annotations

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.text.syntax.chunk import CHUNKS, chunks_of_tags
from paraphrast.text.syntax.tag import TAG_IDS


def chunked(*sentences: str) -> list[list[tuple[str, int, int]]]:
    tags = [sentence.split() for sentence in sentences]
    starts = np.cumsum([0, *map(len, tags)]).astype(np.int64)
    flat = np.array([TAG_IDS[tag] for sentence in tags for tag in sentence], np.uint8)
    chunks, chunk_starts = chunks_of_tags(flat, starts)
    return [
        [
            (CHUNKS[kind], int(begin - starts[number]), int(end - starts[number]))
            for begin, end, kind in chunks[chunk_starts[number] : chunk_starts[number + 1]]
        ]
        for number in range(len(tags))
    ]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("DT JJ NN VBD IN DT NN PUNCT", [("NP", 0, 3), ("VP", 3, 4), ("NP", 5, 7), ("PP", 4, 7)]),
        ("PRP MD RB VB RP", [("NP", 0, 1), ("VP", 1, 5)]),
        ("PRP VBZ TO VB NNS", [("NP", 0, 1), ("VP", 1, 4), ("NP", 4, 5)]),
        ("NN VBZ RB JJ", [("NP", 0, 1), ("VP", 1, 2), ("ADJP", 2, 4)]),
        ("PRP VBD RB PUNCT", [("NP", 0, 1), ("VP", 1, 2), ("ADVP", 2, 3)]),
        ("NNP POS NN", [("NP", 0, 3)]),
        ("DT JJ PUNCT", [("ADJP", 1, 2)]),
        ("PUNCT", []),
    ],
)
def test_patterns(tags: str, expected: list[tuple[str, int, int]]) -> None:
    assert chunked(tags)[0] == expected


def test_chunks_stay_within_their_sentence() -> None:
    assert chunked("DT NN", "NN VBD", "IN", "NN") == [
        [("NP", 0, 2)],
        [("NP", 0, 1), ("VP", 1, 2)],
        [],
        [("NP", 0, 1)],
    ]


def test_starts_are_checked() -> None:
    with pytest.raises(InputError, match="ascend from 0"):
        chunks_of_tags(np.zeros(3, np.uint8), np.array([0, 2]))

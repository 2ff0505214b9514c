from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.read.features import CONTRAST, SHAPE, SHIFT, common_blocks, contrast, shape, shift
from paraphrast.read.nearness import NEARNESS, nearness
from paraphrast.read.translator import PieceScores

SOURCE = PieceScores(("a", "b", "c", "d"), (-1.0, -2.0, -0.5, -0.25, -0.1))
REWRITE = PieceScores(("a", "x", "y", "c", "d"), (-1.0, -5.0, -3.0, -2.5, -0.25, -0.1))
words = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8)


def named(names: tuple[str, ...], row: np.ndarray) -> dict[str, float]:
    return dict(zip(names, row.tolist(), strict=True))


def test_the_wrong_word_shows() -> None:
    row = named(CONTRAST, contrast(SOURCE, REWRITE))
    assert row["sum"] == pytest.approx(-8.0)
    assert row["lowest_new"] == -5.0
    assert row["lowest_step"] == -3.0
    assert row["changed"] == pytest.approx(-6.0)
    assert row["changed_mean"] == pytest.approx(-2.0)
    assert row["kept_lowest"] == -2.0
    assert row["kept_sum"] == pytest.approx(-2.0)
    assert row["lowest"] == -5.0


def test_a_deletion_has_no_new_piece() -> None:
    row = named(CONTRAST, contrast(SOURCE, PieceScores(("a", "c", "d"), (-1.0, -0.5, -0.25, -0.1))))
    assert (row["lowest_new"], row["lowest_step"], row["changed"]) == (0.0, 2.0, 2.0)


def test_one_text_read_twice() -> None:
    row = named(SHIFT, shift(SOURCE, PieceScores(SOURCE.pieces, (-1.0, -4.0, -0.25, -1.75, -0.1))))
    assert row["sum"] == pytest.approx(-3.25)
    assert (row["lowest_step"], row["two_lowest_steps"], row["lost_pieces"]) == (-2.0, -3.5, 2.0)
    assert (row["losses"], row["gains"]) == (-3.5, 0.25)


def test_shape() -> None:
    row = named(SHAPE, shape("the old boat sank", "the aged boat went down"))
    assert row == {
        "source_words": 4,
        "replaced_words": 2,
        "new_words": 3,
        "changed_places": 2,
        "length_ratio": 1.25,
        "character_difference": 6,
    }


@given(words, words)
def test_common_blocks_are_a_matching(source: list[str], rewrite: list[str]) -> None:
    replaced, new, kept = common_blocks(source, rewrite)
    assert [source[place] for place in kept[:, 0]] == [rewrite[place] for place in kept[:, 1]]
    assert (~replaced).sum() == (~new).sum() == len(kept)
    assert (np.diff(kept, axis=0) > 0).all()


class _OneHot:
    """An encoder in which every word is its own direction."""

    def phrases_and_words(self, texts: Any) -> tuple[Any, list[Any]]:
        words = [np.eye(256)[[ord(word) for word in text]].reshape(-1, 256) for text in texts]
        sums = np.array([vectors.sum(axis=0) for vectors in words])
        return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9), words


def test_nearness() -> None:
    encoder: Any = _OneHot()
    same, changed, longer = nearness(encoder, list("abc"), [list("abc"), list("axc"), list("abca")])
    assert same == pytest.approx([1, 1, 1, 1, 1, 1, 0.5])
    row = named(NEARNESS, changed)
    assert row["cosine"] == pytest.approx(2 / 3)
    assert (row["new_lowest"], row["replaced_lowest"], row["changed"]) == (0.0, 0.0, 0.0)
    assert named(NEARNESS, longer)["new_lowest"] == 1.0
    assert nearness(encoder, list("abc"), []).shape == (0, len(NEARNESS))

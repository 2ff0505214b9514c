"""Contexts in pieces: the cosines of the whole, to the bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraphrast.engine import Engine
from paraphrast.formats.sentences import save_sentences
from paraphrast.tables.pivot import context_shards
from paraphrast.tables.pivot.context_shards import context_cosines
from paraphrast.tables.pivot.contexts import ContextOptions, context_vectors, cosines
from paraphrast.types import MAX_PHRASE, Phrases, Sentences

WORDS = 60


def some_text(seed: int, sentences: int) -> Sentences:
    rng = np.random.default_rng(seed)
    return Sentences.from_lists(rng.integers(11, WORDS, 9).tolist() for _ in range(sentences))


def single_words() -> Phrases:
    """One phrase per word; the last three never occur."""
    words = np.full((WORDS - 11 + 3, MAX_PHRASE), -1, np.int32)
    words[:, 0] = np.arange(11, WORDS + 3)
    return Phrases(words, np.zeros(len(words), np.uint8))


@pytest.mark.parametrize("pieces", [7, 1 << 16])
def test_pieces_change_no_bit(tmp_path: Path, pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_shards, "BLOCK", 3)
    monkeypatch.setattr(context_shards, "ROWS", 50)
    monkeypatch.setattr(context_shards, "ROWS_AT_ONCE", 20)
    monkeypatch.setattr(context_shards, "TOKENS", 400)
    corpora = [some_text(1, 200), some_text(2, 90)]
    folders = [tmp_path / "b0", tmp_path / "b1"]
    for text, folder in zip(corpora, folders, strict=True):
        save_sentences(text, folder)
    phrases = single_words()
    options = ContextOptions(dimensions=5, fitted=20, context_words=30)
    rng = np.random.default_rng(3)
    source, target = (rng.integers(0, len(phrases), 130).astype(np.int32) for _ in range(2))
    expected = cosines(context_vectors(corpora, phrases, WORDS + 3, options), source, target)
    assert np.isnan(expected).any()
    (tmp_path / "scratch").mkdir()
    with Engine(threads=1) as engine:
        found = context_cosines(
            engine, folders, phrases, source, target, WORDS + 3, tmp_path / "scratch", options,
            phrases_at_once=pieces,
        )  # fmt: skip
    assert found.tobytes() == expected.tobytes()
    assert list((tmp_path / "scratch").iterdir()) == []


def test_no_rows_and_no_text_are_no_error(tmp_path: Path) -> None:
    save_sentences(Sentences.from_lists([]), tmp_path / "text")
    nothing = np.zeros(0, np.int32)
    none = Phrases(np.zeros((0, MAX_PHRASE), np.int32), np.zeros(0, np.uint8))
    with Engine(threads=1) as engine:
        for phrases in (none, single_words()):
            found = context_cosines(
                engine, [tmp_path / "text"], phrases, nothing, nothing, WORDS + 3, tmp_path
            )
            assert len(found) == 0

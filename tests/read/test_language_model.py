from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.errors import InputError
from paraphrast.read.language_model import LanguageModel

TEXTS = ["The thing in 1995.", "the thought", "Été"]


def test_pieces(llama: Path) -> None:
    model = LanguageModel(llama)
    assert model.pieces("the thx 19") == ["th", "e", "Ġth", "x", "Ġ", "1", "9"]


def test_a_text_is_scored_from_left_to_right(llama: Path) -> None:
    model = LanguageModel(llama)
    whole, begin = model.score(["the thought", "the th"])
    assert whole.pieces[:3] == begin.pieces
    assert whole.log_probs[: len(begin.pieces)] == pytest.approx(begin.log_probs, abs=0.05)
    assert len(whole.log_probs) == len(whole.pieces)
    assert max(whole.log_probs) < 0


def test_what_stands_before_counts(llama: Path) -> None:
    model = LanguageModel(llama)
    alone, after = model.score(["thing"])[0], model.score(["thing"], after="A word.")[0]
    assert after.pieces == ("Ġth", "i", "n", "g")
    assert alone.log_probs != after.log_probs
    (joined,) = model.score(["A word. thing"])
    assert joined.log_probs[-len(after.pieces) :] == after.log_probs


def test_threads_and_batches_change_nothing(llama: Path) -> None:
    scores = LanguageModel(llama, threads=2).score(TEXTS)
    for text, expected in zip(TEXTS, scores, strict=True):
        assert LanguageModel(llama).score([text]) == [expected]


def test_texts_after_other_texts_share_batches(llama: Path) -> None:
    pairs = [(before, text) for before in ("", "A word.", "Two words.") for text in TEXTS]
    scores = LanguageModel(llama, threads=2).score_pairs(pairs)
    for (before, text), expected in zip(pairs, scores, strict=True):
        assert LanguageModel(llama).score([text], after=before) == [expected]


def test_texts_and_folders_that_cannot_be_read(llama: Path, tmp_path: Path) -> None:
    model = LanguageModel(llama)
    for text in ("", "x" * 2000):
        assert not model.readable(text)
        with pytest.raises(InputError, match="expected a text of 1 to"):
            model.score([text])
    with pytest.raises(InputError, match="expected a language-model model"):
        LanguageModel(tmp_path)

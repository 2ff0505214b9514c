from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.errors import FormatError
from paraphrast.text.wordpiece import LONGEST_WORD, WordPieces

NAMES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "boat", "##s", "b", "##o", "##at", "cafe", ",", "'", "s", "中"]


def named(words: WordPieces, word: str) -> list[str]:
    return [NAMES[number] for number in words.pieces(word)]


@pytest.fixture
def words() -> WordPieces:
    return WordPieces(NAMES)


def test_longest_piece_from_the_left(words: WordPieces) -> None:
    assert named(words, "boats") == ["boat", "##s"]
    assert named(words, "Bos") == ["b", "##o", "##s"]


def test_accents_and_case_go(words: WordPieces) -> None:
    assert named(words, "CAFÉ") == ["cafe"]


def test_signs_and_chinese_stand_alone(words: WordPieces) -> None:
    assert named(words, "boat's,") == ["boat", "'", "s", ","]
    assert named(words, "中中") == ["中", "中"]


def test_what_cannot_be_cut_is_unknown(words: WordPieces) -> None:
    assert named(words, "boatx") == ["[UNK]"]
    assert named(words, "b" + "o" * LONGEST_WORD) == ["[UNK]"]
    assert named(words, "\u0301\u200b") == []


def test_a_vocabulary_without_marks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("boat\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"\[UNK\]"):
        WordPieces.load(path)

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.errors import FormatError
from paraphrast.read.wordpiece import LONGEST_WORD, WordPieces

NAMES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "boat", "##s", "b", "##o", "##at", "cafe", ",", "'", "s", "中"]


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> WordPieces:
    path = tmp_path_factory.mktemp("pieces") / "vocab.txt"
    path.write_text("\n".join(NAMES) + "\n", encoding="utf-8")
    return WordPieces(path)


def named(pieces: WordPieces, word: str) -> list[str]:
    """The names of a word's pieces, without the marks at both ends."""
    ids, _ = pieces.cut([word], 255)
    assert [NAMES[ids[0]], NAMES[ids[-1]]] == ["[CLS]", "[SEP]"]
    return [NAMES[number] for number in ids[1:-1]]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("boats", ["boat", "##s"]),
        ("Bos", ["b", "##o", "##s"]),
        ("CAFÉ", ["cafe"]),
        ("boat's,", ["boat", "'", "s", ","]),
        ("中中", ["中", "中"]),
        ("boatx", ["[UNK]"]),
        ("b" + "o" * LONGEST_WORD, ["[UNK]"]),
        ("boat\ufffds", ["boat", "##s"]),
        ("\u0301\u200b", []),
        ("", []),
    ],
)
def test_pieces_of_a_word(pieces: WordPieces, word: str, expected: list[str]) -> None:
    assert named(pieces, word) == expected


def test_each_piece_knows_its_word(pieces: WordPieces) -> None:
    assert pieces.cut(["boats", "\u0301", "s, s"], 255) == ([2, 4, 5, 12, 10, 12, 3], [0, 0, 2, 2, 2])
    assert pieces.cut([], 255) == ([2, 3], [])


def test_words_that_do_not_fit_are_left_out(pieces: WordPieces) -> None:
    assert pieces.cut(["boat", "boats", "s"], 5) == ([2, 4, 4, 5, 3], [0, 1, 1])
    assert pieces.cut(["boat", "boats", "s"], 4) == ([2, 4, 3], [0])


def test_a_vocabulary_without_marks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("boat\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"\[UNK\], \[CLS\], \[SEP\]"):
        WordPieces(path)

"""Text files → ids, against Python's own splitting."""

from __future__ import annotations

import gzip
import re
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.words import WordTable
from paraphrast.lm import read_text, read_vocabulary
from paraphrast.types import SPECIALS, UNKNOWN, Vocabulary

BLANKS = " \t\v\f\r"
LINES = st.lists(st.text(st.sampled_from("abcé日\u00a0\u2028" + BLANKS), max_size=12), max_size=20)


def split(line: str) -> list[str]:
    return [word for word in re.split("[ \t\v\f\r]+", line) if word]


@settings(deadline=None, max_examples=60)
@given(LINES, st.booleans(), st.sampled_from([None, 40]))
def test_words_are_numbered_by_count(lines: list[str], last_feed: bool, memory: int | None) -> None:
    while not last_feed and lines and not lines[-1]:
        lines = lines[:-1]  # a last line that is empty and has no line end is none
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text"
        path.write_bytes(("\n".join(lines) + ("\n" if last_feed and lines else "")).encode())
        vocabulary, sentences = read_text(path, memory=memory, folder=folder)
        rows = [split(line) for line in lines]
        expected = Vocabulary.from_counts(Counter(word for row in rows for word in row).items())
        assert vocabulary.words == expected.words
        assert vocabulary.counts.tolist() == expected.counts.tolist()
        assert [[vocabulary.words[word] for word in row] for row in sentences] == rows
        again, same = read_text(path, expected, memory=memory)
        assert again is expected
        assert same.tokens.tolist() == sentences.tokens.tolist()


def test_a_fixed_vocabulary_leaves_the_rest_unknown(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("b a\n<number> a\n", encoding="utf-8")
    vocabulary = read_vocabulary(tmp_path / "words")
    assert vocabulary.words == (*SPECIALS, "b", "a")
    with gzip.open(tmp_path / "text.gz", "wb") as stream:
        stream.write(b"\xef\xbb\xbfa c b\n\n<number> d")
    _, sentences = read_text(tmp_path / "text.gz", vocabulary)
    assert [row.tolist() for row in sentences] == [[12, UNKNOWN, 11], [], [3, UNKNOWN]]


def test_the_table_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paraphrast.formats.words._FIRST_CAPACITY", 16)
    words = [f"{'x' * (number % 40)}{number}" for number in range(500)] + ["y" * 5000]
    table = WordTable()
    numbers, ends = table.number((" ".join(words) + "\n" + words[7] + "\n").encode())
    assert table.words() == [*SPECIALS, *words]
    assert numbers.tolist() == [*range(11, 11 + len(words)), 11 + 7]
    assert ends.tolist() == [len(words), len(words) + 1]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"good\nbad \xff\n", 2, "expected UTF-8"),
        (b"good\n\nin <s> side\n", 3, "no <s> inside"),
        (b"</s>", 1, "no </s> inside"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, content: bytes, line: int, message: str) -> None:
    (tmp_path / "text").write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        read_text(tmp_path / "text")
    assert str(caught.value).startswith(f"{tmp_path / 'text'}:{line}: ")


def test_an_archive_cut_short(tmp_path: Path) -> None:
    whole = gzip.compress(b"some words here\n" * 1000)
    (tmp_path / "text.gz").write_bytes(whole[:-20])
    with pytest.raises(FormatError, match="incomplete or damaged"):
        read_text(tmp_path / "text.gz")


def test_no_words_for_a_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "words").write_bytes(b"\n")
    with pytest.raises(InputError, match="empty"):
        read_vocabulary(tmp_path / "words")
    with pytest.raises(InputError, match="without white space"):
        WordTable(["two words"])

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.text import get_language, split_sentences


def split(text: str, code: str = "en") -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, get_language(code))]


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ("en", ["Mr. Low met Dr. J. A. Hay.", "He left."]),
        ("en", ["She works at Low Inc.", "The firm is small."]),
        ("en", ["The U.S. President spoke."]),
        ("en", ["It was 5 p.m. when he came."]),
        ("en", ["See No. 5 there.", "No.", "I said so."]),
        ("en", ["“Stop!” he said.", "“Go.”", "(It went.)", "What?!", "Yes…", "So."]),
        ("en", ["It rose 3.5 points.", "In 2003 it fell."]),
        ("en", ["She is taller than I.", "We know."]),
        ("de", ["Am 3. Mai im 19. Jahrhundert kam er.", "Es waren 3.", "Die Frau ging z.B. hin."]),
        ("fr", ["M. Petit dort.", "Il rêve !", "Quoi ?"]),
        ("es", ["El Sr. Ruiz vino.", "¿Quién?", "Nadie."]),
        ("xx", ["One here.", "Two there."]),
    ],
)
def test_sentences(code: str, sentences: list[str]) -> None:
    assert split(" ".join(sentences), code) == sentences


def test_without_spaces() -> None:
    assert split("你好。再见！好", "zh") == ["你好。", "再见！", "好"]


def test_blank_lines_end_sentences_and_line_ends_do_not() -> None:
    assert split("A title\n\nIt goes\r\non. So\n \n") == ["A title", "It goes\r\non.", "So"]


@given(st.text(alphabet="ab AB.!?…\n\t\"'”)。3é"))
def test_spans_lose_nothing_but_space(text: str) -> None:
    done = 0
    for start, end in split_sentences(text, get_language("en")):
        assert done <= start < end
        assert not text[done:start].strip()
        assert text[start:end] == text[start:end].strip()
        done = end
    assert not text[done:].strip()

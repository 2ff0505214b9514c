"""Sentences of a document, and what is between them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from paraphrast.text import get_language
from paraphrast.text.document import document_pieces

ENGLISH = get_language("en")
LONG = "This line of a paragraph is long enough to be continued"


@given(st.lists(st.text("aA. -#>`1)\t", max_size=80)))
def test_the_pieces_are_the_document(lines: list[str]) -> None:
    pieces = list(document_pieces(lines, ENGLISH))
    assert "".join(before + sentence for before, sentence in pieces) == "".join(f"{line}\n" for line in lines)
    assert pieces[-1][1] == ""
    assert all(sentence and sentence.strip() == sentence for _, sentence in pieces[:-1])


def sentences(text: str) -> list[str]:
    return [sentence for _, sentence in document_pieces(text.split("\n"), ENGLISH) if sentence]


def test_a_wrapped_sentence_is_one() -> None:
    assert sentences(f"{LONG}\nin the next line. Another one.") == [
        f"{LONG}\nin the next line.",
        "Another one.",
    ]


def test_titles_items_and_verses_are_apart() -> None:
    text = f"# A title\nThe text begins.\n\n  - First item\n  2. second item\n> {LONG}\n> quoted"
    assert sentences(text) == [
        "A title",
        "The text begins.",
        "First item",
        "second item",
        LONG,
        "quoted",
    ]


def test_code_is_left_alone() -> None:
    assert sentences("Before.\n```\nsome code.\n```\nAfter.") == ["Before.", "After."]

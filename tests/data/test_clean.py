from __future__ import annotations

import codecs

import pytest

from paraphrast.data import _clean
from paraphrast.data._clean import could_translate, distinct, is_chat, is_coarse, is_prose, one_line


def test_one_line_takes_every_white_space() -> None:
    assert one_line(" a\tb\r\nc\u2028d\u00a0e ") == "a b c d e"


def test_coarse_words_and_their_endings() -> None:
    plain = codecs.decode("shpx", "rot13")
    for text in (f"What the {plain}!", f"{plain.upper()}ING thing", f"no {plain}s given"):
        assert is_coarse(text)
    for text in (
        "They assessed the class.",
        "A cockatoo sat in the scunthorpe hall.",
        "It is blunt.",
        "Analyse it.",
    ):
        assert not is_coarse(text)


def test_every_coarse_entry_is_found() -> None:
    words = codecs.decode(_clean._COARSE_ROT13, "rot13").split()
    assert len(words) > 10
    for word in words:
        assert is_coarse(f"the {word.rstrip('*')} word")


@pytest.mark.parametrize("text", ["c u later", "I dunno what he wants", "ok LOL", "im here"])
def test_chat(text: str) -> None:
    assert is_chat(text)


@pytest.mark.parametrize("text", ["You are late.", "I'm here.", "The U.N. met.", "Rock 'n' roll lives."])
def test_no_chat(text: str) -> None:
    assert not is_chat(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "see https://a.b/c now",
        "visit www.example",
        "mail it to example.org please",
        "1 2 3 4 5 six",
        "broken \ufffd here",
        "dÃ©jÃ vu",
        "it&nbsp;is",
        "a <b>bold</b> word",
        "<META NAME>",
        "y" * 1001,
    ],
)
def test_not_prose(text: str) -> None:
    assert not is_prose(text)


@pytest.mark.parametrize("text", ["A plain sentence.", "Größe: 12 cm", "Прекрасно!", "Yes"])
def test_prose(text: str) -> None:
    assert is_prose(text)


def test_could_translate() -> None:
    assert could_translate("Hello there, my friend.", "Guten Tag, mein Freund.")
    assert could_translate("Yes", "Aber natürlich")
    assert not could_translate("LibreOffice Writer", "libreoffice writer")
    assert not could_translate("Go.", "Das ist ein sehr viel längerer Satz als der andere.")
    assert not could_translate("Das ist ein sehr viel längerer Satz als der andere.", "Go.")
    assert not could_translate("", "leer")


def test_distinct_keeps_the_first() -> None:
    rows = [("a", "b"), ("a", "c"), ("a", "b"), ("b", "a")]
    assert list(distinct(rows)) == [("a", "b"), ("a", "c"), ("b", "a")]

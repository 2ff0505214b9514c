"""Brown's tags and tokens in ours."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.text.syntax.brown import brown_sentences, brown_tag, split_brown
from paraphrast.text.syntax.tag import TAGS


@pytest.mark.parametrize(
    ("brown", "ours"),
    [
        ("nn", "NN"),
        ("NN-TL", "NNP"),
        ("nns-tl-hl", "NNPS"),
        ("jj-tl", "NNP"),
        ("nn-hl", "NN"),
        ("in-tl", "IN"),
        ("np$", "NNP"),
        ("pp$", "PRP$"),
        ("pp$$", "PRP"),
        ("wp$", "WP$"),
        ("do*", "VB"),
        ("bedz*", "VBD"),
        ("*", "NEG"),
        ("pps+bez", "PRP"),
        ("ppss+hv-tl", "PRP"),
        ("fw-nn", "FW"),
        ("fw-at-tl", "NNP"),
        ("jjt", "JJS"),
        ("jjs", "JJ"),
        ("ber", "VBP"),
        ("--", "PUNCT"),
        ("---hl", "PUNCT"),
        (".-hl", "PUNCT"),
        ("(", "PUNCT"),
    ],
)
def test_brown_tag(brown: str, ours: str) -> None:
    assert brown_tag(brown) == ours
    assert ours in TAGS


def test_an_unknown_tag_is_refused() -> None:
    with pytest.raises(InputError, match="'zz'"):
        brown_tag("zz")


@pytest.mark.parametrize(
    ("word", "tag", "pieces"),
    [
        ("company's", "nn$", [("company", "NN"), ("'s", "POS")]),
        ("parents'", "nns$", [("parents", "NNS"), ("'", "POS")]),
        ("Army's", "nn$-tl", [("Army", "NNP"), ("'s", "POS")]),
        ("don't", "do*", [("do", "VB"), ("n't", "NEG")]),
        ("can't", "md*", [("ca", "MD"), ("n't", "NEG")]),
        ("Cannot", "md*", [("Can", "MD"), ("not", "NEG")]),
        ("he's", "pps+bez", [("he", "PRP"), ("'s", "VBZ")]),
        ("I'd", "ppss+md", [("I", "PRP"), ("'d", "MD")]),
        ("she'd", "pps+hvd", [("she", "PRP"), ("'d", "VBD")]),
        ("we've", "ppss+hv", [("we", "PRP"), ("'ve", "VB")]),
        ("let's", "vb+ppo", [("let", "VB"), ("'s", "PRP")]),
        ("gonna", "vbg+to", [("gonna", "VBG")]),
        ("not", "*", [("not", "NEG")]),
        ("his", "pp$", [("his", "PRP$")]),
        ("``", "``", [('"', "PUNCT")]),
        ("''", "''", [('"', "PUNCT")]),
        ("well-known", "jj", [("well-known", "JJ")]),
        ("d'or", "fw-in+nn", [("d'or", "FW")]),
    ],
)
def test_split_brown(word: str, tag: str, pieces: list[tuple[str, str]]) -> None:
    assert split_brown(word, tag) == pieces


def one(text: str, **options: int) -> list[str]:
    pairs = [tuple(token.rsplit("/", 1)) for token in text.split()]
    ((words, tags),) = brown_sentences([pairs], **options)  # type: ignore[list-item]
    return [f"{word}/{tag}" for word, tag in zip(words, tags, strict=True)]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("they/ppss often/rb sing/vb", "VBP"),
        ("they/ppss will/md sing/vb", "VB"),
        ("to/to sing/vb", "VB"),
        ("do/do you/ppss sing/vb", "VB"),
        ("why/wrb don't/do* we/ppss sing/vb", "VB"),
        ("the/at members/nns of/in the/at choir/nn sing/vb", "VBP"),
        ("should/md choirs/nns sing/vb", "VB"),
        ("let/vb them/ppo sing/vb", "VB"),
        ("we/ppss made/vbd people/nns sing/vb", "VB"),
        ("birds/nns that/wps sing/vb", "VBP"),
        ("they/ppss dance/vb and/cc sing/vb", "VBP"),
        ("they/ppss must/md dance/vb and/cc sing/vb", "VB"),
        ("loudly/rb sing/vb", "VB"),
        ("they/ppss can/md be/be", "VB"),
    ],
)
def test_present_and_base_forms_are_told_apart(text: str, tag: str) -> None:
    assert one(text)[-1].rpartition("/")[2] == tag


def test_words_decide_where_brown_does_not() -> None:
    assert one("x/nn more/ap bread/nn")[1] == "more/JJR"
    assert one("x/nn most/ql lovely/jj")[1] == "most/RBS"
    assert one("x/nn that/wps came/vbd")[1] == "that/WDT"
    assert one("x/nn all/abn the/at men/nns")[1] == "all/PDT"
    assert one("x/nn all/abn men/nns")[1] == "all/DT"
    assert one("on/in Monday/nr")[1] == "Monday/NNP"
    assert one("we've/ppss+hv won/vbn")[1] == "'ve/VBP"


def test_first_words_lose_their_capital_unless_names() -> None:
    rows = [[("``", "``"), ("Bread", "nn")], [("Bread", "nn")], [("Anna", "np")], [("I", "ppss")]]
    words = [words for words, _ in brown_sentences([[("Raw", "jj")], *rows], raw_every=9)]
    assert words == [["Raw"], ['"', "bread"], ["bread"], ["Anna"], ["I"]]


def test_untagged_and_empty_sentences_are_left_out() -> None:
    assert list(brown_sentences([[("x", "nil")], []])) == []

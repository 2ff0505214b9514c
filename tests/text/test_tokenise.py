from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.text import analyse, get_language
from paraphrast.text.tokenise import canonical
from paraphrast.types import MASKS

CODES = ("en", "fr", "de", "zh", "th")
TRICKY = (
    "a.'’-n't l'é e\u0301 \u200b\u200d\u00ad\ufeff\r\n\t\u00a0\u3000 0123:/%€$@"
    " \u0915\u094d\u0937 👨🏽\u200d👩 🇫🇷 你好。！ <s> \x00\x1c"
)
texts = st.one_of(st.text(), st.text(alphabet=TRICKY), st.text(st.characters(codec=None), max_size=8))


def words(text: str, code: str = "en") -> list[str]:
    return analyse(text, get_language(code)).words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't", "Do n't"),
        ("we can't, she won’t", "we ca n't , she wo n't"),
        ("cannot", "cannot"),
        ("the EU's rules", "the EU 's rules"),
        ("I'd've said they're it's", "I 'd 've said they 're it 's"),
        ("the workers' O'Neill at six o'clock", "the workers ' O'Neill at six o'clock"),
        ("a well-known plan-B", "a well-known plan-B"),
        ("“Yes,” ‘no’", "“ Yes , ” ' no '"),
        ("Wait... what?!", "Wait ... what ?!"),
        ("Mr. Low of the U.S. left.", "Mr. Low of the U.S. left ."),
        ("It was plan B.", "It was plan B ."),
        ("J. Low, e.g. here", "J. Low , e.g. here"),
        ("COVID-19 and F-16", "COVID-19 and F-16"),
        ("5km 1990s", "5km 1990s"),
        ("<number> <s>", "< number > < s >"),
        ("snake_case", "snake _ case"),
    ],
)
def test_english_words(text: str, expected: str) -> None:
    assert words(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "mask"),
    [
        ("1,234.5", "number"), ("3/4", "number"), ("21st", "number"), ("-7", "number"), ("2003", "number"),
        ("12 May 2003", "date"), ("May 12th, 2003", "date"), ("2003-05-12", "date"), ("12/05/2003", "date"),
        ("the 1st of June".removeprefix("the "), "date"), ("10:30", "time"), ("5 p.m.", "time"),
        ("$5 million", "money"), ("€20", "money"), ("US$ 3.5bn", "money"), ("20 EUR", "money"), ("EUR 20", "money"),
        ("10%", "percent"), ("10.5 %", "percent"), ("jo.low+x@mail.example.org", "email"),
        ("https://example.org/a?b=c", "url"), ("www.example.org", "url"),
        ("A4-0123/98", "code"), ("2001/0023(COD)", "code"), ("B737", "code"), ("H5N1", "code"),
    ],
)  # fmt: skip
def test_an_entity_is_one_masked_token(text: str, mask: str) -> None:
    analysis = analyse(f"so ({text}), then.", get_language("en"))
    assert analysis.words == ["so", "(", f"<{mask}>", ")", ",", "then", "."]
    assert analysis.text[analysis.starts[2] : analysis.ends[2]] == text
    assert analysis.space_before == [0, 1, 0, 0, 0, 1, 0]


def test_what_follows_an_entity_is_not_part_of_it() -> None:
    assert words("In 2003. See http://example.org/x.") == ["In", "<number>", ".", "See", "<url>", "."]
    assert words("1995-1999") == ["<number>", "-", "<number>"]
    assert words("a 10-year plan") == ["a", "<number>", "-", "year", "plan"]
    assert words("No. 5, but no.") == ["No.", "<number>", ",", "but", "no", "."]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("fr", "L'homme qu’il voit aujourd'hui", "L' homme qu' il voit aujourd'hui"),
        ("fr", "est-ce le rendez-vous ? A-t-il, dis-moi", "est -ce le rendez-vous ? A -t-il , dis -moi"),
        ("fr", "le 1er mai 2003, 1 234 567 personnes, 10 %", "le <date> , <number> personnes , <percent>"),
        ("de", "der Donaudampfer geht's an", "der Donaudampfer geht 's an"),
        ("de", "am 3. Mai 2003 im 19. Jahrhundert", "am <date> im <number> Jahrhundert"),
        ("de", "um 10.30 Uhr, z.B. bzw. z. B. usw.", "um <time> Uhr , z.B. bzw. z. B. usw."),
        ("en", "some 10 000 men", "some <number> men"),
        ("it", "dell'uomo un po' d'acqua", "dell' uomo un po' d' acqua"),
        ("es", "el 3 de mayo de 2003 el Sr. Ruiz", "el <date> el Sr. Ruiz"),
        ("zh", "我们在2003年 hello。", "我 们 在 <number> 年 hello 。"),
        ("en", "in 北京 city", "in 北 京 city"),
    ],
)
def test_other_languages(code: str, text: str, expected: str) -> None:
    assert words(text, code) == expected.split()


def test_words_are_canonical_and_offsets_raw() -> None:
    text = "\ufeffcafe\u0301s  co\u00adop don’t"
    analysis = analyse(text, get_language("en"))
    assert analysis.words == ["cafés", "coop", "do", "n't"]
    assert [text[a:b] for a, b in zip(analysis.starts, analysis.ends, strict=True)] == [
        "cafe\u0301s", "co\u00adop", "do", "n’t",
    ]  # fmt: skip
    assert analysis.space_before == [0, 1, 1, 0]


def test_marks_and_emoji_stay_whole() -> None:
    assert words("हिन्दी 👨🏽‍👩🏽‍👧 🇫🇷", "hi") == ["हिन्दी", "👨🏽‍👩🏽‍👧", "🇫🇷"]


def test_sentences() -> None:
    text = "It ends. It begins! “Yes.” 3 came."
    assert analyse(text, get_language("en")).sentence_starts == [0, 3, 6, 10]
    assert analyse(text, get_language("en"), one_sentence=True).sentence_starts == [0]


@pytest.mark.parametrize("code", CODES)
@given(text=texts)
def test_offsets_are_exact_for_any_text(code: str, text: str) -> None:
    analysis = analyse(text, get_language(code))
    done = 0
    gaps = ""
    for start, end, word, space in zip(
        analysis.starts, analysis.ends, analysis.words, analysis.space_before, strict=True
    ):
        assert done <= start < end <= len(text)
        gaps += text[done:start]
        assert space == int(start > 0 and text[start - 1].isspace() and start != analysis.starts[0])
        assert word
        assert word in MASKS or word == canonical(text[start:end])
        assert not any(map(str.isspace, word))
        done = end
    gaps += text[done:]
    assert all(char.isspace() or unicodedata.category(char) in ("Cc", "Cf") for char in gaps)
    assert analysis.sentence_starts == sorted(set(analysis.sentence_starts))
    assert analysis.sentence_starts[:1] == ([0] if analysis.words else [])


@given(text=texts)
def test_one_sentence_changes_no_token(text: str) -> None:
    language = get_language("en")
    assert analyse(text, language).words == analyse(text, language, one_sentence=True).words

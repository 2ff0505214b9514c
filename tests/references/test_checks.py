from __future__ import annotations

import random

import pytest

from paraphrast.errors import InputError
from paraphrast.references.checks import (
    LineFinder,
    check_languages,
    check_order,
    find_order,
    read_language,
    sampled,
    script_of,
    target_language_of,
)

ENGLISH = [
    "The minister said that the new bridge would be opened in the spring.",
    "She has not been able to find the letter that her brother sent.",
    "Farmers in the valley are afraid of a second dry summer.",
    "A small museum of clocks has opened next to the old station.",
    "The court will decide whether the contract was signed in time.",
    "Two ships carrying grain left the harbour before the storm.",
    "Our team lost the match because of a mistake in the last minute.",
    "Nobody knows who painted the picture above the altar.",
]
GERMAN = [
    "Der Minister sagte, dass die neue Brücke im Frühling eröffnet wird.",
    "Sie hat den Brief nicht gefunden, den ihr Bruder ihr geschickt hat.",
    "Die Bauern im Tal haben Angst vor einem zweiten trockenen Sommer.",
    "Neben dem alten Bahnhof ist ein kleines Museum für Uhren eröffnet worden.",
]
CHINESE = ["部长说新桥将在春天开放。", "她没有找到哥哥寄来的信。", "山谷里的农民害怕第二个干旱的夏天。"]


def test_scripts_are_told() -> None:
    assert script_of(ENGLISH) == "LATIN"
    assert script_of(CHINESE) == "CJK"
    assert script_of(["ひらがなとカタカナと漢字が、まざっているぶんしょうです。"]) == "CJK"
    assert script_of(["Москва и Петербург стоят на реках."]) == "CYRILLIC"
    assert script_of(["abc", "1 2 3"]) is None
    assert script_of(["Moscow is Москва in Russian, где говорят так"]) is None


def test_languages_are_told_by_function_words() -> None:
    assert read_language(ENGLISH).language == "en"
    assert read_language(GERMAN).language == "de"
    assert read_language(["law court bridge harbour"] * 20).language is None
    assert read_language(ENGLISH[:1]).language is None  # too few words to tell
    assert read_language([]).words == 0


def test_the_target_language_is_the_one_named_or_read() -> None:
    assert target_language_of(GERMAN) == "de"
    assert target_language_of(GERMAN, "en") == "en"
    assert target_language_of(CHINESE) == "en"


def test_what_belongs_together_passes() -> None:
    check_languages(ENGLISH, {"a": ENGLISH[::-1], "few": ["ja"]}, target_language="en")
    check_languages(GERMAN, {"a": GERMAN}, target_language="de")
    # Of a language without a list of function words nothing is claimed.
    check_languages(["isto não é nada"] * 20, {"a": ["isto é nada"] * 20}, target_language="pt")


def test_another_language_is_refused() -> None:
    with pytest.raises(InputError, match="swapped") as found:
        check_languages(GERMAN, {}, target_language="en")
    assert "English" in str(found.value)
    assert "German" in str(found.value)
    with pytest.raises(InputError, match="mine: expected outputs in the references' language, English"):
        check_languages(ENGLISH, {"mine": GERMAN}, target_language="en")
    with pytest.raises(
        InputError, match="mine: expected outputs in the script of the references, Latin, got Cjk"
    ):
        check_languages(ENGLISH, {"mine": CHINESE}, target_language="en")
    with pytest.raises(InputError, match="no spaces"):
        check_languages(CHINESE, {}, target_language="zh")


def like(text: str, draw: random.Random) -> str:
    """A system's version: some words lost, some changed."""
    return " ".join(
        draw.choice(["thing", "made", word]) if draw.random() < 0.3 else word for word in text.split()
    )


def test_the_order_of_lines_is_told() -> None:
    draw = random.Random(2)
    outputs = [like(text, draw) for text in ENGLISH]
    finder = LineFinder(ENGLISH)
    right = find_order(finder, outputs)
    assert not right.wrong
    assert right.own >= 6
    assert right.elsewhere == 0
    shifted = find_order(finder, [*outputs[1:], outputs[0]])
    assert shifted.wrong
    assert shifted.shift == 1
    check_order(ENGLISH, {"mine": outputs})
    with pytest.raises(InputError, match=r"mine: expected outputs in the order .* by \+1 lines"):
        check_order(ENGLISH, {"mine": [*outputs[1:], outputs[0]]})
    with pytest.raises(InputError, match="output 1 fits reference 8"):
        check_order(ENGLISH, {"mine": outputs[::-1]})


def test_bad_outputs_are_not_taken_for_another_order() -> None:
    check_order(ENGLISH, {"empty": [""] * 8, "noise": ["thing made of it"] * 8, "same": ENGLISH[:1] * 8})


def test_places_are_spread_evenly() -> None:
    assert sampled(3) == [0, 1, 2]
    assert sampled(10, 5) == [0, 2, 4, 6, 8]
    assert sampled(0) == []

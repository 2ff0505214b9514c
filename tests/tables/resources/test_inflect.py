from __future__ import annotations

import math

import pytest

from paraphrast.errors import InputError
from paraphrast.tables.resources.inflect import (
    expand,
    forms,
    head_place,
    inflect_phrase,
    phrase_readings,
    readings,
)
from paraphrast.tables.resources.options import ExpandOptions
from paraphrast.types import LooseTable, PhraseRow, TableInfo, loose_table


def table(*rows: tuple[str, str, float]) -> LooseTable:
    made = [PhraseRow(tuple(s.split()), tuple(t.split()), math.log(p), 2, {"x": 0.5}) for s, t, p in rows]
    return loose_table(made, TableInfo("test", "en", "test", features={"x": {}}), ("x",))


def pairs(made: LooseTable) -> dict[tuple[str, str], float]:
    return {
        (" ".join(made.phrase(s)), " ".join(made.phrase(t))): float(math.exp(score))
        for s, t, score in zip(made.table.source, made.table.target, made.table.score, strict=True)
    }


def test_readings_and_forms() -> None:
    assert dict(readings("examined")) == {"VBD": "examine", "VBN": "examine"}
    assert forms("child", "NNS")[0] == "children"
    assert readings("qqqq") == {}
    with pytest.raises(InputError, match="expected a tag"):
        forms("child", "XX")


@pytest.mark.parametrize(
    ("phrase", "tag", "expected"),
    [
        ("look at", "VBD", "looked at"),
        ("look at", "VBG", "looking at"),
        ("protective barrier against heat", "NNS", "protective barriers against heat"),
        ("go or move", "VBZ", "goes or moves"),
        ("person who uses it", "NNS", None),
        ("big", "JJR", "bigger"),
        ("class war", "VBD", None),
        ("class war", "NNS", "class wars"),
        ("more careful", "JJR", None),
    ],
)
def test_phrases_are_inflected_at_their_head(phrase: str, tag: str, expected: str | None) -> None:
    found = inflect_phrase(tuple(phrase.split()), tag)
    if phrase.startswith("person"):
        assert found is not None
        assert found[1:3] == ("who", "use")
    else:
        assert found == (tuple(expected.split()) if expected else None)


def test_heads() -> None:
    assert head_place(("look", "at"), "VERB") == 0
    assert head_place(("state", "of", "mind"), "NOUN") == 0
    assert ("VBD", ("look", "at")) in set(phrase_readings(("looked", "at")))


def test_unseen_forms_come_from_the_lemmas() -> None:
    """ "examined" → "looked at" was seen: "examining" → "looking at" is made at half of its probability."""
    grown = expand(table(("examined", "looked at", 0.4), ("examines", "looks at", 0.1)))
    found = pairs(grown)
    assert found["examined", "looked at"] == pytest.approx(0.4)
    assert found["examines", "looks at"] == pytest.approx(0.1)
    assert found["examining", "looking at"] == pytest.approx(0.2)
    assert found["examine", "look at"] == pytest.approx(0.2)
    assert ("examining", "looked at") not in found
    seen = dict(zip(found, grown.table.features["seen"].tolist(), strict=True))
    assert seen["examined", "looked at"] == 0.0
    assert seen["examine", "look at"] == pytest.approx(math.log(0.5))
    assert grown.table.info.notes["expanded"]["rows_before"] == 2


def test_only_known_words_are_made() -> None:
    grown = expand(table(("big", "large", 0.5)), known={"bigger", "larger"})
    assert set(pairs(grown)) == {("big", "large"), ("bigger", "larger")}


def test_forms_that_cannot_agree_are_not_paired() -> None:
    assert set(pairs(expand(table(("examined", "quickly", 0.5))))) == {("examined", "quickly")}
    with pytest.raises(InputError, match="back_off"):
        ExpandOptions(back_off=0.0)

from __future__ import annotations

import pytest

from paraphrast.model.parts import ROUND_TRIP, Part, Workshop
from paraphrast.read import RoundTrip
from paraphrast.text import get_language
from paraphrast.types import Edit, Paraphrase
from paraphrast.types.results import apply_edits

TEXT = "The committee said on Monday that it would examine an important proposal."


def trip(text: str, foreign: str = "f") -> RoundTrip:
    return RoundTrip(text, foreign, "fr", -0.2, -0.3)


def shop(text: str = TEXT, protected: tuple[tuple[int, int], ...] = ()) -> Workshop:
    return Workshop(text, get_language("en"), protected)


def part(before: str, after: str, text: str = TEXT) -> Part:
    start = text.index(before)
    return Part(start, start + len(before), after, ("pivot",), 0.5)


def test_a_candidate_is_mended_and_its_edits_make_it() -> None:
    made = shop().make([part("proposal", "plan"), part("important", "big")])
    assert made is not None
    assert made.text == "The committee said on Monday that it would examine a big plan."
    result = shop().result(made, 0.8, {part("proposal", "plan").key: 0.7})
    assert apply_edits(TEXT, result.edits) == result.text == made.text
    assert result.probability == 0.8
    assert [edit.before for edit in result.edits] == ["an important", "proposal"]
    assert [result.text[edit.out_start : edit.out_end] for edit in result.edits] == ["a big", "plan"]
    assert [edit.probability for edit in result.edits] == [0.5, 0.7]


def test_what_overlaps_or_is_protected_is_refused() -> None:
    assert shop().make([part("important proposal", "plan"), part("proposal", "plan")]) is None
    start = TEXT.index("an important")
    assert shop(TEXT, ((start, start + 2),)).make([part("important", "big")]) is None
    assert shop().make([part("proposal", "PROPOSAL")]) is None


def test_fast_parts_are_taken_once() -> None:
    edit = Edit(4, 13, 4, 14, "committee", "commission", 0.4, ("pivot",))
    rewrite = Paraphrase(TEXT, TEXT.replace("committee", "commission"), -1.0, (edit,))
    case = Paraphrase(TEXT, TEXT, 0.0, (Edit(4, 13, 4, 13, "committee", "Committee", 0.4, ("pivot",)),))
    assert shop().fast_parts([rewrite, rewrite, case]) == [Part(4, 13, "commission", ("pivot",), 0.4)]


def test_parts_that_say_little_or_say_it_twice_are_left_out() -> None:
    text = "Rises in costs were the main increase of the labour budget."
    for before, after in (
        ("Rises", "Increases"),
        ("labour", "labor"),
        ("were", "was"),
        ("the main", "a main"),
    ):
        start = text.index(before)
        edit = Edit(start, start + len(before), start, start + len(after), before, after, 0.5, ("pivot",))
        assert shop(text).fast_parts([Paraphrase(text, text.replace(before, after), 0.0, (edit,))]) == []
        assert shop(text).trip_parts([trip(text.replace(before, after))]) == []


def test_differences_of_trips_have_their_evidence() -> None:
    found = shop().trip_parts(
        [
            trip("The committee said on Monday that it would review an important proposal.", "examinera"),
            trip("The committee said on Tuesday that it would examine an important proposal.", "mardi"),
        ]
    )
    assert [(one.after, one.tables, one.foreign) for one in found] == [("review", (ROUND_TRIP,), "examinera")]
    start = TEXT.index("examine")
    held = shop(TEXT, ((start, start + 3),))
    assert held.trip_parts([trip(TEXT.replace("examine", "review"))]) == []


@pytest.mark.parametrize(
    "text",
    [
        "The committee said on Tuesday that it would look at an important proposal.",  # a name
        "The committee said on Monday that it would not examine an important proposal.",  # a negation
        "The committee said on Monday that it would examine two important proposals.",  # a number
        "However, the committee said on Monday that it would look at an important proposal.",  # a contrast
        "The Committee said, on Monday, that it would examine an important proposal!",  # case and marks alone
    ],
)
def test_whole_trips_that_may_not_be(text: str) -> None:
    assert shop().whole_trip(trip(text)) is None


def test_a_whole_trip_keeps_the_spelling_of_the_sentence() -> None:
    text = "On Monday, the labour party organised a well-known rally in the town centre."
    made = shop(text).whole_trip(
        trip("On Monday, the labor party organized a famous rally in the town center.", "célèbre")
    )
    assert made is not None
    assert made.text == "On Monday, the labour party organised a famous rally in the town centre."
    assert made.whole
    moved = shop().whole_trip(
        trip("On Monday, the committee said it would examine an important proposal.", "lundi")
    )
    assert moved is not None
    result = shop().result(moved, 0.9, {})
    assert result.text == "On Monday, the committee said it would examine an important proposal."
    assert apply_edits(TEXT, result.edits) == result.text
    assert {edit.foreign for edit in result.edits} == {"lundi"}
    assert result.to_dict()["edits"][0]["foreign"] == "lundi"
    assert result.to_dict()["probability"] == 0.9


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("I play", "I'm playing", True),
        ("charges have been", "charges were", True),
        ("heals", "is healing", True),
        ("was to take", "took", True),
        ("It is", "It's", False),
        ("we are", "we're", False),
        ("a person's location", "the location of a person", False),
        ("start to learn", "begin to learn", False),
        ("must look into", "need to look into", False),
        ("Which are", "What's", True),
    ],
)
def test_a_change_of_tense_is_recognised(before: str, after: str, changes: bool) -> None:
    text = f"{before} something."
    shop = Workshop(text, get_language("en"))
    assert shop._changes_tense(Part(0, len(before), after, ("roundtrip",), None, "x")) is changes


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("may die", "can die", True),
        ("may die", "might die", False),
        ("would have", "might", True),
        ("would like to", "want to", False),
        ("can", "could", True),
        ("How can I", "How do I", False),
    ],
)
def test_a_change_of_modal_is_recognised(before: str, after: str, changes: bool) -> None:
    shop = Workshop(f"{before} here.", get_language("en"))
    assert shop._changes_modal(Part(0, len(before), after, ("pivot",), 0.9, None)) is changes


def test_a_question_stays_one() -> None:
    shop = Workshop("How can I start?", get_language("en"))
    assert shop._loses_verb(Part(0, 9, "How to", ("roundtrip",), None, "x"))
    assert not shop._loses_verb(Part(0, 9, "How do I", ("roundtrip",), None, "x"))


@pytest.mark.parametrize(
    ("before", "after", "loses"),
    [
        ("cheated on", "cheated", True),
        ("people on the list", "people", True),
        ("said that", "said", False),
        ("really good", "good", False),
        ("Clinton to be", "Clinton", False),
        ("the speed in India", "India's speed", False),
        ("can not", "cannot", False),
    ],
)
def test_lost_words_are_recognised(before: str, after: str, loses: bool) -> None:
    shop = Workshop(f"They {before} here.", get_language("en"))
    assert shop._loses_words(Part(5, 5 + len(before), after, (ROUND_TRIP,))) == loses


@pytest.mark.parametrize(
    ("before", "after", "trades"),
    [
        ("their future", "the future", True),
        ("the future", "its future", True),
        ("their future", "their days", False),
        ("the future", "a future", False),
        ("his car", "her car", True),
        ("its car", "their car", False),
    ],
)
def test_an_article_for_a_possessive_is_recognised(before: str, after: str, trades: bool) -> None:
    shop = Workshop(f"They {before}.", get_language("en"))
    assert shop._trades_owner(Part(5, 5 + len(before), after, (ROUND_TRIP,))) == trades

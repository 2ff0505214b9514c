from __future__ import annotations

from dataclasses import dataclass

from paraphrast.align.trip_edits import TripEdit, round_trip_edits


@dataclass(frozen=True)
class Trip:
    text: str
    foreign: str = "f"


def edits(sentence: str, *texts: str) -> set[tuple[str, str]]:
    found = round_trip_edits(sentence, [Trip(text) for text in texts])
    for edit in found:
        assert sentence[edit.start : edit.end] == edit.before
    return {(edit.before, edit.after) for edit in found}


def test_offsets_and_evidence() -> None:
    sentence = "The old boat, he said, sank yesterday."
    trips = [Trip("The old ship, he said, sank yesterday.", "bateau"), Trip(sentence, "copie")]
    assert round_trip_edits(sentence, trips) == [TripEdit(8, 12, "boat", "ship", "bateau")]
    assert round_trip_edits(sentence, trips) == round_trip_edits(sentence, [*trips, trips[0]])
    assert round_trip_edits(sentence, []) == []
    assert round_trip_edits("", trips) == []


def test_an_edit_makes_the_sentence_it_came_from() -> None:
    sentence, other = "I don't know who bought it.", "I do not know who bought it."
    found = round_trip_edits(sentence, [Trip(other)])
    assert found
    for edit in found:
        assert sentence[: edit.start] + edit.after + sentence[edit.end :] == other


def test_contractions_are_not_cut() -> None:
    found = edits("Tom will keep us informed.", "Tom'll keep us informed.")
    assert ("Tom will", "Tom'll") in found
    assert ("will keep", "'ll keep") not in found


def test_numbers_names_and_negations_stay() -> None:
    assert not edits("They sold 12 boats.", "They sold 13 boats.")
    assert not edits("They met Anna today.", "They met Hanna today.")
    assert not edits("They came today.", "They never came today.")
    assert edits("They sold 12 boats.", "They sold 12 ships.") == {("boats", "ships")}


def test_a_moved_clause_is_one_edit() -> None:
    found = edits("Yesterday the children played outside.", "The children played outside yesterday.")
    assert ("Yesterday the children played outside", "The children played outside yesterday") in found

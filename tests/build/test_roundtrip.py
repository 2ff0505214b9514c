from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from paraphrast.build import round_trips
from paraphrast.build.round_trips import TripOptions, generate_round_trips, round_trips_of
from paraphrast.build.roundtrip import build_roundtrip, ways_of
from paraphrast.build.tables import build_table
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.round_trips import ForeignTrip, TrippedSentence, read_round_trips, round_trip_lines
from paraphrast.tables.resources.roundtrip import RoundtripOptions
from paraphrast.types import LooseTable

NAMES = ("dog", "cat", "cow", "hen", "pig", "fox", "owl", "rat")
EVIDENCE = ("stem", "number", "spelling")


def tripped(text: str, *came: str) -> TrippedSentence:
    """One translation; all ways back as likely as one another."""
    return TrippedSentence(text, (ForeignTrip("fr", f"fr {text}", 0.0, tuple((one, 0.0) for one in came)),))


def rows_of(table: LooseTable) -> dict[tuple[str, str], tuple[int, float]]:
    held = table.table
    return {
        (" ".join(table.phrase(held.source[row])), " ".join(table.phrase(held.target[row]))): (
            int(held.count[row]),
            math.exp(float(held.score[row])),
        )
        for row in range(len(table))
    }


def corpus(before: str, after: str) -> list[TrippedSentence]:
    """A sentence for each name; the first half comes back as ``after`` and as it was, the second as it was."""
    half = len(NAMES) // 2
    changed = [tripped(before.format(name), after.format(name), before.format(name)) for name in NAMES[:half]]
    kept = [tripped(before.format(name), before.format(name)) for name in NAMES[half:]]
    # What words a row may bring in is known from the inputs.
    return [*changed, *kept, tripped(after.format("bee"), after.format("bee"))]


def test_how_often_a_phrase_comes_back_as_another() -> None:
    table = build_roundtrip(corpus("The {} was purchased.", "The {} was bought."), evidence=EVIDENCE)
    count, probability = rows_of(table)["purchased", "bought"]
    # Half of the ways of half of the sentences.
    assert count == len(NAMES) // 2
    assert probability == pytest.approx(0.25)
    assert table.table.info.notes["sentences"] == len(NAMES) + 1
    assert ("bought", "purchased") not in rows_of(table)


def test_rows_do_not_depend_on_threads() -> None:
    sentences = corpus("The {} was purchased here to help in May.", "The {} was bought here to aid in May.")
    first = rows_of(build_roundtrip(sentences, evidence=EVIDENCE))
    assert first == rows_of(build_roundtrip(sentences, evidence=EVIDENCE, threads=2))
    assert {("purchased", "bought"), ("help", "aid")} <= first.keys()


def test_contractions_are_rows_and_other_function_words_are_not() -> None:
    contracted = rows_of(
        build_roundtrip(corpus("We do not like the {}.", "We don't like the {}."), evidence=EVIDENCE)
    )
    assert ("do not", "do n't") in contracted
    assert not any(source.split()[0] in ("not", "n't") for source, _ in contracted)
    swapped = build_roundtrip(corpus("We sat in the {}.", "We sat on the {}."), evidence=EVIDENCE)
    assert ("in the", "on the") not in rows_of(swapped)


def test_function_words_do_not_come_or_go_unless_optional() -> None:
    sentences = corpus("I hope that the {} sleeps.", "I hope the {} sleeps.")
    assert ("hope that", "hope") in rows_of(build_roundtrip(sentences, evidence=EVIDENCE))
    without = RoundtripOptions(optional="")
    assert ("hope that", "hope") not in rows_of(build_roundtrip(sentences, without, evidence=EVIDENCE))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The {} ate 12 apples.", "The {} ate 13 apples."),
        ("The {} met Anna.", "The {} met Hanna."),
        ("The {} was seen.", "The {} was never seen."),
    ],
)
def test_numbers_names_and_negations_stay(before: str, after: str) -> None:
    assert not rows_of(build_roundtrip(corpus(before, after), evidence=EVIDENCE))


def test_one_sentence_is_not_enough() -> None:
    sentences = [
        tripped("The dog was purchased.", "The dog was bought."),
        tripped("It was bought.", "It was bought."),
    ]
    assert not len(build_roundtrip(sentences, evidence=EVIDENCE))
    once = RoundtripOptions(least_sentences=1)
    assert ("purchased", "bought") in rows_of(build_roundtrip(sentences, once, evidence=EVIDENCE))


def test_probabilities_of_ways() -> None:
    first = ForeignTrip("fr", "x y", 0.0, (("a b", 0.0), ("a c", 0.0)))
    sentence = TrippedSentence("a b", (first, ForeignTrip("fr", "x z", 0.0, (("a c", -1.0),))))
    (way,) = ways_of([sentence])
    assert (way.new_text, way.foreign) == ("a c", "x z")
    assert way.probability == pytest.approx(0.75)
    with pytest.raises(InputError, match="change their sentence"):
        build_roundtrip([tripped("a b", "A b")])


@pytest.mark.parametrize(
    "values",
    [{"least_probability": 2.0}, {"max_length": 8}, {"least_sentences": 0}, {"lost_probability": -1.0}],
)
def test_options_out_of_their_bounds(values: dict[str, float]) -> None:
    with pytest.raises(InputError, match="expected"):
        RoundtripOptions(**values)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Said:
    text: str
    score: float


class Mirror:
    """Translates a text to itself turned round; counts how many texts it was given."""

    def __init__(self) -> None:
        self.given: list[int] = []

    def readable(self, text: str) -> bool:
        return "unreadable" not in text

    def translate_batches(self, texts: Sequence[str], n: int) -> list[list[Said]]:
        self.given.append(len(texts))
        return [[Said(f"{text[::-1]}{'!' * way}", -way / 2) for way in range(n)] for text in texts]


def test_round_trips_of_a_block() -> None:
    first, second = round_trips_of(["ab", "unreadable"], Mirror(), Mirror(), TripOptions(2, 1))
    assert first == TrippedSentence(
        "ab",
        (ForeignTrip("fr", "ba", 0.0, (("ab", 0.0),)), ForeignTrip("fr", "ba!", -0.5, (("!ab", 0.0),))),
    )
    assert second.trips == ()
    with pytest.raises(InputError, match="at least 1"):
        TripOptions(forth=0)


@pytest.mark.parametrize("left", [0, 1, 2, 3, 5])
def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    monkeypatch.setattr(round_trips, "BLOCK", 2)
    sentences = ["eins", "zwei", "drei", "vier", "fünf"]
    whole, path = tmp_path / "whole.jsonl", tmp_path / "trips.jsonl"
    seen: list[tuple[str, int, int]] = []
    assert (
        generate_round_trips(sentences, Mirror(), Mirror(), whole, progress=lambda *step: seen.append(step))
        == 0
    )
    assert [step[1:] for step in seen] == [(0, 5), (2, 5), (4, 5)]
    lines = whole.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:left]) + (lines[left][:-3] if left < len(lines) else b""))
    forth = Mirror()
    assert generate_round_trips(sentences, forth, Mirror(), path) == (5 if left == 5 else left - left % 2)
    assert path.read_bytes() == whole.read_bytes()
    assert sum(forth.given) == 5 - (5 if left == 5 else left - left % 2)
    assert [sentence.text for sentence in read_round_trips(path)] == sentences


def test_round_trips_of_another_text_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_trips, "BLOCK", 2)
    path = tmp_path / "trips.jsonl"
    generate_round_trips(["eins", "zwei"], Mirror(), Mirror(), path)
    with pytest.raises(InputError, match="sentence 2 differs from the text"):
        generate_round_trips(["eins", "drei", "vier"], Mirror(), Mirror(), path)


def test_lines_that_are_no_round_trips(tmp_path: Path) -> None:
    path = tmp_path / "trips.jsonl"
    sentence = tripped("a “b”", "a c")
    path.write_text("\n".join(round_trip_lines([sentence])), encoding="utf-8")
    assert list(read_round_trips(path)) == [sentence]
    for line, expected in (
        ('{"text": "a"}', "a list as 'trips'"),
        ('{"text": "a", "trips": [{"foreign": "b"}]}', "expected a trip with"),
        ('{"trips": []}', "expected text as 'text'"),
    ):
        path.write_text(line, encoding="utf-8")
        with pytest.raises(FormatError, match=expected):
            list(read_round_trips(path))


def test_the_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paraphrast.build.monolingual.find_resources", lambda *_, **__: _no_resources())
    path = tmp_path / "trips.jsonl"
    lines = round_trip_lines(corpus("The {} was purchased.", "The {} was bought."))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    table = build_table("roundtrip", [path], {"least_probability": "0.2"})
    assert ("purchased", "bought") in rows_of(table)
    assert table.table.info.kind == "roundtrip"
    assert np.isfinite(table.table.score).all()


def _no_resources() -> object:
    from paraphrast.align.evidence import Resources

    return Resources()

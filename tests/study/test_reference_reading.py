"""Substitutions of references with read probabilities, and round trips as edits; with a reader made of rules."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from paraphrast.errors import InputError
from paraphrast.model.parts import Part
from paraphrast.read.acceptability import FAST_COLUMNS, shipped
from paraphrast.read.reader import FIRST, columns
from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.lattices import ReferenceLattice, reference_lattice
from paraphrast.references.scoring import Cell
from paraphrast.study.reference_reading import ModelReader, read_lattices, trip_edges
from paraphrast.text import get_language

ENGLISH = get_language("en")
TEXT = "The law is good. He left town."
ROWS = Substitutions(
    {
        ("law",): (Substitute(("statute",), 0.3, "mine"), Substitute(("cat",), 0.6, "mine")),
        ("good",): (Substitute(("Good",), 0.95, "spelling", literal=True),),
        ("left",): (Substitute(("departed",), 0.2, "mine"),),
    }
)


class Rules:
    """Accepts all words but "cat"; translates "left town" to "went away" and back."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def probabilities(self, sentence: str, rewrites: Sequence[str]) -> list[float] | None:
        assert sentence in TEXT
        self.read += rewrites
        return None if "unreadable" in rewrites[0] else [0.1 if "cat" in one else 0.9 for one in rewrites]

    def parts(self, sentence: str) -> list[Part]:
        at = sentence.find("left town")
        return [Part(at, at + 9, "went away", ("roundtrip",))] if at >= 0 else []


def probabilities(lattice: ReferenceLattice) -> dict[str, float]:
    return {
        " ".join(lattice.lattice.label(edge)): float(lattice.lattice.probability[edge])
        for edge in lattice.edits()
    }


def test_what_an_output_uses_is_read_and_nothing_else() -> None:
    lattice, reader = reference_lattice(TEXT, ROWS), Rules()
    cells = [
        Cell(0, "one", "The statute is Good. He left town."),
        Cell(0, "two", "The cat is good. He left."),
    ]
    ((found,),) = read_lattices([[lattice]], cells, reader, ENGLISH)
    assert probabilities(found) == {
        "statute": 0.9, "cat": 0.1, "Good": 0.95, "departed": 0.2, "went away": 0.5,
    }  # fmt: skip
    assert sorted(reader.read) == ["The cat is good.", "The statute is good."]
    assert probabilities(lattice)["statute"] == 0.3


def test_round_trips_are_edits_of_the_right_words() -> None:
    lattice = reference_lattice(TEXT, ROWS)
    (edge,) = trip_edges(lattice, Rules(), ENGLISH)
    assert (edge.span, edge.words, edge.name) == ((6, 8), ("went", "away"), "roundtrip")
    ((found,),) = read_lattices(
        [[lattice]], [Cell(0, "one", "The law is good. He went away.")], Rules(), ENGLISH
    )
    assert probabilities(found)["went away"] == 0.9


def test_a_sentence_that_cannot_be_read_keeps_its_probabilities() -> None:
    rows = Substitutions({("law",): (Substitute(("unreadable",), 0.3, "mine"),)})
    ((found,),) = read_lattices(
        [[reference_lattice(TEXT, rows)]], [Cell(0, "one", "The unreadable is good.")], Rules(), ENGLISH
    )
    assert probabilities(found)["unreadable"] == 0.3


def test_a_language_without_models_is_an_error() -> None:
    with pytest.raises(InputError, match="no translation models"):
        ModelReader.open(get_language("de"))


def test_the_reader_is_opened_with_all_models_that_its_probabilities_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[dict[str, object]] = []

    def open_reader(pivots: object, language_model: object = None, **options: object) -> None:
        opened.append({"language_model": language_model, **options})

    monkeypatch.setattr("paraphrast.data.require", lambda name: name)
    monkeypatch.setattr("paraphrast.read.Reader.open", open_reader)
    ModelReader.open(ENGLISH)
    given = columns(
        with_language_model=opened[0]["language_model"] is not None, with_encoder=False, groups=FIRST
    )
    assert set(shipped("first").columns) <= {*given, *FAST_COLUMNS}

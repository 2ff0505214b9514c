"""Function words that an output has more, fewer or others of."""

from __future__ import annotations

import pytest

from paraphrast.references.function_words import DROPPED, EXCHANGED, function_word_edits
from paraphrast.references.lattices import best_references, one_at_a_time, reference_lattice
from paraphrast.references.metrics import get_metric
from paraphrast.references.options import ScoreOptions
from paraphrast.references.scoring import Cell, score_cells
from paraphrast.text import get_language

ENGLISH = get_language("en")


def edits(reference: str, *outputs: str) -> dict[tuple[str, str], float]:
    found = function_word_edits(reference, outputs, ENGLISH)
    return {(" ".join(phrase), " ".join(one.target)): one.probability for phrase, one in found.items()}


def test_a_function_word_is_dropped_added_or_exchanged() -> None:
    assert edits("the report on trade", "A report of the trade") == {
        ("the report", "report"): DROPPED,
        ("report", "A report"): DROPPED,
        ("the", "A"): EXCHANGED,
        ("the", "of the"): DROPPED,
        ("on trade", "trade"): DROPPED,
        ("trade", "the trade"): DROPPED,
        ("on", "of"): EXCHANGED,
    }


def test_only_what_an_output_has_is_added() -> None:
    assert edits("the report", "nothing else") == {}


def test_words_of_one_class_only_are_exchanged() -> None:
    assert ("on", "the") not in edits("on trade", "the trade")


@pytest.mark.parametrize(
    ("reference", "output"),
    [("he left", "she left"), ("more trade", "less trade"), ("not there", "so there")],
)
def test_persons_quantities_and_negations_stay(reference: str, output: str) -> None:
    word, other = reference.split()[0], output.split()[0]
    assert (word, other) not in edits(reference, output)


def test_a_negation_is_neither_dropped_nor_added() -> None:
    assert edits("not there", "there") == {}
    assert edits("there", "not there") == {}


def test_they_count_for_an_output_and_are_never_written() -> None:
    reference, output = "we read the report on trade", "we read a report on trade"
    lattice = reference_lattice(reference, function_word_edits(reference, [output], ENGLISH))
    cells = [Cell(0, "one", output)]
    scored = score_cells(get_metric("bleu"), "lattice", [[lattice]], cells, ScoreOptions(credit=0.0))
    assert scored.scores[0] == pytest.approx(100)
    assert [one.text for one in one_at_a_time(lattice)] == [reference]
    assert [one.text for one in best_references(lattice, 5)] == [reference]

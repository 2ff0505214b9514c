from __future__ import annotations

import math

import pytest

from paraphrast.errors import InputError
from paraphrast.references.equivalents import (
    Substitute,
    Substitutions,
    count_sets,
    equivalence_sets,
    loose_rows,
    merge_substitutions,
    row_substitutions,
    set_substitutions,
    text_rows,
)
from paraphrast.references.options import SetOptions
from paraphrast.types import PhraseRow, TableInfo, TextRow, loose_table

PAIRS = [
    (("citoyens",), ("citizens",), 4),
    (("citoyens",), ("people",), 3),
    (("citoyens",), ("public",), 1),
    (("population",), ("population",), 2),
    (("population",), ("people",), 2),
    (("à",), ("to",), 5),
    (("à",), ("at",), 2),
    (("seul",), ("alone",), 9),
    (("an", "2000"), ("2000",), 1),
    (("an", "2000"), ("millennium",), 1),
]
PREPOSITIONS = frozenset({"to", "at"})


def test_sets_are_target_phrases_of_one_source_phrase() -> None:
    sets = equivalence_sets(PAIRS, SetOptions(), PREPOSITIONS)
    assert [one.text() for one in sets] == ["citizens – people – public", "people – population"]
    assert [item.probability for item in sets[0].items] == [0.5, 0.375, 0.125]
    assert count_sets(sets) == {"sets": 2, "items": 5, "phrases": 4, "mean": 2.5}


def test_closed_classes_and_thresholds() -> None:
    kept = equivalence_sets(PAIRS, SetOptions(closed="none"), frozenset())
    assert "to – at" in [one.text() for one in kept]
    few = equivalence_sets(PAIRS, SetOptions(threshold=0.2), PREPOSITIONS)
    assert [one.text() for one in few] == ["citizens – people", "people – population"]


def test_no_transitivity_and_probabilities_by_hand() -> None:
    found = set_substitutions(equivalence_sets(PAIRS, SetOptions(), PREPOSITIONS))
    assert {one.target for one in found.of(("public",))} == {("citizens",), ("people",)}
    # people: 3 of its 5 by citoyens, 2 by population.
    people = {one.target: one.probability for one in found.of(("people",))}
    assert people[("citizens",)] == pytest.approx(3 / 5 * 1 / 2)
    assert people[("public",)] == pytest.approx(3 / 5 * 1 / 8)
    assert people[("population",)] == pytest.approx(2 / 5 * 1 / 2)


def test_rows_are_filtered_as_sets_are() -> None:
    rows = [
        (("Examine",), ("look", "at"), 0.4),
        (("examine",), ("examine",), 0.9),
        (("to",), ("at",), 0.5),
        (("examine",), ("3",), 0.5),
        (("examine",), ("check",), 0.01),
    ]
    found = row_substitutions(rows, origin="toy", closed=PREPOSITIONS, threshold=0.05)
    assert list(found.items()) == [(("examine",), Substitute(("look", "at"), 0.4, "toy"))]
    assert len(row_substitutions(rows, origin="toy", wanted={("other",)})) == 0


def test_tables_and_models_give_rows() -> None:
    info = TableInfo("toy", "en", "none")
    table = loose_table([PhraseRow(("big",), ("large",), math.log(0.5))], info)
    ((source, target, probability),) = loose_rows(table)
    assert (source, target) == (("big",), ("large",))
    assert probability == pytest.approx(0.5)
    rows = [
        TextRow("the EU's", "of the EU", math.log(0.25), 1, {}),
        TextRow("<number> men", "men", -1.0, 1, {}),
    ]
    assert list(text_rows(rows)) == [(("the", "EU's"), ("of", "the", "EU"), pytest.approx(0.25))]


def test_sources_are_merged_by_noisy_or() -> None:
    one = Substitutions({("a",): (Substitute(("b",), 0.5, "x"),)})
    two = Substitutions({("a",): (Substitute(("b",), 0.4, "y"), Substitute(("c",), 0.2, "y"))})
    merged = merge_substitutions([(one, 1.0), (two, 0.5)])
    assert merged.of(("a",))[0] == Substitute(("b",), pytest.approx(1 - 0.5 * 0.8), "x+y")  # type: ignore[arg-type]
    assert merged.of(("a",))[1].probability == pytest.approx(0.1)
    assert len(merge_substitutions([(one, 1.0), (two, 1.0)], top=1)) == 1


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="threshold"):
        SetOptions(threshold=2)
    with pytest.raises(InputError, match="closed"):
        SetOptions(closed="verbs")
    with pytest.raises(InputError, match="weights"):
        merge_substitutions([(Substitutions(), 2.0)])

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.inflections import inflection_substitutions
from paraphrast.references.lattices import best_references, one_at_a_time, path_reference, reference_lattice
from paraphrast.text import get_language

TEXT = "I admire the answer Mrs Parly gave, but we went."
TABLE = Substitutions(
    {
        ("answer",): (Substitute(("reply",), 0.5, "bitext"),),
        ("but",): (Substitute(("however",), 0.3, "bitext+pivot"),),
        ("i", "admire"): (Substitute(("i", "like"), 0.2, "pivot"),),
    }
)


def test_one_substitution_at_a_time() -> None:
    found = one_at_a_time(reference_lattice(TEXT, TABLE))
    assert [one.text for one in found] == [
        TEXT,
        "I admire the reply Mrs Parly gave, but we went.",
        "I admire the answer Mrs Parly gave, however we went.",
        "i like the answer Mrs Parly gave, but we went.",
    ]
    (edit,) = found[2].edits
    assert (edit.before, edit.after, edit.tables) == ("but", "however", ("bitext", "pivot"))
    assert TEXT[edit.start : edit.end] == "but"
    assert found[2].text[edit.out_start : edit.out_end] == "however"


def test_paths_make_all_substitutions_at_once_and_carry_probabilities() -> None:
    reference = reference_lattice(TEXT, TABLE)
    assert reference.lattice.path_count() == 8
    paths = dict(reference.lattice.paths())
    assert len(paths) == 8
    both = path_reference(reference, reference.edits()[1:])
    assert both.text == "I admire the reply Mrs Parly gave, however we went."
    assert both.probability == pytest.approx(0.15)


def test_best_references_differ() -> None:
    found = best_references(reference_lattice(TEXT, TABLE), 3, spread=2.0)
    assert found[0].text == TEXT
    assert found[1].text == "i like the reply Mrs Parly gave, however we went."
    assert len({one.text for one in found}) == len(found) > 2
    assert [one.text for one in best_references(reference_lattice(TEXT, Substitutions()), 5)] == [TEXT]


def test_thousands_of_paraphrases_are_cut_to_the_likeliest() -> None:
    many = Substitutions({("answer",): tuple(Substitute((f"w{n}",), 1 / (n + 2), "x") for n in range(5000))})
    reference = reference_lattice(TEXT, many, top=20)
    assert len(reference.edits()) == 20
    assert len(one_at_a_time(reference, most=5)) == 6


def test_an_empty_reference_is_refused() -> None:
    with pytest.raises(InputError, match="empty"):
        reference_lattice("  ", TABLE)


def test_inflections_are_forms_of_one_word() -> None:
    words = ["abandon", "Abandoning", "abandoned", "go", "went", "piano", "the"]
    found = inflection_substitutions(words, get_language("en"), closed={"the"})
    assert {one.target[0] for one in found.of(("abandon",))} == {"abandoning", "abandoned"}
    assert not found.of(("piano",))
    assert not inflection_substitutions(words, get_language("zh"))


def test_a_word_for_a_mark_is_kept_apart_from_its_neighbours() -> None:
    found = Substitutions(
        {(".",): (Substitute(("yet", "."), 0.5, "toy"),), ("-",): (Substitute(("to",), 0.5, "toy"),)}
    )
    reference = reference_lattice("from 3-5 for a refund.", found)
    edges = reference.edits()
    assert [path_reference(reference, [edge]).text for edge in edges] == [
        "from 3 to 5 for a refund.",
        "from 3-5 for a refund yet.",
    ]

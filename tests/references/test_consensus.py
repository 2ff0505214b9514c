"""Substitutions that several outputs of a segment use."""

from __future__ import annotations

import math

import pytest

from paraphrast.references.consensus import with_votes
from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.lattices import reference_lattice

REFERENCE = reference_lattice(
    "a movie",
    Substitutions(
        {("movie",): (Substitute(("film",), 0.5, "toy"), Substitute(("big", "movie"), 0.4, "toy"))}
    ),
)


def probabilities(*outputs: str) -> dict[str, float]:
    lattice = with_votes(REFERENCE, outputs).lattice
    for edge in REFERENCE.edits():
        assert lattice.weight[edge] == pytest.approx(math.log(lattice.probability[edge]))
    return {" ".join(lattice.label(edge)): float(lattice.probability[edge]) for edge in REFERENCE.edits()}


def test_each_other_output_has_a_vote() -> None:
    found = probabilities("The Film", "a film", "a movie", "a big movie and a film")
    # The last output has the phrase as well as the substitute, so it does not vote for "film".
    assert found == {"film": pytest.approx((1 + 0.5) / 4), "big movie": pytest.approx((0 + 0.4) / 4)}


def test_one_output_changes_nothing() -> None:
    assert with_votes(REFERENCE, ["a film"]) is REFERENCE

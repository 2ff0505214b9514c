"""Automata as pictures: Graphviz's language, our own drawing where it is not there."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET

import pytest

from paraphrast.draw.automaton import dot_text, draw_automaton
from paraphrast.types import Lattice, LatticeEdge

LATTICE = Lattice.from_edges(
    [
        LatticeEdge(0, 1, ('say "it"',), name="sentences 1,2,3"),
        LatticeEdge(1, 2, ("a\\b",)),
        LatticeEdge(0, 2, ("<x>",)),
    ],
    [2],
)


def test_graphviz_text() -> None:
    text = dot_text(LATTICE, title="Mill")
    assert text.count("->") == 3
    assert 'label="say \\"it\\"", penwidth=2.0' in text
    assert 'label="a\\\\b"' in text
    assert "2 [tooltip=" in text
    assert "doublecircle" in text


def test_our_own_picture_without_graphviz() -> None:
    svg = draw_automaton(LATTICE, program=None)
    assert ET.fromstring(svg).tag.endswith("svg")
    assert draw_automaton(LATTICE, program="no-such-program-at-all") == svg


def test_a_program_that_fails_is_replaced() -> None:
    false = shutil.which("false")
    if false is None:
        pytest.skip("no program that fails here")
    assert draw_automaton(LATTICE, program=false) == draw_automaton(LATTICE, program=None)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws() -> None:
    svg = draw_automaton(LATTICE, title="Mill")
    assert "&quot;it&quot;" in svg
    assert "Mill" in svg

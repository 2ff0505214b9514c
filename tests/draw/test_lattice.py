"""The picture of a lattice: what it shows, what it says, and that arcs keep apart."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations

from paraphrast.draw.lattice import _lanes, _split, draw_lattice
from paraphrast.types import Lattice, LatticeEdge
from paraphrast.types.lattice import EDIT, KEPT


def example(edits: int = 12) -> Lattice:
    words = ["the", "committee", "will", "examine", "it", "."]
    edges = [LatticeEdge(at, at + 1, (word,), 0.0, 0.9, KEPT) for at, word in enumerate(words)]
    for index in range(edits):
        tail = index % 5
        head = min(tail + 1 + index % 3, 6)
        edges.append(
            LatticeEdge(tail, head, ("<new>", str(index)), -1.0, 1 / (index + 2), EDIT, name="pivot")
        )
    return Lattice.from_edges(edges, [6])


def texts(svg: str, kind: str) -> list[str]:
    root = ET.fromstring(svg)
    return [element.text or "" for element in root.iter() if kind in element.get("class", "").split()]


def test_the_best_edges_are_shown_and_counted() -> None:
    svg = draw_lattice(example(), edges=5, title="A & B")
    assert len(texts(svg, "edit")) == 5
    assert texts(svg, "caption") == ["showing 5 of 12 edges beside the kept words"]
    assert sorted(texts(svg, "label")) == [f"<new> {index}" for index in range(5)]
    assert sorted(texts(svg, "probability"), reverse=True) == [".5", ".33", ".25", ".2", ".17"]
    assert texts(svg, "word") == ["the", "committee", "will", "examine", "it", "."]
    assert len(texts(svg, "state")) == 7
    assert draw_lattice(example(), edges=5, title="A & B") == svg


def test_arcs_that_overlap_have_lanes_of_their_own() -> None:
    _, arcs = _split(example(40).top(40))
    lanes = _lanes(arcs)
    assert len(arcs) == 40
    for (first, lane), (second, other) in combinations(zip(arcs, lanes, strict=True), 2):
        if lane == other:
            assert first.head <= second.tail or second.head <= first.tail


def test_an_automaton_without_kept_words_and_an_empty_lattice_are_drawn() -> None:
    edges = [
        LatticeEdge(0, 1, ("a",)),
        LatticeEdge(0, 1, ("b",)),
        LatticeEdge(1, 2, ()),
        LatticeEdge(0, 2, ("c",)),
    ]
    svg = draw_lattice(Lattice.from_edges(edges, [2]))
    assert texts(svg, "word") == ["a", "ε"]
    assert sorted(texts(svg, "label")) == ["b", "c"]
    assert texts(svg, "probability") == []
    assert "state" in draw_lattice(Lattice.from_edges([], [0]))

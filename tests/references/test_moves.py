"""Moved phrases: exchanges that an output supports, against all exchanges."""

from __future__ import annotations

import itertools

import numpy as np

from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.lattices import reference_lattice
from paraphrast.references.metrics import get_metric
from paraphrast.references.moves import LEAST, LONGEST, moved_edges, with_edges
from paraphrast.references.options import ScoreOptions
from paraphrast.references.scoring import Cell, score_cells
from paraphrast.types.lattice import KEPT


def kept(text: str) -> tuple:  # type: ignore[type-arg]
    lattice = reference_lattice(text, Substitutions())
    return lattice, np.flatnonzero(lattice.lattice.kind == KEPT).tolist()


def slow(text: str, output: str) -> set[tuple[int, int, tuple[str, ...]]]:
    """Every exchange whose middle seam the output has, and that adds enough of its seams."""
    words, wanted = text.split(), ["<", *output.split(), ">"]
    seams = set(itertools.pairwise(wanted))

    def count(row: list[str]) -> int:
        padded = ["<", *row, ">"]
        return sum(seam in seams for seam in itertools.pairwise(padded))

    found = set()
    for begin in range(len(words)):
        for end in range(begin + 2, min(begin + LONGEST, len(words)) + 1):
            for middle in range(begin + 1, end):
                moved = [*words[middle:end], *words[begin:middle]]
                row = [*words[:begin], *moved, *words[end:]]
                middle_seam = (words[end - 1], words[begin]) in seams
                if middle_seam and count(row) - count(words) >= LEAST:
                    found.add((begin, end, tuple(moved)))
    return found


def test_moves_are_those_of_all_exchanges() -> None:
    generator = np.random.default_rng(5)
    total = 0
    for _ in range(60):
        words = [f"w{number}" for number in range(9)]
        output = words.copy()
        begin, middle, end = sorted(generator.choice(10, 3, replace=False))
        output[begin:end] = [*words[middle:end], *words[begin:middle]]
        lattice, path = kept(" ".join(words))
        edges = moved_edges(lattice, path, output, 0.5)
        found = {(edge.tail, edge.head, edge.words) for edge in edges}
        assert found == slow(" ".join(words), " ".join(output))
        assert (begin, end, tuple(output[begin:end])) in found
        total += len(found)
    assert total >= 60


def test_a_moved_adverbial_costs_less_and_keeps_the_spelling_of_the_output() -> None:
    reference, output = "He left the town yesterday .", "Yesterday he left the town ."
    lattice, _ = kept(reference)
    metric, cells = get_metric("bleu", [reference]), [Cell(0, "one", output)]
    before = score_cells(metric, "lattice", [[lattice]], cells, ScoreOptions(moved=0.0))
    after = score_cells(metric, "lattice", [[lattice]], cells, ScoreOptions(moved=0.5, credit=0.0))
    assert after.scores[0] > before.scores[0] + 10
    assert after.used is not None
    path = after.used[0][0]
    assert path.text == output
    assert path.probability == 0.5
    assert path.edits[0].tables == ("moved",)


def test_a_substitute_inside_a_moved_phrase_counts() -> None:
    rows = Substitutions({("yesterday",): (Substitute(("last", "night"), 0.4, "mine"),)})
    lattice = reference_lattice("he left the town yesterday .", rows)
    metric = get_metric("bleu", ["he left the town yesterday ."])
    cells = [Cell(0, "one", "last night he left the town .")]
    scored = score_cells(metric, "lattice", [[lattice]], cells)
    assert scored.used is not None
    path = scored.used[0][0]
    assert path.text == "last night he left the town ."
    assert path.probability == 0.5 * 0.4
    assert path.edits[0].tables == ("moved", "mine")


def test_of_equal_edges_the_most_probable_is_kept() -> None:
    lattice, path = kept("a b c d")
    edges = moved_edges(lattice, path, ["c", "d", "a", "b"], 0.5)
    again = moved_edges(lattice, path, ["c", "d", "a", "b"], 0.7)
    grown = with_edges(lattice, [*edges, *again])
    assert grown.lattice.probability[grown.edits()].tolist() == [0.7]
    assert with_edges(lattice, []) is lattice

"""The kernels against plain twins that try every path."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.references._kernels import cder_distance
from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.lattices import ReferenceLattice, reference_lattice
from paraphrast.references.options import SearchOptions
from paraphrast.references.search import LatticeBatch, closest_paths

WORDS = "abcd"


def plain_gain(path: tuple[str, ...], output: tuple[str, ...]) -> float:
    """How many of a path's n-grams, up to four words, the output has."""
    known = {output[at : at + n] for n in range(1, 5) for at in range(len(output) - n + 1)}
    return sum(path[at : at + n] in known for n in range(1, 5) for at in range(len(path) - n + 1))


def plain_distance(output: tuple[str, ...], path: tuple[str, ...], *, jumps: bool) -> int:
    """The recursions of Levenshtein and of CDER, as they are written."""
    table = {(0, 0): 0.0}
    size = len(output)
    for row in range(len(path) + 1):
        for at in range(size + 1):
            ways = [table[0, 0]] if (at, row) == (0, 0) else []
            if at and row:
                ways.append(table[at - 1, row - 1] + (output[at - 1] != path[row - 1]))
            if at:
                ways.append(table[at - 1, row] + 1)
            if row:
                ways.append(table[at, row - 1] + 1)
            table[at, row] = min(ways)
        if jumps:
            least = min(table[at, row] for at in range(size + 1))
            for at in range(size + 1):
                table[at, row] = min(table[at, row], least + 1)
    return int(table[size, len(path)])


def path_words(reference: ReferenceLattice, path: Iterable[int]) -> tuple[str, ...]:
    """The words along a path."""
    return tuple(word for edge in path for word in reference.lattice.label(edge))


def all_paths(reference: ReferenceLattice) -> list[tuple[tuple[str, ...], float, int]]:
    """Every path's words, the sum of its weights, and its number of substitutions."""
    lattice = reference.lattice
    begin = lattice.out_begin()
    found: list[tuple[tuple[str, ...], float, int]] = []
    stack: list[tuple[int, tuple[str, ...], float, int]] = [(0, (), 0.0, 0)]
    while stack:
        state, words, weight, edits = stack.pop()
        if state == lattice.states - 1:
            found.append((words, weight, edits))
        for edge in range(int(begin[state]), int(begin[state + 1])):
            stack.append(
                (
                    int(lattice.head[edge]),
                    words + lattice.label(edge),
                    weight + float(lattice.weight[edge]),
                    edits + int(lattice.kind[edge] == 1),
                )
            )
    return found


words = st.text(WORDS, min_size=1, max_size=6).map(tuple)
phrase = st.text(WORDS, min_size=1, max_size=3).map(tuple)
rows = st.lists(st.tuples(phrase, phrase, st.sampled_from([0.1, 0.3, 0.8])), max_size=6)


def make(
    text: tuple[str, ...], table: list[tuple[tuple[str, ...], tuple[str, ...], float]]
) -> ReferenceLattice:
    found: dict[tuple[str, ...], dict[tuple[str, ...], Substitute]] = {}
    for source, target, probability in table:
        if source != target:
            found.setdefault(source, {})[target] = Substitute(target, probability, "toy")
    return reference_lattice(
        " ".join(text), Substitutions({key: tuple(own.values()) for key, own in found.items()})
    )


@settings(max_examples=60)
@given(words, rows, st.lists(st.text(WORDS + "x", max_size=7).map(tuple), min_size=1, max_size=3))
def test_ngram_paths_are_the_best_of_all(
    text: tuple[str, ...],
    table: list[tuple[tuple[str, ...], tuple[str, ...], float]],
    outputs: list[tuple[str, ...]],
) -> None:
    reference = make(text, table)
    batch = LatticeBatch.of([reference])
    found = closest_paths(batch, outputs, [0] * len(outputs), SearchOptions(tax=0.25, beam=200))
    assert found.exact.all()
    for output, path, value in zip(outputs, found.paths, found.values, strict=True):
        best = max(
            plain_gain(one, output) + 0.25 * weight - 1e-6 * edits
            for one, weight, edits in all_paths(reference)
        )
        assert value == pytest.approx(best, abs=1e-9)
        own = path_words(reference, path)
        weight = sum(float(reference.lattice.weight[edge]) for edge in path)
        edits = sum(int(reference.lattice.kind[edge] == 1) for edge in path)
        assert plain_gain(own, output) + 0.25 * weight - 1e-6 * edits == pytest.approx(best, abs=1e-9)


@settings(max_examples=60)
@given(words, rows, st.text(WORDS + "x", max_size=7).map(tuple), st.booleans())
def test_edit_paths_are_the_nearest_of_all(
    text: tuple[str, ...],
    table: list[tuple[tuple[str, ...], tuple[str, ...], float]],
    output: tuple[str, ...],
    jumps: bool,
) -> None:
    reference = make(text, table)
    options = SearchOptions(objective="cder" if jumps else "ter", tax=0.0)
    found = closest_paths(LatticeBatch.of([reference]), [output], [0], options)
    best = min(
        plain_distance(output, one, jumps=jumps) + 1e-6 * edits for one, _, edits in all_paths(reference)
    )
    assert found.values[0] == pytest.approx(best, abs=1e-9)
    own = path_words(reference, found.paths[0])
    assert plain_distance(output, own, jumps=jumps) == math.floor(best + 1e-4)


@given(st.text(WORDS, max_size=7).map(tuple), st.text(WORDS, max_size=7).map(tuple))
def test_cder_distance_is_its_recursion(output: tuple[str, ...], path: tuple[str, ...]) -> None:
    ids = [np.array([WORDS.index(word) for word in side], dtype=np.int32) for side in (output, path)]
    assert cder_distance(*ids) == plain_distance(output, path, jumps=True)


def test_a_narrow_beam_says_so() -> None:
    table: list[tuple[tuple[str, ...], tuple[str, ...], float]] = [
        ((before,), (after,), 0.5) for before, after in itertools.permutations(WORDS, 2)
    ]
    reference = make(tuple("abcdab"), table)
    output = tuple("abcdacbdbadc")
    wide = closest_paths(LatticeBatch.of([reference]), [output], [0], SearchOptions(beam=500))
    narrow = closest_paths(LatticeBatch.of([reference]), [output], [0], SearchOptions(beam=2))
    assert wide.exact[0]
    assert not narrow.exact[0]
    assert narrow.values[0] <= wide.values[0]

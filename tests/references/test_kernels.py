"""The kernels against plain twins that try every path."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.references._kernels import cder_distance
from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.lattices import ReferenceLattice, reference_lattice
from paraphrast.references.options import SearchOptions
from paraphrast.references.search import LatticeBatch, closest_paths
from paraphrast.types import Lattice
from paraphrast.types.lattice import EDIT

WORDS = "abcd"


def plain_gain(path: tuple[str, ...], output: tuple[str, ...]) -> int:
    """How many of a path's n-grams, up to four words, the output has; each at most as often as the output has it."""

    def grams(words: tuple[str, ...]) -> Counter[tuple[str, ...]]:
        return Counter(words[at : at + n] for n in range(1, 5) for at in range(len(words) - n + 1))

    return (grams(path) & grams(output)).total()


def best_value(reference: ReferenceLattice, output: tuple[str, ...], tax: float) -> float:
    """The value of the best path among those whose substitutes the output has."""
    lattice = reference.lattice
    own = {output[at : at + n] for n in range(1, 5) for at in range(len(output) - n + 1)}
    allowed = np.array([kind != EDIT or lattice.label(edge) in own for edge, kind in enumerate(lattice.kind)])
    edges = [edge for edge, allows in zip(lattice.edges(), allowed, strict=True) if allows]
    rest = Lattice.from_edges(edges, lattice.finals.tolist(), states=lattice.states)
    return max(
        plain_gain(path, output) + tax * weight - 1e-6 * edits
        for path, weight, edits in all_paths(replace(reference, lattice=rest))
    )


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
def test_ngram_paths_have_their_value_and_none_is_better_than_the_best(
    text: tuple[str, ...],
    table: list[tuple[tuple[str, ...], tuple[str, ...], float]],
    outputs: list[tuple[str, ...]],
) -> None:
    reference = make(text, table)
    batch = LatticeBatch.of([reference])
    found = closest_paths(batch, outputs, [0] * len(outputs), SearchOptions(tax=0.25, beam=200))
    assert found.exact.all()
    for output, path, value in zip(outputs, found.paths, found.values, strict=True):
        own = path_words(reference, path)
        weight = sum(float(reference.lattice.weight[edge]) for edge in path)
        edits = sum(int(reference.lattice.kind[edge] == EDIT) for edge in path)
        assert plain_gain(own, output) + 0.25 * weight - 1e-6 * edits == pytest.approx(value, abs=1e-9)
        assert value <= best_value(reference, output, 0.25) + 1e-9


def test_nearly_all_ngram_paths_are_the_best() -> None:
    generator = random.Random(22)
    best = 0
    for _ in range(200):
        text = tuple(generator.choices("abcdefgh", k=6))
        table = [
            (text[at : at + generator.randint(1, 2)], tuple(generator.choices("abcdefgh", k=size)), 0.5)
            for at, size in zip(
                generator.choices(range(6), k=5), generator.choices((1, 2, 3), k=5), strict=True
            )
        ]
        reference, output = make(text, table), tuple(generator.choices("abcdefgh", k=8))
        found = closest_paths(LatticeBatch.of([reference]), [output], [0], SearchOptions(tax=0.25))
        best += found.values[0] > best_value(reference, output, 0.25) - 1e-9
    assert best >= 190


def test_a_path_repeats_no_word_that_the_output_has_once() -> None:
    reference = make(("a", "b", "c"), [(("b",), ("a", "b"), 0.5), (("c",), ("b", "c"), 0.5)])
    found = closest_paths(LatticeBatch.of([reference]), [("a", "b", "c")], [0])
    assert path_words(reference, found.paths[0]) == ("a", "b", "c")


def test_a_substitute_is_tried_only_if_the_output_has_all_of_it() -> None:
    reference = make(("a", "b"), [(("b",), ("c", "d"), 0.9)])
    outputs = [("c", "x"), ("d", "c"), ("c", "d")]
    found = closest_paths(LatticeBatch.of([reference]), outputs, [0, 0, 0])
    assert [path_words(reference, path) for path in found.paths] == [("a", "b"), ("a", "b"), ("a", "c", "d")]


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

"""The lattice record: what it refuses, its paths, and pruning that leaves whole paths."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.types import Lattice, LatticeEdge
from paraphrast.types.lattice import EDIT, KEPT

SEEDS = st.integers(0, 10**6)


def random_edges(seed: int, states: int = 6, edges: int = 9) -> list[LatticeEdge]:
    rng = random.Random(seed)
    found = [LatticeEdge(s, s + 1, (f"w{s}",), -0.5, 0.8, KEPT, (s, s + 1)) for s in range(states - 1)]
    for _ in range(edges):
        tail = rng.randrange(states - 1)
        head = rng.randrange(tail + 1, states)
        words = tuple(rng.choice("abc") for _ in range(rng.randrange(4)))
        found.append(
            LatticeEdge(tail, head, words, -rng.uniform(0, 3), rng.random(), EDIT, (tail, head), "pivot")
        )
    return found


def plain_paths(
    edges: list[LatticeEdge], start: int, finals: set[int]
) -> list[tuple[tuple[str, ...], float]]:
    """All paths by recursion over the edges as given."""
    found: list[tuple[tuple[str, ...], float]] = [((), 0.0)] if start in finals else []
    for edge in edges:
        if edge.tail == start:
            found += [
                (edge.words + words, edge.weight + weight)
                for words, weight in plain_paths(edges, edge.head, finals)
            ]
    return found


def rounded(paths: Iterable[tuple[tuple[str, ...], float]]) -> list[tuple[tuple[str, ...], float]]:
    return sorted((words, round(weight, 6)) for words, weight in paths)


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS)
def test_paths_are_those_of_the_edges_whatever_the_numbers_of_the_states(seed: int) -> None:
    edges = random_edges(seed)
    lattice = Lattice.from_edges(edges, [5])
    expected = rounded(plain_paths(edges, 0, {5}))
    assert rounded(lattice.paths()) == expected
    assert lattice.path_count() == len(expected)
    names = list(range(6))
    random.Random(seed).shuffle(names)
    mixed = [replace(edge, tail=names[edge.tail], head=names[edge.head]) for edge in edges]
    random.Random(seed).shuffle(mixed)
    assert rounded(Lattice.from_edges(mixed, [names[5]], start=names[0]).paths()) == expected


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS, k=st.integers(0, 12))
def test_the_best_edges_lie_on_paths_and_the_best_path_stays(seed: int, k: int) -> None:
    edges = random_edges(seed)
    edges = [replace(edge, kind=EDIT) for edge in edges]  # nothing is kept by right
    lattice = Lattice.from_edges(edges, [5])
    smaller = lattice.top(k)
    assert len(smaller) <= k
    whole = set(rounded(lattice.paths()))
    assert set(rounded(smaller.paths())) <= whole
    assert np.isfinite(smaller.max_marginals()).all()
    if k >= 5:
        best = max(weight for _, weight in whole)
        assert max(weight for _, weight in rounded(smaller.paths())) == pytest.approx(best, abs=1e-5)


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS)
def test_max_marginals_are_the_best_paths_through_each_edge(seed: int) -> None:
    edges = list(Lattice.from_edges(random_edges(seed), [5]).edges())
    lattice = Lattice.from_edges(edges, [5])
    for edge, value in zip(edges, lattice.max_marginals(), strict=True):
        before = [w for _, w in plain_paths(edges, 0, {edge.tail})]
        after = [w for _, w in plain_paths(edges, edge.head, {5})]
        assert value == pytest.approx(max(before) + edge.weight + max(after))


def test_top_by_probability_keeps_the_kept_words() -> None:
    lattice = Lattice.from_edges(random_edges(3), [5])
    smaller = lattice.top(2, by="probability")
    assert (smaller.kind == KEPT).sum() == 5
    others = sorted(lattice.probability[lattice.kind != KEPT], reverse=True)
    assert sorted(smaller.probability[smaller.kind != KEPT], reverse=True) == others[:2]
    assert smaller.states == lattice.states
    assert lattice.top(0).path_count() == 1


def test_a_dictionary_gives_the_lattice_back() -> None:
    lattice = Lattice.from_edges(random_edges(4), [3, 5], states=8)
    again = Lattice.from_dict(lattice.to_dict())
    assert again.to_dict() == lattice.to_dict()
    assert (again.states, again.finals.tolist()) == (8, [3, 5])
    bare = Lattice.from_edges([LatticeEdge(0, 1, ())], [1])
    assert set(bare.to_dict()["edges"][0]) == {"from", "to", "words", "weight", "kind"}


def test_what_is_no_lattice_is_refused() -> None:
    with pytest.raises(InputError, match="cycle"):
        Lattice.from_edges([LatticeEdge(0, 1, ("a",)), LatticeEdge(1, 0, ("b",))], [1])
    with pytest.raises(InputError, match="cycle"):
        Lattice.from_edges([LatticeEdge(0, 0, ("a",))], [0])
    with pytest.raises(InputError, match="at least 0"):
        Lattice.from_edges([LatticeEdge(-1, 1, ("a",))], [1])
    good = Lattice.from_edges(random_edges(5), [5])
    with pytest.raises(InputError, match="higher"):
        replace(good, tail=good.head, head=good.tail)
    with pytest.raises(InputError, match="as many"):
        replace(good, weight=good.weight[1:])
    with pytest.raises(InputError, match="final"):
        replace(good, finals=np.array([9], dtype=np.int32))
    with pytest.raises(InputError, match="symbols"):
        replace(good, symbols=())
    with pytest.raises(InputError, match="sorted"):
        replace(good, tail=good.tail[::-1].copy(), head=np.full(len(good), 5, np.int32))
    with pytest.raises(InputError, match="start"):
        replace(good, start=77)
    with pytest.raises(InputError, match="version"):
        Lattice.from_dict({"format": "lattice", "version": 99})
    with pytest.raises(InputError, match="edges"):
        Lattice.from_dict({"format": "lattice", "version": 1, "edges": [{}]})
    with pytest.raises(InputError, match="marginal"):
        good.top(3, by="beauty")

"""Lattices in and out of files: the same paths come back, and other tools' conventions are kept."""

from __future__ import annotations

import ast
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.lattices import read_lattice, single_words, symbols_path, write_lattice
from paraphrast.types import Lattice, LatticeEdge

WORDS = st.sampled_from(["a", "b", "it's", "back\\slash", '"', "é", "don't\\'"])
Rows = list[tuple[int, int, list[str], float]]
EDGES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 4), st.lists(WORDS, max_size=3), st.floats(0.01, 1)),
    max_size=8,
)


def lattice_of(rows: Rows) -> Lattice:
    edges = [LatticeEdge(s, s + 1, (f"w{s}",), math.log(0.5), 0.5) for s in range(4)]
    for tail, length, words, p in rows:
        edges.append(LatticeEdge(tail, min(4, tail + length), tuple(words), math.log(p), p))
    return Lattice.from_edges(edges, [4])


def paths(lattice: Lattice) -> list[tuple[tuple[str, ...], float]]:
    return sorted((words, round(weight, 4)) for words, weight in lattice.paths())


@settings(max_examples=40, deadline=None)
@given(rows=EDGES, ending=st.sampled_from([".json", ".fst.txt", ".plf"]))
def test_the_same_paths_come_back(tmp_path_factory: pytest.TempPathFactory, rows: Rows, ending: str) -> None:
    lattice = lattice_of(rows)
    path = tmp_path_factory.mktemp("lattice") / f"x{ending}"
    write_lattice(path, lattice)
    again = read_lattice(path)
    assert paths(again) == paths(lattice)
    if ending == ".json":
        assert again.to_dict() == lattice.to_dict()


def test_openfst_text_is_what_fstcompile_reads(tmp_path: Path) -> None:
    lattice = Lattice.from_edges(
        [
            LatticeEdge(0, 1, ("kept",), -0.25),
            LatticeEdge(0, 2, ("two", "words"), -1.5),
            LatticeEdge(1, 2, ()),
        ],
        [2],
    )
    path = tmp_path / "x.fst.txt"
    write_lattice(path, lattice)
    assert path.read_text().splitlines() == [
        "0\t2\tkept\tkept\t0.25",
        "0\t1\ttwo\ttwo\t1.5",
        "1\t3\twords\twords\t0",
        "2\t3\t<eps>\t<eps>\t0",
        "3",
    ]
    assert (tmp_path / "x.fst.syms.txt").read_text().splitlines() == [
        "<eps>\t0",
        "kept\t1",
        "two\t2",
        "words\t3",
    ]
    assert symbols_path(path) == str(tmp_path / "x.fst.syms.txt")


def test_the_first_line_of_openfst_text_leaves_the_start(tmp_path: Path) -> None:
    edges = [LatticeEdge(0, 2, ("a",)), LatticeEdge(1, 2, ("b",))]
    path = tmp_path / "x.fst.txt"
    write_lattice(path, Lattice.from_edges(edges, [2], start=1))
    assert path.read_text().split()[0] == "1"
    assert [words for words, _ in read_lattice(path).paths()] == [("b",)]


def test_plf_is_a_python_tuple_with_distances(tmp_path: Path) -> None:
    lattice = Lattice.from_edges(
        [
            LatticeEdge(0, 1, ("it's",), 0.0, 0.5),
            LatticeEdge(0, 2, ("a", "b", "c"), -1.0, 0.25),
            LatticeEdge(1, 2, ("\\",), math.log(0.125)),
        ],
        [2],
    )
    path = tmp_path / "x.plf"
    write_lattice(path, lattice)
    text = path.read_text()
    assert text.startswith("((('it\\'s', 0.5, 3), ('a', 0.25, 1), ), ")
    assert ast.literal_eval(text) == (
        (("it's", 0.5, 3), ("a", 0.25, 1)),
        (("b", 1, 1),),
        (("c", 1, 2),),
        (("\\", 0.125, 1),),
    )


def test_several_final_states_end_in_one_in_plf(tmp_path: Path) -> None:
    lattice = Lattice.from_edges(
        [LatticeEdge(0, 1, ("a",), 0.0, 1.0), LatticeEdge(1, 2, ("b",), 0.0, 1.0)], [1, 2]
    )
    path = tmp_path / "x.plf"
    write_lattice(path, lattice)
    assert "*EPS*" in path.read_text()
    assert paths(read_lattice(path)) == paths(lattice) == [(("a",), 0.0), (("a", "b"), 0.0)]


def test_states_within_edges_keep_the_order() -> None:
    lattice = lattice_of([(0, 4, ["a", "b", "it's"], 0.5), (1, 1, ["a", "b"], 0.5)])
    edges = list(single_words(lattice))
    assert len(edges) == 4 + 3 + 2
    assert all(edge.tail < edge.head for edge in edges)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", "[1]"),
        ("x.json", "{"),
        ("x.json", '{"format": "lattice", "version": 7}'),
        ("x.fst.txt", ""),
        ("x.fst.txt", "0 1\tword\n"),
        ("x.fst.txt", "0\t1\ta\ta\tx\n"),
        ("x.fst.txt", "0\t1\ta\ta\n1\t0.5\n"),
        ("x.fst.txt", "0\t1\ta\ta\n1\t0\ta\ta\n"),
        ("x.plf", "((('a', 1, 1),),)\n((('a', 1, 1),),)\n"),
        ("x.plf", "__import__('os')\n"),
        ("x.plf", "((('a', 1),),)\n"),
        ("x.plf", "((('a', 1, 0),),)\n"),
    ],
)
def test_what_is_malformed_is_refused_with_its_place(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match="expected"):
        read_lattice(tmp_path / name)


def test_what_a_format_cannot_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="white space"):
        write_lattice(tmp_path / "x.fst.txt", Lattice.from_edges([LatticeEdge(0, 1, ("a b",))], [1]))
    dead_end = [LatticeEdge(0, 1, ("a",)), LatticeEdge(0, 2, ("b",))]
    with pytest.raises(InputError, match="leaves"):
        write_lattice(tmp_path / "x.plf", Lattice.from_edges(dead_end, [2]))
    with pytest.raises(InputError, match="format"):
        write_lattice(tmp_path / "x.png", lattice_of([]))
    with pytest.raises(InputError, match="format"):
        read_lattice(tmp_path / "x.png")
    assert list(tmp_path.iterdir()) == []

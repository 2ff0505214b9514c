"""Split the giant components of a phrase graph at their cut vertices (Martzoukos & Monz 2012, §2.1, §4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.graph._kernels_cut import reinsert
from paraphrast.graph.components import Explorer, Parts, group, with_entries
from paraphrast.graph.options import DecomposeOptions
from paraphrast.graph.phrase_graph import Adjacency


@dataclass(frozen=True)
class Round:
    """One round over the giant components of a graph.

    giants: number of vertices of each giant, descending. cut_vertices: how many the giants had. removed: how many of
    them were removed. whole: number of giants without any, whose vertices of highest degree were removed instead.
    components, residues: number of split-off components with 2 to θ vertices, and with one.
    """

    giants: tuple[int, ...]
    cut_vertices: int
    removed: int
    whole: int
    components: int
    residues: int


@dataclass(frozen=True)
class Decomposition:
    """Decomposed giants.

    parts: the resulting parts, with cut vertices put back. cut: bool[vertices of the graph], removed in any round.
    rounds: statistics of each round.
    """

    parts: Parts
    cut: NDArray[np.bool_]
    rounds: tuple[Round, ...]


def decompose(
    links: Adjacency,
    vertices: NDArray[np.int32],
    degree: NDArray[np.int64],
    source_size: int,
    options: DecomposeOptions,
) -> Decomposition:
    """Decompose the giants that these vertices (ascending) form, and put their cut vertices back.

    Each round removes the 0.005 · size (at least one) cut vertices of highest degree from every component with more
    than θ vertices. The degree counts remaining neighbours; ties go to the vertex with more neighbours in P
    (``degree``), then to the lowest id. A split-off single vertex is a residue and in no part. The paper does not
    cover giants without cut vertices; they lose as many vertices of highest degree, as if these were cut vertices.
    Every round removes something, so this ends.

    Then the vertices of each round, the last round first, are put back into every part where they have a neighbour by
    then, so they are in several parts. A part has all entries of the graph between its vertices.
    """
    explorer = Explorer(links)
    owner = np.full(len(links.start) - 1, -1, dtype=np.int32)
    cut = np.zeros(len(owner), dtype=np.bool_)
    removed: list[NDArray[np.int32]] = []
    rounds: list[Round] = []
    parts = 0
    while len(vertices):
        walk = explorer.walk(vertices)
        giant = walk.size > options.largest
        small = (walk.size > 1) & ~giant
        number = np.cumsum(small) - 1 + parts
        settled = small[walk.label]
        owner[vertices[settled]] = number[walk.label[settled]]
        parts += int(small.sum())
        if rounds:
            rounds[-1] = _with_fallen(rounds[-1], int(small.sum()), int((walk.size == 1).sum()))
        if not giant.any():
            break
        gone, whole = _weakest(
            walk.label, walk.size, giant, walk.is_cut, walk.degree, degree[vertices], options
        )
        sizes = tuple(int(size) for size in -np.sort(-walk.size[giant]))
        in_giant = giant[walk.label]
        rounds.append(Round(sizes, int((walk.is_cut & in_giant).sum()), int(gone.sum()), whole, 0, 0))
        removed.append(vertices[gone])
        cut[vertices[gone]] = True
        vertices = vertices[in_giant & ~gone]
    round_start = np.zeros(len(removed) + 1, dtype=np.int64)
    np.cumsum([len(round_vertices) for round_vertices in removed], out=round_start[1:])
    back, into = reinsert(
        links.start,
        links.neighbour,
        owner,
        parts,
        round_start,
        np.concatenate([np.zeros(0, dtype=np.int32), *removed]),
    )
    base = np.flatnonzero(owner >= 0).astype(np.int32)
    vertex_start, members = group(
        np.concatenate([owner[base], into]).astype(np.int64), np.concatenate([base, back]), parts
    )
    return Decomposition(with_entries(links, vertex_start, members, source_size), cut, tuple(rounds))


def _with_fallen(before: Round, components: int, residues: int) -> Round:
    return Round(before.giants, before.cut_vertices, before.removed, before.whole, components, residues)


def _weakest(
    label: NDArray[np.int32],
    size: NDArray[np.int64],
    giant: NDArray[np.bool_],
    is_cut: NDArray[np.bool_],
    degree_left: NDArray[np.int32],
    degree: NDArray[np.int64],
    options: DecomposeOptions,
) -> tuple[NDArray[np.bool_], int]:
    """The vertices that a round removes, and the number of giants without a cut vertex."""
    cut_count = np.bincount(label[is_cut], minlength=len(size))
    whole = giant & (cut_count == 0)
    place = np.flatnonzero(giant[label] & (is_cut | whole[label]))
    order = place[np.lexsort((place, -degree[place], -degree_left[place], label[place]))]
    first = np.flatnonzero(np.diff(label[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
    quota = np.maximum(1, (size * options.share).astype(np.int64))
    gone = np.zeros(len(label), dtype=np.bool_)
    gone[order[rank < quota[label[order]]]] = True
    return gone, int(whole.sum())

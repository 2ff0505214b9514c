"""What fell out of a decomposition: the residue graph R, again and again, then the leftovers (§2.1, §4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.graph._kernels_cut import prune
from paraphrast.graph.components import Explorer, Parts, group, join, select, with_entries
from paraphrast.graph.decompose import Round, decompose
from paraphrast.graph.options import DecomposeOptions
from paraphrast.graph.phrase_graph import Adjacency, adjacency
from paraphrast.graph.records import PhraseGraph


@dataclass(frozen=True)
class ResidueRound:
    """One residue graph R.

    residues: vertices in no part when it was made. vertices: those of R. components: of R, giants among them.
    pruned: places of cut vertices that were given up, a vertex once a part. left: residues in no part afterwards.
    rounds: of the decomposition of its giants.
    """

    residues: int
    vertices: int
    components: int
    giants: int
    pruned: int
    left: int
    rounds: tuple[Round, ...]


@dataclass(frozen=True)
class Leftovers:
    """Residues that no residue graph placed: put beside a translation, or on their own where none had a place."""

    beside_translations: int
    on_their_own: int


def place_residues(
    graph: PhraseGraph,
    links: Adjacency,
    parts: Parts,
    vertices: NDArray[np.int32],
    options: DecomposeOptions,
) -> tuple[Parts, tuple[ResidueRound, ...], Leftovers]:
    """Parts that hold all of ``vertices`` (ascending): those given, those of residue graphs, leftovers added.

    R has the residues, all their translations, and the entries between the two; not those between translations,
    which would make one component of figure 2's two, and of the paper's two giants, one mostly of the source side
    and one mostly of the target side. Its components of at most θ vertices are parts; its giants are decomposed as
    P's are, and pruned. Residues are what is in no part yet, so their number falls until it stops.
    """
    collections = [parts]
    rounds: list[ResidueRound] = []
    placed = np.zeros(graph.size, dtype=np.bool_)
    placed[parts.vertices] = True
    while True:
        residue = np.zeros(graph.size, dtype=np.bool_)
        residue[vertices] = ~placed[vertices]
        before = int(residue.sum())
        if not before:
            break
        found, figures = _residue_graph(graph, links, residue, options)
        placed[found.vertices] = True
        left = int((~placed[vertices]).sum())
        rounds.append(ResidueRound(before, figures[0], figures[1], figures[2], figures[3], left, figures[4]))
        collections.append(found)
        if left == before:
            break
    unplaced = vertices[~placed[vertices]]
    whole, leftovers = attach_leftovers(graph, links, join(collections), unplaced)
    return whole, tuple(rounds), leftovers


def _residue_graph(
    graph: PhraseGraph, links: Adjacency, residue: NDArray[np.bool_], options: DecomposeOptions
) -> tuple[Parts, tuple[int, int, int, int, tuple[Round, ...]]]:
    """The parts of one residue graph; its vertices, components, giants, pruned places, rounds."""
    rows = np.flatnonzero(residue[graph.source] | residue[graph.target]).astype(np.int32)
    own = adjacency(graph, rows)
    vertices = np.flatnonzero(own.degree > 0).astype(np.int32)
    walk = Explorer(own).walk(vertices)
    giant = walk.size > options.largest
    small = np.flatnonzero(~giant[walk.label])
    number = np.cumsum(~giant) - 1
    start, members = group(number[walk.label[small]].astype(np.int64), vertices[small], int((~giant).sum()))
    whole = with_entries(own, start, members, graph.source_size)
    taken = decompose(own, vertices[giant[walk.label]], links.degree, graph.source_size, options)
    keep = prune(
        taken.parts.vertex_start,
        taken.parts.vertices,
        taken.parts.edge_start,
        taken.parts.edges,
        graph.source,
        graph.target,
        residue,
        taken.cut,
    )
    start, members = group(taken.parts.part_of[keep], taken.parts.vertices[keep], len(taken.parts))
    pruned = with_entries(own, start, members, graph.source_size)
    pruned = select(pruned, np.flatnonzero(pruned.sizes > 0))
    figures = (len(vertices), len(walk.size), int(giant.sum()), int((~keep).sum()), taken.rounds)
    return join([whole, pruned]), figures


def attach_leftovers(
    graph: PhraseGraph, links: Adjacency, parts: Parts, unplaced: NDArray[np.int32]
) -> tuple[Parts, Leftovers]:
    """Add each residue u to the largest part of each of its translations, with all entries between it and the part.

    Of parts of equal size the first is taken. A residue none of whose translations is in a part waits until one is;
    where that never comes, as for a star whose hub was removed, the components that such residues form are parts
    as they are.
    """
    total = len(unplaced)
    while len(unplaced):
        home = _largest_part(parts, graph.size)
        lone = np.zeros(graph.size, dtype=np.bool_)
        lone[unplaced] = True
        by_source = lone[graph.source] & (home[graph.target] >= 0)
        by_target = lone[graph.target] & (home[graph.source] >= 0)
        vertex = np.concatenate([graph.source[by_source], graph.target[by_target]])
        if not len(vertex):
            break
        part = np.concatenate([home[graph.target[by_source]], home[graph.source[by_target]]])
        parts = _enlarge(graph, links, parts, part, vertex)
        lone[vertex] = False
        unplaced = unplaced[lone[unplaced]]
    on_their_own = len(unplaced)
    if on_their_own:
        walk = Explorer(links).walk(unplaced)
        start, members = group(walk.label.astype(np.int64), unplaced, len(walk.size))
        parts = join([parts, with_entries(links, start, members, graph.source_size)])
    return parts, Leftovers(total - on_their_own, on_their_own)


def _largest_part(parts: Parts, size: int) -> NDArray[np.int64]:
    """The largest part that each vertex is in, the first of equals; −1 for none."""
    home = np.full(size, -1, dtype=np.int64)
    part = parts.part_of
    # Later values win: places in order of part size ascending, and part number descending.
    order = np.lexsort((-part, parts.sizes[part]))
    home[parts.vertices[order]] = part[order]
    return home


def _enlarge(
    graph: PhraseGraph,
    links: Adjacency,
    parts: Parts,
    part: NDArray[np.int64],
    vertex: NDArray[np.int32],
) -> Parts:
    """Parts with vertices added; they bring the entries to all members, and nothing else changes."""
    start, members = group(
        np.concatenate([parts.part_of, part]), np.concatenate([parts.vertices, vertex]), len(parts)
    )
    changed = np.unique(part)
    own = select(Parts(start, members, np.zeros(len(start), dtype=np.int64), parts.edges[:0]), changed)
    around = with_entries(links, own.vertex_start, own.vertices, graph.source_size)
    # Of all entries between the members, only those of an added vertex are new.
    number = np.repeat(changed, np.diff(around.edge_start))
    added = np.unique((part << 32) | vertex)
    ends = [(number << 32) | side[around.edges] for side in (graph.source, graph.target)]
    new = np.isin(ends[0], added) | np.isin(ends[1], added)
    before = np.repeat(np.arange(len(parts)), np.diff(parts.edge_start))
    edge_start, edges = group(
        np.concatenate([before, number[new]]), np.concatenate([parts.edges, around.edges[new]]), len(parts)
    )
    return Parts(start, members, edge_start, edges)

"""Residues of a decomposition: the residue graph R, repeatedly, then the leftovers (§2.1, §4.1)."""

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

    residues: number of vertices in no part when R was built. vertices: of R. components: of R, including giants.
    pruned: places of cut vertices that were removed, one per vertex and part. left: residues in no part afterwards.
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
    """Residues that no residue graph placed: attached to a translation, or alone if no translation is in a part."""

    beside_translations: int
    on_their_own: int


def place_residues(
    graph: PhraseGraph,
    links: Adjacency,
    parts: Parts,
    vertices: NDArray[np.int32],
    options: DecomposeOptions,
) -> tuple[Parts, tuple[ResidueRound, ...], Leftovers]:
    """Parts that together contain all ``vertices`` (ascending): the given ones, those of residue graphs, and leftovers.

    R has the residues, all their translations, and the entries between the two. It does not have the entries between
    translations, which would join the two components of figure 2, and the paper's two giants (one mostly of the source
    side, one mostly of the target side). Components of R with at most θ vertices are parts; its giants are decomposed
    like those of P, and pruned. Residues are the vertices in no part yet, so their number falls until it stops.
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
        residue_parts, figures = _residue_graph(graph, links, residue, options)
        placed[residue_parts.vertices] = True
        left = int((~placed[vertices]).sum())
        rounds.append(ResidueRound(before, figures[0], figures[1], figures[2], figures[3], left, figures[4]))
        collections.append(residue_parts)
        if left == before:
            break
    unplaced = vertices[~placed[vertices]]
    all_parts, leftovers = attach_leftovers(graph, links, join(collections), unplaced)
    return all_parts, tuple(rounds), leftovers


def _residue_graph(
    graph: PhraseGraph, links: Adjacency, residue: NDArray[np.bool_], options: DecomposeOptions
) -> tuple[Parts, tuple[int, int, int, int, tuple[Round, ...]]]:
    """The parts of one residue graph, and its vertices, components, giants, pruned places, rounds."""
    rows = np.flatnonzero(residue[graph.source] | residue[graph.target]).astype(np.int32)
    residue_links = adjacency(graph, rows)
    vertices = np.flatnonzero(residue_links.degree > 0).astype(np.int32)
    walk = Explorer(residue_links).walk(vertices)
    giant = walk.size > options.largest
    small = np.flatnonzero(~giant[walk.label])
    number = np.cumsum(~giant) - 1
    start, members = group(number[walk.label[small]].astype(np.int64), vertices[small], int((~giant).sum()))
    whole = with_entries(residue_links, start, members, graph.source_size)
    decomposed = decompose(
        residue_links, vertices[giant[walk.label]], links.degree, graph.source_size, options
    )
    keep = prune(
        decomposed.parts.vertex_start,
        decomposed.parts.vertices,
        decomposed.parts.edge_start,
        decomposed.parts.edges,
        graph.source,
        graph.target,
        residue,
        decomposed.cut,
    )
    start, members = group(
        decomposed.parts.part_of[keep], decomposed.parts.vertices[keep], len(decomposed.parts)
    )
    pruned = with_entries(residue_links, start, members, graph.source_size)
    pruned = select(pruned, np.flatnonzero(pruned.sizes > 0))
    figures = (len(vertices), len(walk.size), int(giant.sum()), int((~keep).sum()), decomposed.rounds)
    return join([whole, pruned]), figures


def attach_leftovers(
    graph: PhraseGraph, links: Adjacency, parts: Parts, unplaced: NDArray[np.int32]
) -> tuple[Parts, Leftovers]:
    """Add each residue u to the largest part of each of its translations, with all entries between it and the part.

    Of parts of equal size the first is used. A residue whose translations are in no part waits until one is. If that
    never happens, as for a star whose hub was removed, the components that such residues form become parts.
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
    """The largest part of each vertex, the first of equals; −1 for none."""
    home = np.full(size, -1, dtype=np.int64)
    part = parts.part_of
    # Later values overwrite: places are in order of ascending part size and descending part number.
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
    """Parts with vertices added, together with their entries to all members. Nothing else changes."""
    start, members = group(
        np.concatenate([parts.part_of, part]), np.concatenate([parts.vertices, vertex]), len(parts)
    )
    changed = np.unique(part)
    enlarged = select(Parts(start, members, np.zeros(len(start), dtype=np.int64), parts.edges[:0]), changed)
    around = with_entries(links, enlarged.vertex_start, enlarged.vertices, graph.source_size)
    # Of all entries between the members, only those with an added vertex are new.
    number = np.repeat(changed, np.diff(around.edge_start))
    added = np.unique((part << 32) | vertex)
    ends = [(number << 32) | side[around.edges] for side in (graph.source, graph.target)]
    new = np.isin(ends[0], added) | np.isin(ends[1], added)
    before = np.repeat(np.arange(len(parts)), np.diff(parts.edge_start))
    edge_start, edges = group(
        np.concatenate([before, number[new]]), np.concatenate([parts.edges, around.edges[new]]), len(parts)
    )
    return Parts(start, members, edge_start, edges)

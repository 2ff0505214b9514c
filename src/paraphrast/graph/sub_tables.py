"""Split a phrase graph into sub-phrase-tables C = D ∪ F (Martzoukos & Monz 2012, §2.1): the steps in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.graph.components import Explorer, group, join, with_entries
from paraphrast.graph.decompose import Round, decompose
from paraphrast.graph.merge import by_size, merge_parts
from paraphrast.graph.options import DecomposeOptions
from paraphrast.graph.phrase_graph import adjacency
from paraphrast.graph.records import PhraseGraph, SubTables
from paraphrast.graph.residues import Leftovers, ResidueRound, place_residues


@dataclass(frozen=True)
class DecomposeReport:
    """Statistics of the way from P to its sub-tables; sizes are numbers of vertices, descending.

    vertices, entries: of P. components: sizes of P's components (figure 5). rounds: of the decomposition of the giants.
    giant_parts: sizes of their parts, with cut vertices put back (inset of figure 5). residues: of the giants.
    residue_rounds: each residue graph. leftovers: residues that no residue graph placed.
    merged: number of parts merged into another. before, after: sizes of all of C before and after (figure 6).
    decomposed: number of parts in D at the end; the others are F. covered: entries of P that are in any part; the
    others join two cut vertices without a common part.
    """

    vertices: int
    entries: int
    components: NDArray[np.int64]
    rounds: tuple[Round, ...]
    giant_parts: NDArray[np.int64]
    residues: int
    residue_rounds: tuple[ResidueRound, ...]
    leftovers: Leftovers
    merged: int
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    decomposed: int
    covered: int


def sub_tables(
    graph: PhraseGraph,
    options: DecomposeOptions | None = None,
    report: Callable[[str], None] | None = None,
) -> tuple[SubTables, DecomposeReport]:
    """Split a phrase graph into sub-phrase-tables that are small enough to cluster. ``report`` is called at each step.

    F are the unchanged components of P with at most θ vertices. The larger ones are decomposed, residues are placed,
    and small parts merged: these are D. Every vertex with an entry is in a sub-table; in D it may be in several. D
    comes first, sorted by size with the largest first, then F in the same order.
    """
    options = options or DecomposeOptions()
    tell = report or (lambda _: None)
    links = adjacency(graph)
    vertices = np.flatnonzero(links.degree > 0).astype(np.int32)
    walk = Explorer(links).walk(vertices)
    giant = walk.size > options.largest
    tell(
        f"{len(vertices):,} vertices, {len(graph.source):,} entries, {len(walk.size):,} components, "
        f"giants of {', '.join(f'{size:,}' for size in _descending(walk.size[giant])) or 'none'}"
    )
    small = np.flatnonzero(~giant[walk.label])
    start, members = group(
        (np.cumsum(~giant) - 1)[walk.label[small]].astype(np.int64), vertices[small], int((~giant).sum())
    )
    untouched = by_size([with_entries(links, start, members, graph.source_size)])

    inside = vertices[giant[walk.label]]
    decomposed = decompose(links, inside, links.degree, graph.source_size, options)
    residues = len(inside) - len(np.unique(decomposed.parts.vertices))
    tell(f"{len(decomposed.rounds)} rounds, {len(decomposed.parts):,} parts, {residues:,} residues")
    parts, residue_rounds, leftovers = place_residues(graph, links, decomposed.parts, inside, options)
    for figures in residue_rounds:
        tell(
            f"residue graph: {figures.vertices:,} vertices, {figures.components:,} components, "
            f"{figures.giants} giants; {figures.residues:,} residues, then {figures.left:,}"
        )
    merged, movers = merge_parts(links, parts, graph.source_size, options.merge_up_to)
    tell(f"{len(parts):,} parts merged to {len(merged):,}; beside them {len(untouched):,} small components")
    everything = join([merged, untouched])
    result = SubTables(
        everything.vertex_start,
        everything.vertices,
        everything.edge_start,
        everything.edges,
        np.arange(len(everything)) < len(merged),
    )
    return result, DecomposeReport(
        vertices=len(vertices),
        entries=len(graph.source),
        components=_descending(walk.size),
        rounds=decomposed.rounds,
        giant_parts=_descending(decomposed.parts.sizes),
        residues=residues,
        residue_rounds=residue_rounds,
        leftovers=leftovers,
        merged=movers,
        before=_descending(np.concatenate([parts.sizes, untouched.sizes])),
        after=_descending(np.diff(result.vertex_start)),
        decomposed=len(merged),
        covered=len(np.unique(result.edges)),
    )


def _descending(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return -np.sort(-sizes)

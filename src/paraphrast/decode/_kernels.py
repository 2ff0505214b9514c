"""Decoding a run of items: lattice, forward search, n-best, with one set of scratch arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, kernel
from paraphrast.decode._kernels_cube import search_cube
from paraphrast.decode._kernels_forward import first_beam, search_forward
from paraphrast.decode._kernels_future import Problem, estimate
from paraphrast.decode._kernels_graph import A_EDGE, Graph, first_graph, unchanged_score
from paraphrast.decode._kernels_lattice import (
    E_END,
    E_LEFT,
    E_NUMBER,
    E_RIGHT,
    E_SPLIT,
    E_START,
    ItemLattice,
    fill_lattice,
    first_lattice,
)
from paraphrast.decode._kernels_nbest import (
    D_ARC,
    D_BEFORE,
    Derivations,
    enumerate_best,
    first_derivations,
)
from paraphrast.decode._kernels_scratch import grown_rows, wide
from paraphrast.decode._kernels_swap import add_swaps
from paraphrast.decode.arrays import OptionArrays
from paraphrast.decode.scoring import EdgeRows, Items, Limits, Results, Scoring
from paraphrast.types import PackedNgrams

#: Columns of an edit, as in :class:`~paraphrast.decode.scoring.Results`.
EDIT_COLUMNS = 6
_FIRST_EDITS = 4096


@inner_inline_kernel
def _unchanged_hash(lattice: ItemLattice) -> np.uint64:
    """The hash of the unchanged item as an output."""
    output = np.uint64(0)
    for position in range(len(lattice.begin) - 1):
        edge = lattice.begin[position]
        output = output * lattice.hash[edge, 0] + lattice.hash[edge, 1]
    return output


@inner_inline_kernel
def _put_edits(
    edits: NDArray[np.int32],
    count: int,
    lattice: ItemLattice,
    graph: Graph,
    derivations: Derivations,
    derivation: int,
) -> int:
    """Write the edits of a derivation from left to right; returns the number of edits after that."""
    first = count
    arc = wide(derivations.rows[derivation, D_ARC])
    while arc >= 0:
        edge = wide(graph.arcs[arc, A_EDGE])
        if lattice.edges[edge, E_NUMBER] >= 0:
            edits[count, 0] = lattice.edges[edge, E_NUMBER]
            edits[count, 1] = lattice.edges[edge, E_START]
            edits[count, 2] = lattice.edges[edge, E_END]
            edits[count, 3] = lattice.edges[edge, E_LEFT]
            edits[count, 4] = lattice.edges[edge, E_RIGHT]
            edits[count, 5] = lattice.edges[edge, E_SPLIT]
            count += 1
        derivation = wide(derivations.rows[derivation, D_BEFORE])
        arc = wide(derivations.rows[derivation, D_ARC])
    for offset in range((count - first) // 2):  # reverse: they were written from right to left
        left, right = first + offset, count - 1 - offset
        for column in range(EDIT_COLUMNS):
            edits[left, column], edits[right, column] = edits[right, column], edits[left, column]
    return count


@kernel
def decode_items(
    options: OptionArrays,
    ngrams: PackedNgrams,
    items: Items,
    first_item: int,
    rows: EdgeRows,
    scoring: Scoring,
    limits: Limits,
) -> Results:
    """The n best rewrites of the items from ``first_item`` on whose edges are ``rows``."""
    item_count = len(rows.begin) - 1
    hypothesis_begin = np.zeros(item_count + 1, dtype=np.int64)
    score = np.empty(item_count * limits.wanted, dtype=np.float64)
    edit_begin = np.zeros(item_count * limits.wanted + 1, dtype=np.int64)
    edits = np.empty((_FIRST_EDITS, EDIT_COLUMNS), dtype=np.int32)
    hypothesis_count, edit_count = 0, 0
    lattice, graph, beam, derivations = first_lattice(), first_graph(), first_beam(), first_derivations()
    best = np.empty(limits.wanted, dtype=np.int32)
    is_cube = limits.beam > 0 and limits.pops > 0 and limits.must_count == 0
    for item in range(item_count):
        hypothesis_begin[item + 1] = hypothesis_count
        begin, end = items.starts[first_item + item], items.starts[first_item + item + 1]
        size = end - begin
        tokens, breaks = items.tokens[begin:end], items.breaks[begin:end]
        lattice = fill_lattice(options, tokens, rows, item, scoring, limits, lattice)
        if limits.window > 1:
            protected = items.protected[begin:end]
            lattice = add_swaps(options, tokens, breaks, protected, scoring, limits, lattice)
        if lattice.begin[size] == size:  # nothing but kept tokens
            continue
        problem = Problem(tokens, breaks, lattice, scoring, limits)
        estimates = estimate(ngrams, problem, is_cube)
        if is_cube:
            graph, beam = search_cube(ngrams, problem, estimates, graph, beam)
        else:
            graph, beam = search_forward(ngrams, problem, estimates.future, graph, beam)
        if graph.heads[size] < 0:
            continue
        max_steps = limits.effort * limits.wanted * (size + 1)
        number, derivations = enumerate_best(
            graph, lattice.hash, _unchanged_hash(lattice), max_steps, best, derivations
        )
        if edit_count + number * size > len(edits):
            edits = grown_rows(edits, edit_count, 2 * len(edits) + number * size)
        base = unchanged_score(ngrams, problem) if number > 0 else 0.0
        for index in range(number):
            derivation = wide(best[index])
            score[hypothesis_count] = derivations.score[derivation] - base
            edit_count = _put_edits(edits, edit_count, lattice, graph, derivations, derivation)
            hypothesis_count += 1
            edit_begin[hypothesis_count] = edit_count
        hypothesis_begin[item + 1] = hypothesis_count
    return Results(
        hypothesis_begin,
        score[:hypothesis_count],
        edit_begin[: hypothesis_count + 1],
        edits[:edit_count],
    )

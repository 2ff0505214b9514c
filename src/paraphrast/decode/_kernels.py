"""Decoding a run of items: lattice, forward search, n-best, with one set of scratch arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel
from paraphrast.decode._kernels_cube import search_cube
from paraphrast.decode._kernels_forward import search_forward
from paraphrast.decode._kernels_future import estimate_edges, fill_future
from paraphrast.decode._kernels_graph import A_COLUMNS, A_EDGE, N_COLUMNS, unchanged_score
from paraphrast.decode._kernels_lattice import (
    E_COLUMNS,
    E_END,
    E_OPTION,
    E_SECOND,
    E_SPLIT,
    E_START,
    fill_edges,
)
from paraphrast.decode._kernels_nbest import D_ARC, D_BEFORE, D_COLUMNS, L_COLUMNS, enumerate_best
from paraphrast.decode._kernels_scratch import grown_rows, grown_scores, wide
from paraphrast.decode._kernels_swap import add_swaps
from paraphrast.decode.arrays import OptionArrays
from paraphrast.decode.scoring import EdgeScores, Limits, Scoring
from paraphrast.types import PackedNgrams

_SCRATCH = 4096
#: Columns of an edit: start, end, option, option of the phrase put first, place between the two or −1.
EDIT_COLUMNS = 5


@kernel
def decode_items(
    options: OptionArrays,
    ngrams: PackedNgrams,
    tokens: NDArray[np.int32],
    starts: NDArray[np.int64],
    breaks: NDArray[np.uint8],
    protected: NDArray[np.uint8],
    span_category: NDArray[np.uint8],
    first_item: int,
    last_item: int,
    scoring: Scoring,
    limits: Limits,
    extra: EdgeScores,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int32]]:
    """The n best rewrites of items ``first_item … last_item``.

    span_category may be empty: nothing known. Returns hypothesis_begin int64[items + 1], score float64[h] (less
    that of the unchanged item), edit_begin int64[h + 1], edits int32[e, 5] (start, end, option, and for swapped
    phrases the second one's option and the place between the two), from left to right.
    """
    items = last_item - first_item
    hypothesis_begin = np.zeros(items + 1, dtype=np.int64)
    hypothesis_score = np.empty(items * limits.wanted, dtype=np.float64)
    edit_begin = np.zeros(items * limits.wanted + 1, dtype=np.int64)
    edits = np.empty((_SCRATCH, EDIT_COLUMNS), dtype=np.int32)
    hypothesis_count, edit_count = 0, 0

    edge_array = np.empty((_SCRATCH, E_COLUMNS), dtype=np.int32)
    edge_score = np.empty(_SCRATCH, dtype=np.float64)
    edge_hash = np.empty((_SCRATCH, 2), dtype=np.uint64)
    words = np.empty(_SCRATCH, dtype=np.int32)
    estimate = np.empty(_SCRATCH, dtype=np.float64)
    nodes = np.empty((_SCRATCH, N_COLUMNS), dtype=np.int32)
    node_score = np.empty(_SCRATCH, dtype=np.float64)
    arcs = np.empty((4 * _SCRATCH, A_COLUMNS), dtype=np.int32)
    arc_score = np.empty(4 * _SCRATCH, dtype=np.float64)
    table = np.empty(4 * _SCRATCH, dtype=np.int32)
    chosen = np.empty((_SCRATCH, 2), dtype=np.int32)
    chosen_score = np.empty(_SCRATCH, dtype=np.float64)
    found = np.empty(limits.wanted, dtype=np.int32)
    lists = np.empty((_SCRATCH, L_COLUMNS), dtype=np.int32)
    heap_begin = np.empty(_SCRATCH, dtype=np.int64)
    heap = np.empty((_SCRATCH, 2), dtype=np.int32)
    heap_score = np.empty(_SCRATCH, dtype=np.float64)
    derivations = np.empty((_SCRATCH, D_COLUMNS), dtype=np.int32)
    derivation_score = np.empty(_SCRATCH, dtype=np.float64)
    derivation_hash = np.empty((_SCRATCH, 1), dtype=np.uint64)
    seen = np.empty(2 * _SCRATCH, dtype=np.int32)

    for item in range(first_item, last_item):
        begin, end = starts[item], starts[item + 1]
        size = end - begin
        number = 0
        if size > 0:
            item_tokens = tokens[begin:end]
            item_breaks = breaks[begin:end]
            item_categories = span_category[begin:end] if len(span_category) > 0 else span_category
            edge_begin = np.empty(size + 1, dtype=np.int64)
            edge_array, edge_score, edge_hash, words = fill_edges(
                options,
                item_tokens,
                item_breaks,
                protected[begin:end],
                item_categories,
                scoring,
                limits,
                extra,
                item,
                edge_begin,
                edge_array,
                edge_score,
                edge_hash,
                words,
            )
            if limits.window > 1:
                edge_begin, edge_array, edge_score, edge_hash, words = add_swaps(
                    options,
                    item_tokens,
                    item_breaks,
                    protected[begin:end],
                    scoring,
                    limits,
                    edge_begin,
                    edge_array,
                    edge_score,
                    edge_hash,
                    words,
                )
            if edge_begin[size] > size:
                cube = limits.beam > 0 and limits.pops > 0 and limits.must_count == 0
                kept_score = np.empty(size, dtype=np.float64)
                future = np.empty((size + 1, len(scoring.first_use) if limits.beam > 0 else 0))
                if cube or future.shape[1] > 0:
                    if edge_begin[size] > len(estimate):
                        estimate = grown_scores(estimate, 0, 2 * edge_begin[size])
                    estimate_edges(
                        ngrams,
                        item_tokens,
                        item_breaks,
                        edge_begin,
                        edge_array,
                        edge_score,
                        words,
                        scoring,
                        estimate,
                        kept_score,
                    )
                if future.shape[1] > 0:
                    fill_future(
                        item_breaks, edge_begin, edge_array, estimate, kept_score, scoring, limits, future
                    )
                if cube:
                    node_count, final, nodes, node_score, arcs, arc_score, table, chosen, chosen_score = (
                        search_cube(
                            ngrams,
                            item_breaks,
                            edge_begin,
                            edge_array,
                            edge_score,
                            words,
                            scoring,
                            limits,
                            estimate,
                            future,
                            nodes,
                            node_score,
                            arcs,
                            arc_score,
                            table,
                            chosen,
                            chosen_score,
                        )
                    )
                else:
                    node_count, final, nodes, node_score, arcs, arc_score, table, chosen, chosen_score = (
                        search_forward(
                            ngrams,
                            item_breaks,
                            edge_begin,
                            edge_array,
                            edge_score,
                            words,
                            scoring,
                            limits,
                            future,
                            nodes,
                            node_score,
                            arcs,
                            arc_score,
                            table,
                            chosen,
                            chosen_score,
                        )
                    )
                if final >= 0:
                    unchanged_hash = np.uint64(0)
                    for position in range(size):
                        edge = edge_begin[position]
                        unchanged_hash = unchanged_hash * edge_hash[edge, 0] + edge_hash[edge, 1]
                    (
                        number,
                        lists,
                        heap_begin,
                        heap,
                        heap_score,
                        derivations,
                        derivation_score,
                        derivation_hash,
                        seen,
                    ) = enumerate_best(
                        final,
                        node_count,
                        size,
                        nodes,
                        node_score,
                        arcs,
                        arc_score,
                        edge_hash,
                        unchanged_hash,
                        limits.wanted,
                        limits.effort * limits.wanted * (size + 1),
                        found,
                        lists,
                        heap_begin,
                        heap,
                        heap_score,
                        derivations,
                        derivation_score,
                        derivation_hash,
                        seen,
                    )
        if number > 0:
            base = unchanged_score(ngrams, tokens[begin:end], breaks[begin:end], scoring)
            if edit_count + number * size > len(edits):
                edits = grown_rows(edits, edit_count, 2 * len(edits) + number * size)
            for index in range(number):
                hypothesis_score[hypothesis_count] = derivation_score[found[index]] - base
                first_edit = edit_count
                derivation = wide(found[index])
                while derivations[derivation, D_ARC] >= 0:
                    edge = wide(arcs[derivations[derivation, D_ARC], A_EDGE])
                    if edge_array[edge, E_OPTION] >= 0 or edge_array[edge, E_SPLIT] >= 0:
                        edits[edit_count, 0] = edge_array[edge, E_START]
                        edits[edit_count, 1] = edge_array[edge, E_END]
                        edits[edit_count, 2] = edge_array[edge, E_OPTION]
                        edits[edit_count, 3] = edge_array[edge, E_SECOND]
                        edits[edit_count, 4] = edge_array[edge, E_SPLIT]
                        edit_count += 1
                    derivation = wide(derivations[derivation, D_BEFORE])
                for offset in range((edit_count - first_edit) // 2):  # found from right to left
                    left, right = first_edit + offset, edit_count - 1 - offset
                    for column in range(EDIT_COLUMNS):
                        edits[left, column], edits[right, column] = edits[right, column], edits[left, column]
                hypothesis_count += 1
                edit_begin[hypothesis_count] = edit_count
        hypothesis_begin[item - first_item + 1] = hypothesis_count
    return (
        hypothesis_begin,
        hypothesis_score[:hypothesis_count].copy(),
        edit_begin[: hypothesis_count + 1].copy(),
        edits[:edit_count].copy(),
    )

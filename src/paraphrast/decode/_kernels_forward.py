"""Viterbi over the lattice: hypotheses with the same language-model state are combined, and all arcs are kept.

Quirk et al. (2004, §3.4) find the best path by dynamic programming. A node here is (position, language model state,
number of edits if it is limited, required sequences inserted and tables used). All arcs into a node are kept, so that
the n-best search walks the same graph. Search is monotone: all nodes of a position have the same source words left, so
their rest costs are equal, and the beam ranks by the score so far and by what unused tables can still gain.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_kernel
from paraphrast._numeric import start_state
from paraphrast.decode._kernels_future import Problem, future_of
from paraphrast.decode._kernels_graph import (
    N_BITS,
    N_NEXT,
    Graph,
    add_arc,
    begin_graph,
    grown_graph,
    has_room,
)
from paraphrast.decode._kernels_scratch import drop_top, grown_rows, grown_scores, heapify, wide
from paraphrast.decode.scoring import Limits
from paraphrast.types import PackedNgrams

_FIRST_CHOICES = 4096


class Beam(NamedTuple):
    """The nodes of one position as a heap. node: int32[·, 2], node and required sequences; score: float64[·]."""

    node: NDArray[np.int32]
    score: NDArray[np.float64]


@inner_kernel
def first_beam() -> Beam:
    """Scratch memory for the first position."""
    return Beam(np.empty((_FIRST_CHOICES, 2), dtype=np.int32), np.empty(_FIRST_CHOICES, dtype=np.float64))


@inner_kernel
def select(
    graph: Graph, position: int, limits: Limits, future: NDArray[np.float64], beam: Beam
) -> tuple[int, int, Beam]:
    """``(begin, end, beam)``: ``beam.node[begin:end, 0]`` are the nodes of one position to expand, best last.

    With a beam, these are the best ``beam`` nodes of each set of required sequences: inserting one costs score, and
    hypotheses that did must not be crowded out by those that did not. Ties go to the node added first. Without a beam,
    all nodes, unsorted.
    """
    count = 0
    must_all = (wide(1) << wide(limits.must_count)) - 1
    node = wide(graph.heads[position])
    while node >= 0:
        if count == len(beam.node):
            beam = Beam(grown_rows(beam.node, count, 2 * count), grown_scores(beam.score, count, 2 * count))
        bits = wide(graph.nodes[node, N_BITS])
        beam.node[count, 0] = node
        beam.node[count, 1] = bits & must_all
        beam.score[count] = graph.node_score[node]
        if future.shape[1] > 0:
            beam.score[count] += future_of(bits, limits, position, future)
        count += 1
        node = wide(graph.nodes[node, N_NEXT])
    if limits.beam == 0 or (limits.pops == 0 and count <= limits.beam):
        return 0, count, beam
    heapify(beam.node, beam.score, 0, count)
    chosen_with = np.zeros(must_all + 1, dtype=np.int64)
    begin = count  # the chosen nodes gather at the end, best last
    left = count
    while left > 0:
        bits = wide(beam.node[0, 1])
        drop_top(beam.node, beam.score, 0, left)
        left -= 1
        if chosen_with[bits] < limits.beam:
            chosen_with[bits] += 1
            begin -= 1
            beam.node[begin, 0] = beam.node[left, 0]
            beam.score[begin] = beam.score[left]
            if must_all == 0 and count - begin == limits.beam:
                break
    return begin, count, beam


@inner_kernel
def search_forward(
    ngrams: PackedNgrams, problem: Problem, future: NDArray[np.float64], graph: Graph, beam: Beam
) -> tuple[Graph, Beam]:
    """Expand every selected node by every edge, position by position; the memory may have grown.

    The paths end in the node ``graph.heads[-1]``, −1 if there is none.
    """
    size, lattice = len(problem.breaks), problem.lattice
    begin_state = start_state(ngrams)
    graph = begin_graph(begin_state, size, graph)
    for position in range(size):
        begin, end, beam = select(graph, position, problem.limits, future, beam)
        fan = lattice.begin[position + 1] - lattice.begin[position]
        room = fan * (end - begin)
        if not has_room(graph, room):
            graph = grown_graph(graph, room)
        for index in range(end - 1, begin - 1, -1):
            tail = wide(beam.node[index, 0])
            for edge in range(lattice.begin[position], lattice.begin[position + 1]):
                add_arc(ngrams, problem, begin_state, graph, tail, edge)
    return graph, beam

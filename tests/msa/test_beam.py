"""The compiled beam against a plain twin on random graphs, sources and costs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from paraphrast._numeric import advance, start_state
from paraphrast.fusion.sentences import lm_view
from paraphrast.msa import _kernels_beam
from paraphrast.msa.align import align_cluster
from paraphrast.msa.cluster import make_cluster
from paraphrast.msa.graph import END, START, WordGraph, word_graph
from paraphrast.msa.match import VERSIONS
from paraphrast.msa.rank import LmView
from paraphrast.text.languages.registry import get_language
from paraphrast.types import SENTENCE_END

ENGLISH = get_language("en")


@dataclass(frozen=True)
class Costs:
    lm: float
    change: float
    indirect: float
    bonus: float


@dataclass(frozen=True)
class Path:
    """What the twin keeps of a path: its nodes, and all that a slot of the kernel holds."""

    nodes: tuple[int, ...]
    score: float
    changes: int
    told: float
    run: frozenset[int]
    state: int


#: For every edge (tail, head): a sentence of the tail → the edge's sentences that fit it there.
Joints = dict[tuple[int, int], dict[int, frozenset[int]]]


def plain_search(
    graph: WordGraph,
    view: LmView,
    gains: dict[tuple[int, int], float],
    joints: Joints,
    costs: Costs,
    buckets: int,
    beam: int,
) -> tuple[dict[int, list[list[Path]]], dict[tuple[int, ...], tuple[float, int]]]:
    """The paths kept at every node, and for those that may end there log p of the end and whether it is a change."""
    everything = frozenset(range(len(graph.paths)))
    kept: dict[int, list[list[Path]]] = {
        node: [[] for _ in range(buckets)] for node in range(len(graph.words))
    }
    kept[START][0] = [Path((), 0.0, 0, 0.0, everything, int(start_state(view.arrays)))]
    ended: dict[tuple[int, ...], tuple[float, int]] = {}
    ids = view.of(graph.words).tolist()
    for node in graph.order:
        for path in [one for bucket in kept[node] for one in bucket]:
            for head, found in graph.after[node].items():
                run = path.run & frozenset(found)
                change, cost = 0, 0.0
                if not run:
                    change = 1
                    fit = joints[node, head]
                    run = frozenset().union(*(fit[one] for one in path.run if one in fit))
                    if not fit:
                        run = frozenset(found)
                    elif not run:
                        run, cost = frozenset(found), costs.indirect
                if cost == float("inf"):
                    continue
                if cost == float("inf"):
                    continue
                if head == END:
                    ended[path.nodes] = (advance(view.arrays, path.state, SENTENCE_END)[1], change)
                    continue
                state, log_prob = advance(view.arrays, path.state, ids[head])
                score = path.score + costs.lm * log_prob + gains[node, head] + costs.bonus
                made = Path(
                    (*path.nodes, head),
                    score - (costs.change * change + cost),
                    path.changes + change,
                    path.told + log_prob,
                    run,
                    int(state),
                )
                bucket = kept[head][min(made.changes, buckets - 1)]
                if len(bucket) == beam and bucket[-1].score >= made.score:
                    continue
                spelled = [graph.words[one] for one in made.nodes]
                twins = [
                    (other, one)
                    for other in kept[head]
                    for one in other
                    if [graph.words[place] for place in one.nodes] == spelled
                ]
                if any(one.score >= made.score for _, one in twins):
                    continue
                for other, one in twins:
                    other.remove(one)
                bucket.append(made)
                bucket.sort(key=lambda one: -one.score)  # stable: of equal ones the earlier stays ahead
                del bucket[beam:]
    return kept, ended


@pytest.mark.parametrize("seed", range(25))
def test_the_beam_equals_a_plain_twin(seed: int) -> None:
    random = np.random.default_rng(seed)
    many = seed % 5 == 0  # more sentences than one block of bits holds
    rows = [
        " ".join(random.choice(list("abcdefgh"), size=random.integers(2, 8)).tolist())
        for _ in range(70 if many else random.integers(2, 6))
    ]
    cluster = make_cluster(rows, ENGLISH, pretokenized=True)
    graph = word_graph(cluster, align_cluster(cluster, VERSIONS["V1"]))
    view = lm_view(cluster, None)
    blocks = (len(cluster) + 63) // 64
    edges = [(tail, head) for tail, after in enumerate(graph.after) for head in after]
    gains = {edge: float(random.normal()) for edge in edges}
    joints: Joints = {}
    for tail, head in edges:
        here, found = graph.sentences[tail], graph.after[tail][head]
        given = here if random.random() < 0.7 else ()
        joints[tail, head] = {
            one: frozenset(other for other in found if random.random() < 0.5) for one in given
        }
    costs = Costs(*random.choice([0.0, 0.5, 1.0, 3.0], size=4).tolist())
    if seed % 3 == 0:
        costs = replace(costs, indirect=float("inf"))
    buckets, beam = int(random.integers(1, 4)), int(random.integers(1, 5))

    def bits(sentences: frozenset[int]) -> list[int]:
        value = sum(1 << one for one in sentences)
        return [(value >> (64 * block)) & (2**64 - 1) for block in range(blocks)]

    begin = np.cumsum([0, *(len(after) for after in graph.after)]).astype(np.int64)
    joint_begin = np.cumsum([0, *(len(joints[edge]) for edge in edges)]).astype(np.int64)
    fitting = [(one, bits(fit)) for edge in edges for one, fit in joints[edge].items()]
    result = _kernels_beam.search(
        view.arrays,
        np.array(graph.order, dtype=np.int32),
        begin,
        np.array([head for _, head in edges], dtype=np.int32),
        np.array([gains[edge] for edge in edges]),
        np.array([bits(frozenset(graph.after[t][h])) for t, h in edges], dtype=np.uint64),
        joint_begin,
        np.array([one for one, _ in fitting], dtype=np.int32),
        np.array([row for _, row in fitting], dtype=np.uint64).reshape(len(fitting), blocks),
        view.of(graph.words),
        np.array([sorted(set(graph.words)).index(word) for word in graph.words], dtype=np.int32),
        costs.lm,
        costs.change,
        costs.indirect,
        costs.bonus,
        buckets,
        beam,
    )
    score, back, changes, words, told, ended, end_change = result
    kept, ends = plain_search(graph, view, gains, joints, costs, buckets, beam)
    for node in range(len(graph.words)):
        for bucket in range(buckets):
            slots = range(bucket * beam, (bucket + 1) * beam)
            assert sum(score[node, slot] > -np.inf for slot in slots) == len(kept[node][bucket])
            for slot, path in zip(slots, kept[node][bucket], strict=False):
                assert score[node, slot] == pytest.approx(path.score, abs=1e-9)
                assert nodes_of(back, buckets * beam, node, slot) == path.nodes
                assert changes[node, slot] == path.changes
                assert words[node, slot] == len(path.nodes)
                assert told[node, slot] == pytest.approx(path.told, abs=1e-9)
                if path.nodes in ends:
                    assert ended[node, slot] == pytest.approx(ends[path.nodes][0], abs=1e-9)
                    assert end_change[node, slot] == ends[path.nodes][1]
                else:
                    assert ended[node, slot] == -np.inf


def nodes_of(back: np.ndarray, slots: int, node: int, slot: int) -> tuple[int, ...]:
    found: list[int] = []
    while node != START:
        found.append(node)
        node, slot = divmod(int(back[node, slot]), slots)
    return tuple(reversed(found))

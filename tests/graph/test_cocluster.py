"""Co-clustering against relative entropies by the book, on random tables; and what it makes of plain ones."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.graph import (
    Clusters,
    CoclusterOptions,
    DecomposeOptions,
    PhraseGraph,
    cocluster,
    sub_tables,
)
from paraphrast.graph._kernels_cocluster import compact, step
from phrase_graphs import large_graph, make_graph, plain_costs, random_graphs


def take_step(
    joint: np.ndarray,
    label: list[int],
    other_label: list[int],
    alpha: float,
    width: int = 1,
    least: float = 0.0,
) -> tuple[np.ndarray, float]:
    """One step of the kernel on a dense table of counts."""
    start = np.concatenate([[0], np.cumsum((joint > 0).sum(axis=1))]).astype(np.int64)
    other = np.nonzero(joint)[1].astype(np.int32)
    chosen = np.full((len(label), width), -7, dtype=np.int32)
    cost = step(
        start,
        other,
        joint[joint > 0].astype(np.float64),
        np.array(label, dtype=np.int32),
        max(label) + 1,
        np.array(other_label, dtype=np.int32),
        max(other_label) + 1,
        alpha,
        least,
        chosen,
    )
    return chosen, float(cost)


@st.composite
def labelled_tables(draw: st.DrawFn) -> tuple[np.ndarray, list[int], list[int]]:
    """Counts without empty rows or columns, and cluster numbers without gaps for both sides."""
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    cells = draw(st.lists(st.integers(-6, 9), min_size=rows * columns, max_size=rows * columns))
    joint = np.maximum(np.array(cells).reshape(rows, columns), 0)
    joint[np.arange(rows), np.arange(rows) % columns] += 1
    joint[np.arange(columns) % rows, np.arange(columns)] += 1
    labels = []
    for size in (rows, columns):
        label = np.array(
            draw(st.lists(st.integers(0, size - 1), min_size=size, max_size=size)), dtype=np.int32
        )
        compact(label, size)
        labels.append(label.tolist())
    return joint, labels[0], labels[1]


@settings(max_examples=200, deadline=None)
@given(labelled_tables(), st.sampled_from([1e6, 10.0, 1.0, 0.01, 1e-6]))
def test_a_step_takes_the_lowest_relative_entropy(
    table: tuple[np.ndarray, list[int], list[int]], alpha: float
) -> None:
    joint, label, other_label = table
    chosen, cost = take_step(joint, label, other_label, alpha, width=8)
    costs, mass = plain_costs(joint, label, other_label, alpha)
    assert cost == pytest.approx(float(mass @ costs.min(axis=1)), abs=1e-9)
    # Against the entropies relative to the prior, in units of 1/α where that is large: differences are that small.
    near = 1e-9 / max(alpha, 1)
    for x, clusters in enumerate(chosen):
        taken = [int(c) for c in clusters if c >= 0]
        assert len(set(taken)) == len(taken) >= 1
        by_cost = [costs[x, c] for c in taken]
        assert by_cost[0] <= costs[x].min() + near
        assert all(a <= b + near for a, b in itertools.pairwise(by_cost))
        left_out = set(range(max(label) + 1)) - set(taken)
        # Only clusters that share nothing with a phrase are left out when all that save anything are asked for.
        assert all(costs[x, c] >= by_cost[-1] - near for c in left_out)


@settings(max_examples=100, deadline=None)
@given(labelled_tables())
def test_without_smoothing_cost_never_rises(table: tuple[np.ndarray, list[int], list[int]]) -> None:
    """With next to no prior this is co-clustering of 2003: the loss in mutual information falls with each step."""
    joint, label, other_label = table
    lost = math.inf
    for _ in range(4):
        for transposed in (False, True):
            own, others = (other_label, label) if transposed else (label, other_label)
            fresh = take_step(joint.T if transposed else joint, own, others, 1e-9)[0][:, 0].copy()
            compact(fresh, len(fresh))
            if transposed:
                other_label = fresh.tolist()
            else:
                label = fresh.tolist()
            now = mutual_information(joint, list(range(len(joint))), list(range(joint.shape[1])))
            now -= mutual_information(joint, label, other_label)
            assert now <= lost + 1e-6
            lost = now


def mutual_information(joint: np.ndarray, label: list[int], other_label: list[int]) -> float:
    merged = np.zeros((max(label) + 1, max(other_label) + 1))
    np.add.at(merged, (np.array(label)[:, None], np.array(other_label)[None, :]), joint / joint.sum())
    rows, columns = merged.sum(axis=1), merged.sum(axis=0)
    return sum(p * math.log(p / (rows[i] * columns[j])) for (i, j), p in np.ndenumerate(merged) if p > 0)


@settings(max_examples=100, deadline=None)
@given(labelled_tables(), st.sampled_from([1e6, 1.0, 0.01]))
def test_at_fixed_clusters_a_step_never_costs_more_than_staying(
    table: tuple[np.ndarray, list[int], list[int]], alpha: float
) -> None:
    joint, label, other_label = table
    _, cost = take_step(joint, label, other_label, alpha)
    costs, mass = plain_costs(joint, label, other_label, alpha)
    assert cost <= float(mass @ costs[np.arange(len(label)), label]) + 1e-9


def test_equals_go_to_the_lowest_number() -> None:
    chosen, _ = take_step(np.array([[2, 0], [5, 0], [1, 0]]), [0, 1, 2], [0, 1], 1e6, width=3)
    assert chosen.tolist() == [[0, 1, 2]] * 3


def test_a_phrase_is_nearer_to_a_plain_one_than_to_itself() -> None:
    """Why singletons merge: at large α what counts is the inner product, .6 here against .52 with itself."""
    joint = np.array([[6, 4], [9, 0]])
    assert take_step(joint, [0, 1], [0, 1], 1e6)[0].tolist() == [[1], [1]]
    assert take_step(joint, [0, 1], [0, 1], 0.01)[0].tolist() == [[0], [1]]


def test_a_further_cluster_has_to_save_enough() -> None:
    joint = np.array([[5, 5, 0], [9, 0, 0], [0, 9, 1]])
    assert take_step(joint, [0, 1, 2], [0, 1, 2], 1.0, width=3, least=0.0)[0][0].tolist() == [0, 1, 2]
    assert take_step(joint, [0, 1, 2], [0, 1, 2], 1.0, width=3, least=1.0)[0][0].tolist()[1:] == [-1, -1]


def cluster_lists(clusters: Clusters) -> list[list[int]]:
    return [part.tolist() for part in np.split(clusters.members, clusters.member_start[1:-1])]


def test_synonyms_gather_around_their_translation() -> None:
    """Two meanings of three words each, both sides, and one stray count between them."""
    block = {(s, t): 5 + (s + t) % 3 for s in range(3) for t in range(3)}
    other = {(s + 3, t + 3): n for (s, t), n in block.items()}
    graph = make_graph({**block, **other, (0, 3): 1})
    tables, _ = sub_tables(graph)
    source, target = cocluster(graph, tables, CoclusterOptions(soft_clusters=1))
    assert cluster_lists(source) == [[0, 1, 2], [3, 4, 5]]
    assert cluster_lists(target) == [[6, 7, 8], [9, 10, 11]]
    assert source.table_start.tolist() == [0, 2]


@settings(max_examples=60, deadline=None)
@given(random_graphs(), st.integers(1, 3), st.integers(1, 40))
def test_every_phrase_of_a_table_is_in_a_cluster_of_it(graph: PhraseGraph, width: int, rounds: int) -> None:
    tables, _ = sub_tables(graph, DecomposeOptions(largest=6))
    sides = cocluster(graph, tables, CoclusterOptions(soft_clusters=width, rounds=rounds))
    for side, clusters in zip((True, False), sides, strict=True):
        lists = cluster_lists(clusters)
        assert clusters.table_start[0] == 0
        assert clusters.table_start[-1] == len(lists)
        assert all(members == sorted(set(members)) and members for members in lists)
        for table in range(len(tables)):
            vertices = tables.vertices[tables.vertex_start[table] : tables.vertex_start[table + 1]]
            wanted = vertices[(vertices < graph.source_size) == side].tolist()
            own = lists[clusters.table_start[table] : clusters.table_start[table + 1]]
            times = [sum(v in members for members in own) for v in wanted]
            assert all(1 <= n <= width for n in times)
            assert {v for members in own for v in members} == set(wanted)


def test_threads_change_nothing() -> None:
    graph = large_graph(6, 600, 2000)
    tables, _ = sub_tables(graph, DecomposeOptions(largest=50))
    one = cocluster(graph, tables, threads=1)
    for threads in (2, 5):
        for alone, many in zip(one, cocluster(graph, tables, threads=threads), strict=True):
            assert alone.members.tobytes() == many.members.tobytes()
            assert alone.member_start.tobytes() == many.member_start.tobytes()
            assert alone.table_start.tobytes() == many.table_start.tobytes()


def test_fewer_clusters_than_phrases_and_more_than_one() -> None:
    graph = large_graph(7, 600, 2000)
    tables, _ = sub_tables(graph)
    source, _ = cocluster(graph, tables, CoclusterOptions(soft_clusters=1))
    assert 20 < source.table_start[-1] < 0.8 * len(np.unique(graph.source))


def test_no_tables_no_clusters() -> None:
    graph = make_graph([])
    source, target = cocluster(graph, sub_tables(graph)[0])
    assert len(source.members) == len(target.members) == 0
    assert source.table_start.tolist() == [0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha": 0.001},
        {"alpha_end": 0.0},
        {"decay": 0.0},
        {"decay": 1.1},
        {"rounds": 0},
        {"soft_clusters": 0},
        {"soft_share": 1.5},
    ],
)
def test_impossible_options(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        CoclusterOptions(**wrong)  # type: ignore[arg-type]


def test_no_threads() -> None:
    graph = make_graph([(0, 0), (0, 1)])
    with pytest.raises(InputError, match="thread"):
        cocluster(graph, sub_tables(graph)[0], threads=0)

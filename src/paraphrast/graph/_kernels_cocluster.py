"""Compiled information-theoretic co-clustering of sub-phrase-tables, with both sides sparse."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel

#: Savings with a smaller relative difference count as equal, so that the order of sums does not matter.
EQUAL = 1e-12


@kernel
def compact(label: NDArray[np.int32], clusters: int) -> int:
    """Number the clusters in use from 0 by their first member, in place. Returns how many there are."""
    number = np.full(clusters, -1, dtype=np.int32)
    used = 0
    for place in range(len(label)):
        if number[label[place]] < 0:
            number[label[place]] = used
            used += 1
        label[place] = number[label[place]]
    return used


@kernel
def step(
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    weight: NDArray[np.float64],
    label: NDArray[np.int32],
    clusters: int,
    other_label: NDArray[np.int32],
    other_clusters: int,
    alpha: float,
    least: float,
    chosen: NDArray[np.int32],
) -> float:
    """Move the phrases of one side to their clusters of lowest cost, all computed with the old clusters.

    Phrase x has the entries ``start[x]:start[x + 1]``: phrases of the other side and counts. Its cost in cluster x̂
    is D(p(Ŷ|x) ‖ p′(Ŷ|x̂)), p′ = (p(Ŷ|x̂) + α u(Ŷ)) / (1 + α), with u(ŷ) the share of phrases in ŷ. Relative to a
    cluster that shares nothing with x, x̂ saves s = Σ_ŷ p(ŷ|x) log(1 + p(ŷ|x̂) / (α u(ŷ))), so only shared parts count.

    chosen: int32[phrases, width], the clusters of lowest cost, −1 if there are no more or if one saves less than
    ``least`` times the best; ties go to the lowest number. Returns the sum of p(x) · cost of the first.
    """
    size = len(start) - 1
    prior = np.zeros(other_clusters)
    for place in range(len(other_label)):
        prior[other_label[place]] += 1.0 / len(other_label)

    # p(Ŷ|x), sparse; the other side's clusters of a phrase are in order of their first entry.
    seen_other = np.full(other_clusters, -1, dtype=np.int64)
    row_start = np.zeros(size + 1, dtype=np.int64)
    row_cluster = np.empty(len(other), dtype=np.int32)
    row_mass = np.zeros(len(other))
    total = np.zeros(size)
    used = 0
    for phrase in range(size):
        for at in range(start[phrase], start[phrase + 1]):
            cluster = other_label[other[at]]
            if seen_other[cluster] < row_start[phrase]:
                seen_other[cluster] = used
                row_cluster[used] = cluster
                row_mass[used] = 0.0
                used += 1
            row_mass[seen_other[cluster]] += weight[at]
            total[phrase] += weight[at]
        row_start[phrase + 1] = used

    # p(ŷ|x̂), listed by ŷ: phrases sorted by cluster, then the joint mass, then transposed.
    member_start = np.zeros(clusters + 1, dtype=np.int64)
    cluster_total = np.zeros(clusters)
    for phrase in range(size):
        member_start[label[phrase] + 1] += 1
        cluster_total[label[phrase]] += total[phrase]
    for cluster in range(clusters):
        member_start[cluster + 1] += member_start[cluster]
    cursor = member_start[:-1].copy()
    member = np.empty(size, dtype=np.int32)
    for phrase in range(size):
        member[cursor[label[phrase]]] = phrase
        cursor[label[phrase]] += 1
    joint_own = np.empty(used, dtype=np.int32)
    joint_other = np.empty(used, dtype=np.int32)
    joint_mass = np.zeros(used)
    seen_other[:] = -1
    pairs = 0
    list_start = np.zeros(other_clusters + 1, dtype=np.int64)
    for cluster in range(clusters):
        first = pairs
        for place in range(member_start[cluster], member_start[cluster + 1]):
            for at in range(row_start[member[place]], row_start[member[place] + 1]):
                other_cluster = row_cluster[at]
                if seen_other[other_cluster] < first:
                    seen_other[other_cluster] = pairs
                    joint_own[pairs] = cluster
                    joint_other[pairs] = other_cluster
                    list_start[other_cluster + 1] += 1
                    pairs += 1
                joint_mass[seen_other[other_cluster]] += row_mass[at]
    for other_cluster in range(other_clusters):
        list_start[other_cluster + 1] += list_start[other_cluster]
    cursor = list_start[:-1].copy()
    list_cluster = np.empty(pairs, dtype=np.int32)
    list_gain = np.empty(pairs)
    for pair in range(pairs):
        other_cluster = joint_other[pair]
        place = cursor[other_cluster]
        cursor[other_cluster] += 1
        list_cluster[place] = joint_own[pair]
        list_gain[place] = np.log1p(
            joint_mass[pair] / cluster_total[joint_own[pair]] / (alpha * prior[other_cluster])
        )

    # What each cluster saves for each phrase.
    saved = np.zeros(clusters)
    touched = np.empty(clusters, dtype=np.int32)
    seen = np.full(clusters, -1, dtype=np.int64)
    width = chosen.shape[1]
    total_cost = 0.0
    cost = 0.0
    for phrase in range(size):
        total_cost += total[phrase]
    for phrase in range(size):
        count = 0
        alone = 0.0
        for at in range(row_start[phrase], row_start[phrase + 1]):
            share = row_mass[at] / total[phrase]
            other_cluster = row_cluster[at]
            alone += share * (np.log(share / prior[other_cluster]) + np.log1p(1.0 / alpha))
            for place in range(list_start[other_cluster], list_start[other_cluster + 1]):
                cluster = list_cluster[place]
                if seen[cluster] != phrase:
                    seen[cluster] = phrase
                    saved[cluster] = 0.0
                    touched[count] = cluster
                    count += 1
                saved[cluster] += share * list_gain[place]
        best = 0.0
        for rank in range(width):
            chosen[phrase, rank] = -1
        for rank in range(width):
            top = -1.0
            for place in range(count):
                top = max(top, saved[touched[place]])
            if rank == 0:
                best = top
                cost += total[phrase] / total_cost * (alone - top)
            if top < 0.0 or (rank and top < least * best):
                break
            winner = -1
            for place in range(count):
                cluster = touched[place]
                if saved[cluster] >= top * (1.0 - EQUAL) and (winner < 0 or cluster < winner):
                    winner = cluster
            chosen[phrase, rank] = winner
            saved[winner] = -1.0
    return cost


@kernel
def cluster_tables(
    tables: NDArray[np.int64],
    vertex_start: NDArray[np.int64],
    vertices: NDArray[np.int32],
    edge_start: NDArray[np.int64],
    edges: NDArray[np.int32],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    count: NDArray[np.int64],
    source_size: int,
    size: int,
    alpha: float,
    decay: float,
    alpha_end: float,
    rounds: int,
    least: float,
    labels: NDArray[np.int32],
    figures: NDArray[np.int64],
) -> None:
    """Co-cluster these sub-tables.

    Fills ``labels``, int32[places of vertices, width], with the clusters of each phrase, numbered from 0 within side
    and sub-table, and ``figures``, int64[sub-tables, 3]: source clusters, target clusters, rounds.
    """
    local = np.zeros(size, dtype=np.int32)
    for table in tables:
        first, last = vertex_start[table], vertex_start[table + 1]
        sources = 0
        for place in range(first, last):
            if vertices[place] < source_size:
                local[vertices[place]] = place - first
                sources += 1
            else:
                local[vertices[place]] = place - first - sources
        targets = last - first - sources
        entries = edge_start[table + 1] - edge_start[table]
        by_source = np.zeros(sources + 1, dtype=np.int64)
        by_target = np.zeros(targets + 1, dtype=np.int64)
        for at in range(edge_start[table], edge_start[table + 1]):
            by_source[local[source[edges[at]]] + 1] += 1
            by_target[local[target[edges[at]]] + 1] += 1
        for phrase in range(sources):
            by_source[phrase + 1] += by_source[phrase]
        for phrase in range(targets):
            by_target[phrase + 1] += by_target[phrase]
        source_cursor, target_cursor = by_source[:-1].copy(), by_target[:-1].copy()
        source_other = np.empty(entries, dtype=np.int32)
        target_other = np.empty(entries, dtype=np.int32)
        source_weight = np.empty(entries)
        target_weight = np.empty(entries)
        for at in range(edge_start[table], edge_start[table + 1]):
            source_place, target_place = local[source[edges[at]]], local[target[edges[at]]]
            source_other[source_cursor[source_place]] = target_place
            source_weight[source_cursor[source_place]] = count[edges[at]]
            source_cursor[source_place] += 1
            target_other[target_cursor[target_place]] = source_place
            target_weight[target_cursor[target_place]] = count[edges[at]]
            target_cursor[target_place] += 1

        source_label = np.arange(sources).astype(np.int32)
        target_label = np.arange(targets).astype(np.int32)
        source_clusters, target_clusters = sources, targets
        source_chosen = np.empty((sources, 1), dtype=np.int32)
        target_chosen = np.empty((targets, 1), dtype=np.int32)
        now = alpha
        turn = 0
        while turn < rounds:
            turn += 1
            step(
                by_source, source_other, source_weight, source_label, source_clusters,
                target_label, target_clusters, now, least, source_chosen,
            )  # fmt: skip
            changed = False
            fresh = source_chosen[:, 0].copy()
            for phrase in range(sources):
                changed = changed or fresh[phrase] != source_label[phrase]
            source_label = fresh
            source_clusters = compact(source_label, source_clusters)
            step(
                by_target, target_other, target_weight, target_label, target_clusters,
                source_label, source_clusters, now, least, target_chosen,
            )  # fmt: skip
            fresh = target_chosen[:, 0].copy()
            for phrase in range(targets):
                changed = changed or fresh[phrase] != target_label[phrase]
            target_label = fresh
            target_clusters = compact(target_label, target_clusters)
            if (not changed and now <= alpha_end) or (source_clusters == 1 and target_clusters == 1):
                break
            now = max(now * decay, alpha_end)
        step(
            by_source, source_other, source_weight, source_label, source_clusters,
            target_label, target_clusters, now, least, labels[first : first + sources],
        )  # fmt: skip
        step(
            by_target, target_other, target_weight, target_label, target_clusters,
            source_label, source_clusters, now, least, labels[first + sources : last],
        )  # fmt: skip
        figures[table, 0] = source_clusters
        figures[table, 1] = target_clusters
        figures[table, 2] = turn

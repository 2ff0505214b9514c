"""From clusters to the edges and connected parts of monolingual graphs (Martzoukos & Monz 2012, §3.1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast._numeric import find_root


@inline_kernel
def common_strength(
    cluster: NDArray[np.int32], strength: NDArray[np.float64], a: int, a_end: int, b: int, b_end: int
) -> tuple[int, float, float]:
    """Target clusters that two phrases share, and the sums of the strengths of each in them (eq. 3)."""
    shared, of_a, of_b = 0, 0.0, 0.0
    while a < a_end and b < b_end:
        if cluster[a] == cluster[b]:
            shared += 1
            of_a += strength[a]
            of_b += strength[b]
            a += 1
            b += 1
        elif cluster[a] < cluster[b]:
            a += 1
        else:
            b += 1
    return shared, of_a, of_b


@kernel
def count_pairs(
    member_start: NDArray[np.int64],
    list_begin: NDArray[np.int64],
    list_end: NDArray[np.int64],
    cluster: NDArray[np.int32],
    strength: NDArray[np.float64],
) -> NDArray[np.int64]:
    """int64[clusters + 1], where the pairs of phrases with a common target cluster begin, for each cluster."""
    clusters = len(member_start) - 1
    begin = np.zeros(clusters + 1, np.int64)
    for k in range(clusters):
        pairs = 0
        for i in range(member_start[k], member_start[k + 1]):
            for j in range(i + 1, member_start[k + 1]):
                shared, _, _ = common_strength(
                    cluster, strength, list_begin[i], list_end[i], list_begin[j], list_end[j]
                )
                if shared > 0:
                    pairs += 1
        begin[k + 1] = begin[k] + pairs
    return begin


@kernel
def fill_pairs(
    member_start: NDArray[np.int64],
    list_begin: NDArray[np.int64],
    list_end: NDArray[np.int64],
    cluster: NDArray[np.int32],
    strength: NDArray[np.float64],
    total: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """The pairs counted by :func:`count_pairs`: places of both members, distinct edges, weights a → b and b → a."""
    first = np.empty(total, np.int64)
    second = np.empty(total, np.int64)
    edges = np.empty(total, np.int32)
    forward = np.empty(total, np.float64)
    backward = np.empty(total, np.float64)
    at = 0
    for k in range(len(member_start) - 1):
        for i in range(member_start[k], member_start[k + 1]):
            for j in range(i + 1, member_start[k + 1]):
                shared, of_a, of_b = common_strength(
                    cluster, strength, list_begin[i], list_end[i], list_begin[j], list_end[j]
                )
                if shared > 0:
                    first[at] = i
                    second[at] = j
                    edges[at] = shared
                    forward[at] = of_b
                    backward[at] = of_a
                    at += 1
    return first, second, edges, forward, backward


@kernel
def connected_parts(members: int, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[members], the smallest member of the connected part of each. Clusters are never connected."""
    parent = np.arange(members)
    for edge in range(len(first)):
        a = find_root(parent, first[edge])
        b = find_root(parent, second[edge])
        if a < b:
            parent[b] = a
        elif b < a:
            parent[a] = b
    for member in range(members):
        parent[member] = find_root(parent, member)
    return parent


@kernel
def split_parts(
    members: int, first: NDArray[np.int64], second: NDArray[np.int64], order: NDArray[np.int64], most: int
) -> NDArray[np.int64]:
    """Like :func:`connected_parts`, joining along edges in ``order`` while no part has more than ``most`` members."""
    parent = np.arange(members)
    size = np.ones(members, np.int64)
    for edge in order:
        a = find_root(parent, first[edge])
        b = find_root(parent, second[edge])
        if a != b and size[a] + size[b] <= most:
            low = min(a, b)
            high = max(a, b)
            parent[high] = low
            size[low] += size[high]
    for member in range(members):
        parent[member] = find_root(parent, member)
    return parent


@kernel
def joined_strength(
    members: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    list_begin: NDArray[np.int64],
    list_end: NDArray[np.int64],
    cluster: NDArray[np.int32],
    strength: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Strength of each member over the distinct target clusters that it shares with any of its neighbours."""
    start = np.zeros(members + 1, np.int64)
    for member in range(members):
        start[member + 1] = start[member] + list_end[member] - list_begin[member]
    shared = np.zeros(start[members], np.bool_)
    for edge in range(len(first)):
        i = first[edge]
        j = second[edge]
        a = list_begin[i]
        b = list_begin[j]
        while a < list_end[i] and b < list_end[j]:
            if cluster[a] == cluster[b]:
                shared[start[i] + a - list_begin[i]] = True
                shared[start[j] + b - list_begin[j]] = True
                a += 1
                b += 1
            elif cluster[a] < cluster[b]:
                a += 1
            else:
                b += 1
    total = np.zeros(members, np.float64)
    for member in range(members):
        for place in range(list_end[member] - list_begin[member]):
            if shared[start[member] + place]:
                total[member] += strength[list_begin[member] + place]
    return total

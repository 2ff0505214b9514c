"""Compiled exchange algorithm for word clusters: one pass over all words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

#: x log x is looked up in a table below this value, and computed above.
TABLE = 1 << 16


@inline_kernel
def x_log_x(table: NDArray[np.float64], x: int) -> float:
    """x log x, 0 for 0."""
    if x < TABLE:
        return float(table[x])
    return float(x * np.log(np.float64(x)))


@kernel
def x_log_x_table() -> NDArray[np.float64]:
    """Table of x log x for small numbers."""
    table = np.zeros(TABLE, np.float64)
    for x in range(2, TABLE):
        table[x] = x * np.log(np.float64(x))
    return table


@kernel
def fill_contexts(
    word_starts: NDArray[np.int64],
    word_contexts: NDArray[np.int32],
    word_counts: NDArray[np.int32],
    cluster: NDArray[np.int32],
    context_starts: NDArray[np.int64],
    held_cluster: NDArray[np.int32],
    held_count: NDArray[np.int64],
    held: NDArray[np.int32],
) -> None:
    """Count clusters by context: context v has ``held[v]`` entries from ``context_starts[v]`` on, in no order."""
    for word in range(len(cluster)):
        for at in range(word_starts[word], word_starts[word + 1]):
            add_count(
                context_starts, held_cluster, held_count, held,
                word_contexts[at], cluster[word], int(word_counts[at]),
            )  # fmt: skip


@inline_kernel
def add_count(
    context_starts: NDArray[np.int64],
    held_cluster: NDArray[np.int32],
    held_count: NDArray[np.int64],
    held: NDArray[np.int32],
    context: int,
    cluster: int,
    count: int,
) -> None:
    """Add ``count``, which may be negative, to a cluster in a context. An entry that becomes 0 is removed."""
    begin = context_starts[context]
    for at in range(begin, begin + held[context]):
        if held_cluster[at] == cluster:
            held_count[at] += count
            if held_count[at] == 0:
                last = begin + held[context] - 1
                held_cluster[at] = held_cluster[last]
                held_count[at] = held_count[last]
                held[context] -= 1
            return
    at = begin + held[context]
    held_cluster[at] = cluster
    held_count[at] = count
    held[context] += 1


@kernel
def exchange_pass(
    order: NDArray[np.int32],
    word_starts: NDArray[np.int64],
    word_contexts: NDArray[np.int32],
    word_counts: NDArray[np.int32],
    totals: NDArray[np.int64],
    sides: int,
    cluster: NDArray[np.int32],
    cluster_total: NDArray[np.int64],
    members: NDArray[np.int32],
    context_starts: NDArray[np.int64],
    held_cluster: NDArray[np.int32],
    held_count: NDArray[np.int64],
    held: NDArray[np.int32],
    table: NDArray[np.float64],
    gain: NDArray[np.float64],
) -> int:
    """Move every word of ``order`` to the cluster that raises the likelihood most, and return how many moved.

    The gain of a cluster c for a word w, after w left its old cluster, is
    Σ_v [g(N(v,c) + N(v,w)) − g(N(v,c))] − sides · [g(N(c) + N(w)) − g(N(c))] with g(x) = x log x. A context v without
    c gives g(N(v,w)) for any such c, so only the clusters that occur in v are visited. If gains are equal, the old
    cluster wins, then the lowest number. The last word of a cluster stays.
    """
    moved = 0
    clusters = len(cluster_total)
    for word in order:
        old_cluster = cluster[word]
        if members[old_cluster] == 1:
            continue
        for c in range(clusters):
            gain[c] = 0.0
        for at in range(word_starts[word], word_starts[word + 1]):
            context = word_contexts[at]
            count = int(word_counts[at])
            alone = x_log_x(table, count)
            begin = context_starts[context]
            for entry in range(begin, begin + held[context]):
                c = held_cluster[entry]
                there = held_count[entry]
                if c == old_cluster:
                    there -= count
                    if there == 0:
                        continue
                gain[c] += x_log_x(table, there + count) - x_log_x(table, there) - alone
        total = totals[word]
        best = old_cluster
        rest = cluster_total[old_cluster] - total
        best_gain = gain[old_cluster] - sides * (x_log_x(table, rest + total) - x_log_x(table, rest))
        for c in range(clusters):
            if c != old_cluster:
                value = gain[c] - sides * (
                    x_log_x(table, cluster_total[c] + total) - x_log_x(table, cluster_total[c])
                )
                if value > best_gain + 1e-9:
                    best = c
                    best_gain = value
        if best == old_cluster:
            continue
        moved += 1
        for at in range(word_starts[word], word_starts[word + 1]):
            context = word_contexts[at]
            count = int(word_counts[at])
            add_count(context_starts, held_cluster, held_count, held, context, old_cluster, -count)
            add_count(context_starts, held_cluster, held_count, held, context, best, count)
        cluster_total[old_cluster] -= total
        cluster_total[best] += total
        members[old_cluster] -= 1
        members[best] += 1
        cluster[word] = best
    return moved


@kernel
def log_likelihood(
    context_starts: NDArray[np.int64],
    held_count: NDArray[np.int64],
    held: NDArray[np.int32],
    cluster_total: NDArray[np.int64],
    sides: int,
    table: NDArray[np.float64],
) -> float:
    """Σ_{v,c} g(N(v,c)) − sides · Σ_c g(N(c)): the likelihood without the part that clusters do not change."""
    value = 0.0
    for context in range(len(held)):
        begin = context_starts[context]
        for entry in range(begin, begin + held[context]):
            value += x_log_x(table, held_count[entry])
    for c in range(len(cluster_total)):
        value -= sides * x_log_x(table, cluster_total[c])
    return value

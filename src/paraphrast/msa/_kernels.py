"""Pairwise alignment (figures 3 and 4 of Shen and others 2006) over the flat arrays of a cluster."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.msa.arrays import ClusterArrays
from paraphrast.msa.match import POSITION_PARTS


@inline_kernel
def iob_score(first: int, second: int, rule: NDArray[np.float64]) -> float:
    """The IOB score of two chunk tags: equal, of the same constituent, or neither."""
    if first == second:
        return float(rule[0])
    if first >> 1 == second >> 1:
        return float(rule[1])
    return float(rule[2])


@inline_kernel
def syntax_matches(first: int, second: int, cluster: ClusterArrays) -> bool:
    """Figure 4 without words and positions: whether the tags are equal and the chunks and traces similar enough."""
    if cluster.tag[first] != cluster.tag[second]:
        return False
    begin, trace, rule = cluster.trace_begin, cluster.trace, cluster.rule
    score = iob_score(cluster.chunk[first], cluster.chunk[second], rule)
    at = begin[first + 1] - 1
    other = begin[second + 1] - 1
    while at >= begin[first] and other >= begin[second]:
        score += iob_score(trace[at], trace[other], rule) * rule[3]
        at -= 1
        other -= 1
    lengths = (begin[first + 1] - begin[first]) - (begin[second + 1] - begin[second])
    return bool(score - abs(lengths) * rule[4] >= rule[5])


@inline_kernel
def tokens_match(
    first: int, i: int, first_len: int, second: int, j: int, second_len: int, cluster: ClusterArrays
) -> bool:
    """Figure 4. ``first`` and ``second`` are tokens, i and j their 1-based positions in their sentences."""
    if cluster.word[first] < 0 or cluster.word[first] != cluster.word[second]:
        return False
    if cluster.position < 0:
        return True
    if not syntax_matches(first, second, cluster):
        return False
    apart = abs(i * second_len - j * first_len) * POSITION_PARTS
    limit = cluster.position * first_len * second_len
    return bool(apart <= limit) if cluster.inclusive else bool(apart < limit)


@inline_kernel
def border(steps: int, cluster: ClusterArrays) -> float:
    """The score of ``steps`` leading gaps."""
    return 0.0 if cluster.free else steps * float(cluster.rule[8])


@inline_kernel
def fill_row(
    i: int,
    first: int,
    second: int,
    above: NDArray[np.float64],
    row: NDArray[np.float64],
    matched: NDArray[np.bool_],
    cluster: ClusterArrays,
) -> None:
    """Row i of figure 3's matrix from row i − 1, and which words of ``second`` match word i of ``first``."""
    starts, word, rule = cluster.starts, cluster.word, cluster.rule
    rows = starts[first + 1] - starts[first]
    columns = starts[second + 1] - starts[second]
    token = starts[first] + i - 1
    own_word = word[token]
    row[0] = border(i, cluster)
    for j in range(1, columns + 1):
        other = starts[second] + j - 1
        # Most words differ, so compare the words before calling the function.
        matched[j] = (
            own_word >= 0
            and own_word == word[other]
            and tokens_match(token, i, rows, other, j, columns, cluster)
        )
        best = above[j - 1] + (rule[6] if matched[j] else rule[7])
        row[j] = max(max(best, above[j] + rule[8]), row[j - 1] + rule[8])


@kernel
def syntax_table(tokens: NDArray[np.int64], cluster: ClusterArrays) -> NDArray[np.bool_]:
    """Which of some tokens match each other, by syntax alone."""
    count = len(tokens)
    matches = np.ones((count, count), dtype=np.bool_)
    for first in range(count):
        for second in range(first + 1, count):
            matches[first, second] = syntax_matches(tokens[first], tokens[second], cluster)
            matches[second, first] = matches[first, second]
    return matches


@kernel
def pair_score(first: int, second: int, cluster: ClusterArrays) -> float:
    """The bottom right entry of figure 3's matrix; only two rows are in memory."""
    rows = cluster.starts[first + 1] - cluster.starts[first]
    columns = cluster.starts[second + 1] - cluster.starts[second]
    above, row = np.empty(columns + 1), np.empty(columns + 1)
    matched = np.zeros(columns + 1, dtype=np.bool_)
    for j in range(columns + 1):
        row[j] = border(j, cluster)
    for i in range(1, rows + 1):
        above, row = row, above
        fill_row(i, first, second, above, row, matched, cluster)
    return float(row[columns])


@kernel
def all_scores(cluster: ClusterArrays) -> NDArray[np.float64]:
    """The score of every pair of sentences, symmetric (the rules are); −∞ on the diagonal."""
    count = len(cluster.starts) - 1
    scores = np.full((count, count), -np.inf)
    for first in range(count):
        for second in range(first + 1, count):
            scores[first, second] = pair_score(first, second, cluster)
            scores[second, first] = scores[first, second]
    return scores


@kernel
def align_pair(first: int, second: int, cluster: ClusterArrays) -> NDArray[np.int32]:
    """int32[words of ``first``]: the position in ``second`` of the word aligned with each, −1 for a gap.

    Traced from the bottom right. Of equally good steps the diagonal is preferred, then the gap in ``second``. A
    diagonal step of words that do not match aligns both to gaps.
    """
    rows = cluster.starts[first + 1] - cluster.starts[first]
    columns = cluster.starts[second + 1] - cluster.starts[second]
    rule = cluster.rule
    table = np.zeros((rows + 1, columns + 1))
    matched = np.zeros((rows + 1, columns + 1), dtype=np.bool_)
    for j in range(columns + 1):
        table[0, j] = border(j, cluster)
    for i in range(1, rows + 1):
        fill_row(i, first, second, table[i - 1], table[i], matched[i], cluster)
    links = np.full(rows, -1, dtype=np.int32)
    i, j = rows, columns
    while i > 0 and j > 0:
        step = rule[6] if matched[i, j] else rule[7]
        if table[i, j] == table[i - 1, j - 1] + step:
            if matched[i, j]:
                links[i - 1] = j - 1
            i -= 1
            j -= 1
        elif table[i, j] == table[i - 1, j] + rule[8]:
            i -= 1
        else:
            j -= 1
    return links

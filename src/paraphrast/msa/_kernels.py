"""Pairwise alignment (figures 3 and 4 of Shen and others 2006) over flat arrays.

A cluster is flat: ``starts[s] … starts[s + 1]`` are the tokens of sentence s; ``word`` is a number, or −1 for a
token that never matches. A chunk tag is a number: 0 for O, 2 · category for B-, one more for I-, so equal
numbers are equal tags and equal halves are one constituent. ``trace_begin`` and ``trace`` hold every token's trace
without its first and last element.

rule: exact, partial, none, trace weight, length discount, floor, then match, mismatch, gap (float64[9]).
position: the threshold in parts of ``POSITION_PARTS``; −1 for none (lexical versions, which also skip the tags).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.msa.match import POSITION_PARTS


@inline_kernel
def iob_score(first: int, second: int, rule: NDArray[np.float64]) -> float:
    """Equal; of one constituent; neither."""
    if first == second:
        return float(rule[0])
    if first >> 1 == second >> 1:
        return float(rule[1])
    return float(rule[2])


@inline_kernel
def tokens_match(
    first: int,
    second: int,
    first_place: int,
    second_place: int,
    first_len: int,
    second_len: int,
    word: NDArray[np.int32],
    tag: NDArray[np.int32],
    chunk: NDArray[np.int32],
    trace_begin: NDArray[np.int64],
    trace: NDArray[np.int32],
    rule: NDArray[np.float64],
    position: int,
    inclusive: bool,
) -> bool:
    """Figure 4. ``first`` and ``second`` are tokens; their places are 1-based."""
    if word[first] < 0 or word[first] != word[second]:
        return False
    if position < 0:
        return True
    if tag[first] != tag[second]:
        return False
    score = iob_score(chunk[first], chunk[second], rule)
    at = trace_begin[first + 1] - 1
    other = trace_begin[second + 1] - 1
    while at >= trace_begin[first] and other >= trace_begin[second]:
        score += iob_score(trace[at], trace[other], rule) * rule[3]
        at -= 1
        other -= 1
    lengths = (trace_begin[first + 1] - trace_begin[first]) - (trace_begin[second + 1] - trace_begin[second])
    score -= abs(lengths) * rule[4]
    if score < rule[5]:
        return False
    apart = abs(first_place * second_len - second_place * first_len) * POSITION_PARTS
    limit = position * first_len * second_len
    return apart <= limit if inclusive else apart < limit


@kernel
def pair_score(
    first: int,
    second: int,
    starts: NDArray[np.int64],
    word: NDArray[np.int32],
    tag: NDArray[np.int32],
    chunk: NDArray[np.int32],
    trace_begin: NDArray[np.int64],
    trace: NDArray[np.int32],
    rule: NDArray[np.float64],
    position: int,
    inclusive: bool,
    free: bool,
) -> float:
    """The bottom right entry of figure 3's matrix, with two rows of it in memory."""
    rows = starts[first + 1] - starts[first]
    columns = starts[second + 1] - starts[second]
    above = np.zeros(columns + 1)
    here = np.zeros(columns + 1)
    if not free:
        for j in range(columns + 1):
            above[j] = j * rule[8]
    for i in range(rows):
        token = starts[first] + i
        here[0] = 0.0 if free else (i + 1) * rule[8]
        for j in range(columns):
            matched = tokens_match(
                token,
                starts[second] + j,
                i + 1,
                j + 1,
                rows,
                columns,
                word,
                tag,
                chunk,
                trace_begin,
                trace,
                rule,
                position,
                inclusive,
            )
            best = above[j] + (rule[6] if matched else rule[7])
            best = max(best, above[j + 1] + rule[8])
            here[j + 1] = max(best, here[j] + rule[8])
        above, here = here, above
    return float(above[columns])


@kernel
def all_scores(
    starts: NDArray[np.int64],
    word: NDArray[np.int32],
    tag: NDArray[np.int32],
    chunk: NDArray[np.int32],
    trace_begin: NDArray[np.int64],
    trace: NDArray[np.int32],
    rule: NDArray[np.float64],
    position: int,
    inclusive: bool,
    free: bool,
) -> NDArray[np.float64]:
    """The score of every pair of sentences, symmetric (the rules are); −∞ on the diagonal."""
    count = len(starts) - 1
    scores = np.full((count, count), -np.inf)
    for first in range(count):
        for second in range(first + 1, count):
            score = pair_score(
                first,
                second,
                starts,
                word,
                tag,
                chunk,
                trace_begin,
                trace,
                rule,
                position,
                inclusive,
                free,
            )
            scores[first, second] = score
            scores[second, first] = score
    return scores


@kernel
def align_pair(
    first: int,
    second: int,
    starts: NDArray[np.int64],
    word: NDArray[np.int32],
    tag: NDArray[np.int32],
    chunk: NDArray[np.int32],
    trace_begin: NDArray[np.int64],
    trace: NDArray[np.int32],
    rule: NDArray[np.float64],
    position: int,
    inclusive: bool,
    free: bool,
) -> NDArray[np.int32]:
    """int32[words of ``first``]: the place in ``second`` of the word aligned with each, −1 for a gap.

    Traced from the bottom right. Of equal steps the diagonal one goes first, then the gap in ``second``. A diagonal
    step of words that do not match aligns both to gaps.
    """
    rows = starts[first + 1] - starts[first]
    columns = starts[second + 1] - starts[second]
    table = np.zeros((rows + 1, columns + 1))
    matched = np.zeros((rows + 1, columns + 1), dtype=np.bool_)
    if not free:
        for i in range(rows + 1):
            table[i, 0] = i * rule[8]
        for j in range(columns + 1):
            table[0, j] = j * rule[8]
    for i in range(1, rows + 1):
        token = starts[first] + i - 1
        for j in range(1, columns + 1):
            matched[i, j] = tokens_match(
                token,
                starts[second] + j - 1,
                i,
                j,
                rows,
                columns,
                word,
                tag,
                chunk,
                trace_begin,
                trace,
                rule,
                position,
                inclusive,
            )
            best = table[i - 1, j - 1] + (rule[6] if matched[i, j] else rule[7])
            best = max(best, table[i - 1, j] + rule[8])
            table[i, j] = max(best, table[i, j - 1] + rule[8])
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

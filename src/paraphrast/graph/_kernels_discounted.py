"""Discounted walks from phrase to phrase on the whole phrase graph, and agreement between the tags of two phrases."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel


@inline_kernel
def double_step(
    row: int,
    weight: float,
    out_start: NDArray[np.int64],
    out_pivot: NDArray[np.int32],
    out_prob: NDArray[np.float64],
    back_start: NDArray[np.int64],
    back_phrase: NDArray[np.int32],
    back_prob: NDArray[np.float64],
    mass: NDArray[np.float64],
    reached: NDArray[np.int32],
    size: int,
) -> int:
    """Move ``weight`` from one phrase over its translations to phrases. New phrases are appended to ``reached``."""
    for entry in range(out_start[row], out_start[row + 1]):
        pivot = out_pivot[entry]
        pivot_weight = weight * out_prob[entry]
        for back in range(back_start[pivot], back_start[pivot + 1]):
            phrase = back_phrase[back]
            if mass[phrase] == 0.0:
                reached[size] = phrase
                size += 1
            mass[phrase] += pivot_weight * back_prob[back]
    return size


@kernel
def discounted_walks(
    sources: NDArray[np.int32],
    phrases: int,
    languages: int,
    out_start: NDArray[np.int64],
    out_pivot: NDArray[np.int32],
    out_prob: NDArray[np.float64],
    back_start: NDArray[np.int64],
    back_phrase: NDArray[np.int32],
    back_prob: NDArray[np.float64],
    total: NDArray[np.float64],
    step_weight: NDArray[np.float64],
    exponent: float,
    least: float,
    keep: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """The ``keep`` most similar phrases of each source: where its rows begin, phrase, similarity, joint count.

    Rows of one source are in ascending order of phrases. Scratch space: four numbers per phrase.
    """
    mass, following = np.zeros(phrases), np.zeros(phrases)
    walked, mixed, joint = np.zeros(phrases), np.zeros(phrases), np.zeros(phrases)
    reached, further = np.zeros(phrases, np.int32), np.zeros(phrases, np.int32)
    met, visited = np.zeros(phrases, np.int32), np.zeros(phrases, np.int32)
    begin = np.zeros(len(sources) + 1, np.int64)
    capacity = max(len(sources) * min(keep, 16), keep)
    row_phrase, row_score = np.zeros(capacity, np.int32), np.zeros(capacity)
    row_joint = np.zeros(capacity)
    filled = 0
    for number in range(len(sources)):
        source = sources[number]
        met_size = 0
        for language in range(languages):
            first_row = language * phrases
            if total[first_row + source] == 0.0:
                continue
            mass[source] = 1.0
            reached[0] = source
            size, visited_size = 1, 0
            for step in range(len(step_weight)):
                further_size = 0
                for place in range(size):
                    phrase = reached[place]
                    weight = mass[phrase]
                    mass[phrase] = 0.0
                    if weight >= least:
                        further_size = double_step(
                            first_row + phrase,
                            weight,
                            out_start,
                            out_pivot,
                            out_prob,
                            back_start,
                            back_phrase,
                            back_prob,
                            following,
                            further,
                            further_size,
                        )
                mass, following = following, mass
                reached, further = further, reached
                size = further_size
                for place in range(size):
                    phrase = reached[place]
                    if walked[phrase] == 0.0:
                        visited[visited_size] = phrase
                        visited_size += 1
                    walked[phrase] += step_weight[step] * mass[phrase]
            for place in range(size):
                mass[reached[place]] = 0.0
            for place in range(visited_size):
                phrase = visited[place]
                if phrase != source:
                    if mixed[phrase] == 0.0:
                        met[met_size] = phrase
                        met_size += 1
                    ratio = total[first_row + source] / total[first_row + phrase]
                    mixed[phrase] += (walked[phrase] * np.sqrt(ratio)) ** exponent
                    joint[phrase] += walked[phrase] * total[first_row + source]
                walked[phrase] = 0.0
        chosen = best_places(met[:met_size], mixed, keep)
        if filled + len(chosen) > len(row_phrase):
            capacity = 2 * (filled + len(chosen))
            row_phrase = grown_ids(row_phrase, capacity)
            row_score, row_joint = grown(row_score, capacity), grown(row_joint, capacity)
        for place in range(len(chosen)):
            phrase = chosen[place]
            row_phrase[filled] = phrase
            row_score[filled] = (mixed[phrase] / languages) ** (1.0 / exponent)
            row_joint[filled] = joint[phrase]
            filled += 1
        for place in range(met_size):
            mixed[met[place]] = 0.0
            joint[met[place]] = 0.0
        begin[number + 1] = filled
    return begin, row_phrase[:filled].copy(), row_score[:filled].copy(), row_joint[:filled].copy()


@inline_kernel
def best_places(candidates: NDArray[np.int32], score: NDArray[np.float64], keep: int) -> NDArray[np.int32]:
    """The ``keep`` candidates with the highest score, ascending. Ties go to the lowest ids."""
    ordered = np.sort(candidates)
    if len(ordered) <= keep:
        return ordered
    values = np.empty(len(ordered))
    for place in range(len(ordered)):
        values[place] = score[ordered[place]]
    least = np.partition(values, len(values) - keep)[len(values) - keep]
    ties = keep
    for place in range(len(values)):
        if values[place] > least:
            ties -= 1
    chosen = np.empty(keep, np.int32)
    size = 0
    for place in range(len(values)):
        if values[place] > least or (values[place] == least and ties > 0):
            if values[place] == least:
                ties -= 1
            chosen[size] = ordered[place]
            size += 1
    return chosen


@inline_kernel
def grown(values: NDArray[np.float64], capacity: int) -> NDArray[np.float64]:
    """The same values at the beginning of a longer array."""
    longer = np.zeros(capacity)
    longer[: len(values)] = values
    return longer


@inline_kernel
def grown_ids(values: NDArray[np.int32], capacity: int) -> NDArray[np.int32]:
    """The same ids at the beginning of a longer array."""
    longer = np.zeros(capacity, np.int32)
    longer[: len(values)] = values
    return longer


@kernel
def shared_mass(
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    start: NDArray[np.int64],
    kind: NDArray[np.int32],
    share: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Σ_k sqrt(share of k in the first · share of k in the second) for each pair. Kinds ascend within a phrase."""
    result = np.zeros(len(first))
    for row in range(len(first)):
        a, a_end = start[first[row]], start[first[row] + 1]
        b, b_end = start[second[row]], start[second[row] + 1]
        while a < a_end and b < b_end:
            if kind[a] == kind[b]:
                result[row] += np.sqrt(share[a] * share[b])
                a += 1
                b += 1
            elif kind[a] < kind[b]:
                a += 1
            else:
                b += 1
    return result

"""Closest paths through lattices of references, and edit distances with jumps.

A batch has several lattices in sequence. Lattice s has states 0 … ``states[s]`` − 1, the last of which is final, and
the edges ``edge_begin[s] … edge_begin[s + 1]``, sorted by the state they leave. States are numbered within their
lattice. Edge e has the words ``word_begin[e] … word_begin[e + 1]`` and a cost. Output o is compared with lattice
``lattice_of[o]``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
#: Number of context words that a match can be extended from: one fewer than the longest n-gram.
_INF = 1e30


@inline_kernel
def _advance(
    output: Ints, begin: int, end: int, place: int, length: int, word: int, order: int, matches: Longs
) -> None:
    """Follow ``word`` after the context ``output[place − length + 1 … place]``.

    matches[0], matches[1]: end and length of the longest n-gram of the output that ends the context and the word.
    matches[2], matches[3]: the same, cut to ``order`` − 1 words and moved to their first occurrence: the new context.
    """
    best_place = -1
    best = 0
    context_place = -1
    context = 0
    for at in range(begin, end):
        if output[at] != word:
            continue
        size = 1
        while size <= length and at - size >= begin and output[at - size] == output[place - size + 1]:
            size += 1
        if size > best:
            best = size
            best_place = at
        cut = min(size, order - 1)
        if cut > context:
            context = cut
            context_place = at
    matches[0] = best_place
    matches[1] = best
    matches[2] = context_place
    matches[3] = context


@inline_kernel
def _write_path(
    tail: Ints,
    back_edge: Longs,
    back_slot: Ints,
    state: int,
    slot: int,
    first_edge: int,
    begin: int,
    path: Ints,
) -> int:
    """Follow the back pointers of a state's slot to the start and write the edges to ``path[begin:]``: their number."""
    total = 0
    while state > 0:
        edge = back_edge[state, slot]
        path[begin + total] = edge - first_edge
        total += 1
        slot = back_slot[state, slot]
        state = tail[edge]
    for at in range(total // 2):
        front, back = begin + at, begin + total - 1 - at
        path[front], path[back] = path[back], path[front]
    return total


@inline_kernel
def _first_places(output: Ints, begin: int, end: int, first: Longs, limit: Ints) -> None:
    """Number the n-grams of an output by their first occurrence and count how often it has each.

    first[i, n]: where the n-gram of n + 1 words that ends at ``output[begin + i]`` ends for the first time, relative to
    ``begin``; −1 if the output has no such n-gram. limit[i * order + n]: count of the one that ends there first.
    """
    order = first.shape[1]
    for at in range(end - begin):
        for n in range(order):
            first[at, n] = at if n <= at else -1
            limit[at * order + n] = 0
        for before in range(at):
            for n in range(min(at + 1, order)):
                if n > before or output[begin + at - n] != output[begin + before - n]:
                    break
                if first[at, n] == at:
                    first[at, n] = before
        for n in range(min(at + 1, order)):
            limit[first[at, n] * order + n] += 1


@inline_kernel
def _reference_grams(
    words: Ints, size: int, output: Ints, begin: int, end: int, first: Longs, matches: Longs, grams: Longs
) -> None:
    """grams[s, n]: the number of the n-gram of n + 1 words that starts at word s of the reference; −1 if none."""
    order = first.shape[1]
    grams[:size] = -1
    place, length = -1, 0
    for at in range(size):
        _advance(output, begin, end, place, length, words[at], order, matches)
        for n in range(min(matches[1], order)):
            grams[at - n, n] = first[matches[0] - begin, n] * order + n
        place, length = matches[2], matches[3]


@inline_kernel
def _has_words(
    words: Ints,
    first: int,
    last: int,
    output: Ints,
    begin: int,
    end: int,
    order: int,
    whole: int,
    matches: Longs,
) -> bool:
    """Whether an output has one of an edge's words, or all of them in sequence if ``whole``."""
    place, length = -1, 0
    for at in range(first, last):
        _advance(output, begin, end, place, length, words[at], order, matches)
        if whole and matches[1] < min(at - first + 1, order):
            return False
        if not whole and matches[1] > 0:
            return True
        place, length = matches[2], matches[3]
    return whole != 0


@kernel
def ngram_paths(
    states: Ints,
    edge_begin: Longs,
    tail: Ints,
    head: Ints,
    word_begin: Longs,
    words: Ints,
    cost: Floats,
    always: NDArray[np.uint8],
    whole: NDArray[np.uint8],
    lattice_of: Ints,
    output_begin: Longs,
    output: Ints,
    gain: Floats,
    vocabulary: int,
    beam: int,
    path_begin: Longs,
    path: Ints,
    lengths: Ints,
    values: Floats,
    exact: NDArray[np.uint8],
) -> None:
    """The path whose n-grams in the output gain most, minus the cost of its edges, written edge by edge.

    An n-gram gains at most as often as the output has it. gain: float64[output tokens, order], of an n-gram by its last
    token and its size minus one. always: edges that are always tried, the words of the reference, one each. The others
    are tried only if the output has all their words in sequence, or one of them if not ``whole``. path_begin: where the
    edges of each output start in ``path``; lengths: how many there are. exact: 0 if the beam was too narrow for all
    contexts.

    Contexts that end in the same n-gram of the output are merged. They have the same continuations, but not the same
    n-grams behind them, so a hypothesis is worth what it gains if the rest of the reference follows unchanged.
    """
    order = gain.shape[1]
    most_states = max(1, states.max()) if len(states) else 1
    most_words = 1
    for number in range(len(lattice_of)):
        most_words = max(most_words, output_begin[number + 1] - output_begin[number])
    place = np.empty((most_states, beam), dtype=np.int64)
    size = np.empty((most_states, beam), dtype=np.int64)
    score = np.empty((most_states, beam), dtype=np.float64)
    back_slot = np.empty((most_states, beam), dtype=np.int32)
    back_edge = np.empty((most_states, beam), dtype=np.int64)
    count = np.zeros(most_states, dtype=np.int64)
    seen = np.full(vocabulary, -1, dtype=np.int32)
    matches = np.zeros(4, dtype=np.int64)
    first = np.empty((most_words, order), dtype=np.int64)
    limit = np.empty(most_words * order, dtype=np.int32)
    reference = np.empty(most_states, dtype=np.int32)
    grams = np.empty((most_states, order), dtype=np.int64)
    # The counts of a hypothesis with the rest of the reference. Rows of states that are left are used again.
    row = np.empty((most_states, beam), dtype=np.int64)
    free = np.arange(most_states * beam)
    most_taken = 0
    counts = np.empty((4 * beam, most_words * order), dtype=np.int32)
    most_edge = 0
    for edge in range(len(tail)):
        most_edge = max(most_edge, head[edge] - tail[edge] + word_begin[edge + 1] - word_begin[edge])
    changed = np.empty(most_edge * order, dtype=np.int64)
    for number in range(len(lattice_of)):
        lattice = lattice_of[number]
        begin, end = output_begin[number], output_begin[number + 1]
        for at in range(begin, end):
            seen[output[at]] = number
        last = states[lattice] - 1
        _first_places(output, begin, end, first, limit)
        types = (end - begin) * order
        reference[:last] = vocabulary
        for edge in range(edge_begin[lattice], edge_begin[lattice + 1]):
            if always[edge]:
                reference[tail[edge]] = words[word_begin[edge]]
        _reference_grams(reference, last, output, begin, end, first, matches, grams)
        for at in range(most_taken):
            free[at] = at
        taken = most_taken = 1
        row[0, 0] = 0
        counts[0, :types] = 0
        score[0, 0] = 0.0
        for at in range(last):
            for n in range(order):
                gram = grams[at, n]
                if gram >= 0:
                    if counts[0, gram] < limit[gram]:
                        score[0, 0] += gain[begin + gram // order, n]
                    counts[0, gram] += 1
        count[: last + 1] = 0
        count[0] = 1
        place[0, 0] = -1
        size[0, 0] = 0
        back_edge[0, 0] = -1
        exact[number] = 1
        left = 0
        for edge in range(edge_begin[lattice], edge_begin[lattice + 1]):
            origin, goal = tail[edge], head[edge]
            while left < origin:
                for slot in range(count[left]):
                    taken -= 1
                    free[taken] = row[left, slot]
                left += 1
            low, high = word_begin[edge], word_begin[edge + 1]
            if not always[edge] and not _has_words(
                words, low, high, output, begin, end, order, whole[edge], matches
            ):
                continue
            for slot in range(count[origin]):
                context_place, context = place[origin, slot], size[origin, slot]
                value = score[origin, slot] - cost[edge]
                own = counts[row[origin, slot]]
                changes = 0
                # The words of the reference that the edge replaces, then its own words.
                for at in range(origin, goal):
                    for n in range(order):
                        gram = grams[at, n]
                        if gram >= 0:
                            own[gram] -= 1
                            changed[changes] = -gram - 1
                            changes += 1
                            if own[gram] < limit[gram]:
                                value -= gain[begin + gram // order, n]
                for at in range(low, high):
                    if seen[words[at]] != number:
                        context_place, context = -1, 0
                        continue
                    _advance(output, begin, end, context_place, context, words[at], order, matches)
                    for n in range(min(matches[1], order)):
                        gram = first[matches[0] - begin, n] * order + n
                        if own[gram] < limit[gram]:
                            value += gain[begin + gram // order, n]
                        own[gram] += 1
                        changed[changes] = gram + 1
                        changes += 1
                    context_place, context = matches[2], matches[3]
                target = -1
                for other in range(count[goal]):
                    if place[goal, other] == context_place and size[goal, other] == context:
                        target = other
                        break
                better = True
                if target >= 0:
                    better = value > score[goal, target]
                elif count[goal] < beam:
                    target = count[goal]
                    count[goal] += 1
                    row[goal, target] = free[taken]
                    taken += 1
                    most_taken = max(most_taken, taken)
                    if row[goal, target] >= len(counts):
                        grown = np.empty((2 * len(counts), counts.shape[1]), dtype=np.int32)
                        grown[: len(counts)] = counts
                        counts = grown
                        own = counts[row[origin, slot]]
                else:
                    exact[number] = 0
                    target = 0
                    for other in range(1, beam):
                        if score[goal, other] < score[goal, target]:
                            target = other
                    better = value > score[goal, target]
                if better:
                    place[goal, target] = context_place
                    size[goal, target] = context
                    score[goal, target] = value
                    back_slot[goal, target] = slot
                    back_edge[goal, target] = edge
                    counts[row[goal, target], :types] = own[:types]
                for at in range(changes):
                    if changed[at] > 0:
                        own[changed[at] - 1] -= 1
                    else:
                        own[-changed[at] - 1] += 1
        slot = 0
        for other in range(1, count[last]):
            if score[last, other] > score[last, slot]:
                slot = other
        values[number] = score[last, slot]
        lengths[number] = _write_path(
            tail, back_edge, back_slot, last, slot, edge_begin[lattice], path_begin[number], path
        )


@kernel
def edit_paths(
    states: Ints,
    edge_begin: Longs,
    tail: Ints,
    head: Ints,
    word_begin: Longs,
    words: Ints,
    cost: Floats,
    lattice_of: Ints,
    output_begin: Longs,
    output: Ints,
    jumps: bool,
    path_begin: Longs,
    path: Ints,
    lengths: Ints,
    values: Floats,
) -> None:
    """The path with the smallest edit distance from the output, plus the costs of its edges. Exact.

    jumps: use CDER's distance (Leusch, Ueffing and Ney 2006), which allows jumps to any place of the output at cost 1.
    """
    most_states = max(1, states.max()) if len(states) else 1
    most_words = 0
    for number in range(len(lattice_of)):
        most_words = max(most_words, output_begin[number + 1] - output_begin[number])
    width = most_words + 1
    table = np.empty((most_states, width))
    back_edge = np.empty((most_states, width), dtype=np.int64)
    back_place = np.empty((most_states, width), dtype=np.int32)
    old, new = np.empty(width), np.empty(width)
    old_from, new_from = np.empty(width, dtype=np.int32), np.empty(width, dtype=np.int32)
    for number in range(len(lattice_of)):
        lattice = lattice_of[number]
        begin = output_begin[number]
        size = output_begin[number + 1] - begin
        last = states[lattice] - 1
        for state in range(last + 1):
            for at in range(size + 1):
                table[state, at] = _INF
                back_edge[state, at] = -1
        for at in range(size + 1):
            table[0, at] = min(at, 1) if jumps else at
        for edge in range(edge_begin[lattice], edge_begin[lattice + 1]):
            origin, goal = tail[edge], head[edge]
            for at in range(size + 1):
                old[at] = table[origin, at] + cost[edge]
                old_from[at] = at
            for step in range(word_begin[edge], word_begin[edge + 1]):
                word = words[step]
                least = 0
                for at in range(size + 1):
                    value = old[at] + 1
                    came = old_from[at]
                    if at > 0:
                        other = old[at - 1] + (0.0 if output[begin + at - 1] == word else 1.0)
                        if other <= value:
                            value = other
                            came = old_from[at - 1]
                        if new[at - 1] + 1 < value:
                            value = new[at - 1] + 1
                            came = new_from[at - 1]
                    new[at] = value
                    new_from[at] = came
                    if value < new[least]:
                        least = at
                if jumps:
                    for at in range(size + 1):
                        if new[least] + 1 < new[at]:
                            new[at] = new[least] + 1
                            new_from[at] = new_from[least]
                for at in range(size + 1):
                    old[at] = new[at]
                    old_from[at] = new_from[at]
            for at in range(size + 1):
                if old[at] < table[goal, at]:
                    table[goal, at] = old[at]
                    back_edge[goal, at] = edge
                    back_place[goal, at] = old_from[at]
        values[number] = table[last, size]
        lengths[number] = _write_path(
            tail, back_edge, back_place, last, size, edge_begin[lattice], path_begin[number], path
        )


@kernel
def cder_distance(output: Ints, reference: Ints) -> int:
    """CDER's distance: edits, with jumps in the output at cost 1. Every word of the reference is covered once."""
    size = len(output)
    old = np.empty(size + 1, dtype=np.int64)
    new = np.empty(size + 1, dtype=np.int64)
    for at in range(size + 1):
        old[at] = min(at, 1)
    for word in reference:
        least = old[0] + 1
        new[0] = least
        for at in range(1, size + 1):
            value = old[at - 1] + (0 if output[at - 1] == word else 1)
            value = min(value, old[at] + 1, new[at - 1] + 1)
            new[at] = value
            least = min(least, value)
        for at in range(size + 1):
            old[at] = min(new[at], least + 1)
    return int(old[size])

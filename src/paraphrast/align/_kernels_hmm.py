"""Compiled loops of the HMM: forward–backward, expected counts, Viterbi, and the update of the jumps.

The state is the position of the last linked source word: 0 for "none yet", s for source position s − 1. The empty word
keeps the state, so Och and Ney's duplicate states are not needed. ``jump`` has s(d) for every width −span … span at
index d + span. From state s, in a sentence of l words, the possible widths are 1 − s … l − s, and Z(s, l) is the sum of
their s(d). Inner loops run over contiguous memory and carry no sum, so they vectorise while the order of additions, and
so the result, stays fixed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.align._kernels import (
    COUNT_UNIT,
    JUMP_UNIT,
    LOG_UNIT,
    digamma,
    exp_digamma,
    find_slot,
    units,
)
from paraphrast.align._kernels_window import (
    GROUP,
    correlate,
    forward_backward_window,
    padded_widths,
    total_of,
)
from paraphrast.align.arrays import HmmArrays

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Posteriors below this are left out of the counts, because each would cost a lookup in the lexicon.
NEGLIGIBLE = 1e-7


@kernel
def emissions(
    source: Int32s,
    target: Int32s,
    slot_start: Int64s,
    slot_word: Int32s,
    slot_prob: Float32s,
    floor: float,
    slots: Int64s,
    emit: Float64s,
) -> None:
    """emit[j, s] = t(f_j | e_{s−1}), column 0 is the empty word; slots[j, s] = its slot in the lexicon."""
    null = len(slot_start) - 2
    for s in range(len(source) + 1):
        e = null if s == 0 else source[s - 1]
        begin = slot_start[e]
        end = slot_start[e + 1]
        for j in range(len(target)):
            slot = find_slot(slot_word, begin, end, target[j])
            slots[j, s] = slot
            emit[j, s] = np.float64(slot_prob[slot]) if slot >= 0 else floor


@inline_kernel
def departure(jump_sums: Float64s, span: int, source_len: int, stay: float, leave: Float64s) -> None:
    """leave[s] = (1 − p0) / Z(s, l); jump_sums[k] is the sum of the first k jumps."""
    for s in range(source_len + 1):
        total = jump_sums[source_len - s + span + 1] - jump_sums[1 - s + span]
        leave[s] = (1.0 - stay) / total


@kernel
def forward_backward(
    source_len: int,
    target_len: int,
    jump: Float64s,
    backwards: Float64s,
    span: int,
    stay: float,
    emit: Float64s,
    leave: Float64s,
    alpha: Float64s,
    gamma: Float64s,
    work: Float64s,
    widths: Float64s,
    left: Float64s,
    least: float,
    counting: bool,
) -> float:
    """Posteriors of one sentence pair and its log-likelihood.

    gamma[j, s]: p(target word j comes from source word s − 1 | both sentences); s = 0 is the empty word.
    jump, backwards: from :func:`padded_jumps`, with width 0 at ``span``.
    work: float64[5, max(states, target_len) + GROUP].
    widths: adds Σ a(s) b(i) by width d = i + 1 − s; times s(d), this is the expected number of such jumps.
    left[s]: adds the expected number of jumps out of state s. Both only if ``counting``.
    least: a word adds nothing to ``widths`` for states that it leaves or reaches less often than this (expected).
    """
    states = source_len + 1
    padded_states = (states + GROUP - 1) // GROUP * GROUP
    middle = len(widths) // 2
    scale = work[0]
    beta = work[1]
    into = work[2][:padded_states]
    back = work[3][:states]
    mass = work[4][:padded_states]
    likely = np.empty((2, states), np.int64)
    into[states:] = 0.0
    mass[states:] = 0.0
    log_likelihood = 0.0
    alpha[0, :states] = 0.0
    alpha[0, 0] = 1.0
    for j in range(target_len):
        before = alpha[j]
        after = alpha[j + 1]
        word = gamma[j]
        for s in range(states):
            mass[s] = before[s] * leave[s]
            word[s] = 0.0
        correlate(word[:states], mass, jump, span)
        word[0] = 0.0
        null = stay * emit[j, 0]
        for s in range(states):
            word[s] *= emit[j, s]
            after[s] = word[s] + null * before[s]
        total = total_of(after[:states])
        scale[j] = total
        inverse = 1.0 / total
        for s in range(states):
            word[s] *= inverse
            after[s] *= inverse
        log_likelihood += np.log(total)

    beta[:states] = 1.0
    for j in range(target_len - 1, -1, -1):
        before = alpha[j]
        word = gamma[j]
        inverse = 1.0 / scale[j]
        for s in range(states):
            mass[s] = before[s] * leave[s]
            word[s] *= beta[s]
            into[s] = emit[j, s] * beta[s] * inverse
            back[s] = 0.0
        into[0] = 0.0
        correlate(back, into, backwards, span)
        if counting:
            # Both ends of a jump have to be likely, which leaves only a few jumps per word.
            leavers = 0
            comers = 0
            for s in range(states):
                leaving = mass[s] * back[s]
                left[s] += leaving
                likely[0, leavers] = s
                leavers += leaving > least
                likely[1, comers] = s
                comers += word[s] > least
            for m in range(leavers):
                s = likely[0, m]
                weight = mass[s]
                for n in range(comers):
                    widths[middle - s + likely[1, n]] += weight * into[likely[1, n]]
        null = stay * emit[j, 0] * inverse
        for s in range(states):
            stayed = null * beta[s]
            into[s] = before[s] * stayed
            beta[s] = leave[s] * back[s] + stayed
        word[0] = total_of(into[:states])
    return log_likelihood


@kernel
def prefix_sums(jump: Float64s) -> Float64s:
    """sums[k] = jump[0] + … + jump[k − 1]."""
    sums = np.zeros(len(jump) + 1, np.float64)
    for k in range(len(jump)):
        sums[k + 1] = sums[k] + jump[k]
    return sums


@kernel
def padded_jumps(jump: Float64s) -> tuple[Float64s, Float64s]:
    """The jumps, and the reversed jumps, each between as many zeros as a group of weights has."""
    ahead = np.zeros(len(jump) + 2 * GROUP, np.float64)
    behind = np.zeros(len(ahead), np.float64)
    ahead[GROUP : GROUP + len(jump)] = jump
    behind[GROUP : GROUP + len(jump)] = jump[::-1]
    return ahead, behind


@kernel
def expect(
    arrays: HmmArrays,
    first: int,
    last: int,
    dense: int,
    cell_start: Int64s,
    gamma: Float64s,
    slots: Int64s,
    width_units: Int64s,
    departure_units: Int64s,
    least: float,
    counting: bool,
) -> int:
    """Posteriors of the pairs ``first`` … ``last − 1``, and the log-likelihood of the kept ones (by LOG_UNIT).

    gamma, slots: the cells of pair n begin at cell_start[n] − cell_start[first], one row per target word, one column
        per state: p(word comes from state | both sentences), and the slot of both words in the lexicon.
    width_units[d], departure_units[l, s]: adds the expected number of jumps of each width, and out of each state of
        sentences with l words, rounded for each pair to units of 1 / JUMP_UNIT. Both only if ``counting``.
    least: as in :func:`forward_backward`.
    dense: sentences with at most this many source words use :func:`forward_backward`, longer ones
        ``forward_backward_window``.
    """
    jump = arrays.jump
    span = len(jump) // 2
    sums = prefix_sums(jump)
    most_source = 0
    most_target = 0
    for n in range(first, last):
        if arrays.kept[n]:
            most_source = max(most_source, arrays.source_starts[n + 1] - arrays.source_starts[n])
            most_target = max(most_target, arrays.target_starts[n + 1] - arrays.target_starts[n])
    ahead, behind = padded_widths(jump, arrays.window)
    emit = np.empty((most_target, most_source + 1), np.float64)
    alpha = np.empty((most_target + 1, most_source + 1), np.float64)
    work = np.empty((8, max(most_source, most_target) + 2 * len(ahead) + 8), np.float64)
    forwards, backwards = padded_jumps(jump)
    leave = np.empty(most_source + 1, np.float64)
    widths = np.zeros(len(jump), np.float64)
    left = np.zeros(most_source + 1, np.float64)
    log_likelihood = np.int64(0)
    for n in range(first, last):
        if not arrays.kept[n]:
            continue
        source = arrays.source_tokens[arrays.source_starts[n] : arrays.source_starts[n + 1]]
        target = arrays.target_tokens[arrays.target_starts[n] : arrays.target_starts[n + 1]]
        begin = cell_start[n] - cell_start[first]
        end = begin + len(target) * (len(source) + 1)
        pair_gamma = gamma[begin:end].reshape((len(target), len(source) + 1))
        pair_slots = slots[begin:end].reshape((len(target), len(source) + 1))
        emissions(
            source,
            target,
            arrays.slot_start,
            arrays.slot_word,
            arrays.slot_prob,
            arrays.floor,
            pair_slots,
            emit,
        )
        departure(sums, span, len(source), arrays.stay, leave)
        if len(source) <= dense:
            pair_log = forward_backward(
                len(source),
                len(target),
                forwards,
                backwards,
                span + GROUP,
                arrays.stay,
                emit,
                leave,
                alpha,
                pair_gamma,
                work,
                widths,
                left,
                least,
                counting,
            )
            low, high = span - len(source), span + len(source) + 1
        else:
            pair_log = forward_backward_window(
                len(source),
                len(target),
                jump,
                arrays.window,
                ahead,
                behind,
                arrays.stay,
                emit,
                leave,
                alpha,
                pair_gamma,
                work,
                widths,
                left,
                least,
                counting,
            )
            low, high = 0, len(jump)
        log_likelihood += units(pair_log, LOG_UNIT)
        if counting:
            for s in range(len(source) + 1):
                departure_units[len(source), s] += units(left[s], JUMP_UNIT)
                left[s] = 0.0
            for d in range(low, high):
                width_units[d] += units(widths[d] * jump[d], JUMP_UNIT)
                widths[d] = 0.0
    return int(log_likelihood)


@kernel
def collect(
    arrays: HmmArrays,
    first: int,
    last: int,
    cell_start: Int64s,
    gamma: Float64s,
    slots: Int64s,
    other_start: Int64s,
    other: Float64s,
    agree: bool,
    counts: Int64s,
) -> None:
    """Adds expected counts of the lexicon, in units of 1 / COUNT_UNIT, from ``gamma`` (see :func:`expect`).

    agree: use instead the products with ``other``, the posteriors of the other direction, where target word j from
    source word i is the other's source word j to target word i. The empty word gets the rest up to 1, so that a word on
    which the directions differ adds no translation to either.
    """
    for n in range(first, last):
        if not arrays.kept[n]:
            continue
        states = arrays.source_starts[n + 1] - arrays.source_starts[n] + 1
        target_len = arrays.target_starts[n + 1] - arrays.target_starts[n]
        begin = cell_start[n] - cell_start[first]
        if not agree:
            for cell in range(begin, begin + target_len * states):
                if gamma[cell] > NEGLIGIBLE and slots[cell] >= 0:
                    counts[slots[cell]] += units(gamma[cell], COUNT_UNIT)
            continue
        mirror = other_start[n] - other_start[first]
        for j in range(target_len):
            row = begin + j * states
            agreed = 0.0
            for s in range(1, states):
                if gamma[row + s] <= NEGLIGIBLE:
                    continue
                value = gamma[row + s] * other[mirror + (s - 1) * (target_len + 1) + j + 1]
                agreed += value
                if value > NEGLIGIBLE and slots[row + s] >= 0:
                    counts[slots[row + s]] += units(value, COUNT_UNIT)
            if slots[row] >= 0:
                counts[slots[row]] += units(max(1.0 - agreed, 0.0), COUNT_UNIT)


@kernel
def maximise_lexicon(
    slot_start: Int64s, slot_word: Int32s, slot_prob: Float32s, counts: Int64s, prior: float, floor: float
) -> None:
    """``_kernels.maximise_row`` for every row of a lexicon."""
    for e in range(len(slot_start) - 1):
        total = np.int64(0)
        support = 0
        for k in range(slot_start[e], slot_start[e + 1]):
            if slot_word[k] >= 0:
                total += counts[k]
                support += 1
        if total <= 0:
            continue
        whole = total / COUNT_UNIT
        log_total = digamma(whole + prior * support) if prior > 0.0 else 0.0
        for k in range(slot_start[e], slot_start[e + 1]):
            if slot_word[k] >= 0:
                value = counts[k] / COUNT_UNIT
                value = exp_digamma(value + prior, log_total) if prior > 0.0 else value / whole
                slot_prob[k] = max(value, floor)


@kernel
def maximise_jumps(
    jump: Float64s, widths: Float64s, departures: Float64s, window: int, rounds: int, floor: float
) -> Float64s:
    """New s(d), one value per width within ±window and one for each tail.

    The sums Z(s, l) differ by position and length, so the best s has no closed form. Each round is a step of Hunter's
    (2004) minorise–maximise algorithm, s_k ← C_k / Σ_w n_w m_wk / Z_w. It never lowers the expected log-likelihood, so
    the whole remains a generalised EM.
    """
    span = len(jump) // 2
    groups = 2 * window + 3
    counts = np.zeros(groups, np.float64)
    shared = np.zeros(groups, np.float64)
    group = np.empty(len(jump), np.int64)
    total = 0.0
    for k in range(len(jump)):
        group[k] = min(max(k - span, -window - 1), window + 1) + window + 1
        counts[group[k]] += widths[k]
        shared[group[k]] = jump[k]
        total += widths[k]
    if total <= 0.0:
        return jump.copy()
    below = np.empty(len(jump) + 1, np.float64)
    pressure = np.empty(groups, np.float64)
    for _ in range(rounds):
        below[0] = 0.0
        for k in range(len(jump)):
            below[k + 1] = below[k] + shared[group[k]]
        pressure[:] = 0.0
        for source_len in range(1, departures.shape[0]):
            for s in range(source_len + 1):
                if departures[source_len, s] > 0.0:
                    first = 1 - s
                    last = source_len - s
                    ratio = departures[source_len, s] / (below[last + span + 1] - below[first + span])
                    pressure[0] += ratio * max(-window - first, 0)
                    pressure[groups - 1] += ratio * max(last - window, 0)
                    for d in range(max(first, -window), min(last, window) + 1):
                        pressure[d + window + 1] += ratio
        highest = 0.0
        for g in range(groups):
            if pressure[g] > 0.0:
                shared[g] = counts[g] / pressure[g]
            highest = max(highest, shared[g])
        norm = 0.0
        for g in range(groups):
            shared[g] = max(shared[g], floor * highest)
            norm += shared[g]
        for g in range(groups):
            shared[g] /= norm
    result = np.empty(len(jump), np.float64)
    for k in range(len(jump)):
        result[k] = shared[group[k]]
    return result


@kernel
def best_by_word(
    arrays: HmmArrays, first: int, last: int, cell_start: Int64s, gamma: Float64s, best: Int32s
) -> None:
    """best[target token]: source position with the highest posterior, −1 for the empty word. Ties go to the left."""
    for n in range(first, last):
        if not arrays.kept[n]:
            continue
        states = arrays.source_starts[n + 1] - arrays.source_starts[n] + 1
        row = cell_start[n] - cell_start[first]
        for k in range(arrays.target_starts[n], arrays.target_starts[n + 1]):
            state = 0
            for s in range(1, states):
                if gamma[row + s] > gamma[row + state]:
                    state = s
            best[k] = state - 1
            row += states


@kernel
def link_posteriors(
    arrays: HmmArrays,
    first: int,
    last: int,
    cell_start: Int64s,
    gamma: Float64s,
    link_starts: Int64s,
    link_source: Int32s,
    link_target: Int32s,
    value: Float32s,
) -> None:
    """value[link]: the posterior of the link."""
    for n in range(first, last):
        if not arrays.kept[n]:
            continue
        states = arrays.source_starts[n + 1] - arrays.source_starts[n] + 1
        begin = cell_start[n] - cell_start[first]
        for k in range(link_starts[n], link_starts[n + 1]):
            value[k] = gamma[begin + link_target[k] * states + link_source[k] + 1]

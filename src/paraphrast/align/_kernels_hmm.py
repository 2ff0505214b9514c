"""Compiled loops of the HMM: forward–backward, expected counts, Viterbi, and the update of the jumps.

The state is where the last linked target word stood: 0 for "none yet", s for source position s − 1. The empty
word keeps the state, so Och and Ney's twin states are not needed. ``jump`` holds s(d) for every width
−span … span at index d + span; from state s into a sentence of l words the widths 1 − s … l − s can happen
and Z(s, l) is their sum. Inner loops run over contiguous memory and carry no sum, so that they vectorise
while the order of additions, and so the result, stays fixed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.align._kernels import digamma, find_slot

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Posteriors below this are left out on the way back and of the counts: most are, and each would cost.
NEGLIGIBLE = 1e-9


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
    """emit[j, s] = t(f_j | e_{s−1}), column 0 the empty word; slots[j, s] = its slot in the lexicon."""
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


@inline_kernel
def add_two(out: Float64s, first: float, row: Float64s, second: float, next_row: Float64s) -> None:
    """out += first · row + second · next_row."""
    for k in range(out.shape[0]):
        out[k] += first * row[k] + second * next_row[k]


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
    departures: Float64s,
) -> float:
    """Posteriors of one sentence pair and its log-likelihood.

    gamma[j, s]: p(target word j comes from source word s − 1 | both sentences), s = 0 the empty word.
    backwards: ``jump`` from its end. work: float64[5, states + 1].
    widths: adds Σ a(s) b(i) by width d = i + 1 − s; times s(d) it is the expected number of such jumps.
    departures[l, s]: adds the expected number of jumps out of state s.
    """
    states = source_len + 1
    scale = work[0]
    beta = work[1]
    into = work[2]
    back = work[3]
    mass = work[4]
    log_likelihood = 0.0
    alpha[0, :states] = 0.0
    alpha[0, 0] = 1.0
    for j in range(target_len):
        before = alpha[j]
        after = alpha[j + 1]
        word = gamma[j]
        word[:states] = 0.0
        for s in range(states):
            mass[s] = before[s] * leave[s]
        mass[states] = 0.0
        for s in range(0, states, 2):
            add_two(
                word[1:states],
                mass[s],
                jump[span - s + 1 : span - s + states],
                mass[s + 1],
                jump[span - s : span - s + states - 1],
            )
        total = 0.0
        null = stay * emit[j, 0]
        for s in range(states):
            word[s] *= emit[j, s]
            after[s] = word[s] + null * before[s]
            total += after[s]
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
        mass[states] = 0.0
        into[0] = 0.0
        into[states] = 0.0
        for i in range(1, states, 2):
            if word[i] > NEGLIGIBLE or (i + 1 < states and word[i + 1] > NEGLIGIBLE):
                add_two(
                    back[:states],
                    into[i],
                    backwards[span - i : span - i + states],
                    into[i + 1],
                    backwards[span - i - 1 : span - i + states - 1],
                )
        back[states] = 0.0
        for s in range(0, states, 2):
            if mass[s] * back[s] + mass[s + 1] * back[s + 1] > NEGLIGIBLE:
                add_two(
                    widths[span - s : span - s + states],
                    mass[s],
                    into[:states],
                    mass[s + 1],
                    into[1 : states + 1],
                )
        null = stay * emit[j, 0] * inverse
        empty = 0.0
        for s in range(states):
            departures[source_len, s] += mass[s] * back[s]
            stayed = null * beta[s]
            empty += before[s] * stayed
            beta[s] = leave[s] * back[s] + stayed
        word[0] = empty
    return log_likelihood


@kernel
def prefix_sums(jump: Float64s) -> Float64s:
    """sums[k] = jump[0] + … + jump[k − 1]."""
    sums = np.zeros(len(jump) + 1, np.float64)
    for k in range(len(jump)):
        sums[k + 1] = sums[k] + jump[k]
    return sums


@kernel
def expect(
    source_tokens: Int32s,
    source_starts: Int64s,
    target_tokens: Int32s,
    target_starts: Int64s,
    kept: Bools,
    slot_start: Int64s,
    slot_word: Int32s,
    slot_prob: Float32s,
    floor: float,
    jump: Float64s,
    stay: float,
    longest: int,
    counts: Float64s,
    widths: Float64s,
    departures: Float64s,
) -> float:
    """E step over the bitext: fills the expected counts of the lexicon and of the jumps."""
    span = len(jump) // 2
    sums = prefix_sums(jump)
    slots = np.empty((longest, longest + 1), np.int64)
    emit = np.empty((longest, longest + 1), np.float64)
    alpha = np.empty((longest + 1, longest + 1), np.float64)
    gamma = np.empty((longest, longest + 1), np.float64)
    work = np.empty((5, longest + 2), np.float64)
    backwards = jump[::-1].copy()
    leave = np.empty(longest + 1, np.float64)
    log_likelihood = 0.0
    for n in range(len(kept)):
        if not kept[n]:
            continue
        source = source_tokens[source_starts[n] : source_starts[n + 1]]
        target = target_tokens[target_starts[n] : target_starts[n + 1]]
        emissions(source, target, slot_start, slot_word, slot_prob, floor, slots, emit)
        departure(sums, span, len(source), stay, leave)
        log_likelihood += forward_backward(
            len(source),
            len(target),
            jump,
            backwards,
            span,
            stay,
            emit,
            leave,
            alpha,
            gamma,
            work,
            widths,
            departures,
        )
        for j in range(len(target)):
            for s in range(len(source) + 1):
                if gamma[j, s] > NEGLIGIBLE and slots[j, s] >= 0:
                    counts[slots[j, s]] += gamma[j, s]
    for k in range(len(jump)):
        widths[k] *= jump[k]
    return log_likelihood


@kernel
def maximise_lexicon(
    slot_start: Int64s, slot_word: Int32s, slot_prob: Float32s, counts: Float64s, prior: float, floor: float
) -> None:
    """t = count / total, or exp(ψ(count + prior) − ψ(total + prior · support)) where prior > 0."""
    for e in range(len(slot_start) - 1):
        total = 0.0
        support = 0
        for k in range(slot_start[e], slot_start[e + 1]):
            if slot_word[k] >= 0:
                total += counts[k]
                support += 1
        if total <= 0.0:
            continue
        log_total = digamma(total + prior * support) if prior > 0.0 else 0.0
        for k in range(slot_start[e], slot_start[e + 1]):
            if slot_word[k] >= 0:
                value = np.exp(digamma(counts[k] + prior) - log_total) if prior > 0.0 else counts[k] / total
                slot_prob[k] = max(value, floor)


@kernel
def maximise_jumps(
    jump: Float64s, widths: Float64s, departures: Float64s, window: int, rounds: int, floor: float
) -> Float64s:
    """New s(d), one value a width within ±window and one for each tail.

    The sums Z(s, l) differ with place and length, so the best s has no closed form. Each round is a step of
    Hunter's (2004) minorise–maximise algorithm, s_k ← C_k / Σ_w n_w m_wk / Z_w, which never lowers the
    expected log-likelihood: the whole stays a generalised EM.
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
                    first = 1 - s + span
                    last = source_len - s + span + 1
                    ratio = departures[source_len, s] / (below[last] - below[first])
                    for k in range(first, last):
                        pressure[group[k]] += ratio
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
def viterbi(
    source_tokens: Int32s,
    source_starts: Int64s,
    target_tokens: Int32s,
    target_starts: Int64s,
    kept: Bools,
    slot_start: Int64s,
    slot_word: Int32s,
    slot_prob: Float32s,
    floor: float,
    jump: Float64s,
    stay: float,
    longest: int,
) -> Int32s:
    """The likeliest alignment: for every target token a source position, −1 for the empty word."""
    span = len(jump) // 2
    sums = prefix_sums(jump)
    slots = np.empty((longest, longest + 1), np.int64)
    emit = np.empty((longest, longest + 1), np.float64)
    came = np.empty((longest, longest + 1), np.int32)
    delta = np.empty(longest + 1, np.float64)
    score = np.empty(longest + 1, np.float64)
    leave = np.empty(longest + 1, np.float64)
    best = np.full(len(target_tokens), -1, np.int32)
    for n in range(len(kept)):
        if not kept[n]:
            continue
        source = source_tokens[source_starts[n] : source_starts[n + 1]]
        target = target_tokens[target_starts[n] : target_starts[n + 1]]
        states = len(source) + 1
        emissions(source, target, slot_start, slot_word, slot_prob, floor, slots, emit)
        departure(sums, span, len(source), stay, leave)
        delta[:states] = 0.0
        delta[0] = 1.0
        for j in range(len(target)):
            score[:states] = 0.0
            for s in range(states):
                mass = delta[s] * leave[s]
                if mass > 0.0:
                    piece = jump[span - s : span - s + states]
                    for i in range(1, states):
                        if mass * piece[i] > score[i]:
                            score[i] = mass * piece[i]
                            came[j, i] = s
            highest = 0.0
            for s in range(states):
                score[s] *= emit[j, s]
                stayed = delta[s] * stay * emit[j, 0]
                if stayed >= score[s]:
                    score[s] = stayed
                    came[j, s] = -1
                highest = max(highest, score[s])
            for s in range(states):
                delta[s] = score[s] / highest
        state = 0
        for s in range(states):
            if delta[s] > delta[state]:
                state = s
        for j in range(len(target) - 1, -1, -1):
            if came[j, state] >= 0:
                best[target_starts[n] + j] = state - 1
                state = came[j, state]
    return best


@kernel
def posteriors(
    source_tokens: Int32s,
    source_starts: Int64s,
    target_tokens: Int32s,
    target_starts: Int64s,
    kept: Bools,
    slot_start: Int64s,
    slot_word: Int32s,
    slot_prob: Float32s,
    floor: float,
    jump: Float64s,
    stay: float,
    longest: int,
    link_starts: Int64s,
    link_source: Int32s,
    link_target: Int32s,
) -> tuple[Int32s, Float32s]:
    """(most probable source position of every target token, posterior of every given link)."""
    span = len(jump) // 2
    sums = prefix_sums(jump)
    slots = np.empty((longest, longest + 1), np.int64)
    emit = np.empty((longest, longest + 1), np.float64)
    alpha = np.empty((longest + 1, longest + 1), np.float64)
    gamma = np.empty((longest, longest + 1), np.float64)
    work = np.empty((5, longest + 2), np.float64)
    backwards = jump[::-1].copy()
    leave = np.empty(longest + 1, np.float64)
    widths = np.zeros(len(jump), np.float64)
    departures = np.zeros((longest + 1, longest + 1), np.float64)
    best = np.full(len(target_tokens), -1, np.int32)
    value = np.zeros(len(link_source), np.float32)
    for n in range(len(kept)):
        if not kept[n]:
            continue
        source = source_tokens[source_starts[n] : source_starts[n + 1]]
        target = target_tokens[target_starts[n] : target_starts[n + 1]]
        emissions(source, target, slot_start, slot_word, slot_prob, floor, slots, emit)
        departure(sums, span, len(source), stay, leave)
        forward_backward(
            len(source),
            len(target),
            jump,
            backwards,
            span,
            stay,
            emit,
            leave,
            alpha,
            gamma,
            work,
            widths,
            departures,
        )
        for j in range(len(target)):
            state = 0
            for s in range(1, len(source) + 1):
                if gamma[j, s] > gamma[j, state]:
                    state = s
            best[target_starts[n] + j] = state - 1
        for k in range(link_starts[n], link_starts[n + 1]):
            value[k] = gamma[link_target[k], link_source[k] + 1]
    return best, value

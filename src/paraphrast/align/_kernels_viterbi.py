"""The most probable alignment of the HMM (Viterbi)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.align._kernels_hmm import departure, emissions, prefix_sums
from paraphrast.align.arrays import HmmArrays

Int32s = NDArray[np.int32]
Float64s = NDArray[np.float64]


@inline_kernel
def likeliest_jumps(
    mass: Float64s, states: int, jump: Float64s, window: int, after: Int32s, score: Float64s, came: Int32s
) -> None:
    """score[i] = max_s mass[s] · s(i − s), and the state of the maximum, the lowest if several are equal.

    All states beyond the window share one weight per side, so the heaviest of them is the best: ``after[s]`` is the
    heaviest from s on, and ``before`` tracks the heaviest so far.
    """
    span = len(jump) // 2
    after[states - 1] = states - 1
    for s in range(states - 2, -1, -1):
        after[s] = s if mass[s] >= mass[after[s + 1]] else after[s + 1]
    before = -1
    score[0] = 0.0
    came[0] = -1
    for i in range(1, states):
        first = max(i - window, 0)
        last = min(i + window, states - 1)
        highest = -1.0
        origin = -1
        if first > 0:
            if before < 0 or mass[first - 1] > mass[before]:
                before = first - 1
            highest = mass[before] * jump[len(jump) - 1]
            origin = before
        for s in range(first, last + 1):
            value = mass[s] * jump[span + i - s]
            if value > highest:
                highest = value
                origin = s
        if last + 1 < states and mass[after[last + 1]] * jump[0] > highest:
            highest = mass[after[last + 1]] * jump[0]
            origin = after[last + 1]
        score[i] = highest
        came[i] = origin


@kernel
def viterbi(arrays: HmmArrays) -> Int32s:
    """The most probable alignment: for every target token a source position, −1 for the empty word."""
    jump = arrays.jump
    stay = arrays.stay
    span = len(jump) // 2
    longest = 0
    for n in range(len(arrays.kept)):
        if arrays.kept[n]:
            longest = max(longest, arrays.source_starts[n + 1] - arrays.source_starts[n])
            longest = max(longest, arrays.target_starts[n + 1] - arrays.target_starts[n])
    sums = prefix_sums(jump)
    slots = np.empty((longest, longest + 1), np.int64)
    emit = np.empty((longest, longest + 1), np.float64)
    came = np.empty((longest, longest + 1), np.int32)
    delta = np.empty(longest + 1, np.float64)
    score = np.empty(longest + 1, np.float64)
    leave = np.empty(longest + 1, np.float64)
    mass = np.empty(longest + 1, np.float64)
    after = np.empty(longest + 2, np.int32)
    best = np.full(len(arrays.target_tokens), -1, np.int32)
    for n in range(len(arrays.kept)):
        if not arrays.kept[n]:
            continue
        source = arrays.source_tokens[arrays.source_starts[n] : arrays.source_starts[n + 1]]
        target = arrays.target_tokens[arrays.target_starts[n] : arrays.target_starts[n + 1]]
        states = len(source) + 1
        emissions(
            source, target, arrays.slot_start, arrays.slot_word, arrays.slot_prob, arrays.floor, slots, emit
        )
        departure(sums, span, len(source), stay, leave)
        delta[:states] = 0.0
        delta[0] = 1.0
        for j in range(len(target)):
            for s in range(states):
                mass[s] = delta[s] * leave[s]
            likeliest_jumps(mass, states, jump, arrays.window, after, score, came[j])
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
                best[arrays.target_starts[n] + j] = state - 1
                state = came[j, state]
    return best

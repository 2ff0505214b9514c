"""Forward–backward of the HMM for long sentences: jumps beyond ±W are computed from sums over all states.

The recursions equal those of ``_kernels_hmm.forward_backward`` up to rounding. A width within ±W costs one pass over
the states. All wider jumps share one weight per side, so their contribution is that weight times a running sum. A word
costs I · (2 W + 1) instead of I². Arrays of states are padded with zeros on both sides, so inner loops need no bounds
checks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

Float64s = NDArray[np.float64]

#: Number of weights that :func:`correlate` processes at a time.
GROUP = 8


@inline_kernel
def total_of(values: Float64s) -> float:
    """The sum, computed as four running sums in a fixed order on every machine."""
    first = 0.0
    second = 0.0
    third = 0.0
    fourth = 0.0
    whole_length = values.shape[0] // 4 * 4
    for k in range(0, whole_length, 4):
        first += values[k]
        second += values[k + 1]
        third += values[k + 2]
        fourth += values[k + 3]
    for k in range(whole_length, values.shape[0]):
        first += values[k]
    return (first + second) + (third + fourth)


@inline_kernel
def correlate(out: Float64s, weights: Float64s, values: Float64s, beyond: int) -> None:
    """out[k] += Σ_m weights[m] · values[beyond − m + k], eight weights at a time.

    The number of weights is a multiple of eight, with zeros at the end if needed; ``values`` is read from
    beyond − m + 1. One slice with unsigned offsets is used instead of eight slices, so that the compiler checks only
    once whether it overlaps ``out``.
    """
    size = out.shape[0]
    for m in range(0, weights.shape[0], GROUP):
        w0 = weights[m]
        w1 = weights[m + 1]
        w2 = weights[m + 2]
        w3 = weights[m + 3]
        w4 = weights[m + 4]
        w5 = weights[m + 5]
        w6 = weights[m + 6]
        w7 = weights[m + 7]
        near = values[beyond - m - GROUP + 1 : beyond - m + size]
        for k in range(np.uint64(size)):
            out[k] += (
                (w0 * near[k + np.uint64(7)] + w1 * near[k + np.uint64(6)])
                + (w2 * near[k + np.uint64(5)] + w3 * near[k + np.uint64(4)])
            ) + (
                (w4 * near[k + np.uint64(3)] + w5 * near[k + np.uint64(2)])
                + (w6 * near[k + np.uint64(1)] + w7 * near[k])
            )


@kernel
def padded_widths(jump: Float64s, window: int) -> tuple[Float64s, Float64s]:
    """s(−W) … s(W), and the same reversed, each padded with zeros to a multiple of eight."""
    span = len(jump) // 2
    inner = 2 * window + 1
    ahead = np.zeros((inner + GROUP - 1) // GROUP * GROUP, np.float64)
    back = np.zeros(len(ahead), np.float64)
    for k in range(inner):
        ahead[k] = jump[span - window + k]
        back[inner - 1 - k] = jump[span - window + k]
    return ahead, back


@kernel
def forward_backward_window(
    source_len: int,
    target_len: int,
    jump: Float64s,
    window: int,
    ahead: Float64s,
    behind: Float64s,
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
    """Like ``forward_backward``; ahead, behind: from :func:`padded_widths`.

    work: float64[8, states + 2 · (2 W + 8)]. counting: also add to ``widths`` and ``left``.
    """
    states = source_len + 1
    span = len(jump) // 2
    inner = 2 * window + 1
    # Value s of a padded array is at pad + s; weight k of ``ahead`` is the width k − W.
    pad = len(ahead) - 1
    size = states + 2 * pad + 2
    scale = work[0]
    beta = work[1]
    into = work[2][:size]
    back = work[3]
    mass = work[4][:size]
    before_sum = work[5]
    after_sum = work[6]
    low = jump[0]
    high = jump[len(jump) - 1]
    into[:] = 0.0
    mass[:] = 0.0
    log_likelihood = 0.0
    alpha[0, :states] = 0.0
    alpha[0, 0] = 1.0
    for j in range(target_len):
        before = alpha[j]
        after = alpha[j + 1]
        word = gamma[j]
        mass_in_sentence = mass[pad : pad + states]
        for s in range(states):
            mass_in_sentence[s] = before[s] * leave[s]
        word[:states] = 0.0
        # Σ_d s(d) mass[i − d]: weight k reads value i + W − k.
        correlate(word[:states], ahead, mass, pad + window)
        if source_len > window:
            running_sums(mass_in_sentence, before_sum, after_sum)
            for i in range(window + 1, states):
                word[i] += high * before_sum[i - window]
            for i in range(states - window - 1):
                word[i] += low * after_sum[i + window + 1]
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
    tail_low = 0.0
    tail_high = 0.0
    for j in range(target_len - 1, -1, -1):
        before = alpha[j]
        word = gamma[j]
        inverse = 1.0 / scale[j]
        mass_in_sentence = mass[pad : pad + states]
        into_in_sentence = into[pad : pad + states]
        for s in range(states):
            mass_in_sentence[s] = before[s] * leave[s]
            word[s] *= beta[s]
            into_in_sentence[s] = emit[j, s] * beta[s] * inverse
        into_in_sentence[0] = 0.0
        back[:states] = 0.0
        # Σ_d s(d) into[s + d]: weight k of the reversed widths is the width W − k, and reads s + W − k.
        correlate(back[:states], behind, into, pad + window)
        if source_len > window:
            running_sums(into_in_sentence, before_sum, after_sum)
            for s in range(states - window - 1):
                far = high * after_sum[s + window + 1]
                back[s] += far
                tail_high += mass_in_sentence[s] * far
            for s in range(window + 1, states):
                far = low * before_sum[s - window]
                back[s] += far
                tail_low += mass_in_sentence[s] * far
        null = stay * emit[j, 0] * inverse
        if counting:
            for s in range(states):
                if mass_in_sentence[s] * back[s] > least:
                    weight = mass_in_sentence[s]
                    piece = into[pad + s - window : pad + s - window + inner]
                    near_widths = widths[span - window : span + window + 1]
                    for k in range(inner):
                        near_widths[k] += weight * piece[k]
            for s in range(states):
                left[s] += mass_in_sentence[s] * back[s]
        rest = work[7]
        for s in range(states):
            stayed = null * beta[s]
            rest[s] = before[s] * stayed
            beta[s] = leave[s] * back[s] + stayed
        word[0] = total_of(rest[:states])
    if counting and source_len > window:
        # ``widths`` is multiplied by s(d) at the end; one width of each tail represents the whole tail.
        widths[0] += tail_low / low
        widths[len(widths) - 1] += tail_high / high
    return log_likelihood


@inline_kernel
def running_sums(values: Float64s, before_sum: Float64s, after_sum: Float64s) -> None:
    """before_sum[k] = values[0] + … + values[k − 1]; after_sum[k] = values[k] + … + the last value."""
    size = values.shape[0]
    first = 0.0
    last = 0.0
    before_sum[0] = 0.0
    after_sum[size] = 0.0
    for k in range(size):
        first += values[k]
        last += values[size - 1 - k]
        before_sum[k + 1] = first
        after_sum[size - 1 - k] = last

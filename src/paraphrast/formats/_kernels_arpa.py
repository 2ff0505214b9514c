"""ARPA lines as bytes: numbers and words formatted into a buffer, and parsed from one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

#: The longest number that :func:`_put_number` writes.
NUMBER_BYTES = 24
_ZERO, _DOT, _MINUS, _TAB, _NEW_LINE, _SPACE = 48, 46, 45, 9, 10, 32
_DIGITS = 9


@inline_kernel
def _put_number(buffer: NDArray[np.uint8], at: int, value: float) -> int:
    """Nine significant digits, as ``%.9g`` without exponents above 10⁻⁵; where the number ends."""
    if value == 0:
        buffer[at] = _ZERO
        return at + 1
    if value < 0:
        buffer[at] = _MINUS
        at += 1
        value = -value
    exponent = 0  # of the first digit
    scaled = value
    while scaled >= 10.0:
        scaled /= 10.0
        exponent += 1
    while scaled < 1.0:
        scaled *= 10.0
        exponent -= 1
    digits = np.int64(math.floor(scaled * 1e8 + 0.5))
    if digits >= 1_000_000_000:
        digits //= 10
        exponent += 1
    kept = _DIGITS
    while kept > 1 and digits % 10 == 0:
        digits //= 10
        kept -= 1
    shown = exponent if exponent >= -5 else 0  # where the point stands
    if shown < 0:
        buffer[at] = _ZERO
        buffer[at + 1] = _DOT
        at += 2
        for _ in range(-shown - 1):
            buffer[at] = _ZERO
            at += 1
        for index in range(kept - 1, -1, -1):
            buffer[at + index] = _ZERO + digits % 10
            digits //= 10
        return at + kept
    before = shown + 1  # digits before the point
    while kept < before:
        digits *= 10
        kept += 1
    has_point = 1 if kept > before else 0
    for index in range(kept - 1, -1, -1):
        buffer[at + index + (has_point if index >= before else 0)] = _ZERO + digits % 10
        digits //= 10
    if has_point:
        buffer[at + before] = _DOT
    at += kept + has_point
    if exponent < -5:
        exponent = -exponent
        buffer[at] = 101  # e
        buffer[at + 1] = _MINUS
        at += 2
        if exponent >= 100:
            buffer[at] = _ZERO + exponent // 100
            at += 1
        buffer[at] = _ZERO + exponent // 10 % 10
        buffer[at + 1] = _ZERO + exponent % 10
        at += 2
    return at


@kernel
def put_lines(
    buffer: NDArray[np.uint8],
    node: int,
    end: int,
    order: int,
    path: NDArray[np.int64],
    word: NDArray[np.int32],
    child_begin: NDArray[np.int64],
    log_prob: NDArray[np.float32],
    backoff: NDArray[np.float32],
    per_log10: float,
    highest: bool,
    listed: NDArray[np.bool_],
    start_word: int,
    pool: NDArray[np.uint8],
    offsets: NDArray[np.int64],
) -> tuple[int, int]:
    """Write the lines of the nodes from ``node`` up to ``end`` of one order; stop where the buffer may not hold one.

    path: int64[order], nodes of the prefixes of the last n-gram, shortest first; kept between calls, and at first
    the first node of each order. Word w is ``pool[offsets[w]:offsets[w + 1]]``. Returns the next node, and how
    many bytes were written.
    """
    at = 0
    size = len(buffer)
    while node < end:
        path[order - 1] = node
        if order == 1 and not listed[node]:
            node += 1
            continue
        level = order - 2
        while level >= 0:
            parent = path[level]
            while child_begin[parent + 1] <= path[level + 1]:
                parent += 1
            path[level] = parent
            level -= 1
        needed = 2 * NUMBER_BYTES + 4
        for index in range(order):
            text = word[path[index]]
            needed += offsets[text + 1] - offsets[text] + 1
        if at + needed > size:
            break
        if order == 1 and node == start_word:
            at = _put_number(buffer, at, -99.0)
        else:
            at = _put_number(buffer, at, np.float64(log_prob[node]) / per_log10)
        for index in range(order):
            buffer[at] = _TAB if index == 0 else _SPACE
            at += 1
            text = word[path[index]]
            for byte in range(offsets[text], offsets[text + 1]):
                buffer[at] = pool[byte]
                at += 1
        if not highest:
            buffer[at] = _TAB
            at = _put_number(buffer, at + 1, np.float64(backoff[node]) / per_log10)
        buffer[at] = _NEW_LINE
        at += 1
        node += 1
    return node, at

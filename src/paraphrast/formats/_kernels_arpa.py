"""Compiled formatting and parsing of ARPA lines as bytes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.formats._kernels_words import HASH_FACTOR, HASH_START, find_word

#: Length of the longest number that :func:`_put_number` writes.
NUMBER_BYTES = 24
#: Larger values of log10 are not valid back-off weights.
LARGEST_BACKOFF = 99.0
_ZERO, _DOT, _MINUS, _TAB, _NEW_LINE, _SPACE = 48, 46, 45, 9, 10, 32
_DIGITS = 9
_RETURN, _PLUS, _SMALL_E, _LARGE_E = 13, 43, 101, 69


@inline_kernel
def _put_number(buffer: NDArray[np.uint8], at: int, value: float) -> int:
    """Write nine significant digits, like ``%.9g`` but without exponents above 10⁻⁵. Returns where the number ends."""
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
    digit_count = _DIGITS
    while digit_count > 1 and digits % 10 == 0:
        digits //= 10
        digit_count -= 1
    shown = exponent if exponent >= -5 else 0  # position of the decimal point
    if shown < 0:
        buffer[at] = _ZERO
        buffer[at + 1] = _DOT
        at += 2
        for _ in range(-shown - 1):
            buffer[at] = _ZERO
            at += 1
        for index in range(digit_count - 1, -1, -1):
            buffer[at + index] = _ZERO + digits % 10
            digits //= 10
        return at + digit_count
    before = shown + 1  # digits before the point
    while digit_count < before:
        digits *= 10
        digit_count += 1
    has_point = 1 if digit_count > before else 0
    for index in range(digit_count - 1, -1, -1):
        buffer[at + index + (has_point if index >= before else 0)] = _ZERO + digits % 10
        digits //= 10
    if has_point:
        buffer[at + before] = _DOT
    at += digit_count + has_point
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
    """Write the lines of the nodes from ``node`` up to ``end`` of one order. Stops if the buffer may be too small.

    path: int64[order], nodes of the prefixes of the last n-gram, shortest first; kept between calls, at first the first
    node of each order. Word w is ``pool[offsets[w]:offsets[w + 1]]``. Returns the next node, and the number of bytes
    written.
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


@inline_kernel
def _take_number(buffer: NDArray[np.uint8], at: int) -> tuple[int, float]:
    """The end and the value of the number that begins at ``at``; −1 for a number that Python should parse.

    Digits below 2^53 divided by a power of ten of at most 22 are rounded once, so the value equals Python's.
    """
    negative = buffer[at] == _MINUS
    if negative:
        at += 1
    digits = 0
    count = 0
    scale = 0
    point = False
    while True:
        byte = int(buffer[at])
        if _ZERO <= byte <= _ZERO + 9:
            digits = 10 * digits + byte - _ZERO
            count += 1
            scale += 1 if point else 0
        elif byte == _DOT and not point:
            point = True
        else:
            break
        if digits >= 1 << 53:
            return -1, 0.0
        at += 1
    if count == 0 or count > 25:
        return -1, 0.0
    if buffer[at] == _SMALL_E or buffer[at] == _LARGE_E:
        at += 1
        below = buffer[at] == _MINUS
        if below or buffer[at] == _PLUS:
            at += 1
        exponent = 0
        first = at
        while _ZERO <= buffer[at] <= _ZERO + 9 and at - first < 4:
            exponent = 10 * exponent + int(buffer[at]) - _ZERO
            at += 1
        if at == first:
            return -1, 0.0
        scale += exponent if below else -exponent
    if scale > 22 or scale < 0:
        return -1, 0.0
    power = 1.0
    for _ in range(scale):
        power *= 10.0
    value = digits / power
    return at, -value if negative else value


@kernel
def take_lines(
    buffer: NDArray[np.uint8],
    at: int,
    most: int,
    order: int,
    slots: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    pool: NDArray[np.uint8],
    ids: NDArray[np.int32],
    line: int,
    words: NDArray[np.int32],
    log10: NDArray[np.float64],
    backoff10: NDArray[np.float64],
    lines: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Parse up to ``most`` lines of n-grams from ``at`` on. Stops before a line that is not clearly well-formed.

    The buffer ends with a line feed. ``line``: number of lines before. Fills words int32[lines, order], log10,
    backoff10 (0 if missing) and lines with the n-grams whose words all have an id. Returns where it stopped, the
    number of lines read, and the number of n-grams stored.
    """
    read, stored = 0, 0
    while read < most and at < len(buffer):
        end, log_prob = _take_number(buffer, at)
        if end < 0 or log_prob > 0:
            break
        inside = True
        sound = True
        for place in range(order):
            begin = end
            while buffer[end] == _SPACE or buffer[end] == _TAB:
                end += 1
            sound = sound and end > begin
            begin = end
            code = HASH_START
            while buffer[end] != _SPACE and buffer[end] != _TAB and buffer[end] != _NEW_LINE:
                code = (code ^ np.uint64(buffer[end])) * HASH_FACTOR
                end += 1
            code ^= code >> np.uint64(32)
            number, _ = find_word(buffer, begin, end, code, slots, hashes, offsets, pool)
            sound = sound and number >= 0 and end > begin
            if not sound:
                break
            words[stored, place] = ids[number]
            inside = inside and ids[number] >= 0
        if not sound:
            break
        backoff = 0.0
        while buffer[end] == _SPACE or buffer[end] == _TAB:
            end += 1
        if buffer[end] != _NEW_LINE and buffer[end] != _RETURN:
            end, backoff = _take_number(buffer, end)
            if end < 0 or backoff > LARGEST_BACKOFF:
                break
        if buffer[end] == _RETURN:
            end += 1
        if buffer[end] != _NEW_LINE:
            break
        if inside:
            log10[stored] = log_prob
            backoff10[stored] = backoff
            lines[stored] = line + read + 1
            stored += 1
        read += 1
        at = end + 1
    return at, read, stored

"""Translation edit rate, with exactly sacreBLEU's edits, for one output against many references.

TER counts shifts of a block of words, made greedily while they help, and the remaining edits. The definition of a
shift, the order in which shifts are tried, the choice between equal ones, the band and the limits are those of Tercom,
as in sacreBLEU; tests compare the two. Only rows that a shift changes are computed again, and a shift or a reference
that can no longer be better is abandoned.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
#: Limits of Tercom and of sacreBLEU.
_LONGEST_SHIFT = 10
_FARTHEST_SHIFT = 50
_BAND = 25
_MOST_SHIFTS = 1000
_FAR = 1 << 29


@inline_kernel
def _edit_row(place: int, word: int, size: int, reference: Ints, band: int, before: Ints, row: Ints) -> int:
    """Distances between the output's first ``place`` words, of ``size``, and all beginnings of the reference.

    Returns a lower bound of the total distance.
    """
    length = len(reference)
    middle = math.floor(place * (length / size))
    low = max(0, middle - band)
    high = length + 1 if place == size else min(length + 1, middle + band)
    row[: length + 1] = _FAR
    left = size - place
    least = _FAR
    for at in range(low, high):
        if at == 0:
            value = before[0] + 1
        else:
            value = before[at - 1] + (0 if reference[at - 1] == word else 1)
            value = min(value, before[at] + 1, row[at - 1] + 1)
        row[at] = value
        least = min(least, value + abs(left - (length - at)))
    return least


@inline_kernel
def _align(
    words: Ints, reference: Ints, table: NDArray[np.int32], aligned: Ints, wrong: Ints, missed: Ints
) -> None:
    """Trace back through the distances: the output word before or at each reference word, and the errors."""
    row, at = len(words), len(reference)
    while row > 0 or at > 0:
        if row > 0 and at > 0:
            cost = 0 if words[row - 1] == reference[at - 1] else 1
            if table[row, at] == table[row - 1, at - 1] + cost:
                row -= 1
                at -= 1
                aligned[at] = row
                wrong[row] = cost
                missed[at] = cost
                continue
        if row > 0 and (at == 0 or table[row, at] == table[row - 1, at] + 1):
            row -= 1
            wrong[row] = 1
        else:
            at -= 1
            aligned[at] = row - 1
            missed[at] = 1


@inline_kernel
def _move(words: Ints, start: int, length: int, target: int, moved: Ints) -> None:
    """``words`` with the block of ``length`` at ``start`` moved before ``target``, counted as in Tercom."""
    size = len(words)
    if target < start:
        first, second = target, start
        moved[:first] = words[:first]
        moved[first : first + length] = words[start : start + length]
        moved[first + length : second + length] = words[first:second]
        moved[second + length :] = words[second + length :]
        return
    end = target if target > start + length else min(length + target, size)
    moved[:start] = words[:start]
    between = end - (start + length)
    moved[start : start + between] = words[start + length : end]
    moved[start + between : end] = words[start : start + length]
    moved[end:] = words[end:]


@inline_kernel
def _moved_distance(
    words: Ints,
    moved: Ints,
    reference: Ints,
    band: int,
    table: NDArray[np.int32],
    trial: NDArray[np.int32],
    bound: int,
) -> int:
    """The distance of the shifted words, or any value above ``bound`` if it is larger than that."""
    size, length = len(words), len(reference)
    first, last = 0, size
    while first < size and words[first] == moved[first]:
        first += 1
    while last > first and words[last - 1] == moved[last - 1]:
        last -= 1
    if first == size:
        return int(table[size, length])
    trial[first] = table[first]
    for row in range(first + 1, size + 1):
        least = _edit_row(row, moved[row - 1], size, reference, band, trial[row - 1], trial[row])
        if least > bound:
            return least
        if row >= last:
            # The remaining words are equal, so the distances are too, if they differ only by a constant so far.
            change = _FAR
            same = True
            for at in range(length + 1):
                if table[row, at] >= _FAR:
                    continue
                if change == _FAR:
                    change = trial[row, at] - table[row, at]
                elif trial[row, at] - table[row, at] != change:
                    same = False
                    break
            if same and change != _FAR:
                return int(table[size, length] + change)
    return int(trial[size, length])


@kernel
def ter_edits(output: Ints, begin: Longs, references: Ints) -> int:
    """The smallest number of edits from the output to any reference; reference r is ``references[begin[r]:begin[r +
    1]]``.

    Words of the output are numbered from 0; reference words that it lacks are −1.
    """
    size = len(output)
    most = 0
    for number in range(len(begin) - 1):
        most = max(most, begin[number + 1] - begin[number])
    table = np.empty((size + 1, most + 1), dtype=np.int32)
    trial = np.empty((size + 1, most + 1), dtype=np.int32)
    aligned = np.empty(most, dtype=np.int32)
    missed = np.empty(most, dtype=np.int32)
    wrong = np.empty(size, dtype=np.int32)
    words, moved, best_words = output.copy(), output.copy(), output.copy()
    known = np.zeros(size + 1, dtype=np.int32)
    for word in output:
        known[word] += 1
    left = np.empty(size + 1, dtype=np.int32)
    best = _FAR
    for number in range(len(begin) - 1):
        reference = references[begin[number] : begin[number + 1]]
        length = len(reference)
        if length == 0:
            best = min(best, size)
            continue
        left[:] = known
        shared = 0
        for word in reference:
            if word >= 0 and left[word] > 0:
                left[word] -= 1
                shared += 1
        # Words that the other side lacks are always edits.
        least = max(size, length) - shared
        if least >= best:
            continue
        band = _BAND
        if size > 0 and length / size / 2 > _BAND:
            band = math.ceil(length / size / 2 + _BAND)
        words[:] = output
        tried = 0
        shifts = 0
        for at in range(length + 1):
            table[0, at] = at
        for row in range(1, size + 1):
            _edit_row(row, words[row - 1], size, reference, band, table[row - 1], table[row])
        while shifts + least < best:
            distance = table[size, length]
            _align(words, reference, table, aligned, wrong, missed)
            bound = distance - 1
            best_length, best_start, best_target = 0, 0, 0
            for start in range(size):
                for wanted in range(
                    max(0, start - _FARTHEST_SHIFT), min(length, start + _FARTHEST_SHIFT + 1)
                ):
                    block, amiss, lacking = 0, 0, 0
                    while (
                        block < _LONGEST_SHIFT
                        and start + block < size
                        and wanted + block < length
                        and words[start + block] == reference[wanted + block]
                    ):
                        amiss += wrong[start + block]
                        lacking += missed[wanted + block]
                        block += 1
                        if amiss == 0 or lacking == 0 or start <= aligned[wanted] < start + block:
                            continue
                        before = -1
                        for offset in range(-1, block):
                            target = 0
                            if wanted + offset >= 0:
                                target = aligned[wanted + offset] + 1
                            if target == before:
                                continue
                            before = target
                            tried += 1
                            _move(words, start, block, target, moved)
                            value = _moved_distance(words, moved, reference, band, table, trial, bound)
                            # Ties: the longer block, then the earlier block, then the earlier target.
                            if value > bound or (
                                value == bound
                                and best_length > 0
                                and (block, -start, -target) <= (best_length, -best_start, -best_target)
                            ):
                                continue
                            bound = value
                            best_length, best_start, best_target = block, start, target
                            best_words[:] = moved
                        if tried >= _MOST_SHIFTS:
                            break
                    if tried >= _MOST_SHIFTS:
                        break
                if tried >= _MOST_SHIFTS:
                    break
            if tried >= _MOST_SHIFTS or best_length == 0:
                break
            shifts += 1
            words[:] = best_words
            for row in range(1, size + 1):
                _edit_row(row, words[row - 1], size, reference, band, table[row - 1], table[row])
        best = min(best, shifts + table[size, length])
    return int(best)

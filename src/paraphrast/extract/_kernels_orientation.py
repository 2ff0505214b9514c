"""Compiled loops of orientations: for every extracted occurrence, where the translation of its neighbour is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.extract._kernels import read_links, sentence_spans

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt8s = NDArray[np.uint8]

MONO, SWAP, OTHER = 0, 1, 2


@inline_kernel
def step_over(highest: Int32s, place: int, step: int, low: int, high: int) -> int:
    """The first aligned word from ``place`` on; ``low`` − 1 or ``high`` if there is none."""
    while low <= place < high and highest[place] < 0:
        place += step
    return place


@kernel
def orientations(
    source_starts: Int64s,
    target_starts: Int64s,
    link_starts: Int64s,
    link_source: Int32s,
    link_target: Int32s,
    max_length: int,
    max_cepts: int,
    attach: bool,
    longest: int,
    by_phrase: bool,
    begin: Int64s,
    following: UInt8s,
    preceding: UInt8s,
) -> None:
    """Orientation of each occurrence to its next and to its previous source neighbour.

    begin: int64[pairs + 1] from ``count_spans``. Unaligned words between neighbours are skipped on both sides.
    Four grids over (source, target) gaps mark the corners that have a neighbour: a link, or an extracted phrase.
    """
    parent = np.empty(longest, np.int32)
    lowest = np.empty(longest, np.int32)
    highest = np.empty(longest, np.int32)
    room = 1
    for n in range(len(link_starts) - 1):
        if begin[n] == begin[n + 1]:
            continue
        source_len = source_starts[n + 1] - source_starts[n]
        target_len = target_starts[n + 1] - target_starts[n]
        room = max(room, (source_len + 1) * (target_len + 1))
    # Bits of a corner (source gap, target gap): a neighbour is to its upper right, lower right, …
    corners = np.zeros(room, np.uint8)
    for n in range(len(link_starts) - 1):
        count = begin[n + 1] - begin[n]
        if count == 0:
            continue
        source_len = source_starts[n + 1] - source_starts[n]
        target_len = target_starts[n + 1] - target_starts[n]
        mine_source = link_source[link_starts[n] : link_starts[n + 1]]
        mine_target = link_target[link_starts[n] : link_starts[n + 1]]
        read_links(source_len, target_len, mine_source, mine_target, parent, lowest, highest)
        spans = np.empty((count, 4), np.int32)
        sentence_spans(
            source_len, target_len, parent, lowest, highest, max_length, max_cepts, attach, spans, 0
        )
        width = target_len + 1
        corners[: (source_len + 1) * width] = 0
        if by_phrase:
            for k in range(count):
                corners[spans[k, 0] * width + spans[k, 2]] |= 1
                corners[spans[k, 0] * width + spans[k, 3]] |= 2
                corners[spans[k, 1] * width + spans[k, 3]] |= 4
                corners[spans[k, 1] * width + spans[k, 2]] |= 8
        else:
            for k in range(len(mine_source)):
                i = mine_source[k]
                j = mine_target[k]
                corners[i * width + j] |= 1
                corners[i * width + j + 1] |= 2
                corners[(i + 1) * width + j + 1] |= 4
                corners[(i + 1) * width + j] |= 8
        source_highest = highest[:source_len]
        target_highest = highest[source_len : source_len + target_len]
        for k in range(count):
            before = step_over(source_highest, spans[k, 0] - 1, -1, 0, source_len) + 1
            after = step_over(source_highest, spans[k, 1], 1, 0, source_len)
            left = step_over(target_highest, spans[k, 2] - 1, -1, 0, target_len) + 1
            right = step_over(target_highest, spans[k, 3], 1, 0, target_len)
            outcome = OTHER
            if after == source_len:
                if right == target_len:
                    outcome = MONO
            elif corners[after * width + right] & 1:
                outcome = MONO
            elif corners[after * width + left] & 2:
                outcome = SWAP
            following[begin[n] + k] = outcome
            outcome = OTHER
            if before == 0:
                if left == 0:
                    outcome = MONO
            elif corners[before * width + left] & 4:
                outcome = MONO
            elif corners[before * width + right] & 8:
                outcome = SWAP
            preceding[begin[n] + k] = outcome

"""Compiled word overlap: between rows of a matrix, and between spans of two sentences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel


@kernel
def shared_counts(
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    first: NDArray[np.int32],
    second: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Number of items that rows ``first[k]`` and ``second[k]`` share. Items of a row ascend and are distinct."""
    shared = np.zeros(len(first), np.int32)
    for pair in range(len(first)):
        i, i_end = starts[first[pair]], starts[first[pair] + 1]
        j, j_end = starts[second[pair]], starts[second[pair] + 1]
        count = 0
        while i < i_end and j < j_end:
            if items[i] == items[j]:
                count += 1
                i += 1
                j += 1
            elif items[i] < items[j]:
                i += 1
            else:
                j += 1
        shared[pair] = count
    return shared


@inline_kernel
def is_first_here(words: NDArray[np.int32], begin: int, at: int) -> bool:
    """Whether the word at ``at`` does not occur from ``begin`` up to it."""
    for other in range(begin, at):  # noqa: SIM110  kernels cannot use generators
        if words[other] == words[at]:
            return False
    return True


@inline_kernel
def around_overlap(
    first: NDArray[np.int32], second: NDArray[np.int32], first_size: int, second_size: int
) -> float:
    """2 |A ∩ B| / (|A| + |B|) of the distinct words of two short lists; 0 if both are empty."""
    ours = 0
    shared = 0
    for i in range(first_size):
        if not is_first_here(first, 0, i):
            continue
        ours += 1
        for j in range(second_size):
            if second[j] == first[i]:
                shared += 1
                break
    theirs = 0
    for j in range(second_size):
        if is_first_here(second, 0, j):
            theirs += 1
    if ours + theirs == 0:
        return 0.0
    return 2.0 * shared / (ours + theirs)


@inline_kernel
def copy_around(
    tokens: NDArray[np.int32], low: int, begin: int, end: int, high: int, window: int, into: NDArray[np.int32]
) -> int:
    """Copy up to ``window`` words before ``begin`` and after ``end``, within the sentence, and return how many."""
    size = 0
    for at in range(max(low, begin - window), begin):
        into[size] = tokens[at]
        size += 1
    for at in range(end, min(high, end + window)):
        into[size] = tokens[at]
        size += 1
    return size


@kernel
def similar_chunks(
    source_tokens: NDArray[np.int32],
    source_starts: NDArray[np.int64],
    target_tokens: NDArray[np.int32],
    target_starts: NDArray[np.int64],
    source_chunks: NDArray[np.int32],
    source_chunk_starts: NDArray[np.int64],
    target_chunks: NDArray[np.int32],
    target_chunk_starts: NDArray[np.int64],
    alpha: float,
    threshold: float,
    window: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Chunk pairs of one kind in paired sentences whose similarity (Zhao et al. 2008, eq. 6) is above a threshold.

    source_chunks, target_chunks: int32[n, 3]: begin and end in the flat tokens, and kind. The chunks of sentence s are
    rows ``chunk_starts[s]`` to ``chunk_starts[s + 1]``. Returns row numbers of both and similarities. Chunks with the
    same words are not paired.
    """
    pairs = 0
    for sentence in range(len(source_chunk_starts) - 1):
        pairs += (source_chunk_starts[sentence + 1] - source_chunk_starts[sentence]) * (
            target_chunk_starts[sentence + 1] - target_chunk_starts[sentence]
        )
    first = np.empty(pairs, np.int64)
    second = np.empty(pairs, np.int64)
    similarity = np.empty(pairs, np.float64)
    pairs_found = 0
    ours = np.empty(2 * window + 1, np.int32)
    theirs = np.empty(2 * window + 1, np.int32)
    for sentence in range(len(source_chunk_starts) - 1):
        for i in range(source_chunk_starts[sentence], source_chunk_starts[sentence + 1]):
            begin, end, kind = source_chunks[i]
            size = copy_around(
                source_tokens, source_starts[sentence], begin, end, source_starts[sentence + 1], window, ours
            )
            for j in range(target_chunk_starts[sentence], target_chunk_starts[sentence + 1]):
                other_begin, other_end, other_kind = target_chunks[j]
                if kind != other_kind:
                    continue
                if end - begin == other_end - other_begin:
                    same = True
                    for step in range(end - begin):
                        if source_tokens[begin + step] != target_tokens[other_begin + step]:
                            same = False
                            break
                    if same:
                        continue
                other_size = copy_around(
                    target_tokens, target_starts[sentence], other_begin, other_end,
                    target_starts[sentence + 1], window, theirs,
                )  # fmt: skip
                content = around_overlap(
                    source_tokens[begin:end], target_tokens[other_begin:other_end],
                    end - begin, other_end - other_begin,
                )  # fmt: skip
                context = around_overlap(ours, theirs, size, other_size)
                value = alpha * content + (1.0 - alpha) * context
                if value > threshold:
                    first[pairs_found] = i
                    second[pairs_found] = j
                    similarity[pairs_found] = value
                    pairs_found += 1
    return first[:pairs_found], second[:pairs_found], similarity[:pairs_found]


@kernel
def difference_blocks(
    source_tokens: NDArray[np.int32],
    source_starts: NDArray[np.int64],
    target_tokens: NDArray[np.int32],
    target_starts: NDArray[np.int64],
    longest: int,
) -> NDArray[np.int64]:
    """Where paired sentences differ: int64[n, 5] of pair, source begin and end, target begin and end (flat tokens).

    A block lies between two matches of a longest common subsequence. It has words on both sides, at most ``longest``
    per side, and touches a match on at least one side. Of equally long subsequences, the one that matches earliest in
    the first sentence is used.
    """
    total = 0
    widest = 0
    for pair in range(len(source_starts) - 1):
        size = source_starts[pair + 1] - source_starts[pair]
        other = target_starts[pair + 1] - target_starts[pair]
        total += min(size, other)
        widest = max(widest, max(size, other))
    blocks = np.empty((total, 5), np.int64)
    blocks_found = 0
    best = np.zeros((widest + 1, widest + 1), np.int32)
    for pair in range(len(source_starts) - 1):
        low, high = source_starts[pair], source_starts[pair + 1]
        other_low, other_high = target_starts[pair], target_starts[pair + 1]
        size, other = high - low, other_high - other_low
        for i in range(size, -1, -1):
            for j in range(other, -1, -1):
                if i == size or j == other:
                    best[i, j] = 0
                elif source_tokens[low + i] == target_tokens[other_low + j]:
                    best[i, j] = best[i + 1, j + 1] + 1
                else:
                    best[i, j] = max(best[i + 1, j], best[i, j + 1])
        if best[0, 0] == 0:
            continue
        i, j, begin, other_begin = 0, 0, 0, 0
        while True:
            at_end = i == size or j == other
            if at_end:
                i, j = size, other
            match = not at_end and source_tokens[low + i] == target_tokens[other_low + j]
            if match or at_end:
                ours, theirs = i - begin, j - other_begin
                if 0 < ours <= longest and 0 < theirs <= longest:
                    blocks[blocks_found, 0] = pair
                    blocks[blocks_found, 1] = low + begin
                    blocks[blocks_found, 2] = low + i
                    blocks[blocks_found, 3] = other_low + other_begin
                    blocks[blocks_found, 4] = other_low + j
                    blocks_found += 1
                if at_end:
                    break
                i, j = i + 1, j + 1
                begin, other_begin = i, j
            elif best[i + 1, j] >= best[i, j + 1]:
                i += 1
            else:
                j += 1
    return blocks[:blocks_found]

"""Words separated by white space, numbered through a hash table: bytes in, ids out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.types import UNKNOWN

_NEW_LINE = 10
_SPACE = 32
_FIRST_BLANK, _LAST_BLANK = 9, 13
#: FNV-1a, with a final mixing of the high half into the low one.
HASH_START, HASH_FACTOR = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


@inline_kernel
def _is_blank(byte: int) -> bool:
    """ASCII white space, as in C and KenLM. A no-break space is part of a word."""
    return byte == _SPACE or _FIRST_BLANK <= byte <= _LAST_BLANK


@inline_kernel
def _same(pool: NDArray[np.uint8], first: int, buffer: NDArray[np.uint8], begin: int, length: int) -> bool:
    index = 0
    while index < length and pool[first + index] == buffer[begin + index]:
        index += 1
    return index == length


@inline_kernel
def find_word(
    buffer: NDArray[np.uint8],
    begin: int,
    end: int,
    code: np.uint64,
    slots: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    pool: NDArray[np.uint8],
) -> tuple[int, int]:
    """The number of the word ``buffer[begin:end]`` with hash ``code``, or −1, and the slot where it is or belongs."""
    mask = len(slots) - 1
    place = np.int64(code & np.uint64(mask))
    while slots[place] != 0:
        word = np.int64(slots[place]) - 1
        if (
            hashes[word] == code
            and offsets[word + 1] - offsets[word] == end - begin
            and _same(pool, offsets[word], buffer, begin, end - begin)
        ):
            return int(word), int(place)
        place = (place + 1) & mask
    return -1, int(place)


@kernel
def number_words(
    buffer: NDArray[np.uint8],
    begin: int,
    slots: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    pool: NDArray[np.uint8],
    words: int,
    frozen: bool,
    tokens: NDArray[np.int32],
    token_count: int,
    ends: NDArray[np.int64],
    line_count: int,
) -> tuple[int, int, int, int]:
    """Number the words of ``buffer`` from ``begin`` on; every line ends with a line feed.

    slots: int32[power of two], word + 1 or 0, open addressing; hashes: uint64[capacity] by word; word w is
    ``pool[offsets[w]:offsets[w + 1]]``. New words are added, or with ``frozen`` become ``<unk>``.
    tokens, ends: filled from ``token_count`` and ``line_count`` on; ends has the number of tokens at each line end.

    Returns where it stopped (early if a new word has no room: enlarge and call again), and the new counts of tokens,
    lines and words.
    """
    at = begin
    size = len(buffer)
    while at < size:
        byte = buffer[at]
        if _is_blank(byte):
            if byte == _NEW_LINE:
                ends[line_count] = token_count
                line_count += 1
            at += 1
            continue
        end = at
        code = HASH_START
        while end < size and not _is_blank(buffer[end]):
            code = (code ^ np.uint64(buffer[end])) * HASH_FACTOR
            end += 1
        code ^= code >> np.uint64(32)
        word, place = find_word(buffer, at, end, code, slots, hashes, offsets, pool)
        length = end - at
        if word < 0:
            if frozen:
                word = UNKNOWN
            else:
                if words == len(hashes) or offsets[words] + length > len(pool):
                    return at, token_count, line_count, words
                word = words
                first = offsets[words]
                for index in range(length):
                    pool[first + index] = buffer[at + index]
                offsets[words + 1] = first + length
                hashes[words] = code
                slots[place] = words + 1
                words += 1
        tokens[token_count] = word
        token_count += 1
        at = end
    return at, token_count, line_count, words


@kernel
def fill_slots(hashes: NDArray[np.uint64], words: int, slots: NDArray[np.int32]) -> None:
    """Enter all words into an empty table."""
    mask = np.uint64(len(slots) - 1)
    for word in range(words):
        place = np.int64(hashes[word] & mask)
        while slots[place] != 0:
            place = (place + 1) & np.int64(mask)
        slots[place] = word + 1


@kernel
def renumber(tokens: NDArray[np.int32], numbers: NDArray[np.int32]) -> None:
    """Replace every token by its new number, in place."""
    for position in range(len(tokens)):
        tokens[position] = numbers[tokens[position]]


@kernel
def count_words(tokens: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
    """Add the occurrences of every word."""
    for token in tokens:
        counts[token] += 1

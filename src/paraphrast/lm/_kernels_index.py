"""The index of a language model, a hash table from (context, word) to the state after it; and whether all is sound."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import kernel
from paraphrast._numeric import DISTANCE_MASK, ONLY_UNKNOWN, SLOT, home_slot, minimal_state
from paraphrast.types import NgramArrays


@kernel
def fill_index(arrays: NgramArrays, index: NDArray[np.uint32]) -> int:
    """Enter every n-gram of two words and more into ``index``, which is empty but for its first element, bits.

    Each insertion takes the place of the first slot that is nearer to its home, and goes on with that one. Returns
    the greatest distance, or −1 where one does not fit into a check.
    """
    values = index.view(np.float32)
    slots = np.uint64(len(index) // SLOT - 1)
    bits = np.uint64(index[0])
    words = np.uint64(arrays.order_start[1])
    longest = 0
    for context in range(arrays.order_start[len(arrays.order_start) - 2]):
        for node in range(arrays.child_begin[context], arrays.child_begin[context + 1]):
            key = np.uint64(context) * words + np.uint64(arrays.word[node])
            home, check = home_slot(slots, bits, key)
            state = np.int64(minimal_state(arrays, node))
            log_prob = arrays.log_prob[node]
            backoff = arrays.backoff[state] if state >= 0 else np.float32(0.0)
            at = SLOT + SLOT * home
            while True:
                old_check = index[at]
                if (old_check & DISTANCE_MASK) < (check & DISTANCE_MASK):
                    old_state = np.int64(np.int32(index[at + 1]))
                    old_log_prob = values[at + 2]
                    old_backoff = values[at + 3]
                    index[at] = check
                    index[at + 1] = np.uint32(state)
                    values[at + 2] = log_prob
                    values[at + 3] = backoff
                    if old_check == 0:
                        break
                    check, state, log_prob, backoff = old_check, old_state, old_log_prob, old_backoff
                check += np.uint32(1)
                distance = np.int64(check & DISTANCE_MASK)
                longest = max(longest, int(distance))
                if distance == np.int64(DISTANCE_MASK):
                    return -1
                at += SLOT
                if at == len(index):
                    at = SLOT
    return longest


@kernel
def wrong_node(arrays: NgramArrays, order: int, first: int, last: int, step: int) -> int:
    """The first of every ``step``-th node of an order whose links or numbers cannot be; −1 where all can.

    Words are in the vocabulary, children lie in the order above and end after they
    begin, suffixes are shorter, and numbers are numbers.
    """
    orders = len(arrays.order_start) - 1
    size = arrays.order_start[1]
    children_from = last
    children_to = arrays.order_start[order + 1] if order < orders else last
    for node in range(first, last, step):
        word = arrays.word[node]
        begin = arrays.child_begin[node]
        end = arrays.child_begin[node + 1]
        suffix = arrays.suffix[node]
        sound = begin >= children_from and end >= begin and end <= children_to
        if order == 1:
            sound = sound and word == node and (suffix == -1 or suffix == ONLY_UNKNOWN)
        else:
            sound = sound and word >= 0 and word < size and suffix >= 0 and suffix < first
        log_prob = arrays.log_prob[node]
        backoff = arrays.backoff[node]
        sound = sound and log_prob <= 1e-6 and log_prob > -1e4 and abs(backoff) < 1e4
        if not sound:
            return node
    return -1


@kernel
def wrong_slot(arrays: NgramArrays, step: int) -> int:
    """The first of every ``step``-th slot of the index whose state is no context; −1 where all are."""
    contexts = arrays.order_start[len(arrays.order_start) - 2]
    for slot in range(1, len(arrays.table) // SLOT, step):
        at = SLOT * slot
        state = np.int64(np.int32(arrays.table[at + 1]))
        if arrays.table[at] != 0 and (state < -1 or state >= max(contexts, arrays.order_start[1])):
            return slot
    return -1

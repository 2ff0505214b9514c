"""Faster look-ups for a model: a hash table beside the trie.

A look-up in the trie is a search among the children of a context, which waits for memory several times; in the
table it waits once, and finds the state, its back-off weight and the log probability together. The table is as
large as the arrays again, so it is optional, and everything works without.
"""

from __future__ import annotations

import numpy as np

from paraphrast._numeric import DISTANCE_BITS, SLOT
from paraphrast.lm._kernels_index import fill_index
from paraphrast.types import NgramArrays

#: Full slots among all of them.
LOAD = 0.75


def key_bits(arrays: NgramArrays) -> int:
    """Bits that hold every pair of a context, or one more that stands for none, and a word."""
    keys = int(arrays.order_start[1]) * (int(arrays.order_start[-2]) + 1)
    return (keys - 1).bit_length()


def with_index(arrays: NgramArrays) -> NgramArrays:
    """The model with an index; without one where it has no n-grams of two words, or too large a vocabulary."""
    without = arrays._replace(table=NgramArrays._field_defaults["table"])
    entries = len(arrays.word) - int(arrays.order_start[1])
    bits = key_bits(arrays)
    slots = int(entries / LOAD) + 1
    while entries and (2**bits - 1) // slots < 2 ** (32 - DISTANCE_BITS):
        index = np.zeros(SLOT + SLOT * slots, dtype=np.uint32)
        index[0] = bits
        if fill_index(without, index) >= 0:
            index.flags.writeable = False
            return without._replace(table=index)
        slots += slots // 4 + 1
    return without

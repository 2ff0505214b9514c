"""Look-ups in the trie that is built and pruned; those in a packed model are in ``_numeric``."""

from __future__ import annotations

from typing import Any

import numpy as np

from paraphrast._jit import inline_kernel, kernel
from paraphrast.types import NgramArrays


@inline_kernel
def find_node(arrays: NgramArrays, node: int, word: int) -> int:
    """The node of ``node``'s n-gram extended by ``word``; −1 where the model has none."""
    begin = np.int64(arrays.child_begin[node])
    length = np.int64(arrays.child_begin[node + 1]) - begin
    if length == 0:
        return -1
    while length > 1:
        half = length >> 1
        begin += half if arrays.word[begin + half] <= word else 0
        length -= half
    return begin if arrays.word[begin] == word else -1  # type: ignore[return-value]


@inline_kernel
def backed_off(arrays: NgramArrays, context: int, word: int) -> float:
    """Natural log p(word | context) by Katz's recursion; context −1 is the empty one."""
    log_prob = 0.0
    here: Any = np.int64(context)
    while here >= 0:
        node = np.int64(find_node(arrays, here, word))
        if node >= 0:
            return log_prob + arrays.log_prob[node]  # type: ignore[no-any-return]
        log_prob += arrays.backoff[here]
        here = np.int64(arrays.suffix[here])
    return log_prob + arrays.log_prob[word]  # type: ignore[no-any-return]


@kernel
def link_suffixes(arrays: NgramArrays) -> None:
    """The longest proper suffix of every node from order 2 on, as far as the model has it."""
    for parent in range(arrays.order_start[len(arrays.order_start) - 2]):
        for node in range(arrays.child_begin[parent], arrays.child_begin[parent + 1]):
            word: Any = np.int64(arrays.word[node])
            link = np.int64(-1)
            context: Any = np.int64(arrays.suffix[parent])
            while context >= 0 and link < 0:
                link = np.int64(find_node(arrays, context, word))
                context = np.int64(arrays.suffix[context])
            arrays.suffix[node] = link if link >= 0 else word

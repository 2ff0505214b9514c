"""Lookups in the trie during building and pruning. Lookups in a packed model are in ``_numeric``."""

from __future__ import annotations

from typing import Any

import numpy as np

from paraphrast._jit import inline_kernel, kernel
from paraphrast.types import NgramArrays


@inline_kernel
def find_node(arrays: NgramArrays, node: int, word: int) -> int:
    """The node of ``node``'s n-gram extended by ``word``; −1 if the model does not have it."""
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
    """Natural log p(word | context) by Katz's recursion; context −1 is the empty context."""
    log_prob = 0.0
    context_node: Any = np.int64(context)
    while context_node >= 0:
        node = np.int64(find_node(arrays, context_node, word))
        if node >= 0:
            return log_prob + arrays.log_prob[node]  # type: ignore[no-any-return]
        log_prob += arrays.backoff[context_node]
        context_node = np.int64(arrays.suffix[context_node])
    return log_prob + arrays.log_prob[word]  # type: ignore[no-any-return]


@kernel
def link_suffixes(arrays: NgramArrays) -> None:
    """The longest proper suffix in the model, for every node from order 2 on."""
    for parent in range(arrays.order_start[len(arrays.order_start) - 2]):
        for node in range(arrays.child_begin[parent], arrays.child_begin[parent + 1]):
            word: Any = np.int64(arrays.word[node])
            link = np.int64(-1)
            context: Any = np.int64(arrays.suffix[parent])
            while context >= 0 and link < 0:
                link = np.int64(find_node(arrays, context, word))
                context = np.int64(arrays.suffix[context])
            arrays.suffix[node] = link if link >= 0 else word

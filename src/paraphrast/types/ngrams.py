"""A back-off language model as arrays that a kernel can walk."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


def _no_table() -> NDArray[np.uint32]:
    nothing = np.zeros(0, dtype=np.uint32)
    nothing.flags.writeable = False
    return nothing


class NgramArrays(NamedTuple):
    """All n-grams of a model as nodes of one trie with suffix links.

    Node v < vocabulary size is the unigram of word v; node 0 is ``<unk>``. The children of a node (the
    n-grams that extend it by one word to the right) are contiguous and sorted by word:
    ``child_begin[v] … child_begin[v + 1]``. Nodes are numbered by order, then by (parent node, word), so
    a node's number is its rank in that sort. The empty context is the state −1.

    word:        int32[nodes], last word of the n-gram.
    child_begin: int64[nodes + 1].
    suffix:      int32[nodes], node of the n-gram without its first word; −1 for unigrams, −2 for those that
                 the text or file behind the model lacks, and the model knows only as ``<unk>``.
    log_prob:    float32[nodes], natural log p(word | the words before it).
    backoff:     float32[nodes], natural log back-off weight; 0 where none.
    order_start: int64[order + 1], first node of each order; the last entry is the number of nodes.
    table:       uint32[4 + 4 · slots] or empty: an index, a hash table from (context, word) to what follows, which
                 makes look-ups faster and says nothing that the other arrays do not (``lm.with_index``, and
                 ``_numeric.find_slot`` for its layout).
    """

    word: NDArray[np.int32]
    child_begin: NDArray[np.int64]
    suffix: NDArray[np.int32]
    log_prob: NDArray[np.float32]
    backoff: NDArray[np.float32]
    order_start: NDArray[np.int64]
    table: NDArray[np.uint32] = _no_table()

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return len(self.order_start) - 1

"""A back-off language model as arrays: one form for building it, one for look-ups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class NgramArrays(NamedTuple):
    """All n-grams of a model as nodes of one trie with suffix links: the form that is built, pruned and exchanged.

    Node v < vocabulary size is the unigram of word v; node 0 is ``<unk>``. The children of a node (the
    n-grams that extend it by one word to the right) are contiguous and sorted by word:
    ``child_begin[v] … child_begin[v + 1]``. Nodes are numbered by order, then by (parent node, word), so
    a node's number is its rank in that sort.

    word:        int32[nodes], last word of the n-gram.
    child_begin: int64[nodes + 1].
    suffix:      int32[nodes], node of the n-gram without its first word; −1 for unigrams, −2 for those that
                 the text or file behind the model lacks, and the model knows only as ``<unk>``.
    log_prob:    float32[nodes], natural log p(word | the words before it).
    backoff:     float32[nodes], natural log back-off weight; 0 where none.
    order_start: int64[order + 1], first node of each order; the last entry is the number of nodes.
    """

    word: NDArray[np.int32]
    child_begin: NDArray[np.int64]
    suffix: NDArray[np.int32]
    log_prob: NDArray[np.float32]
    backoff: NDArray[np.float32]
    order_start: NDArray[np.int64]

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return len(self.order_start) - 1


class PackedNgrams(NamedTuple):
    """The same model in a few bytes per n-gram: the form that is stored, mapped into memory and looked up.

    Nodes are numbered as in :class:`NgramArrays`. A node below the highest order that has children or a back-off
    weight is a *context*; contexts are numbered in the order of their nodes, and a state is the number of a
    context, or −1 for the empty history. All other nodes score every next word as their longest suffix does.
    ``_numeric`` reads these arrays; ``lm.pack`` writes them. Bit streams begin with the lowest bit of the first byte
    and end with eight bytes of padding.

    records:        uint8[], bit stream of the nodes from order 2 on: word, code of log_prob.
    contexts:       uint8[], bit stream of the contexts and an end mark: first child, suffix (the context that is
                    the longest proper suffix, plus 1; 0 for none), code of backoff. The children of a context
                    end where those of the next begin.
    is_context:     uint64[nodes below the highest order / 32]: bit i of entry j says whether node 32 j + i is a
                    context; the upper half of the entry counts the contexts before node 32 j.
    unigram:        float32[vocabulary], natural log p(word).
    log_prob_codes: float32[orders from 2 on · 2^bits], what the codes of each order mean; empty where the
                    codes are the bits of the float32 values themselves.
    backoff_codes:  float32[orders below the highest · 2^bits], likewise.
    listed:         uint8[vocabulary / 8], bit w % 8 of byte w // 8: whether the text or file behind the model
                    has word w.
    order_start:    int64[order + 1], first node of each order; the last entry is the number of nodes.
    context_start:  int64[order], first context of each order below the highest; the last entry is their number.
    widths:         int64[5], bits of word, code of log_prob, first child, suffix, code of backoff.
    """

    records: NDArray[np.uint8]
    contexts: NDArray[np.uint8]
    is_context: NDArray[np.uint64]
    unigram: NDArray[np.float32]
    log_prob_codes: NDArray[np.float32]
    backoff_codes: NDArray[np.float32]
    listed: NDArray[np.uint8]
    order_start: NDArray[np.int64]
    context_start: NDArray[np.int64]
    widths: NDArray[np.int64]

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return len(self.order_start) - 1

    @property
    def nodes(self) -> int:
        """Number of n-grams of all orders."""
        return int(self.order_start[-1])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self)

"""A back-off language model as arrays: one form for building it, one for lookups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class NgramArrays(NamedTuple):
    """All n-grams of a model as nodes of one trie with suffix links: the form for building, pruning and exchange.

    Node v < vocabulary size is the unigram of word v; node 0 is ``<unk>``. The children of a node (the
    n-grams that extend it by one word to the right) are contiguous and sorted by word:
    ``child_begin[v] … child_begin[v + 1]``. Nodes are numbered by order, then by (parent node, word), so
    a node's number is its rank in that sort.

    word:        int32[nodes], last word of the n-gram.
    child_begin: int64[nodes + 1].
    suffix:      int32[nodes], node of the n-gram without its first word; −1 for unigrams, −2 for unigrams that are not
                 in the text or file of the model, which knows them only as ``<unk>``.
    log_prob:    float32[nodes], natural log p(word | the words before it).
    backoff:     float32[nodes], natural log back-off weight; 0 if none.
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


#: Entries of :attr:`PackedNgrams.layout`: the order, five widths in bits, and where seven sections begin and end.
ORDER, WORD_BITS, LOG_PROB_BITS, CHILD_BITS, SUFFIX_BITS, BACKOFF_BITS = range(6)
RECORDS, CONTEXTS, IS_CONTEXT, UNIGRAM, LOG_PROB_CODES, BACKOFF_CODES, LISTED, SECTIONS_END = range(6, 14)
#: Positions of the first nodes of the orders in the layout, and of the first contexts; and its length.
ORDER_START, CONTEXT_START, LAYOUT_LENGTH = 14, 22, 29


class PackedNgrams(NamedTuple):
    """The same model in a few bytes per n-gram: the form for storage, memory mapping and lookups.

    Nodes are numbered as in :class:`NgramArrays`. A node below the highest order that has children or a back-off
    weight is a *context*. Contexts are numbered in the order of their nodes, and a state is the number of a context,
    or −1 for the empty history. All other nodes score every next word like their longest suffix. ``_numeric`` reads
    these arrays; ``lm.pack`` writes them. There are only two arrays, because a compiled function counts the references
    to each array that it gets, and for many arrays this would take longer than the lookup.

    data:   uint8[], the sections below in sequence; each begins at a multiple of eight bytes.
    layout: int64[LAYOUT_LENGTH], see the constants of this module.
    """

    data: NDArray[np.uint8]
    layout: NDArray[np.int64]

    def _section(self, number: int) -> NDArray[np.uint8]:
        return self.data[int(self.layout[number]) : int(self.layout[number + 1])]

    @property
    def records(self) -> NDArray[np.uint8]:
        """Bit stream of the nodes from order 2 on: word, code of log_prob.

        A bit stream begins with the lowest bit of the first byte and ends with eight bytes of padding.
        """
        return self._section(RECORDS)

    @property
    def contexts(self) -> NDArray[np.uint8]:
        """Bit stream of the contexts and an end mark: first child, suffix, code of backoff.

        The suffix is the context that is the longest proper suffix, plus 1; 0 for none. The children of a context
        end where those of the next begin.
        """
        return self._section(CONTEXTS)

    @property
    def is_context(self) -> NDArray[np.uint64]:
        """uint64[nodes below the highest order / 32]: bit i of entry j says whether node 32 j + i is a context.

        The upper half of the entry counts the contexts before node 32 j.
        """
        return self._section(IS_CONTEXT).view(np.uint64)

    @property
    def unigram(self) -> NDArray[np.float32]:
        """float32[vocabulary], natural log p(word)."""
        return self._section(UNIGRAM).view(np.float32)[: int(self.layout[ORDER_START + 1])]

    @property
    def log_prob_codes(self) -> NDArray[np.float32]:
        """float32[orders from 2 on · 2^bits], the values of the codes of each order.

        Empty if the codes are the bits of the float32 values.
        """
        return self._section(LOG_PROB_CODES).view(np.float32)

    @property
    def backoff_codes(self) -> NDArray[np.float32]:
        """float32[orders below the highest · 2^bits], likewise."""
        return self._section(BACKOFF_CODES).view(np.float32)

    @property
    def listed(self) -> NDArray[np.uint8]:
        """Bit w % 8 of byte w // 8: whether the text or file of the model has word w."""
        return self._section(LISTED)

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return int(self.layout[ORDER])

    @property
    def order_start(self) -> NDArray[np.int64]:
        """int64[order + 1], first node of each order; the last entry is the number of nodes."""
        return self.layout[ORDER_START : ORDER_START + self.order + 1]

    @property
    def context_start(self) -> NDArray[np.int64]:
        """int64[order], first context of each order below the highest; the last entry is their number."""
        return self.layout[CONTEXT_START : CONTEXT_START + self.order]

    @property
    def nodes(self) -> int:
        """Number of n-grams of all orders."""
        return int(self.order_start[-1])

    @property
    def nbytes(self) -> int:
        """Number of bytes of both arrays."""
        return self.data.nbytes + self.layout.nbytes

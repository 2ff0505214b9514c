"""Arguments of the kernels: the weights by position instead of by name, the limits of a search, texts and edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Features of a substitution in its sentence, by column.
#: lm_left: log-probability of the new words less that of the replaced words, given the words before. lm_right: the same
#: of the following words, after and before the substitution. fit: cosine of the substitute's vector with the words
#: around, less that of the source. cosine: of the vectors of source and substitute. source_lm, next_lm: mean
#: log-probability of the replaced words, and of the next two words, in the original sentence. pull_…: log p(right |
#: left) − log p(right) of the two words where the phrase meets its neighbour, before and after the substitution; high
#: in fixed phrases. …_flags: of the neighbour, see ``FLAGS``. starts, ends: 1 if the phrase begins or ends its
#: sentence. category: of the replaced span. length: words of the sentence.
CONTEXT_COLUMNS = (
    *("lm_left", "lm_right", "fit", "cosine", "source_lm", "next_lm"),
    *("pull_left_source", "pull_left_target", "pull_right_source", "pull_right_target"),
    *("left_flags", "right_flags", "starts", "ends", "category", "length"),
)
#: Flags of a word: a capital letter, a content word, a punctuation mark.
FLAGS = CAPITAL, CONTENT, MARK = 1, 2, 4
#: Flags beyond either end of the sentence, and flags of an unknown word.
OUTSIDE, UNKNOWN_FLAGS = 8, 16


class Scoring(NamedTuple):
    """The weights of the log-linear model (Zhao et al. 2008, eq. 2).

    features:    float64[F], in the order of the option arrays' columns.
    table_edits: float64[tables], added for each edit that a table has; empty if all are 0.
    first_table: int32[K], the tables that have a minimum (footnote 2); each is one bit of a hypothesis.
    first_use:   float64[K], added to a sentence at the first edit of such a table, which removes the minimum.
    lm, edit, word, identity: as in :class:`~paraphrast.decode.Weights`.
    swap:        weight of the log-odds of swapping two phrases; swap_default: log-odds of an unknown phrase.
    """

    features: NDArray[np.float64]
    table_edits: NDArray[np.float64]
    first_table: NDArray[np.int32]
    first_use: NDArray[np.float64]
    lm: float
    edit: float
    word: float
    identity: float
    swap: float
    swap_default: float


class Limits(NamedTuple):
    """Which edits are allowed, and how far to search.

    banned:    uint8[options] or empty, 1 for an option that must not be used.
    must_bits: int32[options] or empty, the required sequences that an option inserts, one bit per sequence.
    must_count: number of required sequences.
    wanted: number of hypotheses to list.
    The other fields are those of :class:`~paraphrast.decode.DecodeOptions`.
    """

    banned: NDArray[np.uint8]
    must_bits: NDArray[np.int32]
    must_count: int
    min_log_prob: float
    veto_mask: int
    table_mask: int
    keep_masks: bool
    max_edits: int
    beam: int
    pops: int
    window: int
    wanted: int
    effort: int


class Items(NamedTuple):
    """The arrays of a :class:`~paraphrast.decode.DecodeBatch`; ``span_category`` is empty if not known."""

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    breaks: NDArray[np.uint8]
    protected: NDArray[np.uint8]
    span_category: NDArray[np.uint8]


class EdgeRows(NamedTuple):
    """The option edges of a run of items.

    begin: int64[items + 1]; the rows of item i are ``begin[i] … begin[i + 1]``, sorted by start, end, option.
    start, end: int32[rows], tokens of the item. option: int32[rows], index into the option arrays.
    score: float64[rows], the model's score without the language model and minima.
    """

    begin: NDArray[np.int64]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    option: NDArray[np.int32]
    score: NDArray[np.float64]


class Results(NamedTuple):
    """The n best rewrites of a run of items.

    hypothesis_begin: int64[items + 1], into ``score``.
    score: float64[hypotheses], less the score of the unchanged item.
    edit_begin: int64[hypotheses + 1], into ``edits``.
    edits: int32[edits, 6], from left to right: number, start and end of the edge; the rows of the item in
        :class:`EdgeRows` that it is made of (−1 for kept words), the second one only for a swap; and the token
        between the two phrases of a swap, −1 for a plain edit. The number of a plain edit is its row.
    """

    hypothesis_begin: NDArray[np.int64]
    score: NDArray[np.float64]
    edit_begin: NDArray[np.int64]
    edits: NDArray[np.int32]

"""The probability of a phrase given a phrase by Model 1 (Quirk, Brockett and Dolan 2004, §3.3).

The sum over all alignments of m words to l words factors (Brown et al. 1993, eq. 5 to 8)::

    P(S | T) = Σ_a Π_i p(s_i | t_a(i)) = Π_i Σ_j p(s_i | t_j)

The paper's equation is missing in our copy; its text says "the sum over all possible alignments". Brown et al. also
allow the empty word (j = 0) and divide by the number of alignments, (l + 1)^m. Both are options. Without the divisor, a
long T scores like several short ones and P may exceed 1, which is enough for ranking. This is what Vogel et al. (2003)
use, and the default.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.extract import _kernels_score
from paraphrast.types import MAX_PHRASE, WordLexicon
from paraphrast.types.corpus import writable


@dataclass(frozen=True)
class Model1Options:
    """How to sum.

    empty_word: a word may also come from the empty word.
    length_normaliser: divide by (l + 1)^m, or l^m without the empty word, so that all alignments are equally likely.
    floor: minimum of each word's sum.
    """

    empty_word: bool = True
    length_normaliser: bool = False
    floor: float = 1e-7

    def __post_init__(self) -> None:
        if not 0.0 < self.floor < 1.0:
            raise InputError(f"floor: expected a number between 0 and 1, got {self.floor}")


def model1_log_prob(
    words: NDArray[np.int32],
    given: NDArray[np.int32],
    word_ids: NDArray[np.int32],
    given_ids: NDArray[np.int32],
    lexicon: WordLexicon,
    options: Model1Options | None = None,
) -> NDArray[np.float64]:
    """log P(words[word_ids[n]] | given[given_ids[n]]) of many phrase pairs, float64[n].

    words, given: int32[phrases, 7], −1 after the end of a phrase. lexicon: p(word | given word).
    """
    options = options or Model1Options()
    if len(word_ids) != len(given_ids):
        raise InputError(f"expected as many phrases as given ones, got {len(word_ids)} and {len(given_ids)}")
    for name, matrix, ids in (("generated", words, word_ids), ("given", given, given_ids)):
        if matrix.ndim != 2 or matrix.shape[1] != MAX_PHRASE:
            raise InputError(f"expected {name} words of shape (n, {MAX_PHRASE}), got {matrix.shape}")
        if len(ids) and not 0 <= int(ids.min()) <= int(ids.max()) < len(matrix):
            raise InputError(
                f"expected {name} phrase ids from 0 to {len(matrix) - 1}, got {ids.min()} to {ids.max()}"
            )
    if len(given) and int(given.max()) >= lexicon.null:
        raise InputError(
            f"expected given word ids below {lexicon.null}, got {given.max()}",
            remedy="use the lexicon of the vocabulary of the phrases",
        )
    return _kernels_score.model1_scores(
        np.require(words, np.int32, ["C", "W"]),
        np.require(given, np.int32, ["C", "W"]),
        np.require(word_ids, np.int32, ["C", "W"]),
        np.require(given_ids, np.int32, ["C", "W"]),
        writable(lexicon.row_start),
        writable(lexicon.columns),
        writable(lexicon.prob),
        options.empty_word,
        options.length_normaliser,
        options.floor,
    )

"""Words of outputs that a model's vectors find similar to a word of the reference, as substitutes.

Tables list the paraphrases that their texts happened to have. An output may use any other word that means much the
same. Both texts are at hand, so only pairs of a word of the reference and a word of an output are compared. A pair is
added if the cosine of the two vectors is high enough, neither is a function word or a number, and they do not exclude
each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.words import is_word, split_words
from paraphrast.text import Language

#: The vector of a word, of length 1; None if it is not known.
WordVector = Callable[[str], NDArray[np.float64] | None]
#: Minimum cosine of two words.
SIMILAR = 0.4
#: Maximum number of similar words per word of the reference.
MOST = 8
#: A cosine of 1 is no proof that two words mean the same.
_HIGHEST = 0.99


def similar_words(
    reference: str,
    outputs: Iterable[str],
    language: Language,
    vector_of: WordVector,
    *,
    least: float = SIMILAR,
    origin: str = "similar",
) -> Substitutions:
    """For content words of a reference, the similar words of ``outputs`` that it does not have.

    The cosine serves as the probability of the substitution.
    """
    words = {word.lower() for word in split_words(reference)}
    others = {word.lower() for text in outputs for word in split_words(text)} - words
    own, own_vectors = _known(words, language, vector_of)
    candidates, candidate_vectors = _known(others, language, vector_of)
    if not own or not candidates:
        return Substitutions()
    cosines = own_vectors @ candidate_vectors.T
    rows: dict[tuple[str, ...], list[Substitute]] = {}
    for place, number in np.argwhere(cosines >= least).tolist():
        word, candidate = own[place], candidates[number]
        if not _exclude(word, candidate, language):
            probability = min(float(cosines[place, number]), _HIGHEST)
            rows.setdefault((word,), []).append(Substitute((candidate,), probability, origin))
    return Substitutions(
        {
            phrase: tuple(sorted(row, key=lambda one: (-one.probability, one.target))[:MOST])
            for phrase, row in rows.items()
        }
    )


def _known(
    words: set[str], language: Language, vector_of: WordVector
) -> tuple[list[str], NDArray[np.float64]]:
    """The content words that have a vector, in order, and their vectors: float64[words, size]."""
    vectors = {
        word: vector
        for word in sorted(words)
        if is_word(word)
        and word not in language.function_words
        and word not in language.number_words
        and (vector := vector_of(word)) is not None
    }
    return list(vectors), np.array(list(vectors.values()), dtype=np.float64)


def _exclude(word: str, candidate: str, language: Language) -> bool:
    return any(word in group and candidate in group for group in language.exclusive)

"""Words and phrases of outputs that a model's vectors find similar to some of the reference, as substitutes.

Tables list the paraphrases that their texts happened to have. An output may use any other word that means much the
same. Both texts are at hand, so only phrases of the reference and phrases of an output are compared. A pair is added if
the cosine of the two is high enough, neither is a function word or a number, and they do not exclude each other. Two
words with one stem need no vectors. A phrase has the sum of the vectors of its content words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.names import Names
from paraphrast.references.stems import Stems
from paraphrast.references.words import Phrase, is_word, split_words
from paraphrast.text import Language

Floats = NDArray[np.float64]
#: The vector of a phrase (lower-cased words), of length 1; None if a word is not known.
PhraseVector = Callable[[Phrase], Floats | None]
#: Minimum cosine of two words.
SIMILAR = 0.4
#: Minimum cosine of two phrases, one of which has several words: sums of vectors are more alike than words.
SIMILAR_PHRASES = 0.7
#: Probability of a word with the same stem.
SAME_STEM = 0.8
#: Maximum number of similar words per word of the reference.
MOST = 8
#: Maximum number of words of a phrase.
LONGEST = 3
#: A cosine of 1 is no proof that two words mean the same.
_HIGHEST = 0.99
_POSSESSIVE = re.compile(r"(?<=\w)(?:['’]s|(?<=s)['’])$")
_HYPHENS = re.compile(r"[-/]+")


def similar_words(
    reference: str,
    outputs: Iterable[str],
    language: Language,
    vector_of: PhraseVector,
    *,
    names: Collection[str] = frozenset(),
    least: float = SIMILAR,
    origin: str = "similar",
) -> Substitutions:
    """For content words of a reference, the similar words of ``outputs`` that it does not have.

    The cosine serves as the probability of the substitution, or ``SAME_STEM`` for words with one stem. names: words
    that stand for no other name.
    """
    words = {word.lower() for word in split_words(reference)}
    others = {word.lower() for text in outputs for word in split_words(text)} - words
    content = _Content(language, vector_of, names)
    pairs = content.similar([(word,) for word in sorted(words)], [(word,) for word in sorted(others)], least)
    found = {(word, other): cosine for (word,), (other,), cosine in pairs}
    for pair in content.same_stem(words, others):
        found[pair] = max(found.get(pair, 0.0), SAME_STEM)
    rows: dict[Phrase, list[Substitute]] = {}
    for (word, other), probability in sorted(found.items()):
        rows.setdefault((word,), []).append(
            Substitute((other,), min(probability, _HIGHEST), origin, found=True)
        )
    return _best(rows)


def similar_phrases(
    reference: str,
    outputs: Iterable[str],
    language: Language,
    vector_of: PhraseVector,
    *,
    names: Collection[str] = frozenset(),
    least: float = SIMILAR_PHRASES,
    origin: str = "similar",
) -> Substitutions:
    """For phrases of a reference, the similar phrases of ``outputs``, where one of both has several words."""
    content = _Content(language, vector_of, names)
    words = [word.lower() for word in split_words(reference)]
    own_words = set(words)
    others = {
        phrase
        for text in outputs
        for phrase in content.phrases([word.lower() for word in split_words(text)])
        if not own_words.issuperset(phrase)
    }
    rows: dict[Phrase, list[Substitute]] = {}
    for phrase, other, cosine in content.similar(sorted(set(content.phrases(words))), sorted(others), least):
        if content.different(phrase, other):
            rows.setdefault(phrase, []).append(Substitute(other, min(cosine, _HIGHEST), origin, found=True))
    return _best(rows)


def _best(rows: dict[Phrase, list[Substitute]]) -> Substitutions:
    return Substitutions(
        {
            phrase: tuple(sorted(row, key=lambda one: (-one.probability, one.target))[:MOST])
            for phrase, row in rows.items()
        }
    )


class _Content:
    """The content words of phrases of a language, compared by stem and by vector."""

    def __init__(self, language: Language, vector_of: PhraseVector, names: Collection[str]) -> None:
        self._language, self._vector_of = language, vector_of
        self._names = Names(names, language)
        self._stems = Stems(language)

    def _is_content(self, word: str) -> bool:
        language = self._language
        return is_word(word) and word not in language.function_words and word not in language.number_words

    def same_stem(self, words: Iterable[str], others: Iterable[str]) -> list[tuple[str, str]]:
        """The pairs of content words with one stem."""
        families: dict[str, list[str]] = {}
        for other in others:
            if self._is_content(other):
                families.setdefault(self._stem(other), []).append(other)
        return [
            (word, other)
            for word in words
            if self._is_content(word)
            for other in families.get(self._stem(word), ())
        ]

    def _stem(self, word: str) -> str:
        return self._stems.of(_POSSESSIVE.sub("", word))

    def phrases(self, words: Sequence[str]) -> Iterator[Phrase]:
        """The phrases that begin and end with content words, without numbers, marks and negations."""
        language = self._language
        barred = language.number_words | language.negations
        for first in range(len(words)):
            if not self._is_content(words[first]):
                continue
            for end in range(first + 1, min(first + LONGEST, len(words)) + 1):
                word = words[end - 1]
                if not is_word(word) or word in barred:
                    break
                if self._is_content(word):
                    yield tuple(words[first:end])

    def similar(
        self, phrases: Sequence[Phrase], others: Sequence[Phrase], least: float
    ) -> Iterator[tuple[Phrase, Phrase, float]]:
        """The pairs whose cosine is at least ``least`` and whose words do not exclude each other."""
        own, vectors = self._known(phrases)
        candidates, candidate_vectors = self._known(others)
        if not own or not candidates:
            return
        cosines = vectors @ candidate_vectors.T
        for place, number in np.argwhere(cosines >= least).tolist():
            if not self._exclude(own[place], candidates[number]):
                yield own[place], candidates[number], float(cosines[place, number])

    def _known(self, phrases: Sequence[Phrase]) -> tuple[list[Phrase], Floats]:
        """The phrases whose content words have vectors, and their vectors: float64[phrases, size]."""
        vectors = {phrase: vector for phrase in phrases if (vector := self._vector(phrase)) is not None}
        return list(vectors), np.array(list(vectors.values()), dtype=np.float64)

    def _vector(self, phrase: Phrase) -> Floats | None:
        words = tuple(word for word in phrase if self._is_content(word))
        if not words:
            return None
        vector = self._vector_of(words)
        if vector is None:  # "China's" as "China", "flood-fighting" as "flood fighting"
            plain = (part for word in words for part in _HYPHENS.split(_POSSESSIVE.sub("", word)) if part)
            vector = self._vector_of(tuple(plain))
        return vector

    def _exclude(self, phrase: Phrase, other: Phrase) -> bool:
        return self._names.differ(phrase, other) or any(
            not group.isdisjoint(phrase) and not group.isdisjoint(other) for group in self._language.exclusive
        )

    def different(self, phrase: Phrase, other: Phrase) -> bool:
        """Whether a pair of phrases is more than one of its words exchanged, dropped or added."""
        own, others = set(phrase), set(other)
        if len(phrase) == len(other):
            return len(phrase) > 1 and not own & others
        if own <= others or others <= own:
            return own ^ others <= self._language.function_words
        return True

"""Evidence: what is known about two words of one language without any text, by name.

A piece of evidence says how similar two words are, from 0 to 1, and never sees a link. It has two uses: as prior counts
of the lexicon (``monolingual``) and, by its slot, as a feature of a link (``linking``). A plug-in registers a class as
``module:Class`` in the entry point group ``paraphrast.evidence``; it must implement :class:`Evidence`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import _kernels_monolingual as _kernels
from paraphrast.text import Language, get_language
from paraphrast.text.stem import stem_word
from paraphrast.types import Encoder

#: Types of evidence. The link model has a weight for each.
SLOTS = ("form", "spelling", "meaning", "vector")
#: The slot of evidence about words in their sentences, which has separate features (``context``).
CONTEXT_SLOT = "context"
#: exp((value − 1) / WIDTH) of the share of a piece of evidence goes to a pair, so low similarity counts little.
WIDTH = 0.1

#: Returns the similarity of the words ``first[n]`` and ``second[n]`` of a list of words.
Measure = Callable[[NDArray[np.int32], NDArray[np.int32]], NDArray[np.float32]]


@dataclass(frozen=True)
class Resources:
    """The data that evidence may use. Missing data stays empty, and evidence that needs it is not used.

    synonyms: pairs of words or phrases with the same meaning, read again at each use. vectors: words and one row of
        numbers for each. encoder: gives a word a vector that depends on its sentence.
    names: names of the sources, stored in a saved model.
    """

    language: Language = field(default_factory=lambda: get_language("en"))
    synonyms: Iterable[tuple[str, str]] | None = None
    vectors: tuple[Sequence[str], NDArray[np.floating]] | None = None
    names: tuple[str, ...] = ()
    encoder: Encoder | None = None


class Evidence(ABC):
    """One kind of evidence.

    slot: one of :data:`SLOTS`. share: prior probability that it gives to a pair of words with similarity 1.
    by_default: whether it is used if no evidence is named.
    """

    name = "evidence"
    slot = "meaning"
    share = 0.01
    by_default = True

    def __init__(self, resources: Resources) -> None:
        self.resources = resources

    @abstractmethod
    def measure(self, words: Sequence[str]) -> Measure | None:
        """Similarity of these words (lower case); None if nothing is known."""


class Stem(Evidence):
    """The same word in another form: equal stems, or forms of one irregular word."""

    name = "stem"
    slot = "form"
    share = 0.03

    def measure(self, words: Sequence[str]) -> Measure | None:
        stems = stem_all(words, self.resources.language)
        if stems is None:
            return None
        numbers = _numbered(stems)
        return lambda first, second: (numbers[first] == numbers[second]).astype(np.float32)


class Number(Evidence):
    """The same number or name, written differently: ``1,000`` and ``1000``, ``two`` and ``2``, ``u.s.`` and ``us``."""

    name = "number"
    slot = "form"
    share = 0.03

    def measure(self, words: Sequence[str]) -> Measure:
        plain = ["".join(letter for letter in word if letter.isalnum()) for word in words]
        values = {word: str(value) for value, word in enumerate(self.resources.language.cardinals)}
        digits = [values.get(word, word) for word in plain]
        numbers = _numbered([word or f"\0{place}" for place, word in enumerate(digits)])
        return lambda first, second: (numbers[first] == numbers[second]).astype(np.float32)


class Spelling(Evidence):
    """Words with similar spelling (``assasin``, ``assassin``; ``nation``, ``national``), of four letters or more."""

    name = "spelling"
    slot = "spelling"
    share = 0.03
    shortest = 4
    least = 0.6

    def measure(self, words: Sequence[str]) -> Measure:
        function_words = self.resources.language.function_words
        spelled = [
            [ord(letter) for letter in word] if word.isalnum() and word not in function_words else []
            for word in words
        ]
        starts = np.zeros(len(words) + 1, dtype=np.int64)
        np.cumsum([len(word) for word in spelled], out=starts[1:])
        letters = np.array([letter for word in spelled for letter in word], dtype=np.int32)

        def compare(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.float32]:
            similarity = _kernels.spelling_similarity(letters, starts, first, second, self.shortest)
            return np.asarray(np.where(similarity >= self.least, similarity, np.float32(0)), dtype=np.float32)

        return compare


class Synonyms(Evidence):
    """Words that a thesaurus lists together, in any form."""

    name = "synonyms"
    slot = "meaning"
    share = 0.01

    def __init__(self, resources: Resources) -> None:
        super().__init__(resources)
        self._last: tuple[Sequence[str], Measure | None] | None = None

    def measure(self, words: Sequence[str]) -> Measure | None:
        # Training and aligning use the same words, and a thesaurus takes seconds to read.
        if self._last is None or self._last[0] != words:
            self._last = words, self._read(words)
        return self._last[1]

    def _read(self, words: Sequence[str]) -> Measure | None:
        if self.resources.synonyms is None:
            return None
        stems = stem_all(words, self.resources.language) or list(words)
        function_words = self.resources.language.function_words
        index = {stem: number for number, stem in enumerate(sorted(set(stems)))}
        numbers = np.array([index[stem] for stem in stems], dtype=np.int64)
        listed = _stem_pairs(self.resources.synonyms, self.resources.language, index)
        keys = np.unique(
            np.array(
                [first_stem * len(index) + second_stem for first_stem, second_stem in listed], dtype=np.int64
            )
        )
        content = np.array([word not in function_words for word in words])

        def compare(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.float32]:
            first_stem, second_stem = numbers[first], numbers[second]
            wanted = np.minimum(first_stem, second_stem) * len(index) + np.maximum(first_stem, second_stem)
            is_listed = np.isin(wanted, keys) & content[first] & content[second]
            return np.asarray(is_listed, dtype=np.float32)

        return compare if len(keys) else None


class Vectors(Evidence):
    """Words with similar contexts: the cosine of their vectors, without the directions common to all words
    (Mu and Viswanath 2018)."""

    name = "vectors"
    slot = "vector"
    share = 0.1
    least = 0.3
    shared_directions = 2

    def measure(self, words: Sequence[str]) -> Measure | None:
        if self.resources.vectors is None:
            return None
        known, table = self.resources.vectors
        rows = {word: row for row, word in enumerate(known)}
        # The centre and the common directions are computed from the most frequent words of the vectors, not of the
        # text. Sums by einsum: their order does not depend on the number of threads of a linear algebra library.
        common = np.asarray(table[: min(len(known), 20_000)], dtype=np.float64)
        centre = common.mean(axis=0)
        common = common - centre
        _, directions = np.linalg.eigh(np.einsum("ni,nj->ij", common, common))
        shared = directions[:, -self.shared_directions :]
        places = np.array([rows.get(word, -1) for word in words], dtype=np.int64)
        places[[not any(map(str.isalnum, word)) for word in words]] = -1
        vectors = np.zeros((len(words), table.shape[1]))
        held = places >= 0
        vectors[held] = np.asarray(table[places[held]], dtype=np.float64) - centre
        vectors -= np.einsum("nk,dk->nd", np.einsum("nd,dk->nk", vectors, shared), shared)
        vectors[~held] = 0.0
        vectors /= np.maximum(np.sqrt(np.einsum("nd,nd->n", vectors, vectors)), 1e-9)[:, None]
        vectors = vectors.astype(np.float32)

        def compare(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.float32]:
            cosine = np.einsum("nd,nd->n", vectors[first], vectors[second])
            alike = np.round(np.where(cosine >= self.least, np.minimum(cosine, 1.0), 0.0), 4)
            return np.asarray(alike, dtype=np.float32)

        return compare


def stem_all(words: Sequence[str], language: Language) -> list[str] | None:
    """The stems of words, with irregular forms unified first; None if the language has no stemmer."""
    if not language.stemmer:
        return None
    irregular: Mapping[str, str] = language.irregular
    return [stem_word(irregular.get(word, word), language.stemmer) for word in words]


class _Places(dict[str, int]):
    """The number of a word's stem in ``index``, −1 if it is not there; computed at first use."""

    def __init__(self, language: Language, index: Mapping[str, int]) -> None:
        self.language = language
        self.index = index

    def __missing__(self, word: str) -> int:
        place = -1
        if " " not in word:
            lower = [word.lower()]
            place = self.index.get((stem_all(lower, self.language) or lower)[0], -1)
        self[word] = place
        return place


def _stem_pairs(
    pairs: Iterable[tuple[str, str]], language: Language, index: Mapping[str, int]
) -> set[tuple[int, int]]:
    """Pairs of different stems that are both in ``index``, the smaller number first."""
    places = _Places(language, index)
    stem_pairs = set()
    for first_word, second_word in pairs:
        first = places[first_word]
        if first < 0:
            continue
        second = places[second_word]
        if second >= 0 and first != second:
            stem_pairs.add((first, second) if first < second else (second, first))
    return stem_pairs


def _numbered(values: Sequence[str]) -> NDArray[np.int32]:
    """The number of each value, in order of first appearance."""
    seen: dict[str, int] = {}
    return np.array([seen.setdefault(value, len(seen)) for value in values], dtype=np.int32)

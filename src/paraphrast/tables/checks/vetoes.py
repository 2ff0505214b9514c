"""Vetoes: rows that change the meaning, recognised without context.

Numbers, names, negations and antonyms occur in the same contexts as their opposites, so a pivot or a word vector places
them close together. A veto is a bit, not a deletion: the table keeps the row, and the reader of the table decides.
``docs/vetoes.md`` has examples.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.tables.checks import _kernels_vetoes as k
from paraphrast.tables.checks.filters import check_rows
from paraphrast.tables.checks.stems import stemmer
from paraphrast.text.languages.record import Language
from paraphrast.types import FIRST_WORD, MASKS, Phrases, Vocabulary

__all__ = ["ALL_VETOES", "VETOES", "WordClasses", "veto_bits", "veto_mask", "word_classes"]

#: Name of each veto → its bit.
VETOES: dict[str, int] = {
    "number": k.NUMBER,
    "name": k.NAME,
    "negation": k.NEGATION,
    "antonym": k.ANTONYM,
    "inflection": k.INFLECTION,
}
#: The default: all vetoes.
ALL_VETOES = tuple(VETOES)

#: Shortest word that a prefix can negate: "unit" is not "un" + "it".
_SHORTEST_PLAIN = 4


@dataclass(frozen=True)
class WordClasses:
    """Properties of each vocabulary id that the vetoes need; −1 means "none" everywhere.

    number: int32[vocabulary], one number for each mask and number word.
    name: int32[vocabulary], one number for each name (a word whose truecased form has a capital), and one for
        each person that pronouns refer to: he, him and his share one, she and her another.
    negation: int8[vocabulary], 1 for "not", "n't", "without".
    folded: int32[vocabulary], the same number for words that differ only in case.
    stem: int32[vocabulary], the same number for inflections of one word.
    unprefixed: int32[vocabulary], for "impossible" the stem of "possible".
    has_antonym: bool[vocabulary], whether the word is in any pair.
    word_pairs, stem_pairs: int64[…], ascending ``smaller << 32 | larger`` of folded words and of stems.
    """

    number: NDArray[np.int32]
    name: NDArray[np.int32]
    negation: NDArray[np.int8]
    folded: NDArray[np.int32]
    stem: NDArray[np.int32]
    unprefixed: NDArray[np.int32]
    has_antonym: NDArray[np.bool_]
    word_pairs: NDArray[np.int64]
    stem_pairs: NDArray[np.int64]


def _is_name(word: str, language: Language, names: Container[str]) -> bool:
    """Whether the truecased form has a capital; in a language that capitalises all nouns, other evidence is needed."""
    if language.capital_nouns:
        return any(letter.isupper() for letter in word[1:]) or (word[:1].isupper() and word in names)
    return any(letter.isupper() for letter in word)


def _plain_form(word: str, known: dict[str, int], language: Language) -> str | None:
    """The vocabulary word that ``word`` negates by its form, such as "possible" for "impossible"."""
    for prefix in language.negative_prefixes:
        plain = word.removeprefix(prefix)
        if plain != word and len(plain) >= _SHORTEST_PLAIN and plain in known:
            return plain
    for negative, positive in language.opposite_endings:
        plain = word.removesuffix(negative) + positive
        if word.endswith(negative) and plain in known:
            return plain
    return None


def _pair_keys(pairs: Iterable[tuple[int, int]]) -> NDArray[np.int64]:
    """Distinct ascending keys of unordered pairs. Pairs of a number with itself are dropped."""
    keys = {min(pair) << 32 | max(pair) for pair in pairs if pair[0] != pair[1]}
    return np.array(sorted(keys), dtype=np.int64)


def word_classes(
    vocabulary: Vocabulary,
    language: Language,
    antonyms: Iterable[tuple[str, str]] = (),
    *,
    names: Container[str] = (),
) -> WordClasses:
    """Classes of a vocabulary's words.

    antonyms: pairs of single words in any case and order. Words outside the vocabulary and pairs with several words
    are ignored. A pair also applies to other inflections of its words: increase–decrease vetoes
    increased–decreased. Words that the language record lists as mutually exclusive count too: minutes–days.
    names: words with a capital in text of other languages, used where the language capitalises every noun.
    """
    size = len(vocabulary)
    stem_of = stemmer(language)
    number, name, unprefixed = (np.full(size, -1, np.int32) for _ in range(3))
    negation = np.zeros(size, np.int8)
    folded, stem = np.zeros(size, np.int32), np.zeros(size, np.int32)
    person_of = {word: number for number, group in enumerate(language.persons) for word in group}
    known: dict[str, int] = {}
    stems: dict[str, int] = {}
    lows: list[str] = []
    for index, word in enumerate(vocabulary.words):
        low = word.lower().replace("’", "'")
        lows.append(low)
        folded[index] = known.setdefault(low, len(known))
        special = index < FIRST_WORD
        stem[index] = stems.setdefault(low if special else stem_of(low), len(stems))
        if word in MASKS or low in language.number_words:
            number[index] = folded[index]
        negation[index] = low in language.negations
        if low in person_of:
            name[index] = size + person_of[low]
        elif not special and _is_name(word, language, names):
            name[index] = folded[index]
    for index, low in enumerate(lows):
        plain = _plain_form(low, known, language) if index >= FIRST_WORD else None
        if plain is not None:
            unprefixed[index] = stems[stem_of(plain)]

    word_pairs: list[tuple[int, int]] = []
    stem_pairs: list[tuple[int, int]] = []
    exclusive = (pair for group in language.exclusive for pair in combinations(sorted(group), 2))
    for first, second in chain(antonyms, exclusive):
        low_1, low_2 = first.lower(), second.lower()
        if low_1 in known and low_2 in known:
            word_pairs.append((known[low_1], known[low_2]))
        stem_1, stem_2 = stems.get(stem_of(low_1)), stems.get(stem_of(low_2))
        if stem_1 is not None and stem_2 is not None:
            stem_pairs.append((stem_1, stem_2))
    word_keys, stem_keys = _pair_keys(word_pairs), _pair_keys(stem_pairs)
    has_antonym = np.isin(folded, _members(word_keys)) | np.isin(stem, _members(stem_keys))
    return WordClasses(number, name, negation, folded, stem, unprefixed, has_antonym, word_keys, stem_keys)


def _members(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """All numbers that occur in any pair."""
    return np.concatenate([keys >> 32, keys & 0xFFFFFFFF])


def veto_bits(
    phrases: Phrases, source: NDArray[np.int32], target: NDArray[np.int32], classes: WordClasses
) -> NDArray[np.uint8]:
    """Bits of :data:`VETOES` for each row ``source[i]`` → ``target[i]``, uint8[rows]."""
    check_rows(phrases, source, target, len(classes.folded))
    return k.veto_rows(
        phrases.words,
        source,
        target,
        classes.number,
        classes.name,
        classes.negation,
        classes.folded,
        classes.stem,
        classes.unprefixed,
        classes.has_antonym,
        classes.word_pairs,
        classes.stem_pairs,
    )


def veto_mask(names: Iterable[str] = ALL_VETOES) -> int:
    """The bits of the named vetoes combined. A row with ``bits & mask`` is vetoed."""
    mask = 0
    for name in names:
        if name not in VETOES:
            raise InputError(f"unknown veto {name!r}", remedy=f"known: {', '.join(VETOES)}")
        mask |= VETOES[name]
    return mask

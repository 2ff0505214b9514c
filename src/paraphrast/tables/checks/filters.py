"""Filters: rows without information, recognised without a corpus.

Phrase pairs from alignments include many rows that add or drop a determiner or a comma ("examine" → "examine the"),
repeat a shorter row with one more word on both sides, or pair a content word with none. The filters remove them before
the best rows of a phrase are chosen, so that they do not displace better rows. Each rule can be turned off.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.tables.checks import _kernels_vetoes as k
from paraphrast.tables.checks.stems import stemmer
from paraphrast.tables.options import RULES, FilterOptions
from paraphrast.text.languages.record import Language
from paraphrast.types import FIRST_WORD, MAX_PHRASE, SENTENCE_END, SENTENCE_START, Phrases, Vocabulary

__all__ = [
    "RULES",
    "FilterClasses",
    "FilterOptions",
    "filter_classes",
    "keep_mask",
    "rule_bits",
]


@dataclass(frozen=True)
class FilterClasses:
    """Properties of each vocabulary id that the rules need.

    function_word, punctuation, clitic (attached to the word before it), article: bool[vocabulary].
    folded: int32[vocabulary], the same number for words that differ only in case or digits.
    stem: int32[vocabulary], the same number for inflections of one word.
    """

    function_word: NDArray[np.bool_]
    punctuation: NDArray[np.bool_]
    folded: NDArray[np.int32]
    clitic: NDArray[np.bool_]
    article: NDArray[np.bool_]
    stem: NDArray[np.int32]


def is_punctuation(word: str) -> bool:
    """Whether a token consists of punctuation marks and symbols only."""
    return bool(word) and all(unicodedata.category(letter)[0] in "PSZC" for letter in word)


def filter_classes(vocabulary: Vocabulary, language: Language) -> FilterClasses:
    """Classes of a vocabulary's words. Masks count as content words, the other special words as punctuation."""
    numbers: dict[str, int] = {}
    folded = np.zeros(len(vocabulary), np.int32)
    stems: dict[str, int] = {}
    stem = np.zeros(len(vocabulary), np.int32)
    stem_of = stemmer(language)
    function_word = np.zeros(len(vocabulary), np.bool_)
    punctuation = np.zeros(len(vocabulary), np.bool_)
    for index, word in enumerate(vocabulary.words):
        low = word.lower().replace("’", "'")
        plain = low
        if index >= FIRST_WORD and any(letter.isdigit() for letter in low):
            plain = "".join("0" if letter.isdigit() else letter for letter in low)
        folded[index] = numbers.setdefault(plain, len(numbers))
        stem[index] = stems.setdefault(stem_of(plain) if index >= FIRST_WORD else plain, len(stems))
        function_word[index] = low in language.function_words
        punctuation[index] = (
            is_punctuation(word) if index >= FIRST_WORD else index in (SENTENCE_START, SENTENCE_END)
        )
    low_words = [word.lower() for word in vocabulary.words]
    clitic = np.array([word in language.suffix_clitics for word in low_words], np.bool_)
    article = np.array([word in language.articles for word in low_words], np.bool_)
    return FilterClasses(function_word, punctuation, folded, clitic, article, stem)


def rule_bits(
    phrases: Phrases, source: NDArray[np.int32], target: NDArray[np.int32], classes: FilterClasses
) -> NDArray[np.uint16]:
    """Bits of :data:`RULES` that each row ``source[i]`` → ``target[i]`` breaks, uint16[rows]."""
    check_rows(phrases, source, target, len(classes.folded))
    kind = np.where(classes.punctuation, 2, np.where(classes.function_word, 1, 0)).astype(np.int8)
    bits = k.filter_rows(phrases.words, source, target, kind, classes.folded, classes.stem).astype(np.uint16)
    lengths = phrases.lengths
    clitic_first = classes.clitic[phrases.words[:, 0]] & (lengths > 0)
    last = phrases.words[np.arange(len(phrases)), np.maximum(lengths - 1, 0)]
    article_last = classes.article[last] & (lengths > 0)
    clitic_last = classes.clitic[last] & (lengths > 0)
    leans = clitic_first[source] | clitic_first[target] | (clitic_last[source] != clitic_last[target])
    cut_off = article_last[source] | article_last[target]
    inside = _inside(phrases, source, target, classes) | _inside(phrases, target, source, classes)
    for name, broken in (("clitic_edge", leans), ("article_end", cut_off), ("substring", inside)):
        bits |= np.where(broken, np.uint16(RULES[name]), np.uint16(0))
    return bits


def _inside(
    phrases: Phrases, inner: NDArray[np.int32], outer: NDArray[np.int32], classes: FilterClasses
) -> NDArray[np.bool_]:
    """Whether ``outer`` contains the words of ``inner`` in sequence, ignoring case. Compares column by column."""
    short, long = phrases.words[inner], phrases.words[outer]
    contained = np.zeros(len(inner), np.bool_)
    for shift in range(MAX_PHRASE):
        matches = np.ones(len(inner), np.bool_)
        for place in range(MAX_PHRASE):
            beyond = short[:, place] < 0
            if place + shift >= MAX_PHRASE:
                matches &= beyond
            else:
                other = long[:, place + shift]
                matches &= beyond | (
                    (other >= 0) & (classes.folded[short[:, place]] == classes.folded[other])
                )
        contained |= matches
    return contained & (short[:, 0] >= 0)


def keep_mask(
    phrases: Phrases,
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    classes: FilterClasses,
    options: FilterOptions | None = None,
) -> NDArray[np.bool_]:
    """Rows that break none of the enabled rules, bool[rows]."""
    wanted = np.uint16((options or FilterOptions()).bits)
    return np.asarray((rule_bits(phrases, source, target, classes) & wanted) == 0)


def check_rows(
    phrases: Phrases, source: NDArray[np.int32], target: NDArray[np.int32], vocabulary_size: int
) -> None:
    """Raise an error for phrase ids outside the phrases and word ids outside the vocabulary."""
    if len(source) != len(target):
        raise InputError(f"expected as many targets as sources, got {len(target)} and {len(source)}")
    for name, side in (("source", source), ("target", target)):
        if len(side) and (int(side.min()) < 0 or int(side.max()) >= len(phrases)):
            raise InputError(
                f"expected {name} phrase ids from 0 to {len(phrases) - 1}, got {side.min()} to {side.max()}"
            )
    if len(phrases) and int(phrases.words.max()) >= vocabulary_size:
        raise InputError(
            f"expected word ids below {vocabulary_size}, got {phrases.words.max()}",
            remedy="build the word classes from the vocabulary that the phrases use",
        )

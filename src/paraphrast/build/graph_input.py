"""Phrase pairs with all inputs of the graph, from a training run's folder, a bitext or a Moses table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import FormatError, InputError, MissingExtra
from paraphrast.extract import CountedPairs, Extraction
from paraphrast.formats.moses import MosesRow
from paraphrast.graph.features import (
    Features,
    make_features,
    occurrence_codes,
    stem_features,
    tag_features,
    word_class_codes,
)
from paraphrast.text import Language, get_language
from paraphrast.text.syntax.tag import TAGS
from paraphrast.types import FIRST_WORD, MAX_PHRASE, SPECIALS, Links, Sentences

#: Maximum number of word classes by form.
FORM_CLASSES = 400
TagLists = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]


@dataclass(frozen=True)
class PhraseSide:
    """The phrases of one language.

    words: int32[n, 7], ids of ``vocabulary``. total: int64[n], occurrences. glue, category: of each phrase.
    tags: result of ``graph.tag_features``; tag_names: the names of its tags. None without tags.
    """

    language: str
    words: NDArray[np.int32]
    vocabulary: tuple[str, ...]
    total: NDArray[np.int64]
    glue: NDArray[np.uint8]
    category: NDArray[np.uint32]
    tags: TagLists | None = None
    tag_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class GraphInput:
    """Counted phrase pairs: source, target int32[n], rows of either side's phrases; count int64[n].

    If the target side has several languages: language uint8[n], the number of the pair's language; source_total
    int64[n], occurrences of the source phrase in that language's bitext. None if there is one language.
    """

    source_side: PhraseSide
    target_side: PhraseSide
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.int64]
    language: NDArray[np.uint8] | None = None
    source_total: NDArray[np.int64] | None = None


def side_features(
    side: PhraseSide, *, tags: bool = True, stems: bool = True, lemmata: bool = False
) -> tuple[Features, tuple[str, ...]]:
    """Feature vertices of a side's phrases, and the names of its stems.

    Tags are those of the corpus; without tags, classes of words by their form (:func:`form_classes`).
    lemmata: use lemmata instead of stems.
    """
    stem_of_word, stem_names = stem_numbers(side.vocabulary, side.language, lemmata=lemmata)
    tag_lists = None
    if tags:
        tag_lists = side.tags
        if tag_lists is None:
            classes, _ = form_classes(side.vocabulary, side.language)
            codes = word_class_codes(side.words, classes)
            tag_lists = tag_features(np.arange(len(side.words), dtype=np.int32), codes, len(side.words))
    stem_result = stem_features(side.words, stem_of_word) if stems else None
    return make_features(len(side.words), tag_lists, stem_result), stem_names


def stem_numbers(
    vocabulary: Sequence[str], code: str, *, lemmata: bool = False
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """The number of each word's stem (or lemma), and the stems. Without a stemmer, the lower-cased words."""
    language = get_language(code)
    reduced = _lemmatiser(language.code) if lemmata else _stemmer(language)
    numbers: dict[str, int] = {}
    stem_ids = np.empty(len(vocabulary), np.int32)
    for place, word in enumerate(vocabulary):
        stem_ids[place] = numbers.setdefault(word if place < FIRST_WORD else reduced(word), len(numbers))
    return stem_ids, tuple(numbers)


def _stemmer(language: Language) -> Callable[[str], str]:
    if not language.stemmer:
        return str.lower
    import snowballstemmer

    stemmer = snowballstemmer.stemmer(language.stemmer)
    return lambda word: str(stemmer.stemWord(language.irregular.get(word.lower(), word.lower())))


def _lemmatiser(code: str) -> Callable[[str], str]:
    """Lemmata by simplemma, version 2 or newer: earlier versions store their dictionaries as pickles."""
    try:
        simplemma = import_module("simplemma")
    except ImportError as error:
        raise MissingExtra("[graph] lemmata", "lemmata") from error
    version = str(getattr(simplemma, "__version__", "0"))
    if int(version.partition(".")[0]) < 2:
        raise InputError(f"expected simplemma 2 or newer, got {version}", remedy="pip install -U simplemma")
    return lambda word: str(simplemma.lemmatize(word, lang=code)).lower()


def form_classes(vocabulary: Sequence[str], code: str) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Classes of words by their form, for languages without tags: each function word is a class, other words are
    grouped by capital and ending, digits and marks together; all but the :data:`FORM_CLASSES` most common classes are
    ``*``."""
    language = get_language(code)
    keys = []
    for place, word in enumerate(vocabulary):
        low = word.lower()
        if place < FIRST_WORD or low in language.function_words:
            keys.append(low)
        elif not any(letter.isalpha() for letter in word):
            keys.append("0" if any(letter.isdigit() for letter in word) else ".")
        else:
            keys.append(("A-" if word[:1].isupper() else "a-") + low[-2:])
    common: dict[str, int] = {}
    for key in keys:
        common[key] = common.get(key, 0) + 1
    best = sorted(common, key=lambda key: (-common[key], key))[:FORM_CLASSES]
    number = {key: place for place, key in enumerate(["*", *best])}
    return np.array([number.get(key, 0) for key in keys], np.int32), tuple(number)


def projected_classes(
    tags: NDArray[np.uint8], source: Sentences, target: Sentences, links: Links, words: int
) -> NDArray[np.int32]:
    """The tag that each target word has most often across the links, −1 for a word without any.

    Yarowsky and Ngai (2001) project tags token by token and learn from them. Here the most frequent tag of a word is
    enough, because graphs need to know which phrases are of one kind, not their case or person.
    """
    owner = np.repeat(np.arange(len(links)), np.diff(links.starts))
    tag = tags[np.asarray(source.starts)[owner] + links.source].astype(np.int64)
    word = np.asarray(target.tokens)[np.asarray(target.starts)[owner] + links.target].astype(np.int64)
    table = np.bincount(word * len(TAGS) + tag, minlength=words * len(TAGS)).reshape(words, len(TAGS))
    return np.where(table.any(axis=1), table.argmax(axis=1), -1).astype(np.int32)


def occurrence_tags(
    phrase: NDArray[np.int32],
    start: NDArray[np.int64],
    words: NDArray[np.int32],
    tags: NDArray[np.integer[Any]],
    number: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Phrase (by ``number``, −1 for phrases to ignore) and tag code of each occurrence of the other phrases."""
    rows = np.flatnonzero(number[phrase] >= 0)
    phrase, start = phrase[rows], start[rows]
    length = (words >= 0).sum(axis=1)[phrase]
    return number[phrase], occurrence_codes(tags, start, length)


def from_extraction(
    extraction: Extraction,
    counted: CountedPairs,
    languages: tuple[str, str],
    vocabularies: tuple[Sequence[str], Sequence[str]],
    tagged: tuple[NDArray[np.uint8], Sentences] | None = None,
) -> GraphInput:
    """Phrase pairs of a bitext. ``tagged``: tags of the source side's tokens, and its sentences."""
    sides, rows = [], []
    for language, words, vocabulary, ids, totals in (
        (languages[0], extraction.source_words, vocabularies[0], counted.source, counted.source_total),
        (languages[1], extraction.target_words, vocabularies[1], counted.target, counted.target_total),
    ):
        used, row = np.unique(ids, return_inverse=True)
        rows.append(row.astype(np.int32))
        nothing = np.zeros(len(used))
        sides.append(
            PhraseSide(
                language,
                words[used],
                tuple(vocabulary),
                totals[used],
                nothing.astype(np.uint8),
                nothing.astype(np.uint32),
            )
        )
    if tagged is not None:
        tags, sentences = tagged
        number = np.full(len(extraction.source_words), -1, np.int32)
        number[np.unique(counted.source)] = np.arange(len(sides[0].words), dtype=np.int32)
        start = np.asarray(sentences.starts)[extraction.pairs.sentence] + extraction.pairs.source_start
        phrase, code = occurrence_tags(extraction.pairs.source, start, extraction.source_words, tags, number)
        sides[0] = replace(sides[0], tags=tag_features(phrase, code, len(sides[0].words)), tag_names=TAGS)
    return GraphInput(sides[0], sides[1], rows[0], rows[1], counted.count)


def from_moses(
    rows: Iterable[MosesRow], languages: tuple[str, str], where: str, *, min_count: int = 1
) -> GraphInput:
    """Phrase pairs of a Moses table with counts. Rarer pairs and longer phrases are left out."""
    phrases: tuple[dict[str, int], dict[str, int]] = ({}, {})
    totals: tuple[list[int], list[int]] = ([], [])
    source: list[int] = []
    target: list[int] = []
    count: list[int] = []
    for number, row in enumerate(rows, 1):
        if len(row.counts) < 3:
            raise FormatError(
                f"expected counts of target, source and pair in the fifth field, got {len(row.counts)} numbers",
                where=f"{where}: row {number}",
                remedy="write the table with counts: Moses' phrase-extract and `paraphrast extract` do",
            )
        of_target, of_source, of_pair = (round(value) for value in row.counts[:3])
        if of_pair < min_count or max(row.source.count(" "), row.target.count(" ")) >= MAX_PHRASE:
            continue
        for side, text, total, ids in (
            (0, row.source, of_source, source),
            (1, row.target, of_target, target),
        ):
            place = phrases[side].setdefault(text, len(totals[side]))
            if place == len(totals[side]):
                totals[side].append(total)
            ids.append(place)
        count.append(of_pair)
    if not count:
        raise InputError("expected phrase pairs, got none", where=where)
    sides = [
        _spelled_side(language, list(texts), np.array(total, np.int64))
        for language, texts, total in zip(languages, phrases, totals, strict=True)
    ]
    return GraphInput(
        sides[0],
        sides[1],
        np.array(source, np.int32),
        np.array(target, np.int32),
        np.array(count, np.int64),
    )


def _spelled_side(language: str, texts: list[str], total: NDArray[np.int64]) -> PhraseSide:
    numbers = {word: place for place, word in enumerate(SPECIALS)}
    words = np.full((len(texts), MAX_PHRASE), -1, np.int32)
    for place, text in enumerate(texts):
        ids = [numbers.setdefault(word, len(numbers)) for word in text.split()]
        words[place, : len(ids)] = ids
    nothing = np.zeros(len(texts))
    return PhraseSide(
        language, words, tuple(numbers), total, nothing.astype(np.uint8), nothing.astype(np.uint32)
    )

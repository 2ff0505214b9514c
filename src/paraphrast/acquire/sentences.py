"""Articles → sentences as numbers, with each distinct sentence stored once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.formats.articles import Article
from paraphrast.text.encode import encode
from paraphrast.text.languages.record import Language, words
from paraphrast.text.languages.registry import get_language
from paraphrast.text.split import split_sentences
from paraphrast.types import FIRST_WORD

#: Longer sentences are dropped: they are usually tables without their cells.
MAX_WORDS = 200


@dataclass(frozen=True)
class ArticleSentences:
    """The sentences of articles, in order.

    texts: unchanged. article, place: the article of each, and its number in it. kind: the same for sentences that are
    equal in lower case. starts, words: the lower-case words of each kind, numbered; vocabulary: the words.
    is_word: 0 for words that are only punctuation.
    """

    texts: list[str]
    article: NDArray[np.int64]
    place: NDArray[np.int64]
    kind: NDArray[np.int64]
    starts: NDArray[np.int64]
    words: NDArray[np.int64]
    vocabulary: list[str]
    is_word: NDArray[np.bool_]

    def row(self, kind: int) -> NDArray[np.int64]:
        """The words of a kind of sentence."""
        return self.words[self.starts[kind] : self.starts[kind + 1]]

    def lengths(self) -> NDArray[np.int64]:
        """Number of words of each kind."""
        return np.diff(self.starts)


_ADDRESS = re.compile(r"(?:https?\b ?: ?/|www ?\.)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_OF_DATES = words(
    "mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday am pm a p m"
    " est edt et pst pdt cst cdt gmt utc bst ist posted updated published on at th st nd rd jan feb mar apr jun jul"
    " aug sep sept oct nov dec"
)


def is_sentence(text: str, language: Language) -> bool:
    """False for an address or a line that is only a date, which are not part of a story."""
    if _ADDRESS.match(text):
        return False
    lowered = [word.lower() for word in _WORD.findall(text)]
    if not any(map(str.isdigit, text)):
        return True
    months = {month.lower() for month in language.months}
    return not all(word in _OF_DATES or word in months for word in lowered)


def split_article(article: Article, language: str) -> list[str]:
    """The sentences of an article. A line end in its text ends a sentence."""
    record = get_language(language)
    if article.sentences is not None:
        sentences = [sentence.strip() for sentence in article.sentences if sentence.strip()]
    else:
        sentences = [
            paragraph[start:end]
            for paragraph in article.text.split("\n")
            for start, end in split_sentences(paragraph, record)
        ]
    return [sentence for sentence in sentences if is_sentence(sentence, record)]


def read_sentences(
    articles: Sequence[Article], *, language: str = "en", threads: int = 1
) -> ArticleSentences:
    """Split articles into sentences and words. Copies (``duplicate_of``) have none, so that they are used once."""
    texts: list[str] = []
    article_of: list[int] = []
    places: list[int] = []
    for index, article in enumerate(articles):
        if article.duplicate_of:
            continue
        for place, text in enumerate(split_article(article, language)):
            texts.append(text)
            article_of.append(index)
            places.append(place)
    vocabulary: list[str] = []
    rows = lower_words(texts, language, vocabulary, threads=threads)
    usable = [i for i, row in enumerate(rows) if 0 < len(row) <= MAX_WORDS]
    kinds: dict[bytes, int] = {}
    kind = [kinds.setdefault(rows[i].tobytes(), len(kinds)) for i in usable]
    distinct = [np.frombuffer(key, dtype=np.int64) for key in kinds]
    starts = np.zeros(len(distinct) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in distinct], out=starts[1:])
    return ArticleSentences(
        [texts[i] for i in usable],
        np.array([article_of[i] for i in usable], dtype=np.int64),
        np.array([places[i] for i in usable], dtype=np.int64),
        np.array(kind, dtype=np.int64),
        starts,
        np.concatenate(distinct) if distinct else np.zeros(0, np.int64),
        vocabulary,
        np.array([any(map(str.isalnum, word)) for word in vocabulary], dtype=bool),
    )


def lower_words(
    texts: Sequence[str], language: str, vocabulary: list[str], *, threads: int = 1
) -> list[NDArray[np.int64]]:
    """The lower-case words of lines, numbered. ``vocabulary`` grows. Numbers and dates keep their text."""
    ids = {word: index for index, word in enumerate(vocabulary)}

    def number(word: str) -> int:
        word_id = ids.setdefault(word, len(ids))
        if word_id == len(vocabulary):
            vocabulary.append(word)
        return word_id

    encoded = encode(texts, get_language(language), offsets=True, threads=threads)
    sentences = encoded.sentences
    lower_ids = np.zeros(len(encoded.surface), dtype=np.int64)
    lower_ids[FIRST_WORD:] = [number(word.lower()) for word in encoded.surface[FIRST_WORD:]]
    tokens = lower_ids[sentences.tokens]
    if sentences.char_start is not None and sentences.char_end is not None:
        line_of = np.repeat(np.arange(len(texts)), np.diff(sentences.starts))
        for at in np.flatnonzero(sentences.tokens < FIRST_WORD).tolist():
            begin, end = int(sentences.char_start[at]), int(sentences.char_end[at])
            tokens[at] = number(texts[line_of[at]][begin:end].lower())
    starts = sentences.starts
    return [tokens[starts[i] : starts[i + 1]] for i in range(len(texts))]

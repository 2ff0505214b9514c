"""Articles → terms with weights: words, names and times.

A name is a run of capitalised words whose capitals do not come from the beginning of a sentence; a time is a year, a
day of a month or a weekday. Both say more about the event than words do, and have a separate share. Weights are tf·idf
of unit length, stored as integers (2¹⁵ is 1), so that products are the same on every engine.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paraphrast.acquire.options import TermOptions
from paraphrast.engine import Engine
from paraphrast.formats.articles import Article
from paraphrast.text.languages.record import Language, words
from paraphrast.text.languages.registry import get_language

#: Terms with their number of occurrences; titles count more.
Counts = dict[str, float]
UNIT = 1 << 15
#: Number of articles per task of a worker.
PART = 2000
#: Prefixes of terms that are not words.
NAME, TIME = "@", "#"

_TOKEN = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*|[.!?:;\n\"“”]")
_URL = re.compile(r"\b(?:https?|www)\b[ :/.]+\S+(?: ?[/.?=&_-] ?\S+)*")
_WEEKDAYS = words("monday tuesday wednesday thursday friday saturday sunday")


def article_terms(
    article: Article, language: Language, options: TermOptions, stems: dict[str, str]
) -> Counts:
    """Terms of an article with their number of occurrences. ``stems`` caches words."""
    counts: Counts = defaultdict(float)
    body = _URL.sub(" ", article.body())
    for text, gain in ((article.title, 1.0 + options.title), (body, 1.0)):
        if text:
            _count(text, gain, counts, language, stems)
    return counts


def _count(text: str, gain: float, counts: Counts, language: Language, stems: dict[str, str]) -> None:
    tokens = _TOKEN.findall(text)
    lower_seen = {token for token in tokens if token.islower()}
    name: list[str] = []
    begins = True
    months = _months(language)
    previous = ""
    for token in tokens:
        lower = token.lower()
        is_capital = token[0].isupper()
        if (
            is_capital
            and len(token) > 1
            and lower not in language.function_words
            and not (begins and lower in lower_seen)
        ):
            name.append(stems.get(lower) or _stem(lower, language, stems))
        elif name:
            _end_name(name, gain, counts)
        if not (token[0].isalnum()):
            begins = True
            if name:
                _end_name(name, gain, counts)
            previous = ""
            continue
        begins = False
        if token[0].isdigit():
            if previous in months:
                counts[f"{TIME}{months[previous]}-{token[:2].strip('tsnr')}"] += gain
            elif len(token) == 4 and token.isdigit() and 1800 <= int(token) < 2100:
                counts[f"{TIME}{token}"] += gain
            else:
                counts[token] += gain
        elif lower in _WEEKDAYS or lower in months:
            counts[f"{TIME}{lower}"] += gain * 0.5
        elif lower not in language.function_words and len(lower) > 1:
            counts[stems.get(lower) or _stem(lower, language, stems)] += gain
        previous = lower
    if name:
        _end_name(name, gain, counts)


def _end_name(name: list[str], gain: float, counts: Counts) -> None:
    """Count a complete name, and its last word, which later mentions use."""
    if len(name) > 1:
        counts[NAME + " ".join(name[:5])] += gain
    counts[NAME + name[-1]] += gain
    name.clear()


_STEMMERS: dict[str, object] = {}


def _stem(word: str, language: Language, stems: dict[str, str]) -> str:
    import snowballstemmer

    word_key = word
    if word.endswith(("'s", "’s")):
        word = word[:-2]
    if language.stemmer:
        stemmer = _STEMMERS.get(language.stemmer)
        if stemmer is None:
            stemmer = _STEMMERS[language.stemmer] = snowballstemmer.stemmer(language.stemmer)
        word = stemmer.stemWord(word)  # type: ignore[attr-defined]
    stems[word_key] = word
    return word


def _months(language: Language) -> dict[str, int]:
    """Month → its number, if the language record lists them in order."""
    months = _MONTHS.get(language.code)
    if months is None:
        names = [re.sub(r"[^\w|]", "", str(month)).lower() for month in language.months]
        months = {name: index for index, name in enumerate(names)}
        _MONTHS[language.code] = months
    return months


_MONTHS: dict[str, dict[str, int]] = {}


@dataclass
class TermTable:
    """Terms by number, and in how many articles each occurs. Grows with new articles."""

    ids: dict[str, int] = field(default_factory=dict)
    documents: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    articles: int = 0

    def add(self, counts: Iterable[Counts]) -> None:
        """Count the terms of further articles."""
        for row in counts:
            self.articles += 1
            for term in row:
                number = self.ids.setdefault(term, len(self.ids))
                if number == len(self.documents):
                    self.documents.append(0)
                    self.kinds.append(1 if term[0] == NAME else 2 if term[0] == TIME else 0)
                self.documents[number] += 1


@dataclass(frozen=True)
class Rows:
    """Sparse rows of unit length. Terms of a row are sorted; weights are integers, where :data:`UNIT` is 1."""

    starts: NDArray[np.int64]
    terms: NDArray[np.int32]
    weights: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1


def weigh(counts: Sequence[Counts], table: TermTable, options: TermOptions) -> Rows:
    """tf·idf rows of articles whose terms the table has counted.

    Words, names and times are normalised to unit length separately and then weighted by their shares. The product of
    two rows is a weighted mean of three cosines, so the names of an article with many words keep their weight.
    """
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    all_terms, all_weights = [], []
    documents = np.array(table.documents, dtype=np.float64)
    kinds = np.array(table.kinds, dtype=np.int8)
    rarity = np.maximum(np.log((table.articles + 1.0) / (documents + 0.5)), 0.0) ** options.rarity
    shares = np.array([1.0 - options.names - options.times, options.names, options.times])
    for index, row in enumerate(counts):
        terms = np.fromiter((table.ids[term] for term in row), dtype=np.int32, count=len(row))
        often = np.fromiter(row.values(), dtype=np.float64, count=len(row))
        value = np.log1p(often) * rarity[terms]
        kind = kinds[terms]
        length = np.sqrt(np.bincount(kind, weights=value * value, minlength=3))
        value *= np.sqrt(shares / np.maximum(length * length, 1e-12))[kind]
        if len(terms) > options.kept:
            # By weight, then by number, so that the choice is the same everywhere.
            heaviest = np.lexsort((terms, -value))[: options.kept]
            terms, value = terms[heaviest], value[heaviest]
        order = np.argsort(terms)
        all_terms.append(terms[order])
        all_weights.append(np.rint(value[order] * UNIT).astype(np.int64))
        starts[index + 1] = starts[index] + len(terms)
    return Rows(
        starts,
        np.concatenate(all_terms) if all_terms else np.zeros(0, np.int32),
        np.concatenate(all_weights) if all_weights else np.zeros(0, np.int64),
    )


def count_terms(
    articles: Sequence[Article],
    language: str,
    options: TermOptions | None = None,
    engine: Engine | None = None,
) -> list[Counts]:
    """:func:`article_terms` of many articles, by the engine's workers if one is given."""
    options = options or TermOptions()
    if engine is None:
        return _count_part((articles, language, options))
    parts = [(articles[begin : begin + PART], language, options) for begin in range(0, len(articles), PART)]
    return [counts for part in engine.map(_count_part, parts) for counts in part]


def _count_part(job: tuple[Sequence[Article], str, TermOptions]) -> list[Counts]:
    articles, language, options = job
    record, stems = get_language(language), dict[str, str]()
    return [article_terms(article, record, options, stems) for article in articles]

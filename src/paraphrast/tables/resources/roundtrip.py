"""Round trips: counted pairs (words of the input, words that came back) → a table of pairs that hold in general.

A round trip makes many changes that are right only in their sentence: prepositions, articles, pronouns. A pair must
occur in several sentences to become a row; the less content it has, the more sentences it needs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paraphrast.tables.checks.stems import stemmer
from paraphrast.tables.checks.vetoes import ALL_VETOES, veto_bits, veto_mask, word_classes
from paraphrast.tables.resources.kinds import info_of
from paraphrast.tables.resources.options import RoundtripOptions
from paraphrast.tables.resources.words import has_letter, same_masks
from paraphrast.text.languages.record import Language
from paraphrast.types import Vocabulary
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["Pair", "RoundtripOptions", "TripCounts", "can_be_row", "is_contraction", "roundtrip_table"]

Pair = tuple[tuple[str, ...], tuple[str, ...]]
#: Full forms of contracted words, by language.
CONTRACTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "n't": ("not",),
        "'s": ("is", "has"),
        "'m": ("am",),
        "'re": ("are",),
        "'ve": ("have",),
        "'ll": ("will", "shall"),
        "'d": ("would", "had"),
    }
}
#: Minimum probability of a contraction.
LEAST_CONTRACTED = 0.005
#: One in this many of the sentences with a pair must have no other change beside it.
ALONE = 3


@dataclass
class TripCounts:
    """For each pair: probability mass, number of sentences, and number of sentences with no other change beside it."""

    mass: dict[Pair, float] = field(default_factory=dict)
    sentences: Counter[Pair] = field(default_factory=Counter)
    alone: Counter[Pair] = field(default_factory=Counter)
    glue: dict[tuple[str, ...], int] = field(default_factory=dict)


def roundtrip_table(
    counts: TripCounts,
    occurrences: Mapping[tuple[str, ...], int],
    known: Container[str],
    language: Language,
    options: RoundtripOptions,
    *,
    antonyms: Iterable[tuple[str, str]] = (),
    notes: Mapping[str, Any] | None = None,
) -> LooseTable:
    """The table of counted pairs. occurrences: of phrases in the inputs. known: words that the target may add."""
    rows = _without_vetoed(_rows(counts, occurrences, known, language, options), language, antonyms)
    info = info_of("roundtrip", language.code, options, notes=notes)
    return loose_table(rows, info, top=options.top, glue=counts.glue)


def can_be_row(pair: Pair, language: Language) -> bool:
    """Whether a pair can be a row: words at both ends, letters on both sides, the same entities, no names.

    A name may not change, and an unchanged name beside a change makes the row too rare to be useful.
    """
    edges = (edge for side in pair for edge in (side[0], side[-1]))
    return (
        all(any(map(str.isalnum, edge)) for edge in edges)
        and all(map(has_letter, pair))
        and same_masks(*pair)
        and not any(_is_name(word, language) for side in pair for word in side)
        and [word.lower() for word in pair[0]] != [word.lower() for word in pair[1]]
    )


def _is_name(word: str, language: Language) -> bool:
    low = word.lower()
    return word != low and low not in language.function_words and not language.capital_nouns


def _rows(
    counts: TripCounts,
    occurrences: Mapping[tuple[str, ...], int],
    known: Container[str],
    language: Language,
    options: RoundtripOptions,
) -> list[PhraseRow]:
    """The pairs that occur often enough for what they change. New words must be ``known`` from the inputs."""
    rows = []
    stem = stemmer(language)
    for pair, mass in counts.mass.items():
        met = counts.sentences[pair]
        probability = min(mass / max(occurrences.get(pair[0], 0), 1), 1.0)
        least = _least(pair, language, stem, options)
        if least is None or met < least[0] or probability < max(least[1], 1e-6):
            continue
        # A pair that mostly occurs with other changes beside it is part of a larger pair.
        alone = ALONE * counts.alone[pair] >= met
        if alone and (all(word in known for word in pair[1]) or probability >= options.lost_probability):
            rows.append(PhraseRow(*pair, math.log(probability), met))
    return rows


def _least(
    pair: Pair, language: Language, stem: Callable[[str], str], options: RoundtripOptions
) -> tuple[int, float] | None:
    """Minimum number of sentences and minimum probability of a pair, by what changes; None if it cannot be a row.

    Function words may not be only added or removed, except ``optional`` ones. Without a content word beside them, they
    may change in contractions only: "it is" → "it 's", not "of the" → "in the". Another tense or number of the same
    words is not a paraphrase: "was playing", "played".
    """
    lost, gained = (_rest(first, second) for first, second in (pair, pair[::-1]))
    content = all(_has_content(side, language) for side in pair)
    usual = options.least_sentences, options.least_probability
    if is_contraction(pair, language):
        return options.light_sentences, LEAST_CONTRACTED
    if any(_has_content(part, language) for part in (lost, gained)):
        stems = [
            sorted(stem(word) for word in part if _has_content([word], language)) for part in (lost, gained)
        ]
        if stems[0] == stems[1]:
            return None
        if not (lost and gained):
            return options.lost_sentences, options.lost_probability
        return usual if content else (options.light_sentences, 2 * options.least_probability)
    if not (lost and gained):
        optional = options.optional.split()
        return usual if content and all(word in optional for word in (*lost, *gained)) else None
    return (options.light_sentences, options.light_probability) if content else None


def is_contraction(pair: Pair, language: Language) -> bool:
    """Whether the only change is a contraction or its full form: is and 's, not and n't, will not and wo n't."""
    contracted = CONTRACTIONS.get(language.code, {})
    hosts = language.clitic_hosts
    ways = [
        [(hosts.get(low, low), *contracted.get(low, ())) for word in _apart(side) if (low := word.lower())]
        for side in pair
    ]
    return (
        len(ways[0]) == len(ways[1])
        and all(set(first) & set(second) for first, second in zip(*ways, strict=True))
        and any("'" in word for side in pair for word in side)
    )


def _apart(words: Sequence[str]) -> list[str]:
    return [part for word in words for part in (("can", "not") if word.lower() == "cannot" else (word,))]


def _rest(side: Sequence[str], other: Sequence[str]) -> list[str]:
    """The words of ``side`` that ``other`` lacks, in lower case."""
    left = Counter(word.lower() for word in other)
    return [word for word in (original.lower() for original in side) if not _take(left, word)]


def _take(left: Counter[str], word: str) -> bool:
    left[word] -= 1
    return left[word] >= 0


def _has_content(words: Sequence[str], language: Language) -> bool:
    return any(any(map(str.isalpha, word)) and word.lower() not in language.function_words for word in words)


def _without_vetoed(
    rows: list[PhraseRow], language: Language, antonyms: Iterable[tuple[str, str]]
) -> list[PhraseRow]:
    """Rows without a veto: numbers, names, negation, antonyms and inflections do not change."""
    if not rows:
        return rows
    table = loose_table(rows, info_of("roundtrip", language.code, RoundtripOptions()), top=len(rows))
    vocabulary = Vocabulary(table.words, np.zeros(len(table.words), np.int64))
    bits = veto_bits(
        table.phrases, table.table.source, table.table.target, word_classes(vocabulary, language, antonyms)
    )
    hit = np.flatnonzero(bits & veto_mask(ALL_VETOES))
    out = {
        (table.phrase(int(table.table.source[row])), table.phrase(int(table.table.target[row])))
        for row in hit
    }
    # "am" and "'m" are forms of one word with the same tense and number.
    return [
        row
        for row in rows
        if (row.source, row.target) not in out or is_contraction((row.source, row.target), language)
    ]
